package experiments

import (
	"math"
	"slices"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/sim/stat"
)

// difference is by how much p is above base in a metric, replication by
// replication, over those that both have. It is not known, and its mean NaN,
// where something had not ended with the run: how much longer it would have
// lasted nobody has seen.
func difference(base *Point, b int, p *Point, c int) stat.Estimate {
	n := min(base.Replications(), p.Replications())
	before, after := base.Values[b][:n], p.Values[c][:n]
	if unended := func(v float64) bool { return math.IsInf(v, 0) }; slices.ContainsFunc(before, unended) || slices.ContainsFunc(after, unended) {
		return average(nil, stat.Confidence)
	}
	return paired(before, after, stat.Confidence)
}

// differenceTable has the paired difference of each variant from the first
// point, for the metrics in which any variant differs.
func (s *Study) differenceTable(points []*Point) report.Table {
	base := points[0]
	t := report.Table{Title: "difference from " + base.Variant + ", replication by replication", Head: []string{"metric", "unit"}}
	for _, p := range points[1:] {
		t.Head = append(t.Head, p.Variant)
	}
	fewer, unended := false, false
	for _, name := range s.headline(points) {
		b := base.Column(name)
		if b < 0 {
			continue
		}
		row := []report.Cell{report.Text("%s", name), report.Text("%s", shownUnit(base.Columns[b]))}
		differs, some, open := false, false, false
		was := base.Estimate(b)
		for _, p := range points[1:] {
			c := p.Column(name)
			if c < 0 {
				row = append(row, report.Cell{})
				continue
			}
			e, is := difference(base, b, p, c), p.Estimate(c)
			differs = differs || e.Mean != 0 && !math.IsNaN(e.Mean)
			open = open || was.Infinite+is.Infinite > 0
			some = some || onFewer(e, was.N, is.N)
			row = append(row, differenceCell(e, was.N, is.N))
		}
		if differs {
			t.Add(row...)
			fewer, unended = fewer || some, unended || open
		}
	}
	if fewer {
		t.Notes = append(t.Notes, "(n = x): over the x replications that both have it in; the columns above are over all that each has.")
	}
	if unended {
		t.Notes = append(t.Notes, "–: no difference, since in some replication one of the two had not ended with the run.")
	}
	return t
}

// onFewer says that a difference is over fewer replications than one of the
// numbers that it is between.
func onFewer(e stat.Estimate, before, after int) bool { return e.N > 0 && e.N < max(before, after) }

// differenceCell is a difference for a reader, with the number of replications
// that it is over if one of its two numbers is over more.
func differenceCell(e stat.Estimate, before, after int) report.Cell {
	if onFewer(e, before, after) {
		return report.Text("%s (n = %d)", report.Readable(e.Mean, e.Low, e.High), e.N)
	}
	return report.Interval(e.Mean, e.Low, e.High)
}
