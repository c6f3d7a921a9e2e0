package experiments

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// manifest says what the files beside it were made from. It names no machine
// and no time, so that it changes only when results do.
type manifest struct {
	Scenario     string                `json:"scenario"`
	Version      string                `json:"version"`
	Seed         uint64                `json:"seed"`
	Replications int                   `json:"replications"`
	Result       string                `json:"result_hash"` // over all points, in order
	Trace        string                `json:"trace_hash"`
	Complete     bool                  `json:"complete"`
	Expectations []manifestExpectation `json:"expectations,omitempty"`
	Points       []manifestPoint       `json:"points"`
	Files        []string              `json:"files"`
}

const manifestFile = "manifest.json"

// filesOf are the files beside a manifest that it lists; none if it cannot be
// read. A name that is a path is none of this program's.
func filesOf(path string) []string {
	var m manifest
	content, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(content, &m) != nil {
		return nil
	}
	return slices.DeleteFunc(m.Files, func(name string) bool { return name != filepath.Base(name) || !writes(name) })
}

// writes says that a file is of a kind that Write writes.
func writes(name string) bool {
	return slices.Contains([]string{".csv", ".svg", ".png"}, filepath.Ext(name))
}

// manifestExpectation is an expectation and at how many of the points that it
// applies to it held.
type manifestExpectation struct {
	Variant string `json:"variant"`
	Text    string `json:"text"`
	Line    int    `json:"line"`
	Held    int    `json:"held"`
	Of      int    `json:"of"`
}

type manifestPoint struct {
	Variant  string            `json:"variant"`
	Settings map[string]string `json:"settings,omitempty"`
	Scenario string            `json:"scenario_hash"`
	Result   string            `json:"result_hash"`
	Trace    string            `json:"trace_hash"`
	Events   uint64            `json:"events"`
	NotHeld  []manifestVerdict `json:"not_held,omitempty"`
}

// manifestVerdict is the outcome of an expectation that did not hold.
type manifestVerdict struct {
	Expectation int     `json:"expectation"` // from 0, as the manifest lists them
	Outcome     Outcome `json:"outcome"`
	Not         int     `json:"not"`   // replications in which it did not hold; 0 for one over all of them
	First       int     `json:"first"` // the first of these, from 0; -1 for none
	Why         string  `json:"why"`
	Needed      int     `json:"needed"` // inconclusive: about how many replications would decide; 0: none would
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
		mp := manifestPoint{Variant: p.Variant, Scenario: p.Scenario, Result: p.Result, Trace: p.Trace, Events: p.Events}
		for _, v := range p.Verdicts {
			if i := m.count(v); v.Outcome != Held {
				mp.NotHeld = append(mp.NotHeld, manifestVerdict{i, v.Outcome, v.Not, v.First, v.Why, v.Needed})
			}
		}
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

// count adds a verdict to its expectation and returns the index of that.
func (m *manifest) count(v Verdict) int {
	i := slices.IndexFunc(m.Expectations, func(e manifestExpectation) bool {
		return e.Variant == v.Variant && e.Text == v.Text && e.Line == v.Line
	})
	if i < 0 {
		i = len(m.Expectations)
		m.Expectations = append(m.Expectations, manifestExpectation{Variant: v.Variant, Text: v.Text, Line: v.Line})
	}
	m.Expectations[i].Of++
	if v.Outcome == Held {
		m.Expectations[i].Held++
	}
	return i
}
