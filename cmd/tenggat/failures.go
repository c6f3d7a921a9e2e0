package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/scenarios"
)

func init() { commands = append(commands, failuresCommand) }

func failuresCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "failures [FILE|NAME…]",
		Short: "One table of failures, remedies and mistakes: the harm before and after",
		Long: `Run the scenarios that have variants (all of the library if none is named) and write one table: for each failure and
each change the harm as the file is written and as the variant has it, with intervals, and whether the change is a remedy, a
mistake, an exchange of one harm for another, a response in the middle of the run, or another fault. Written to --out
(results): failures.md and failures.csv.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			names := args
			if len(args) == 0 {
				names = scenarios.Names()
			}
			var all experiments.Failures
			for _, name := range names {
				tried, err := addFailure(cmd, f, name, &all)
				if err != nil {
					return err
				}
				if !tried && len(args) > 0 {
					return fmt.Errorf("%s has no variants, and so no remedies: write them as variants: {name: {path: value}}", name)
				}
			}
			out := f.out
			if out == "" {
				out = "results"
			}
			return writeFailures(cmd, f, out, &all)
		},
	}
}

// addFailure runs one scenario's variants; it says whether there are any.
func addFailure(cmd *cobra.Command, f *flags, name string, all *experiments.Failures) (tried bool, err error) {
	files, err := loadAll(name)
	if err != nil {
		return false, err
	}
	sets, err := assignments(f.sets)
	if err != nil {
		return false, err
	}
	for _, file := range files {
		if len(file.Variants) < 2 {
			continue
		}
		tried = true
		s, err := experiments.Variants(file, sets)
		if err != nil {
			return true, inFile(name, err)
		}
		progress, done := progressBar(cmd, f, false)
		points, err := s.Run(cmd.Context(), experiments.Options{Workers: f.workers, Progress: progress})
		done()
		if err != nil {
			return true, err
		}
		all.Add(s, points)
	}
	return tried, nil
}

func writeFailures(cmd *cobra.Command, f *flags, out string, all *experiments.Failures) error {
	if err := experiments.Prepare(out); err != nil {
		return err
	}
	var markdown, csv bytes.Buffer
	markdown.WriteString("# Failures and remedies\n\nWritten by `make failures`.\n\n")
	if err := report.Write(&markdown, all.Table(), report.Markdown); err != nil {
		return err
	}
	if err := report.Write(&csv, all.Tidy(), report.CSV); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"failures.md": markdown.Bytes(), "failures.csv": csv.Bytes()} { // order-free: two files
		if err := experiments.WriteFile(filepath.Join(out, name), content); err != nil {
			return err
		}
	}
	if !f.quiet {
		if err := report.Write(cmd.OutOrStdout(), all.Table(), report.Format(f.format)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "Written to %s: failures.md, failures.csv.\n", out)
	return err
}
