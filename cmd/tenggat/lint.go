package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/lint"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model/scenario"
)

func init() { commands = append(commands, lintCommand) }

func lintCommand(f *flags) *cobra.Command {
	preset := ""
	cmd := &cobra.Command{
		Use:   "lint FILE|NAME",
		Short: "Check rules between settings that need no run",
		Long: `Check rules between settings that need no run: a lease shorter than the work, renewals too seldom, retries that
multiply. Each finding shows its sum, why it matters, a change that was tried and satisfies the rule, and its source.
All variants are checked, as they stand and under what each event sets. Alerts, expectations and plots are compiled
as run and sweep do. Exit code 1 if there is a finding of severity error.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := lintReport(f, preset, args)
			if err != nil {
				return err
			}
			if err := showReport(cmd, f, r); err != nil {
				return err
			}
			if worst, ok := r.Worst(); ok && worst == lint.Error {
				return errCheckFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&preset, "preset", "", "check what this preset of a queue or lock brings along, instead of a file")
	return cmd
}

// lintReport judges a preset, or a file or scenario of the library.
func lintReport(f *flags, preset string, args []string) (*lint.Report, error) {
	switch {
	case preset != "" && len(args) == 0 && len(f.sets) == 0:
		return lint.Preset(preset)
	case preset != "":
		return nil, fmt.Errorf("--preset %s: lint takes a preset by itself, without a file and without --set", preset)
	case len(args) == 0:
		return nil, fmt.Errorf("name a scenario file, a scenario of the library, or a preset with --preset")
	}
	sets, err := assignments(f.sets)
	if err != nil {
		return nil, err
	}
	name := args[0]
	files, err := loadAll(name)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := compiles(file, sets); err != nil {
			return nil, inFile(name, err)
		}
	}
	text, err := os.ReadFile(name)
	if data, ok := scenarios.Lookup(name); err != nil && ok {
		name, text, err = name+".yaml", data, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := lint.File(name, text, sets...)
	if err != nil {
		return nil, inFile(name, err)
	}
	return r, nil
}

// compiles says what run or sweep would refuse of a scenario. A sweep is taken without the settings on top, which may be
// those that it varies.
func compiles(file *scenario.File, sets []scenario.Assignment) error {
	if _, err := experiments.Variants(file, sets); err != nil || file.Sweep == nil {
		return err
	}
	_, err := experiments.Grid(file, nil)
	return err
}

// showReport prints findings: sentences for a reader, or a table for a program.
func showReport(cmd *cobra.Command, f *flags, r *lint.Report) error {
	if f.quiet {
		return nil
	}
	w, format := cmd.OutOrStdout(), report.Format(f.format)
	if format == report.Aligned {
		_, err := fmt.Fprint(w, r.Text())
		return err
	}
	t := report.Table{Head: []string{"scenario", "variants", "under", "file", "line", "column", "severity", "rule", "sum", "why", "settings", "change", "source"}}
	for i := range r.Findings {
		x := &r.Findings[i]
		at := x.At[0].Place
		t.Add(report.Text("%s", x.Scenario), report.Text("%s", strings.Join(x.Variants, " ")), report.Text("%s", x.Under), report.Text("%s", at.File),
			report.Number(float64(at.Line)), report.Number(float64(at.Column)), report.Text("%s", x.Severity), report.Text("%s", x.Rule.ID), report.Text("%s", x.Sum), report.Text("%s", x.Rule.Why),
			report.Text("%s", x.Settings()), report.Text("%s", lint.Changes(x.Change)), report.Text("%s", x.Rule.Source))
	}
	return report.Write(w, t, format)
}
