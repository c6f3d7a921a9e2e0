package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/sim/stat"
)

// Conclusion is one sentence about a study of several points: the best choice,
// what it costs, and what breaks first beside it. It is empty where there is
// nothing to choose from.
//
// Better means, in this order: fewer expectations of "always" that failed,
// smaller metrics of the file's rank, no harm seen (jobs lost, effects landed
// twice, fences broken, states that went back), less harm, and smaller plotted
// metrics, the first one first. A rank of variants is all that counts besides
// the expectations. A metric decides between two choices only if their paired
// difference is beyond luck and noticeable; choices that it cannot tell apart are
// left to the next one.
//
// None is called best that fails what another passes, nor, without a rank, one
// that does more of some harm than another. Whatever decided, the price names
// every harm that is less elsewhere.
func (s *Study) Conclusion(points []*Point) string {
	done := slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil })
	choices := s.choices(done)
	if len(choices) < 2 {
		return ""
	}
	aims := s.aims(done)
	left, safe, reason := s.best(choices, aims)
	best := left[0]
	harmed := s.harmed(best, choices)
	sentence := s.verdict(left, choices, harmed)
	if n := best.points[0].Replications(); n < fewestToChoose && chancy(done) {
		sentence = fmt.Sprintf("%s, too few to choose by (take %d or more); as it stands, %s", counted(n, "replication"), fewestToChoose, strings.ToLower(sentence[:1])+sentence[1:])
	}
	if average := s.averaged(choices); average != "" {
		sentence += ", averaged over " + average
	}
	sentence += ": " + s.settings(best, nil) + reason
	if text := best.broken(); len(text) > 0 && !best.beaten(choices) {
		sentence += fmt.Sprintf(", though `%s` fails there as everywhere", text[0])
	}
	if price := s.price(best, safe, choices, aims, harmed); price != "" {
		sentence += "; the price is " + price
	}
	return sentence + "; " + s.breaks(best, choices, aims) + "."
}

// verdict begins the sentence on the choice that is left, or the first of those
// that are: it is the best of all, or why none is.
func (s *Study) verdict(left, choices []*choice, harmed []string) string {
	n := len(choices)
	switch {
	case left[0].beaten(choices):
		return fmt.Sprintf("None of %d is best, since none passes every expectation that another passes; the fewest fail at one", n)
	case len(harmed) > 0 && len(s.File.Rank) == 0:
		return fmt.Sprintf("None of %d is best, since one harm stands against another and no rank says which counts more; in the built-in order of harm it would be", n)
	case len(left) > 1:
		return fmt.Sprintf("None of %d is best; among the best", n)
	}
	return fmt.Sprintf("Best of %d", n)
}

// fewestToChoose is the number of replications from which on a choice is named
// without a warning.
const fewestToChoose = 5

// chancy says that replications differ, or may: a scenario without chance gives
// the same every time.
func chancy(points []*Point) bool {
	return slices.ContainsFunc(points, func(p *Point) bool {
		return p.Replications() < 2 || slices.ContainsFunc(p.Values, func(values []float64) bool {
			return slices.ContainsFunc(values, func(v float64) bool { return math.Float64bits(v) != math.Float64bits(values[0]) })
		})
	})
}

// counted is a number of things: "1 replication", "3 replications".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// worst are the harms that decide before the aims; where the file has a rank, its
// first metrics say what harm is.
func (s *Study) worst() []string {
	if len(s.File.Rank) > 0 {
		return nil
	}
	return harms
}

// harms are the metrics that no setting may buy anything with.
var harms = []string{"lost_jobs", "duplicate_effects", "fence_violations", "regressions"}

// usualAims are what to look at when no plot says it.
var usualAims = []string{"duplicate_rate", "leases_lost_alive", "false_failovers", "takeover_s.mean", "end_to_end_s.p99", "wait_s.p99",
	"amplification", "end_to_end_s.mean"}

// aims are the metrics to keep small that are not zero everywhere, the most
// important first.
func (s *Study) aims(points []*Point) []string {
	aims := slices.Clone(s.File.Rank)
	if len(s.Axes) > 0 {
		if len(aims) > 0 {
			aims = append(aims, harms...)
		}
		for _, plot := range s.File.Sweep.Plots {
			aims = append(aims, plot.Y...)
		}
		for _, plot := range s.File.Sweep.Plots {
			aims = append(aims, plot.X)
		}
	}
	if len(s.Axes) > 0 || len(aims) == 0 {
		aims = append(aims, usualAims...)
	}
	var known []string
	for _, name := range aims {
		if c := points[0].Column(name); c >= 0 && happened(points, name, c) && !slices.Contains(known, name) && !slices.Contains(s.worst(), name) {
			known = append(known, name)
		}
	}
	return known
}

