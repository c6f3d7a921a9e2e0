package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model/scenario"
)

func runCommand(f *flags) *cobra.Command {
	explain := false
	cmd := &cobra.Command{
		Use:   "run FILE|NAME",
		Short: "Run a scenario with all its variants side by side",
		Long: `Run a scenario with all its variants side by side, differences paired replication by replication.
Written to --out: points.csv (every metric), series.csv and a figure (jobs in the system over the time of
replication 0), manifest.json (seed and hashes).`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := plan(f, args[0], experiments.Variants)
			if err != nil {
				return err
			}
			if explain {
				return report.Write(cmd.OutOrStdout(), s.Settings(), report.Format(f.format))
			}
			return study(cmd, f, s, false)
		},
	}
	cmd.Flags().BoolVar(&explain, "explain-settings", false, "print every resolved value with the line, preset or flag it comes from, and run nothing")
	return cmd
}

func sweepCommand(f *flags) *cobra.Command {
	resume := false
	cmd := &cobra.Command{
		Use:   "sweep FILE|NAME",
		Short: "Run the grid of a scenario's sweep: table, CSV and figures",
		Long: `Run the grid of a scenario's sweep. Written to --out: the plots as SVG and PNG, manifest.json (seed, hashes, what
did not hold), and points.csv with the main metrics and those that plots or expectations name, so that it can be
committed; --format csv prints every metric.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := plan(f, args[0], experiments.Grid)
			if err != nil {
				return err
			}
			return study(cmd, f, s, resume)
		},
	}
	cmd.Flags().BoolVar(&resume, "resume", false, "continue an interrupted sweep: points that are finished are not run again")
	return cmd
}

// plan loads a scenario and resolves what is to be run.
func plan(f *flags, name string, resolve func(*scenario.File, []scenario.Assignment) (*experiments.Study, error)) (*experiments.Study, error) {
	file, err := load(name)
	if err != nil {
		return nil, err
	}
	sets, err := assignments(f.sets)
	if err != nil {
		return nil, err
	}
	s, err := resolve(file, sets)
	return s, inFile(name, err)
}

// study is what run and sweep have in common: prove that the results can be written, run, write, print. A study that has
// come to nothing leaves nothing behind.
func study(cmd *cobra.Command, f *flags, s *experiments.Study, resume bool) error {
	out := f.out
	if out == "" {
		out = filepath.Join("results", s.File.Name)
	}
	if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
		defer os.Remove(out) // It stays where it has something in it.
	}
	if err := experiments.Prepare(out); err != nil {
		return err
	}
	release, err := experiments.Claim(out)
	if err != nil {
		return err
	}
	defer release()
	var store *experiments.Store // run does not go on where it was interrupted, and keeps nothing.
	if cmd.Flags().Lookup("resume") != nil {
		if store, err = experiments.OpenStore(filepath.Join(out, ".state"), resume); err != nil {
			return err
		}
	}
	progress, done := progressBar(cmd, f, len(s.Axes) > 0)
	points, err := s.Run(cmd.Context(), experiments.Options{
		Workers: f.workers, Store: store, Progress: progress, Levels: len(s.Axes) == 0,
	})
	done()
	if errors.Is(err, experiments.ErrInterrupted) {
		err = fmt.Errorf("%w after %d of %d points", err, len(points)-count(points, nil), len(points))
	}
	if err != nil {
		return kept(store, err)
	}
	files, writing := s.Write(out, points)
	written := fmt.Sprintf("Written to %s: %s.", out, listed(files))
	if err := errors.Join(writing, show(cmd, f, s, points, written)); err != nil {
		return kept(store, err)
	}
	if err := store.Close(); err != nil {
		return err
	}
	if _, fine := s.Judgement(points); !fine {
		return errCheckFailed
	}
	return nil
}

// kept says of a study that was not finished that its finished points stay in the store; if there are none, the store
// goes.
func kept(store *experiments.Store, err error) error {
	if store.Empty() {
		return errors.Join(err, store.Close())
	}
	return fmt.Errorf("%w; finished points are kept: go on with the same command and --resume", err)
}

// show prints the result: tables and sentences for a reader, or the tidy table alone for a program.
func show(cmd *cobra.Command, f *flags, s *experiments.Study, points []*experiments.Point, written string) error {
	w, format := cmd.OutOrStdout(), report.Format(f.format)
	if format == report.CSV || format == report.JSON {
		return report.Write(w, s.Tidy(points), format)
	}
	tables, lines := s.Lines(points)
	if f.quiet {
		tables = nil
	}
	for _, t := range tables {
		if err := report.Write(w, t, format); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, line := range append([]string{written}, lines...) {
		fmt.Fprintln(w, line)
	}
	return nil
}

// listed names files; those of a figure, in two formats, are counted.
func listed(files []string) string {
	var names []string
	figures := 0
	for _, name := range files {
		switch filepath.Ext(name) {
		case ".png":
			figures++
		case ".svg":
		default:
			names = append(names, name)
		}
	}
	if figures > 0 {
		names = append(names, fmt.Sprintf("figures as SVG and PNG: %d", figures))
	}
	return strings.Join(names, ", ")
}

// load reads a scenario file, or the scenario of the library with this name.
func load(name string) (*scenario.File, error) {
	files, err := loadAll(name)
	if err != nil {
		return nil, err
	}
	if len(files) > 1 {
		return nil, fmt.Errorf("%s holds %d scenarios; put the one to run into a file of its own, or use `tenggat test`", name, len(files))
	}
	return files[0], nil
}

// loadAll reads all scenarios of a file, or the one of the library with this name.
func loadAll(name string) ([]*scenario.File, error) {
	if _, err := os.Stat(name); err == nil {
		return scenario.LoadAll(name)
	}
	if data, ok := scenarios.Lookup(name); ok {
		return scenario.ParseAll(name+".yaml", data)
	}
	if p, ok := scenario.FindPreset(name); ok && p.Name == name {
		return nil, fmt.Errorf("%s is a preset and no scenario: `tenggat presets %s` shows it, `tenggat lint --preset %s` judges it", name, name, name)
	}
	return nil, fmt.Errorf("there is neither a file nor a scenario of the library called %s%s (`tenggat scenarios` lists the library)", name, experiments.Suggest(name, scenarios.Names()))
}

// assignments reads --set path=value.
func assignments(sets []string) ([]scenario.Assignment, error) {
	var all []scenario.Assignment
	for _, set := range sets {
		path, value, ok := strings.Cut(set, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("--set %s: write path=value, such as --set queues.orders.lease=30s", set)
		}
		all = append(all, scenario.Assignment{Path: strings.TrimSpace(path), Value: value})
	}
	return all, nil
}

// inFile names the file in problems that do not know it.
func inFile(name string, err error) error {
	var problems scenario.Problems
	if !errors.As(err, &problems) {
		return err
	}
	problems = slices.Clone(problems)
	for i := range problems {
		if problems[i].File == "" {
			problems[i].File = name
		}
	}
	return problems
}

// progressBar shows how far a study is and when it will be done, if stderr is a terminal. Elsewhere it prints nothing, or,
// if lines are wanted, one for each tenth.
func progressBar(cmd *cobra.Command, f *flags, lines bool) (progress func(done, total int), finish func()) {
	nothing := func() {}
	terminal, ok := cmd.ErrOrStderr().(*os.File)
	if ok {
		info, err := terminal.Stat()
		ok = err == nil && info.Mode()&fs.ModeCharDevice != 0
	}
	switch {
	case f.quiet || !ok && !lines:
		return nil, nothing
	case !ok:
		return tenths(cmd.ErrOrStderr()), nothing
	}
	bars := mpb.New(mpb.WithOutput(terminal), mpb.WithWidth(60))
	bar := bars.AddBar(0,
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d replications")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	progress = func(done, total int) {
		bar.SetTotal(int64(total), false)
		bar.SetCurrent(int64(done))
	}
	return progress, func() {
		bar.SetTotal(-1, true)
		bars.Wait()
	}
}

// tenths prints a line for every tenth of the replications that is finished; several goroutines may tell it.
func tenths(w io.Writer) func(done, total int) {
	var mutex sync.Mutex
	last := 0
	return func(done, total int) {
		mutex.Lock()
		defer mutex.Unlock()
		if tenth := 10 * done / max(1, total); tenth > last {
			last = tenth
			fmt.Fprintf(w, "%d of %d replications, %d %%\n", done, total, 100*done/total)
		}
	}
}

func count[T comparable](list []T, x T) int {
	n := 0
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}
