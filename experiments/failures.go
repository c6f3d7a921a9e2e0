package experiments

import (
	"slices"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// Failures is a table of failures and of what a change does to them: for each
// variant of each study, the harm in base and in the variant.
//
// The harm of a scenario is what its rank names; without one, the counts of harm
// that are not zero everywhere. A harm that is neither in base nor in the variant
// has no row.
type Failures struct {
	rows []change
}

// change is one harm before and after.
type change struct {
	failure, change, kind, metric, unit string
	replications                        int // that both have
	before, after                       report.Cell
	numbers                             [3]stat.Estimate // before, after, and after less before
}

// Add takes the points of one study of variants. Before and after are over the
// replications that base and the variant both have, as their difference is.
func (f *Failures) Add(s *Study, points []*Point) {
	harm := s.harm(points)
	for _, p := range points[1:] {
		n := min(points[0].Replications(), p.Replications())
		base, p := points[0].first(n), p.first(n)
		kind := s.kind(base, p, harm)
		for _, name := range harm {
			b, a := base.Column(name), p.Column(name)
			if b < 0 || a < 0 || !happened([]*Point{base, p}, name, b) {
				continue
			}
			f.rows = append(f.rows, change{s.File.Name, p.Variant, kind, name, base.Columns[b].Unit, n, cell(base, b), cell(p, a),
				[3]stat.Estimate{base.Estimate(b), p.Estimate(a), difference(base, b, p, a)}})
		}
	}
}

// kind is one word for what a variant changes. If it takes an event of base away
// that is another fault, and if it adds one that is somebody's response. What
// changes settings is named by what it does to the harm, as far as that is
// noticeable and beyond luck: a remedy lessens some of it and a mistake adds to
// some, an exchange is both.
func (s *Study) kind(base, p *Point, harm []string) string {
	before, after := s.spec(base).Scenario.Events, s.spec(p).Scenario.Events
	switch {
	case lacks(after, before):
		return "other fault"
	case lacks(before, after):
		return "response"
	}
	was, is := &choice{points: []*Point{base}}, &choice{points: []*Point{p}}
	more := slices.ContainsFunc(harm, func(name string) bool { return s.worse(is, was, name, 1) })
	less := slices.ContainsFunc(harm, func(name string) bool { return s.worse(was, is, name, 1) })
	switch {
	case more && less:
		return "exchange"
	case more:
		return "mistake"
	case less:
		return "remedy"
	}
	return "no effect"
}

// lacks says that one of the events is not among those that there are.
func lacks(there, events []*scenario.Event) bool {
	return slices.ContainsFunc(events, func(e *scenario.Event) bool {
		return !slices.ContainsFunc(there, func(t *scenario.Event) bool { return t.Name == e.Name })
	})
}

// harm are the metrics that say what a scenario's failure costs.
func (s *Study) harm(points []*Point) []string {
	if len(s.File.Rank) > 0 {
		return s.File.Rank
	}
	var names []string
	for c, column := range points[0].Columns {
		if column.Safety && column.Whole && !hasNoun(column.Name) && happened(points, column.Name, c) {
			names = append(names, column.Name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "holders_max" })
}

// hasNoun says that a metric is of one component.
func hasNoun(name string) bool { return slices.Contains([]byte(name), '.') }

// Table is the summary for a reader.
func (f *Failures) Table() report.Table {
	t := report.Table{Head: []string{"failure", "change", "kind", "harm", "n", "before", "after", "difference"}, Notes: []string{
		"Before: the scenario as written; after: its variant. Kind: a response is an event that the variant adds, under another fault it takes one away; of the others a remedy lessens some harm, a mistake adds to some, an exchange is both. n: replications, those that both have. ± and [ ]: 95 % interval over them; (< x): none seen, and the upper bound. Differences are paired, replication by replication; –: none, since in some replication one of the two had not ended with the run."}}
	last := ""
	for _, r := range f.rows {
		name := r.failure
		if name == last {
			name = ""
		}
		last = r.failure
		d := r.numbers[2]
		t.Add(report.Text("%s", name), report.Text("%s", r.change), report.Text("%s", r.kind), report.Text("%s", r.metric), report.Number(float64(r.replications)),
			r.before, r.after, differenceCell(d, r.numbers[0].N, r.numbers[1].N))
	}
	return t
}

// Tidy is the same for a program.
func (f *Failures) Tidy() report.Table {
	t := report.Table{Head: []string{"failure", "change", "kind", "metric", "unit", "before", "before_low", "before_high", "after", "after_low", "after_high",
		"difference", "difference_low", "difference_high", "n"}}
	for _, r := range f.rows {
		row := []report.Cell{report.Text("%s", r.failure), report.Text("%s", r.change), report.Text("%s", r.kind), report.Text("%s", r.metric), report.Text("%s", r.unit)}
		for _, e := range r.numbers {
			low, high := known(e)
			row = append(row, report.Number(e.Mean), report.Number(low), report.Number(high))
		}
		t.Add(append(row, report.Number(float64(r.replications)))...)
	}
	return t
}
