package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/sim/stat"
)

// price is what best costs: every harm in which another choice is better, and
// the first aim in which another safe one is and of which more is known than
// that. Harm may have left nothing else to choose from; then any other one will
// do for the aim.
func (s *Study) price(best *choice, safe, choices []*choice, aims, harmed []string) string {
	var parts []string
	for _, name := range harmed {
		parts = append(parts, s.against(best, s.leastOf(choices, name), name))
	}
	rest := slices.DeleteFunc(slices.Clone(aims), func(name string) bool { return slices.Contains(harmed, name) })
	if aim := s.dearest(best, safe, rest); aim != "" {
		parts = append(parts, s.against(best, s.leastOf(safe, aim), aim))
	} else if aim := s.dearest(best, choices, rest); aim != "" && len(parts) == 0 {
		parts = append(parts, s.against(best, s.leastOf(choices, aim), aim)+", where more is broken")
	}
	return strings.Join(parts, ", and ")
}

// harmed are the harms of which another choice does less than best.
func (s *Study) harmed(best *choice, choices []*choice) []string {
	return slices.DeleteFunc(slices.Clone(harms), func(name string) bool {
		least := s.leastOf(choices, name)
		return least == nil || !s.worse(best, least, name, len(choices)-1)
	})
}

// dearest is the first aim in which one of the others is better than best, and
// empty where none is known to be.
func (s *Study) dearest(best *choice, others []*choice, aims []string) string {
	for _, aim := range aims {
		least := s.leastOf(others, aim)
		if least != nil && s.worse(best, least, aim, len(others)-1) && !vague(s.estimate(best, aim)) && !vague(s.excess(best, least, aim, stat.Confidence)) {
			return aim
		}
	}
	return ""
}

// vague says that an interval is wider than the value that it belongs to.
func vague(e stat.Estimate) bool { return e.N > 1 && e.High-e.Low > math.Abs(e.Mean) }

// leastOf is the choice with the smallest mean of a metric; nil if none has it.
func (s *Study) leastOf(choices []*choice, name string) *choice {
	if known := s.having(choices, name); len(known) > 0 {
		return s.smallest(known, name)
	}
	return nil
}

// against is a metric of best beside that of another choice.
func (s *Study) against(best, other *choice, name string) string {
	return fmt.Sprintf("%s %s, against %s at %s", best.words(name), s.told(best, name), s.told(other, name), s.settings(other, best))
}
