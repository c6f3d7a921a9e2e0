package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/sim/stat"
)

// Summary is the study's result for a reader: variants side by side with their
// paired differences from base, or the points of a sweep one a line.
func (s *Study) Summary(points []*Point) []report.Table {
	done := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil })
	switch {
	case len(done) == 0:
		return nil
	case len(s.Axes) > 0:
		return []report.Table{s.sweepTable(done)}
	}
	tables := []report.Table{s.variantTable(done)}
	if len(done) > 1 {
		if t := s.differenceTable(done); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
		if len(s.File.Rank) > 0 {
			tables = append(tables, s.Ranking(done))
		}
	}
	return tables
}

// variantTable has a metric a row and a variant a column, and beside it what
// theory says where a closed form is known.
func (s *Study) variantTable(points []*Point) report.Table {
	names := s.headline(points)
	t := report.Table{Head: []string{"metric", "unit"}}
	theories := make([]*closedForm, len(points))
	for i, p := range points {
		t.Head = append(t.Head, p.Variant)
		if theories[i] = theoryOf(s.spec(p).Scenario); theories[i] != nil {
			t.Head = append(t.Head, "theory")
		}
	}
	for _, name := range names {
		row := []report.Cell{report.Text("%s", name), {}}
		for i, p := range points {
			if c := p.Column(name); c < 0 {
				row = append(row, report.Cell{})
			} else {
				row[1] = report.Text("%s", shownUnit(p.Columns[c]))
				row = append(row, cell(p, c))
			}
			if theories[i] != nil {
				row = append(row, theories[i].cell(name))
			}
		}
		t.Add(row...)
	}
	t.Notes = slices.Concat(notes(points, names), s.twins(points), s.unsteady(points))
	for _, form := range theories {
		if form != nil && !slices.Contains(t.Notes, form.source) {
			t.Notes = append(t.Notes, form.source)
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Metrics in all: %d; points.csv and --format csv have the others.", len(points[0].Columns)))
	return t
}

// spec is what a point was run from.
func (s *Study) spec(p *Point) *Spec {
	i := slices.IndexFunc(s.Specs, func(spec *Spec) bool { return spec.Variant == p.Variant && slices.Equal(spec.Axes, p.Axes) })
	if i < 0 {
		panic(fmt.Sprintf("experiments: no spec of the point %s %v", p.Variant, p.Axes))
	}
	return s.Specs[i]
}

// finite is column c with the run's length in place of infinity: what never
// ended is worse than what did, and a choice between the two needs a number.
func (s *Study) finite(p *Point, c int) []float64 {
	horizon := s.spec(p).Scenario.Run.Duration.Seconds()
	capped := slices.Clone(p.Values[c])
	for r, v := range capped {
		if math.IsInf(v, 1) {
			capped[r] = horizon
		}
	}
	return capped
}

// sweepTable has a point a row: its settings, and the plotted metrics.
func (s *Study) sweepTable(points []*Point) report.Table {
	metrics := s.plotted(points)
	if len(metrics) == 0 {
		metrics = s.aims(points)
	}
	variants := len(s.File.Sweep.Variants) > 0
	t := report.Table{Notes: slices.Concat(notes(points, metrics), s.twins(points), s.unsteady(points))}
	if variants {
		t.Head = []string{"variant"}
	}
	t.Head = append(t.Head, s.Axes...)
	for _, name := range metrics {
		if unit := shownUnit(points[0].Columns[points[0].Column(name)]); unit != "" {
			name += " (" + unit + ")"
		}
		t.Head = append(t.Head, name)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Metrics in all: %d; points.csv has the main ones and those that plots or expectations name, --format csv prints all.", len(points[0].Columns)))
	for _, p := range points {
		var row []report.Cell
		if variants {
			row = append(row, report.Text("%s", p.Variant))
		}
		for _, a := range p.Axes {
			row = append(row, report.Text("%s", a.Value))
		}
		for _, name := range metrics {
			if c := p.Column(name); c >= 0 {
				row = append(row, cell(p, c))
			} else {
				row = append(row, report.Cell{})
			}
		}
		t.Add(row...)
	}
	return t
}

// shownUnit is a column's unit for a reader; numbers of things have none.
func shownUnit(c metric.Column) string {
	if c.Unit == "1" {
		return ""
	}
	return c.Unit
}

// cell is a metric for a reader, with the number of replications that have it
// if not all do. Where some replications are infinite there is no mean, and the
// median stands in.
func cell(p *Point, c int) report.Cell {
	e := p.Estimate(c)
	switch {
	case slices.Contains(p.Refused, p.Columns[c].Name):
		return report.Text("– *")
	case e.Infinite == 0 && e.Skipped > 0 && e.N > 0:
		return report.Text("%s (n = %d)", report.Readable(e.Mean, e.Low, e.High), e.N)
	case e.Infinite == 0:
		return report.Interval(e.Mean, e.Low, e.High)
	}
	if 2*e.Infinite >= e.N {
		return report.Text("never in %d of %d", e.Infinite, e.N)
	}
	m := p.Median(c)
	return report.Text("median %s, never in %d of %d", report.Readable(m.Mean, m.Low, m.High), e.Infinite, e.N)
}

// notes say what the intervals are, and why a quantile is missing.
func notes(points []*Point, names []string) []string {
	fewest, most := math.MaxInt, 0
	refused := false
	for _, p := range points {
		fewest, most = min(fewest, p.Replications()), max(most, p.Replications())
		refused = refused || slices.ContainsFunc(p.Refused, func(name string) bool { return slices.Contains(names, name) })
	}
	replications := fmt.Sprintf("%d replications", most)
	if fewest != most {
		replications = fmt.Sprintf("%d to %d replications", fewest, most)
	}
	list := []string{"± and [ ]: 95 % interval over " + replications + "; (< x): none seen, and the 95 % upper bound."}
	if most == 1 {
		list = []string{"One replication: no intervals; raise run.replications or --replications for them."}
	}
	if refused {
		list = append(list, fmt.Sprintf("*: a quantile needs %d samples in every replication; raise run.duration.", stat.MinSamples))
	}
	return list
}

// headlines are the metrics to show a reader first, in the order of the
// questions that they answer: how much, how often twice, what harm, who lost
// its claim, how long it took, what it did to others.
var headlines = []string{
	"published", "starts", "completions", "effects", "dead_lettered", "publish_refused",
	"duplicate_rate", "duplicate_starts", "duplicate_effects", "lost_jobs", "stranded_jobs",
	"stale_writes_attempted", "stale_writes_accepted", "fence_violations", "holders_max", "overlap_s",
	"leases_lost_alive", "orphan_locks", "lock_timeouts", "suspicions", "false_failovers", "false_failover_per_day",
	"detection_s.mean", "takeover_s.mean", "takeover_s.p99", "wait_s.mean", "wait_s.p99", "service_s.mean",
	"end_to_end_s.mean", "end_to_end_s.p99", "backlog_peak",
	"amplification", "retry_rate", "timeout_rate", "breaker_open_s", "goodput_per_s",
}

// parted are the headlines that mix causes, and the nouns by which they are
// parted, each group by itself: a lost claim of a queue repeats a job, one of a
// lock lets two write; a mail twice is not a row twice.
var parted = map[string][][]string{"leases_lost_alive": {{"queues.", "locks."}}, "duplicate_rate": {{"jobs."}},
	"duplicate_effects": {{"jobs."}, {"services."}}, "lost_jobs": {{"jobs."}}}

// parts are the columns of a parted headline, of the components in which it
// happened; none of a group of nouns where the scenario has only one. A service
// to which nobody writes is none.
func parts(points []*Point, name string) (names []string) {
	for _, nouns := range parted[name] {
		components := 0
		var group []string
		for c, column := range points[0].Columns {
			of, is := strings.CutSuffix(column.Name, "."+name)
			if !is || !slices.ContainsFunc(nouns, func(noun string) bool { return strings.HasPrefix(of, noun) }) {
				continue
			}
			if effects := points[0].Column(of + ".effects"); strings.HasPrefix(of, "services.") && (effects < 0 || !happened(points, of+".effects", effects)) {
				continue
			}
			if components++; happened(points, column.Name, c) {
				group = append(group, column.Name)
			}
		}
		if components > 1 {
			names = append(names, group...)
		}
	}
	return names
}

// headline are the metrics to show: the headlines and their parts, the
// utilisation of groups, services and locks and the drain of events where they
// are not zero everywhere, the counts of harm, what every alert did, and what an
// expectation names.
func (s *Study) headline(points []*Point) []string {
	names := slices.DeleteFunc(slices.Clone(headlines), func(name string) bool {
		c := points[0].Column(name)
		return c < 0 || !points[0].Columns[c].Safety && !shows(points, name, c)
	})
	for i, name := range slices.Backward(names) {
		names = slices.Insert(names, i+1, parts(points, name)...)
	}
	for _, name := range s.File.Rank {
		if points[0].Column(name) >= 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	seen := map[string]bool{}
	for _, p := range points {
		for c, column := range p.Columns {
			if seen[column.Name] {
				continue
			}
			seen[column.Name] = true
			of := strings.HasSuffix(column.Name, ".utilisation") || strings.HasSuffix(column.Name, ".drain_s")
			shown := s.expected(column.Name) || ofAlert(column.Name) || of && happened(points, column.Name, c)
			if shown && !slices.Contains(names, column.Name) {
				names = append(names, column.Name)
			}
		}
	}
	return names
}

// ofAlert says that a metric tells whether an alert did its work. An alert was
// declared to be heard of, and silence is an answer.
func ofAlert(name string) bool {
	_, metric, found := strings.Cut(strings.TrimPrefix(name, "alerts."), ".")
	return found && strings.HasPrefix(name, "alerts.") && slices.Contains([]string{"fired", "false", "delay_s.mean"}, metric)
}

// expected says that an expectation speaks of the metric.
func (s *Study) expected(name string) bool {
	for _, spec := range s.Specs {
		for _, x := range spec.Expects.list {
			if slices.Contains(x.metrics, name) {
				return true
			}
		}
	}
	return false
}

// shows says that there is something to say of the metric: it is other than
// zero somewhere, or has too few samples.
func shows(points []*Point, name string, c int) bool {
	return happened(points, name, c) || slices.ContainsFunc(points, func(p *Point) bool { return slices.Contains(p.Refused, name) })
}

// happened says that the metric is other than zero somewhere; c is where it
// probably stands.
func happened(points []*Point, name string, c int) bool {
	for _, p := range points {
		if c >= len(p.Columns) || p.Columns[c].Name != name {
			if c = p.Column(name); c < 0 {
				return false
			}
		}
		if slices.ContainsFunc(p.Values[c], func(v float64) bool { return v != 0 && !math.IsNaN(v) }) {
			return true
		}
	}
	return false
}

// plotted are the metrics of the sweep's plots, each once.
func (s *Study) plotted(points []*Point) []string {
	var names []string
	for _, plot := range s.File.Sweep.Plots {
		for _, name := range slices.Concat([]string{plot.X}, plot.Y) {
			if points[0].Column(name) >= 0 && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
