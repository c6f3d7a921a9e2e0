package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/experiments/report"
)

// Tidy is the study's result as one row per point and metric. A metric that is
// zero or undefined in every replication of every point has no rows, counts of
// harm, what alerts did and refused quantiles excepted; otherwise all points
// have it.
func (s *Study) Tidy(points []*Point) report.Table { return s.tidy(points, nil) }

// tidy keeps to the metrics with these names, nil: to all.
func (s *Study) tidy(points []*Point, names []string) report.Table {
	t := report.Table{Head: slices.Concat([]string{"variant"}, s.Axes,
		[]string{"metric", "unit", "mean", "low", "high", "median", "n"})}
	done := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil })
	seen := map[string]bool{}
	for _, p := range done {
		for c, column := range p.Columns {
			wanted := names == nil || slices.Contains(names, column.Name)
			seen[column.Name] = seen[column.Name] || wanted && (column.Safety || ofAlert(column.Name) || shows(done, column.Name, c))
		}
	}
	for _, p := range done {
		place := []report.Cell{report.Text("%s", p.Variant)}
		for _, a := range p.Axes {
			place = append(place, report.Text("%s", a.Value))
		}
		for c, column := range p.Columns {
			if !seen[column.Name] {
				continue
			}
			e := p.Estimate(c)
			low, high := known(e)
			t.Add(slices.Concat(place, []report.Cell{
				report.Text("%s", column.Name), report.Text("%s", column.Unit), report.Number(e.Mean), report.Number(low),
				report.Number(high), report.Number(p.Median(c).Mean), report.Number(float64(p.Replications() - e.Skipped)),
			})...)
		}
	}
	return t
}

// Prepare makes the directory for a study's files and proves that it can be
// written to, before anything is run.
func Prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the results cannot be written: %w; choose another directory with --out", err)
	}
	probe, err := os.CreateTemp(dir, halfWritten)
	if err != nil {
		return fmt.Errorf("the results cannot be written: %w; choose another directory with --out", err)
	}
	if err := probe.Close(); err != nil {
		return err
	}
	return os.Remove(probe.Name())
}

// kept are the metrics that points.csv holds, nil for all: of a sweep those that
// a reader is shown, plots or expectations name, since a grid has many points
// and its files are made to be committed.
func (s *Study) kept(points []*Point) []string {
	if len(s.Axes) == 0 || len(points) == 0 {
		return nil
	}
	return slices.Concat(s.headline(points), s.plotted(points), s.aims(points))
}

// Write writes points.csv, series.csv where levels were kept, the figures and
// manifest.json into dir and returns the names of the files. Each file appears
// whole or not at all. What an earlier study wrote there, by its manifest, and
// this one does not, is removed at the end.
func (s *Study) Write(dir string, points []*Point) ([]string, error) {
	before := filesOf(filepath.Join(dir, manifestFile))
	var files []string
	for _, table := range []struct {
		name  string
		table report.Table
	}{{"points.csv", s.tidy(points, s.kept(points))}, {"series.csv", s.Series(points)}} {
		if len(table.table.Rows) == 0 {
			continue
		}
		var csv bytes.Buffer
		if err := report.Write(&csv, table.table, report.CSV); err != nil {
			return nil, err
		}
		if err := WriteFile(filepath.Join(dir, table.name), csv.Bytes()); err != nil {
			return nil, err
		}
		files = append(files, table.name)
	}
	var failures []error // A figure that cannot be drawn does not cost the numbers.
	for _, f := range s.Figures(points) {
		for _, kind := range []struct {
			ending string
			draw   func(figure.Table) ([]byte, error)
		}{{".svg", figure.SVG}, {".png", figure.PNG}} {
			image, err := kind.draw(f.Table)
			if err == nil {
				err = WriteFile(filepath.Join(dir, f.Name+kind.ending), image)
			}
			if err != nil {
				failures = append(failures, fmt.Errorf("%s: %w", f.Name, err))
				break
			}
			files = append(files, f.Name+kind.ending)
		}
	}
	slices.Sort(files)
	content, err := s.manifest(points, files)
	if err != nil {
		return nil, err
	}
	failures = append(failures, WriteFile(filepath.Join(dir, manifestFile), content))
	for _, name := range before {
		if !slices.Contains(files, name) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failures = append(failures, err)
			}
		}
	}
	return append(files, manifestFile), errors.Join(failures...)
}