// best narrows the choices down, one criterion after the other; more than one is
// left where they cannot be told apart. Safe are those that the expectations
// and the harm left over, and reason says what decided after that.
func (s *Study) best(choices []*choice, aims []string) (left, safe []*choice, reason string) {
	fewest := slices.MinFunc(choices, func(a, b *choice) int { return a.failed() - b.failed() }).failed()
	left = slices.DeleteFunc(slices.Clone(choices), func(c *choice) bool { return c.failed() > fewest })
	var spared []string // the harms that decided
	for _, name := range s.worst() {
		before := len(left)
		if unharmed := slices.DeleteFunc(slices.Clone(left), func(c *choice) bool { return s.mean(c, name) > 0 }); len(unharmed) > 0 {
			left = unharmed
		}
		if left = s.least(left, name); len(left) < before {
			spared = append(spared, left[0].words(name))
		}
	}
	safe = left
	var decided string
	tied := 0 // choices that the first aim does not tell apart
	for i, name := range aims {
		narrowed := s.least(left, name)
		if len(narrowed) < len(left) {
			decided = name
		}
		if left = narrowed; i == 0 {
			tied = len(left)
		}
	}
	best := left[0]
	if len(aims) > 0 { // Where luck alone is between them, the first to name is the smallest.
		best = s.smallest(left, aims[0])
		left = append([]*choice{best}, slices.DeleteFunc(left, func(c *choice) bool { return c == best })...)
	}
	var reasons []string
	if len(spared) > 0 {
		reasons = append(reasons, "the least "+strings.Join(spared, " and "))
	}
	if len(aims) > 0 {
		reasons = append(reasons, best.words(aims[0])+" "+s.told(best, aims[0]))
	}
	if len(reasons) > 0 {
		reason = ", with " + strings.Join(reasons, ", and ")
	}
	switch {
	case len(left) > 1:
		reason += fmt.Sprintf(" (the first of %d that cannot be told apart)", len(left))
	case tied > 1:
		reason += fmt.Sprintf("; %d cannot be told apart in that, and of them it has the least %s, %s",
			tied, best.words(decided), s.told(best, decided))
	case len(aims) > 0:
		reason += s.overlapping(best, safe, aims[0])
	}
	return left, safe, reason
}

// overlapping says why a choice is better than others whose intervals in the
// table overlap with its own; empty if there are none.
func (s *Study) overlapping(best *choice, others []*choice, aim string) string {
	n := 0
	own := s.estimate(best, aim)
	for _, c := range others {
		if e := s.estimate(c, aim); c != best && e.N > 1 && e.Low <= own.High {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (the intervals of %s overlap with it; only the differences within each replication tell them apart)", counted(n, "other"))
}

// least are the choices that luck may have kept from being the smallest in a
// metric. Where nobody has it, all are.
func (s *Study) least(choices []*choice, name string) []*choice {
	known := s.having(choices, name)
	if len(known) == 0 {
		return choices
	}
	least, rivals := s.smallest(known, name), len(known)-1
	return slices.DeleteFunc(known, func(c *choice) bool { return s.worse(c, least, name, rivals) })
}

// having are the choices in which a metric was measured.
func (s *Study) having(choices []*choice, name string) []*choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c *choice) bool { return math.IsNaN(s.mean(c, name)) })
}

// smallest is the choice with the smallest mean of a metric.
func (s *Study) smallest(choices []*choice, name string) *choice {
	return slices.MinFunc(choices, func(a, b *choice) int { return cmp.Compare(s.mean(a, name), s.mean(b, name)) })
}

// noticeable is how much larger a mean must be to matter.
const noticeable = 1.05

// worse says that c is above least in a metric, noticeably and beyond what luck
// explains. The chance of being taken in by luck is shared among the rivals that
// least was picked from (Bonferroni): the smallest of many is often only lucky.
func (s *Study) worse(c, least *choice, name string, rivals int) bool {
	if !(s.mean(c, name) > noticeable*s.mean(least, name)) {
		return false
	}
	e := s.excess(c, least, name, 1-(1-stat.Confidence)/float64(max(1, rivals)))
	return e.N < 2 || e.Low > 0
}

// excess is by how much c is above least in a metric, replication by replication.
func (s *Study) excess(c, least *choice, name string, confidence float64) stat.Estimate {
	return paired(s.values(least, name), s.values(c, name), confidence)
}

// breaks says what goes wrong first when one setting of best is moved by one
// step.
func (s *Study) breaks(best *choice, choices []*choice, aims []string) string {
	near := slices.DeleteFunc(slices.Clone(choices), func(c *choice) bool { return !s.neighbours(best, c) })
	for _, c := range near {
		if text := breaking(best, c); text != "" {
			return fmt.Sprintf("first to break is the expectation `%s`, at %s", text, s.settings(c, best))
		}
		for _, name := range harms {
			if s.mean(c, name) > 0 && s.mean(best, name) == 0 {
				return fmt.Sprintf("first to break is %s, %s at %s", c.words(name), s.told(c, name), s.settings(c, best))
			}
		}
	}
	name, ratio, at := "", 0.0, best
	for _, aim := range aims {
		for _, c := range near {
			if grows := s.mean(c, aim) / s.mean(best, aim); grows > ratio && s.worse(c, best, aim, len(near)) {
				name, ratio, at = aim, grows, c
			}
		}
	}
	if name == "" {
		return "no step beside it is measurably worse"
	}
	return fmt.Sprintf("first to suffer is %s, %s at %s", at.words(name), s.told(at, name), s.settings(at, best))
}

// breaking is the first expectation that held in best and failed in c.
func breaking(best, c *choice) string {
	for k, p := range c.points {
		for i, v := range p.Verdicts {
			if k < len(best.points) && i < len(best.points[k].Verdicts) &&
				v.Outcome == Failed && v.Text == best.points[k].Verdicts[i].Text && best.points[k].Verdicts[i].Outcome == Held {
				return v.Text
			}
		}
	}
	return ""
}
