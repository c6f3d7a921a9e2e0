package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/sim/stat"
)

// Conclusion is one sentence about a study of several points: the best one,
// what it costs, and what breaks first beside it. It is empty for a single
// point.
//
// Better means, in this order: fewer expectations that did not hold, less harm
// (jobs lost, effects landed twice, fences broken), and smaller plotted
// metrics, the first one first. Points whose paired difference from the
// smallest may be nothing but luck are taken for equal.
func (s *Study) Conclusion(points []*Point) string {
	done := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil })
	if len(done) < 2 {
		return ""
	}
	aims := s.aims(done)
	best := s.best(done, aims)
	sentence := fmt.Sprintf("Best of %d: %s", len(done), s.place(best))
	if len(aims) > 0 {
		sentence += fmt.Sprintf(", with %s %s", aims[0], cell(best, best.Column(aims[0])))
	}
	if name, least := s.cost(best, done, aims); name != "" {
		sentence += fmt.Sprintf("; it costs %s %s, where %s has %s",
			name, cell(best, best.Column(name)), s.place(least), cell(least, least.Column(name)))
	}
	return sentence + "; " + s.breaks(best, done, aims) + "."
}

// harms are the metrics that no setting may buy anything with.
var harms = []string{"lost_jobs", "duplicate_effects", "fence_violations"}

// usualAims are what to look at when no plot says it.
var usualAims = []string{"duplicate_rate", "leases_lost_alive", "false_failovers", "takeover_s.mean", "end_to_end_s.p99", "wait_s.p99", "amplification"}

// aims are the metrics to keep small, the most important first.
func (s *Study) aims(points []*Point) []string {
	var aims []string
	if len(s.Axes) > 0 {
		for _, plot := range s.File.Sweep.Plots {
			aims = append(aims, plot.Y...)
		}
		for _, plot := range s.File.Sweep.Plots {
			aims = append(aims, plot.X)
		}
	}
	aims = append(aims, usualAims...)
	var known []string
	for _, name := range aims {
		if points[0].Column(name) >= 0 && !slices.Contains(known, name) && !slices.Contains(harms, name) {
			known = append(known, name)
		}
	}
	return known
}

// best narrows the points down, one criterion after the other.
func (s *Study) best(points []*Point, aims []string) *Point {
	fewest := slices.MinFunc(points, func(a, b *Point) int { return a.NotHeld() - b.NotHeld() }).NotHeld()
	left := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p.NotHeld() > fewest })
	for _, name := range slices.Concat(harms, aims) {
		known := slices.DeleteFunc(slices.Clone(left), func(p *Point) bool { return math.IsNaN(p.mean(name)) })
		if len(known) == 0 {
			continue
		}
		least := slices.MinFunc(known, func(a, b *Point) int { return cmp.Compare(a.mean(name), b.mean(name)) })
		left = slices.DeleteFunc(known, func(p *Point) bool { return s.worse(p, least, name) })
	}
	return left[0]
}

// worse says that p is above least in a metric, beyond what luck explains.
func (s *Study) worse(p, least *Point, name string) bool {
	e := stat.Paired(s.finite(least, least.Column(name)), s.finite(p, p.Column(name)))
	if e.N < 2 {
		return p.mean(name) > least.mean(name)
	}
	return e.Low > 0
}

// mean is the mean of a metric; NaN if the point does not have it.
func (p *Point) mean(name string) float64 {
	if c := p.Column(name); c >= 0 {
		return p.Estimate(c).Mean
	}
	return math.NaN()
}

// cost is the aim in which best is furthest above another point, and that
// point.
func (s *Study) cost(best *Point, points []*Point, aims []string) (string, *Point) {
	const noticeable = 1.05
	name, ratio, at := "", noticeable, best
	for _, aim := range aims {
		for _, p := range points {
			x, y := best.mean(aim), p.mean(aim)
			if y > 0 && x/y > ratio {
				name, ratio, at = aim, x/y, p
			}
		}
	}
	return name, at
}

