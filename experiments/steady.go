package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// Thirds are the means of a level over the middle and the last third of the
// measured window, in each replication. In a steady state they differ by luck
// alone; in a system that has more work than it can do the level grows in a
// straight line, and the last third has 5/3 of the middle one.
type Thirds struct {
	Metric       string
	Middle, Last []float64
}

// levelsOf are the levels that are watched for growth: all jobs, and what waits
// at each queue and service.
func levelsOf(sc *scenario.Scenario, columns []metric.Column) []string {
	levels := []string{inSystem}
	for _, q := range sc.Queues {
		levels = append(levels, "queues."+q.Name+".queue_depth.mean")
	}
	for _, s := range sc.Services {
		levels = append(levels, "services."+s.Name+".queue_depth.mean")
	}
	return slices.DeleteFunc(levels, func(name string) bool {
		return !slices.ContainsFunc(columns, func(c metric.Column) bool { return c.Name == name })
	})
}

const inSystem = "in_system.mean"

// thirds are the windows in which a run's levels are looked at, two for each.
func (s *Spec) thirds() []metric.Span {
	run := &s.Scenario.Run
	third := (run.Duration - run.Warmup) / 3
	last := run.From + run.Duration
	var spans []metric.Span
	for _, name := range levelsOf(s.Scenario, s.Columns) {
		spans = append(spans,
			metric.Span{Metric: name, From: last - 2*third, To: last - third},
			metric.Span{Metric: name, From: last - third, To: last})
	}
	return spans
}

// want is what a replication keeps: for the expectations, then the thirds.
func (s *Spec) want() metric.Want {
	w := s.Expects.Want
	w.Windows = slices.Concat(w.Windows, s.thirds())
	return w
}

// thirdsOf reads the thirds from results that were run with want.
func (s *Spec) thirdsOf(results []*metric.Result) []Thirds {
	spans, first := s.thirds(), len(s.Expects.Want.Windows)
	var all []Thirds
	for i := 0; i < len(spans); i += 2 {
		t := Thirds{Metric: spans[i].Metric}
		for _, r := range results {
			if len(r.Windows) < first+len(spans) {
				return nil // the windows of this result were not kept
			}
			t.Middle, t.Last = append(t.Middle, r.Windows[first+i]), append(t.Last, r.Windows[first+i+1])
		}
		all = append(all, t)
	}
	return all
}

// What counts as growth: half of what a level that rises in a straight line
// shows, a few things more than before, and not by luck.
const (
	growingRatio = 4.0 / 3
	growingBy    = 5
)

// growing says that a level had not stopped growing at the end of the run.
func (t *Thirds) growing() bool {
	middle, last := stat.MeanT(t.Middle, stat.Confidence).Mean, stat.MeanT(t.Last, stat.Confidence).Mean
	if !(last > growingRatio*middle && last > middle+growingBy) {
		return false
	}
	e := stat.Paired(t.Middle, t.Last)
	return e.N < 2 || e.Low > 0
}

// rise says from where to where the level grew.
func (t *Thirds) rise() string {
	mean := func(values []float64) string {
		return report.Number(math.Round(stat.MeanT(values, stat.Confidence).Mean)).String()
	}
	return mean(t.Middle) + " to " + mean(t.Last)
}

// alwaysBusy is from which utilisation on something has no time left.
const alwaysBusy = 0.95

// unsteady is a line on a point in which work piles up; empty if none does.
func (p *Point) unsteady(place string) string {
	i := slices.IndexFunc(p.Thirds, func(t Thirds) bool { return t.Metric == inSystem })
	if i < 0 || !p.Thirds[i].growing() {
		return ""
	}
	line := fmt.Sprintf("Not in a steady state: at %s the jobs in the system grow to the end, from %s between the middle and the last third of the time measured", place, p.Thirds[i].rise())
	var where []string
	for k := range p.Thirds {
		if t := &p.Thirds[k]; k != i && t.growing() {
			where = append(where, fmt.Sprintf("%s (%s)", strings.TrimSuffix(t.Metric, ".queue_depth.mean"), t.rise()))
		}
	}
	if len(where) > 0 {
		line += "; what waits grows at " + strings.Join(where, ", ")
	}
	var full []string
	for c, column := range p.Columns {
		name, is := strings.CutSuffix(column.Name, ".utilisation")
		if u := p.Estimate(c).Mean; is && u >= alwaysBusy {
			full = append(full, fmt.Sprintf("%s (%.0f %%)", name, 100*u))
		}
	}
	if len(full) > 0 {
		line += "; busy all the time: " + strings.Join(full, ", ")
	}
	return line + "."
}

// mostUnsteady is how many points a table's notes name that are not steady.
const mostUnsteady = 3

// unsteady are the lines on the points in which work piles up.
func (s *Study) unsteady(points []*Point) []string {
	var lines []string
	n := 0
	for _, p := range points {
		if line := p.unsteady(s.place(p)); line != "" {
			if n++; n <= mostUnsteady {
				lines = append(lines, line)
			}
		}
	}
	if n > mostUnsteady {
		lines = append(lines, fmt.Sprintf("%d points more are not in a steady state.", n-mostUnsteady))
	}
	if n > 0 {
		lines = append(lines, "Means and shares of a run that is not steady depend on its length. `tenggat lint` says whether the load fits.")
	}
	return lines
}
