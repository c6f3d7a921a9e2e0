package metric

import (
	"math"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim/stat"
)

// Result is what one replication gave.
type Result struct {
	Columns []Column  // do not change them
	Values  []float64 // parallel to Columns; NaN: undefined, +Inf: never
	Windows []float64 // parallel to Want.Windows

	layout *layout
	dists  [dists][]*distribution
	facts  [history.Kinds][]kept
	hash   uint64
}

// Result is what the run gave that ended at end, in ns. It ends the meter's
// work: nothing may be observed after it.
func (m *Meter) Result(end int64) *Result {
	m.pass(end)
	last := m.snapshot(end)
	for len(m.marks.snapshots) < len(m.marks.spots)+1 { // at() may ask for what lies behind the last spot
		m.marks.snapshots = append(m.marks.snapshots, last)
	}
	if end > m.holders.now {
		m.holders.settle(end)
	}
	m.held.finish(end, m.warm)
	m.countDeliveries()
	r := &Result{Columns: m.columns, layout: m.layout, dists: m.dists, facts: m.record.facts, hash: m.hash(end)}
	whole := &view{m, m.marks.at(m.from), last}
	measured := &view{m, m.marks.at(m.warm), last}
	r.Values = make([]float64, len(m.cells))
	for i := range m.cells {
		r.Values[i] = m.value(&m.cells[i], measured, whole)
	}
	r.Windows = make([]float64, len(m.spans))
	for i, s := range m.spans {
		v := &view{m, m.marks.at(max(int64(s.From), m.from)), m.marks.at(max(int64(s.To), m.from))}
		r.Windows[i] = m.during(s.Metric, v)
	}
	return r
}

// value computes one column.
func (m *Meter) value(c *cell, measured, whole *view) float64 {
	e := c.entry
	v := measured
	if e.Safety {
		v = whole
	}
	switch {
	case e.counter != noCounter:
		return m.counted(c, v)
	case e.dist != noDist:
		return m.dists[e.dist][c.scope].part(c.part, e.dist == deliveriesPerJob)
	case e.ratio != nil:
		return e.ratio(v, c.scope)
	}
	return e.total(m, c.scope)
}

// counted is one part of a counter.
func (m *Meter) counted(c *cell, v *view) float64 {
	k := &m.counters[c.entry.counter][c.scope]
	switch c.part {
	case partCount:
		return v.count(c.entry.counter, c.scope)
	case partRate:
		return v.rate(v.count(c.entry.counter, c.scope))
	case partMaxRate:
		return float64(k.MaxPerSec)
	}
	return m.instant(c.entry.counter, c.scope, c.part)
}

// instant is when the first or the last fact of a counter was, NaN if there was
// none.
func (m *Meter) instant(c counter, scope int32, part int) float64 {
	k := &m.counters[c][scope]
	switch {
	case k.InWindow == 0:
		return math.NaN()
	case part == partFirst:
		return float64(k.First) / 1e9
	}
	return float64(k.Last) / 1e9
}

// part is one number of a distribution, in s. Whole numbers, which are kept as
// so many seconds, are rounded: a quantile of under 128 is then exact.
func (d *distribution) part(part int, whole bool) float64 {
	var ns float64
	switch part {
	case 0:
		return d.Mean() / 1e9
	case 5:
		if d.Count() == 0 {
			return math.NaN()
		}
		ns = float64(d.Max())
	default:
		ns = d.Quantile([...]float64{1: 0.50, 2: 0.95, 3: 0.99, 4: 0.999}[part])
	}
	if whole {
		return math.Round(ns / 1e9)
	}
	return ns / 1e9
}

// during is a metric on a span; NaN if it has no value there.
func (m *Meter) during(name string, v *view) float64 {
	i, ok := m.index[name]
	if !ok {
		if i, ok = m.index[name+".mean"]; !ok {
			return math.NaN()
		}
	}
	c := &m.cells[i]
	switch {
	case c.entry.ratio != nil:
		return c.entry.ratio(v, c.scope)
	case c.entry.counter != noCounter && c.part <= partRate:
		return m.counted(c, v)
	}
	return math.NaN()
}

// countDeliveries turns deliveries by their number into a distribution over
// jobs. Where the window cuts a job's deliveries in two the later ones count
// as those of another job.
func (m *Meter) countDeliveries() {
	for s, d := range m.dists[deliveriesPerJob] {
		if d == nil {
			continue
		}
		hands := m.hands[s]
		for k, n := range hands {
			if k+1 < len(hands) {
				n -= hands[k+1]
			}
			d.AddN(int64(k+1)*1e9, max(n, 0))
		}
	}
}

// Value is the metric with this name; ok is false if there is none.
func (r *Result) Value(name string) (v float64, ok bool) {
	i, ok := r.layout.index[name]
	if !ok {
		return 0, false
	}
	return r.Values[i], true
}

// Distribution is the histogram behind a distribution such as "wait_s" or
// "jobs.pay.wait_s", nil if there is none. It holds nanoseconds, or for
// numbers billionths: deliveries_per_job keeps 2 as 2e9.
func (r *Result) Distribution(name string) *stat.Histogram {
	i, ok := r.layout.index[name+".p50"]
	if !ok {
		return nil
	}
	c := r.layout.cells[i]
	return &r.dists[c.entry.dist][c.scope].Histogram
}

// Hash covers the integers behind the values: counts, sums, areas, extremes.
// What Want asks for beyond the metrics does not change it.
func (r *Result) Hash() uint64 { return r.hash }
