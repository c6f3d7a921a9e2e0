package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/experiments/report"
)

// Tidy is the study's result as one row per point and metric. A metric that is
// zero or undefined in every replication of every point has no rows, counts of
// harm excepted; otherwise all points have it.
func (s *Study) Tidy(points []*Point) report.Table {
	t := report.Table{Head: slices.Concat([]string{"variant"}, s.Axes,
		[]string{"metric", "unit", "mean", "low", "high", "median", "n"})}
	done := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil })
	seen := map[string]bool{}
	for _, p := range done {
		for c, column := range p.Columns {
			seen[column.Name] = seen[column.Name] || column.Safety || happened(done, column.Name, c)
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
			t.Add(slices.Concat(place, []report.Cell{
				report.Text("%s", column.Name), report.Text("%s", column.Unit), report.Number(e.Mean), report.Number(e.Low),
				report.Number(e.High), report.Number(p.Median(c).Mean), report.Number(float64(p.Replications() - e.Skipped)),
			})...)
		}
	}
	return t
}

// manifest says what the files beside it were made from. It names no machine
// and no time, so that it changes only when results do.
type manifest struct {
	Scenario     string          `json:"scenario"`
	Version      string          `json:"version"`
	Seed         uint64          `json:"seed"`
	Replications int             `json:"replications"`
	Result       string          `json:"result_hash"` // over all points, in order
	Trace        string          `json:"trace_hash"`
	Complete     bool            `json:"complete"`
	Points       []manifestPoint `json:"points"`
	Files        []string        `json:"files"`
}

type manifestPoint struct {
	Variant  string            `json:"variant"`
	Settings map[string]string `json:"settings,omitempty"`
	Scenario string            `json:"scenario_hash"`
	Result   string            `json:"result_hash"`
	Trace    string            `json:"trace_hash"`
	Events   uint64            `json:"events"`
	Verdicts []Verdict         `json:"expectations,omitempty"`
}

// Hashes are the trace and the result hash over all points.
func Hashes(points []*Point) (trace, result string) {
	var traces, results bytes.Buffer
	for _, p := range points {
		if p != nil {
			traces.WriteString(p.Trace)
			results.WriteString(p.Result)
		}
	}
	return digestText(traces.Bytes()), digestText(results.Bytes())
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

// Write writes points.csv, the figures and manifest.json into dir and returns
// the names of the files. Each file appears whole or not at all.
func (s *Study) Write(dir string, points []*Point) ([]string, error) {
	var csv bytes.Buffer
	if err := report.Write(&csv, s.Tidy(points), report.CSV); err != nil {
		return nil, err
	}
	if err := writeFile(filepath.Join(dir, "points.csv"), csv.Bytes()); err != nil {
		return nil, err
	}
	files := []string{"points.csv"}
	var failures []error // A figure that cannot be drawn does not cost the numbers.
	for _, f := range s.Figures(points) {
		for _, kind := range []struct {
			ending string
			draw   func(figure.Table) ([]byte, error)
		}{{".svg", figure.SVG}, {".png", figure.PNG}} {
			image, err := kind.draw(f.Table)
			if err == nil {
				err = writeFile(filepath.Join(dir, f.Name+kind.ending), image)
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
	failures = append(failures, writeFile(filepath.Join(dir, "manifest.json"), content))
	return append(files, "manifest.json"), errors.Join(failures...)
}

func (s *Study) manifest(points []*Point, files []string) ([]byte, error) {
	first := s.Specs[0].Scenario
	m := manifest{
		Scenario: first.Name, Version: Version, Seed: first.Seed, Replications: first.Run.Replications,
		Complete: !slices.Contains(points, nil), Files: files,
	}
	m.Trace, m.Result = Hashes(points)
	for _, p := range points {
		if p == nil {
			continue
		}
		mp := manifestPoint{Variant: p.Variant, Scenario: p.Scenario, Result: p.Result, Trace: p.Trace, Events: p.Events, Verdicts: p.Verdicts}
		for _, a := range p.Axes {
			if mp.Settings == nil {
				mp.Settings = map[string]string{}
			}
			mp.Settings[a.Path] = a.Value
		}
		m.Points = append(m.Points, mp)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(m)
	return b.Bytes(), err
}
