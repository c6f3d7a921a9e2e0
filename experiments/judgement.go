package experiments

import (
	"fmt"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
)

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

// place names a point by what tells it apart: its variant and its settings, as
// --set takes them.
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
	case v.Outcome == Inconclusive && v.Of == 1:
		text += "  (one replication has no interval; raise run.replications or --replications)"
	case v.Outcome == Inconclusive:
		text += "  (the value is so near the bound that more replications are not likely to decide)"
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
