package experiments

import (
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/sim/stat"
)

// choice is a setting of what can be chosen, under every condition of the
// sweep.
type choice struct {
	points []*Point // one for each condition, in grid order
}

// condition says that a swept path is what happens to a system, not how it is
// set up: nobody chooses how long the pauses are.
func condition(path string) bool {
	return strings.HasPrefix(path, "events.") || strings.HasPrefix(path, "network.") || strings.HasSuffix(path, ".arrivals")
}

// chosen are the axes' indices that make a choice: those that are no
// conditions, or all when every one is.
func (s *Study) chosen() []int {
	var chosen, all []int
	for i, path := range s.Axes {
		all = append(all, i)
		if !condition(path) {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) == 0 {
		return all
	}
	return chosen
}

// choices groups the points by what can be chosen.
func (s *Study) choices(points []*Point) []*choice {
	var choices []*choice
	for _, p := range points {
		i := slices.IndexFunc(choices, func(c *choice) bool {
			q := c.points[0]
			return p.Variant == q.Variant && len(s.Axes) > 0 &&
				!slices.ContainsFunc(s.chosen(), func(k int) bool { return p.Axes[k].Value != q.Axes[k].Value })
		})
		if i < 0 {
			i = len(choices)
			choices = append(choices, &choice{})
		}
		choices[i].points = append(choices[i].points, p)
	}
	return choices
}

// averaged names the conditions over which the choices are averaged.
func (s *Study) averaged(choices []*choice) string {
	if len(choices[0].points) == 1 {
		return ""
	}
	var paths []string
	for i, path := range s.Axes {
		if !slices.Contains(s.chosen(), i) {
			paths = append(paths, path)
		}
	}
	return strings.Join(paths, " and ")
}

// values is a metric in each replication, its mean over the conditions that
// have it; nil if none has.
func (s *Study) values(c *choice, name string) []float64 {
	var sums, counts []float64
	for _, p := range c.points {
		column := p.Column(name)
		if column < 0 {
			continue
		}
		for r, v := range s.finite(p, column) {
			if r == len(sums) {
				sums, counts = append(sums, 0), append(counts, 0)
			}
			if !math.IsNaN(v) {
				sums[r], counts[r] = sums[r]+v, counts[r]+1
			}
		}
	}
	for r := range sums {
		sums[r] /= counts[r] // NaN if no condition has it.
	}
	return sums
}

// mean is the mean of a metric over conditions and replications; NaN if it was
// never measured.
func (s *Study) mean(c *choice, name string) float64 {
	return average(s.values(c, name), stat.Confidence).Mean
}

// told is a metric of a choice in words.
func (s *Study) told(c *choice, name string) string {
	p := c.points[0]
	column := p.Column(name)
	words := say(p.Columns[column])
	if len(c.points) == 1 {
		return words.value(cell(p, column))
	}
	e := s.estimate(c, name)
	return words.value(report.Interval(e.Mean, e.Low, e.High))
}

// estimate is the mean of a metric over conditions and replications, with the
// interval that a table shows.
func (s *Study) estimate(c *choice, name string) stat.Estimate {
	p := c.points[0]
	if column := p.Column(name); column >= 0 && p.Columns[column].Whole {
		return meanOf(s.values(c, name))
	}
	return average(s.values(c, name), stat.Confidence)
}

// words is the name of a metric in words.
func (c *choice) words(name string) string {
	p := c.points[0]
	return say(p.Columns[p.Column(name)]).String()
}

// failed counts the expectations of "always" that failed. An undecided one says
// nothing against a choice, and one of a single variant says what comes out
// there, which may well be harm.
func (c *choice) failed() int {
	n := 0
	for _, p := range c.points {
		for _, v := range p.Verdicts {
			if v.Outcome == Failed && v.Variant == always {
				n++
			}
		}
	}
	return n
}

// broken are the expectations of "always" that failed in a choice.
func (c *choice) broken() []string { return c.expectations(Failed) }

// beaten says that a choice fails an expectation of "always" that another passes.
func (c *choice) beaten(choices []*choice) bool {
	failed := c.broken()
	return slices.ContainsFunc(choices, func(other *choice) bool {
		held, broken := other.expectations(Held), other.broken()
		return slices.ContainsFunc(failed, func(text string) bool { return slices.Contains(held, text) && !slices.Contains(broken, text) })
	})
}

// expectations are those of "always" that came out so under some condition.
func (c *choice) expectations(outcome Outcome) []string {
	var texts []string
	for _, p := range c.points {
		for _, v := range p.Verdicts {
			if v.Outcome == outcome && v.Variant == always && !slices.Contains(texts, v.Text) {
				texts = append(texts, v.Text)
			}
		}
	}
	return texts
}

// neighbours says that two choices differ by one step of one axis or, where
// there are no axes, by their variant.
func (s *Study) neighbours(a, b *choice) bool {
	if len(s.Axes) == 0 {
		return a != b
	}
	if a.points[0].Variant != b.points[0].Variant {
		return false
	}
	steps := 0
	for _, axis := range s.File.Sweep.Axes {
		if !slices.ContainsFunc(s.chosen(), func(i int) bool { return slices.Contains(axis.Paths, s.Axes[i]) }) {
			continue
		}
		i, j := axisIndex(axis.Paths, axis.Values, a.points[0]), axisIndex(axis.Paths, axis.Values, b.points[0])
		if strangers(axis.Values[i], axis.Values[j]) {
			return false
		}
		steps += max(i-j, j-i)
	}
	return steps == 1
}

// strangers says that two values of an axis are no step apart although they
// stand beside each other: "fixed 40s" and "chen 1s" are of different families.
func strangers(a, b []string) bool {
	for k := range a {
		one, x := family(a[k])
		other, y := family(b[k])
		if one != other && x != "" && y != "" {
			return true
		}
	}
	return false
}

// axisIndex is which value of an axis a point has.
func axisIndex(paths []string, values [][]string, p *Point) int {
	return slices.IndexFunc(values, func(value []string) bool {
		for i, path := range paths {
			for _, a := range p.Axes {
				if a.Path == path && a.Value != value[i] {
					return false
				}
			}
		}
		return true
	})
}

// settings names a choice by its variant and settings; beside another choice, by
// those that differ.
func (s *Study) settings(c, beside *choice) string {
	p := c.points[0]
	var words []string
	if len(s.Axes) == 0 || p.Variant != baseVariant && (beside == nil || beside.points[0].Variant != p.Variant) {
		words = append(words, p.Variant)
	}
	for _, i := range s.chosen() {
		if a := p.Axes[i]; beside == nil || beside.points[0].Axes[i].Value != a.Value {
			words = append(words, a.Path+" "+a.Value)
		}
	}
	return strings.Join(words, ", ")
}
