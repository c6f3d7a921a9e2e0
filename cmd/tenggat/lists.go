package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/lint"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

func scenariosCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "scenarios [NAME]", Short: "List the scenarios of the library, or print the file of one", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				data, ok := scenarios.Lookup(args[0])
				if !ok {
					return fmt.Errorf("there is no scenario of the library called %s%s (`tenggat scenarios` lists them)", args[0], experiments.Suggest(args[0], scenarios.Names()))
				}
				_, err := cmd.OutOrStdout().Write(data)
				return err
			}
			t := report.Table{Head: []string{"name", "about"}}
			forReaders := report.Format(f.format) == report.Aligned
			if !forReaders {
				t.Head = append(t.Head, "source")
			}
			for _, name := range scenarios.Names() {
				files, err := loadAll(name)
				if err != nil {
					return err
				}
				for _, file := range files {
					about, _, _ := strings.Cut(cmp.Or(file.Abouts[f.lang], file.About), "\n")
					row := []report.Cell{report.Text("%s", name), report.Text("%s", about), report.Text("%s", file.Source)}
					if forReaders {
						row = []report.Cell{row[0], report.Text("%s", shortened(about, listWidth-nameWidth()))}
					}
					t.Add(row...)
				}
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

// listWidth is how wide a list is in a terminal.
const listWidth = 100

// nameWidth is the width of the column of names with the room behind it.
func nameWidth() int {
	widest := 0
	for _, name := range scenarios.Names() {
		widest = max(widest, len(name))
	}
	return widest + 2
}

// shortened is a text of at most so many letters, cut between words.
func shortened(text string, width int) string {
	letters := []rune(text)
	if len(letters) <= width {
		return text
	}
	cut := string(letters[:width-1])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

func presetsCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "presets [NAME]", Short: "List the presets of real systems, or show one with its sources", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return presetCard(cmd, f, args[0])
			}
			t := report.Table{Head: []string{"name", "kind", "system"}}
			for _, p := range scenario.Presets() {
				t.Add(report.Text("%s", p.Name), report.Text("%s", p.Kind), report.Text("%s", p.Title))
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

// presetCard prints one preset, by its name or a beginning of it.
func presetCard(cmd *cobra.Command, f *flags, name string) error {
	if p, ok := scenario.FindPreset(name); ok {
		return report.Write(cmd.OutOrStdout(), presetTable(p), report.Format(f.format))
	}
	var known []string
	for _, p := range scenario.Presets() {
		known = append(known, p.Name)
	}
	return fmt.Errorf("there is no preset called %s%s (`tenggat presets` lists them)", name, experiments.Suggest(name, known))
}

// presetTable is one preset: what it sets, how the system calls it, and where that was read.
func presetTable(p scenario.Preset) report.Table {
	t := report.Table{Title: p.Title + ", a preset for a " + p.Kind, Head: []string{"setting", "value", "own name"}}
	for _, v := range p.Values {
		own := ""
		for _, name := range p.Names {
			if name.Is == v.Path || strings.HasPrefix(v.Path, name.Is+".") { // a block stands for its main key
				own = name.Name
				if name.Unit != "" {
					own += " (" + name.Unit + ")"
				}
			}
		}
		t.Add(report.Text("%s", v.Path), report.Text("%s", v.Value), report.Text("%s", own))
	}
	for _, s := range p.Sources {
		t.Notes = append(t.Notes, "source "+s.Name+": "+s.Where)
	}
	for _, add := range p.Adds {
		t.Notes = append(t.Notes, "not in the preset, say it: "+add.What+": "+lint.Changes(add.Sets))
	}
	for _, lack := range p.Lacks {
		t.Notes = append(t.Notes, "not modelled: "+lack)
	}
	return t
}

func metricsCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "metrics [NAME]", Short: "Say what each metric means, exactly, or one of them", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return metricCard(cmd, f, args[0])
			}
			t := report.Table{Head: []string{"metric", "unit", "meaning", "columns"}}
			for _, e := range metric.Catalogue() {
				t.Add(report.Text("%s", e.Name), report.Text("%s", e.Unit), report.Text("%s", meaning(f, e)), report.Text("%s", strings.Join(e.Columns(), ", ")))
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

// meaning is what the catalogue says of a metric in the reader's language.
func meaning(f *flags, e metric.Entry) string {
	if f.lang == "id" {
		return e.Indonesian
	}
	return e.Meaning
}

// metricCard prints all that the catalogue says of the metrics that a name may mean: wait_s, wait_s.p99,
// queues.q.wait_s.p99 and first_start_s are columns of one entry each; of oldest_job_age_s there are a level, which
// alerts see, a mean and a maximum.
func metricCard(cmd *cobra.Command, f *flags, name string) error {
	t := report.Table{Head: []string{"metric", "unit", "meaning", "counted", "columns"}}
	var known []string
	local := name
	if parts := strings.SplitN(name, ".", 3); len(parts) == 3 {
		local = parts[2]
	}
	for _, e := range metric.Catalogue() {
		columns := e.Columns()
		known = append(append(known, e.Name), columns...)
		for _, column := range append(columns, e.Name) {
			if local == column || strings.HasPrefix(column, local+".") {
				t.Add(report.Text("%s", e.Name), report.Text("%s", e.Unit), report.Text("%s", meaning(f, e)),
					report.Text("%s", strings.Join(e.Scopes.Words(), ", ")), report.Text("%s", strings.Join(columns, ", ")))
				break
			}
		}
	}
	for _, l := range experiments.AlertLevels() {
		if known = append(known, l.Name); local == l.Name {
			t.Add(report.Text("%s", l.Name), report.Text("%s", l.Unit), report.Text("%s", l.Meaning),
				report.Text("%s", levelScopes(l)), report.Text("%s, in the condition of an alert", l.Name))
		}
	}
	if len(t.Rows) == 0 {
		return fmt.Errorf("there is no metric called %s%s (`tenggat metrics` lists them)", name, experiments.Suggest(name, known))
	}
	if report.Format(f.format) != report.Aligned {
		return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
	}
	for i, row := range t.Rows {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		for c, head := range t.Head {
			fmt.Fprintf(cmd.OutOrStdout(), "%-8s  %s\n", head, row[c])
		}
	}
	return nil
}

// levelScopes says where a level is kept, as the catalogue does of metrics.
func levelScopes(l experiments.AlertLevel) string {
	var words []string
	for _, noun := range l.Of {
		if noun == "" {
			words = append(words, "global")
		} else {
			words = append(words, "per "+strings.TrimSuffix(noun, "s"))
		}
	}
	return strings.Join(words, ", ")
}

func versionCommand(*flags) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "tenggat %s (%s %s/%s)\n", experiments.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	}
}
