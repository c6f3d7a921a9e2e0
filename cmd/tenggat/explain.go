package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments/explain"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

func init() { commands = append(commands, explainCommand) }

func explainCommand(f *flags) *cobra.Command {
	q := explain.Question{}
	cmd := &cobra.Command{
		Use: "explain FILE|NAME", Args: cobra.ExactArgs(1),
		Short: "Tell what happened to one job, or how the first harm of a kind came about",
		Long: `Tells the story of a job (--job 17) or of the first harm of a kind (--first duplicate_effects; of one component
--first jobs.pay.duplicate_effects) in the order of time, from the history of the run alone. Lines with a bar happened to
others and matter here; > marks the harm; … stands for what is left out. The end names the events that set it off, and
the settings that would have prevented it: of what lint proposes for this variant and what the file's other variants
set, all that leaves the fault in place, halves the harm at least, and adds less that cannot be made good. Each was tried
in the same replication, with the same luck; behind it stands what it leaves of the harm there, and what it makes worse.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (q.Harm == "") == !cmd.Flags().Changed("job") {
				return fmt.Errorf("say what to explain: --job NUMBER, or --first with one of %s", strings.Join(harms(), ", "))
			}
			if format := report.Format(f.format); format == report.CSV || format == report.Markdown {
				return fmt.Errorf("--format %s: a story is no table; use table for its text, or json", f.format)
			}
			file, err := load(args[0])
			if err != nil {
				return err
			}
			if q.Sets, err = assignments(f.sets); err != nil {
				return err
			}
			if q.Candidates, err = candidates(f, args, file, q.Variant); err != nil {
				return err
			}
			q.Interrupted = func() bool { return cmd.Context().Err() != nil }
			story, err := explain.Explain(file, q)
			if err != nil {
				return inFile(args[0], err)
			}
			return writeStory(cmd.OutOrStdout(), report.Format(f.format), story)
		},
	}
	cmd.Flags().Var(&whole[int64]{&q.Job, 0}, "job", "number of the job, from 0 in the order of publishing")
	cmd.Flags().StringVar(&q.Harm, "first", "", "metric whose first event is explained, or that of one component (jobs.J.METRIC): "+strings.Join(harms(), ", "))
	cmd.Flags().StringVar(&q.Variant, "variant", "base", "variant of the scenario")
	cmd.Flags().Var(&whole[uint64]{&q.Replication, 0}, "replication", "replication to look in first")
	return cmd
}

func harms() (names []string) {
	for _, h := range explain.Harms {
		names = append(names, h.Metric)
	}
	return names
}

// candidates are what lint proposes for the variant explained, and the file's
// other variants as changes to it.
func candidates(f *flags, args []string, file *scenario.File, explained string) ([]explain.Change, error) {
	r, err := lintReport(f, "", args)
	if err != nil {
		return nil, err
	}
	var all []explain.Change
	for _, x := range r.Findings {
		known := slices.ContainsFunc(all, func(c explain.Change) bool { return slices.Equal(c.Sets, x.Change) })
		if len(x.Change) > 0 && slices.Contains(x.Variants, explained) && !known {
			all = append(all, explain.Change{Name: "lint " + x.Rule.ID, Sets: x.Change})
		}
	}
	for _, v := range file.Variants {
		if v != explained {
			all = append(all, explain.Change{Name: "variant " + v, Variant: v})
		}
	}
	return all, nil
}

func writeStory(out io.Writer, format report.Format, s *explain.Story) error {
	if format == report.JSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(s)
	}
	what := s.Subject
	if s.Harm != "" {
		what += ", the first of " + s.Harm
	}
	fmt.Fprintf(out, "%s %s, replication %d, seed %d: %s\n\n", s.Scenario, s.Variant, s.Replication, s.Seed, what)
	for _, l := range s.Digest() {
		fmt.Fprintf(out, "%15.6f s %s %s\n", l.At.Seconds(), l.Mark(), l.Text)
	}
	if s.Harm != "" {
		writeTrials(out, s)
	}
	return nil
}

// writeTrials writes what set the harm off, and what would have prevented it.
func writeTrials(out io.Writer, s *explain.Story) {
	fmt.Fprintln(out)
	if len(s.Causes) > 0 {
		var causes []string
		for _, t := range s.Causes {
			causes = append(causes, fmt.Sprintf("%s (without it %s)", t.Name, left(s, t)))
		}
		fmt.Fprintf(out, "Set off by %s.\n", strings.Join(causes, "; "))
	}
	switch {
	case len(s.Prevented) > 0:
		fmt.Fprintf(out, "With the same luck it would not have happened with:\n")
		for _, t := range s.Prevented {
			fmt.Fprintln(out, "  "+prevention(s, t))
		}
	case s.Tried == 0:
		fmt.Fprintf(out, "Nothing was tried against it: neither lint nor another variant of the file has a change that leaves the fault in place.\n")
	default:
		fmt.Fprintf(out, "None of the %d changes tried would have prevented it.\n", s.Tried)
	}
	if len(s.Escaped) > 0 {
		fmt.Fprintf(out, "No remedy, since this one escapes and as much harm stays or comes instead, with:\n")
		for _, t := range s.Escaped {
			fmt.Fprintln(out, "  "+prevention(s, t))
		}
	}
}

// fewSettings is how many settings of a change are written out.
const fewSettings = 4

// prevention is a change that spares the subject, in one line: what is to be set,
// as --set takes it, who proposes it, and what it does to the harms of the replication.
func prevention(s *explain.Story, t explain.Trial) string {
	var what []string
	for _, a := range t.Sets[:min(len(t.Sets), fewSettings)] {
		what = append(what, a.Path+"="+quoted(a.Value))
	}
	if more := len(t.Sets) - fewSettings; more > 0 {
		what = append(what, fmt.Sprintf("and %d more", more))
	}
	line := fmt.Sprintf("%s (%s): %s", strings.Join(what, " "), t.Name, left(s, t))
	for i, c := range s.Worse(t) {
		line += fmt.Sprintf("%s%s %d, was %d", [...]string{"; worse: ", ", "}[min(i, 1)], c.Metric, c.Times, c.Was)
	}
	return line
}

// left is what a change leaves of the harm.
func left(s *explain.Story, t explain.Trial) string {
	return fmt.Sprintf("%s %d, was %d", s.Counts[0].Metric, t.Left(), s.Counts[0].Times)
}

// quoted is a value as a shell takes it for one word, and a reader for a value.
func quoted(value string) string {
	if value != "" && !strings.ContainsFunc(value, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.,:/%+-", r)
	}) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