// breaks says what goes wrong first when one setting of best is moved by one
// step.
func (s *Study) breaks(best *Point, points []*Point, aims []string) string {
	var near []*Point
	for _, p := range points {
		if s.neighbours(best, p) {
			near = append(near, p)
		}
	}
	for _, p := range near {
		for i, v := range p.Verdicts {
			if v.Outcome != Held && i < len(best.Verdicts) && best.Verdicts[i].Outcome == Held {
				return fmt.Sprintf("first to break is the expectation `%s`, at %s", v.Text, s.place(p))
			}
		}
		for _, name := range harms {
			if p.mean(name) > best.mean(name) {
				return fmt.Sprintf("first to break is %s, %s at %s", name, cell(p, p.Column(name)), s.place(p))
			}
		}
	}
	name, ratio, at := "", 1.0, best
	for _, aim := range aims {
		for _, p := range near {
			x, y := best.mean(aim), p.mean(aim)
			if grows := y / x; y > x && (grows > ratio || x == 0) {
				name, ratio, at = aim, grows, p
			}
		}
	}
	if name == "" {
		return "no step beside it is worse"
	}
	return fmt.Sprintf("first to suffer is %s, %s at %s", name, cell(at, at.Column(name)), s.place(at))
}

// neighbours says that two points differ by one step of one axis or, where
// there are no axes, by their variant.
func (s *Study) neighbours(a, b *Point) bool {
	if len(s.Axes) == 0 {
		return a != b
	}
	if a.Variant != b.Variant {
		return false
	}
	steps := 0
	for _, axis := range s.File.Sweep.Axes {
		i, j := axisIndex(axis.Paths, axis.Values, a), axisIndex(axis.Paths, axis.Values, b)
		steps += max(i-j, j-i)
	}
	return steps == 1
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

// place names a point by what tells it apart: its variant and its settings.
func (s *Study) place(p *Point) string {
	var words []string
	if len(s.Axes) == 0 || p.Variant != baseVariant {
		words = append(words, p.Variant)
	}
	for _, a := range p.Axes {
		words = append(words, a.Path+"="+a.Value)
	}
	return strings.Join(words, " ")
}

// Judgement lists the verdicts of a study, those that did not hold with their
// reason, and whether all held and no check of the model objected.
func (s *Study) Judgement(points []*Point) (lines []string, fine bool) {
	held, all, objections := 0, 0, 0
	fine = true
	for _, p := range points {
		if p == nil {
			continue
		}
		for _, text := range p.Violations {
			fine = false
			if objections++; objections <= mostObjections {
				lines = append(lines, fmt.Sprintf("CHECK  %s: %s", s.place(p), text))
			}
		}
		for _, v := range p.Verdicts {
			all++
			if v.Outcome == Held {
				held++
				continue
			}
			fine = false
			lines = append(lines, fmt.Sprintf("%s  %s: %s", strings.ToUpper(string(v.Outcome)), s.place(p), v))
		}
	}
	if objections > mostObjections {
		lines = append(lines, fmt.Sprintf("CHECK  … and %d more objections", objections-mostObjections))
	}
	if all > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d expectations held.", held, all))
	}
	return lines, fine
}

// mostObjections is how many objections of the checks a judgement spells out:
// one broken mechanism makes many.
const mostObjections = 5

// String is the verdict on one line.
func (v Verdict) String() string {
	text := v.Text
	switch {
	case v.Outcome == Held:
		return text
	case v.Outcome == Inconclusive && v.Needed > 0:
		text += fmt.Sprintf("  (the interval straddles the bound; about %d replications would decide)", v.Needed)
	case v.Outcome == Inconclusive:
		text += "  (the interval straddles the bound; more replications will not decide it)"
	case v.First >= 0 && v.Of > 1:
		text += fmt.Sprintf("  (in %d of %d replications, first in %s)", v.Not, v.Of, replicationName(v.First))
	}
	if v.Why != "" {
		text += "  because " + v.Why
	}
	return text
}

// Lines is the study's whole result for a terminal: tables, verdicts, hashes
// and the conclusion.
func (s *Study) Lines(points []*Point) (tables []report.Table, lines []string) {
	lines, _ = s.Judgement(points)
	trace, result := Hashes(points)
	lines = append(lines, fmt.Sprintf("trace %s, result %s, seed %d", trace, result, s.Specs[0].Scenario.Seed))
	if c := s.Conclusion(points); c != "" {
		lines = append(lines, c)
	}
	return s.Summary(points), lines
}
