package lint

import (
	"fmt"

	"github.com/tenggat/tenggat/model/scenario"
)

var membersMajority = Rule{
	ID:     "members-majority",
	Title:  "a store has an odd number of members, and more than two if it has several",
	Why:    "More than half of the members must be up: of two both, so that the second makes the store weaker instead of safer.",
	Source: "rules without a run (majorities)",
	find: func(v *view) (all []found) {
		for _, k := range v.Locks {
			if k.Members == nil || len(k.Members.Names)%2 == 1 {
				continue
			}
			n, block := len(k.Members.Names), "locks."+k.Name+".members"
			path := block + ".names"
			if _, named := v.settings[path]; !named {
				path = block + ".count"
			}
			x := found{
				severity: Hint,
				paths:    []string{path},
				sum:      fmt.Sprintf("majority of %d = %d: bears %d down, as %d members do", n, n/2+1, n/2-1, n-1),
				changes: [][]scenario.Assignment{
					change(set(path, number(float64(n+1)))),
				},
			}
			if n == 2 {
				x.severity = Warning
				x.sum = "majority of 2 = 2: one of 2 down means that nobody leads; for a primary and its replica write 3"
			}
			all = append(all, x)
		}
		return all
	},
}
