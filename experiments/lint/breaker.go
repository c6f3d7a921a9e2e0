package lint

import (
	"fmt"

	"github.com/tenggat/tenggat/model/scenario"
)

var breakerCloses = Rule{
	ID:     "breaker-closes",
	Title:  "a half-open breaker that is judged by a share lets at least as many probes through as the share needs calls",
	Why:    "Too few probes can end for a judgement, so it neither closes nor opens, and a dependency that is well again is refused for ever.",
	Source: "C51; github.com/nodeshift/opossum issue 119",
	find: func(v *view) (all []found) {
		for _, s := range v.Services {
			b, path := s.Breaker, "services."+s.Name+".breaker"
			if b == nil || !b.ReopenRatio || b.Probes >= b.Of {
				continue
			}
			x := found{
				severity: Error,
				paths:    []string{path + ".probes", path + ".reopen", path + ".trip.of"},
				sum:      fmt.Sprintf("probes %d < trip of %d calls, with reopen = ratio: half open for ever", b.Probes, b.Of),
				changes:  [][]scenario.Assignment{change(set(path+".reopen", "any")), change(set(path+".probes", number(float64(b.Of))))},
			}
			if b.ProbeLimit != forever {
				x.sum = fmt.Sprintf("probes %d < trip of %d calls, with reopen = ratio: after %s half open it opens again, each time", b.Probes, b.Of, duration(b.ProbeLimit))
			}
			all = append(all, x)
		}
		return all
	},
}
