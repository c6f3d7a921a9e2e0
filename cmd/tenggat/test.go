package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

func testCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "test FILE|DIR|NAME…",
		Short: "Run every expectation of scenarios and say what held and what did not",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := assignments(f.sets)
			if err != nil {
				return err
			}
			t := &tester{cmd: cmd, flags: f, sets: sets}
			t.verdicts.Head = []string{"scenario", "file", "variant", "expectation", "outcome", "not_held", "replications", "first", "needed", "why"}
			for _, arg := range args {
				if err := t.path(arg); err != nil {
					return err
				}
			}
			if t.tabular() {
				if err := report.Write(cmd.OutOrStdout(), t.verdicts, report.Format(f.format)); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(cmd.OutOrStdout(), "%d of %d expectations of %d scenarios held.\n", t.held, t.all, t.scenarios)
			}
			if t.failed {
				return errCheckFailed
			}
			return nil
		},
	}
}

// tester runs the expectations of many files and counts.
type tester struct {
	cmd                  *cobra.Command
	flags                *flags
	sets                 []scenario.Assignment
	held, all, scenarios int
	failed               bool
	verdicts             report.Table // in formats other than text
}

// tabular says that a program reads the output.
func (t *tester) tabular() bool { return report.Format(t.flags.format) != report.Aligned }

// path tests a file, a name, or all scenario files below a directory.
func (t *tester) path(arg string) error {
	var files []string
	err := filepath.WalkDir(arg, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && (path == arg || filepath.Ext(path) == ".yaml") {
			files = append(files, path)
		}
		return err
	})
	if err != nil { // No such file: it may be a name.
		files = []string{arg}
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no scenario files; they end in .yaml", arg)
	}
	for _, name := range files {
		scenarios, err := loadAll(name)
		if err != nil {
			return err
		}
		for _, file := range scenarios {
			if err := t.scenario(name, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// scenario runs one scenario's variants and prints its verdicts.
func (t *tester) scenario(name string, file *scenario.File) error {
	s, err := experiments.Variants(file, t.sets)
	if err != nil {
		return inFile(name, err)
	}
	progress, done := progressBar(t.cmd, t.flags, false)
	points, err := s.Run(t.cmd.Context(), experiments.Options{Workers: t.flags.workers, Progress: progress})
	done()
	if err != nil {
		return err
	}
	w := t.cmd.OutOrStdout()
	t.scenarios++
	held, all := 0, 0
	for _, p := range points {
		all += len(p.Verdicts)
		held += len(p.Verdicts) - p.NotHeld()
	}
	t.held, t.all = t.held+held, t.all+all
	word := "ok   "
	lines, fine := s.Judgement(points)
	if !fine {
		t.failed, word = true, "FAIL "
	}
	if t.tabular() {
		t.keep(name, s, points)
		return nil
	}
	if all == 0 {
		fmt.Fprintf(w, "none  %s has no expectations\n", file.Name)
		return nil
	}
	fmt.Fprintf(w, "%s %s  %d of %d\n", word, file.Name, held, all)
	if fine {
		return nil
	}
	for _, line := range lines[:len(lines)-1] {
		fmt.Fprintln(w, "      "+line)
	}
	replay := []string{"tenggat", "test", name, "--seed", fmt.Sprint(s.Specs[0].Scenario.Seed)}
	for _, set := range t.flags.sets {
		if !strings.HasPrefix(set, "seed=") {
			replay = append(replay, "--set", set)
		}
	}
	fmt.Fprintln(w, "      replay: "+quoteAll(replay))
	return nil
}

// keep puts the verdicts of a scenario into the table for programs, objections of the model's checks among them.
func (t *tester) keep(name string, s *experiments.Study, points []*experiments.Point) {
	row := func(p *experiments.Point, v experiments.Verdict) {
		t.verdicts.Add(report.Text("%s", s.File.Name), report.Text("%s", name), report.Text("%s", p.Variant), report.Text("%s", v.Text),
			report.Text("%s", v.Outcome), report.Number(float64(v.Not)), report.Number(float64(v.Of)),
			report.Number(float64(v.First)), report.Number(float64(v.Needed)), report.Text("%s", v.Why))
	}
	for _, p := range points {
		for _, text := range p.Violations {
			row(p, experiments.Verdict{Outcome: "objection", Of: p.Replications(), First: -1, Why: text})
		}
		for _, v := range p.Verdicts {
			row(p, v)
		}
	}
}
