package lint

import (
	"fmt"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

// Text is the finding for a reader: a line that editors recognise, and below it why it matters, the settings, the
// change, and the source.
//
//	a.yaml:3:30: error: lease-covers-run: run 10m > lease 1m30s
//	    The queue hands the message to another worker …
//	    settings  queues.backups.lease.length = 90s, jobs.backup.steps.work = 600s
//	    change    queues.backups.lease: 10m
//	    source    C01 C03 C05 C11 C41
func (f *Finding) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s: %s\n", f.At[0].Place, f.Severity, f.Rule.ID, f.judged())
	fmt.Fprintf(&b, "    %s\n", f.Rule.Why)
	fmt.Fprintf(&b, "    settings  %s\n", f.Settings())
	if len(f.Change) > 0 {
		fmt.Fprintf(&b, "    change    %s\n", Changes(f.Change))
	}
	if len(f.Variants) > 1 || f.Variants[0] != "base" {
		fmt.Fprintf(&b, "    variants  %s\n", f.variants())
	}
	fmt.Fprintf(&b, "    source    %s\n", f.Rule.Source)
	return b.String()
}

// variants names those that have the finding, and whose numbers the sum has.
func (f *Finding) variants() string {
	all := strings.Join(f.Variants, ", ")
	if f.Differs {
		all += "; the sum is that of " + f.Variants[0]
	}
	return all
}

// judged is the sum, and under whose settings it is so.
func (f *Finding) judged() string {
	if f.Under == "" {
		return f.Sum
	}
	return "under " + f.Under + ", " + f.Sum
}

// Settings is what was compared, in one line, with the layer of what the file itself does not say.
func (f *Finding) Settings() string {
	var parts []string
	for _, v := range f.At {
		part := v.Path
		if v.Text != "" {
			part += " = " + v.Text
		}
		if v.From == "default" || v.From == "--set" || strings.HasPrefix(v.From, "preset ") {
			part += " (" + v.From + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Changes are assignments in one line, as a variant or --set takes them.
func Changes(sets []scenario.Assignment) string {
	parts := make([]string, len(sets))
	for i, s := range sets {
		parts[i] = s.Path + ": " + s.Value
	}
	return strings.Join(parts, ", ")
}

// Text is the block for a reader.
func (b *Block) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: note: layers: in variant %s, %s: set in this order; the block that results:\n", b.Place, b.Variant, strings.Join(b.Paths, ", then "))
	for _, v := range b.Values {
		fmt.Fprintf(&text, "    %s: %s  (%s)\n", v.Path, v.Text, v.From)
	}
	return text.String()
}

// Text is the whole report, with a count at the end.
func (r *Report) Text() string {
	var b strings.Builder
	var count [3]int
	for i := range r.Findings {
		b.WriteString(r.Findings[i].Text())
		count[r.Findings[i].Severity]++
	}
	for i := range r.Blocks {
		b.WriteString(r.Blocks[i].Text())
	}
	fmt.Fprintf(&b, "%s, %s, %s.\n", plural(count[Error], "error"), plural(count[Warning], "warning"), plural(count[Hint], "hint"))
	return b.String()
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
