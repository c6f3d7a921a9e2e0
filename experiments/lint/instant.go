package lint

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

var eventInRun = Rule{
	ID:     "event-in-run",
	Title:  "an event begins before the run ends",
	Why:    "It never happens, and all results are those of a run without it.",
	Source: "rules without a run (an incident that is not in the run)",
	find: func(v *view) (all []found) {
		end := v.Run.From + v.Run.Duration
		for _, e := range v.Events {
			first, path := first(e, v.Run.From)
			if first < end {
				continue
			}
			all = append(all, found{
				severity: Warning,
				paths:    []string{"events." + e.Name + "." + path, "run.duration"},
				sum:      fmt.Sprintf("begins at %s ≥ end of the run %s", duration(first), duration(end)),
				changes:  [][]scenario.Assignment{change(set("run.duration", duration(above(first+1-v.Run.From))))},
			})
		}
		return all
	},
}

// first is when an event happens for the first time, and the key that says so. What is random counts by its first
// percentile.
func first(e *scenario.Event, from time.Duration) (at time.Duration, key string) {
	switch {
	case e.HasAt:
		at = forever
		for i := range e.At {
			early, err := e.At[i].Quantile(0.01)
			if err != nil {
				early = 0
			}
			at = min(at, e.Base+seconds(early))
		}
		return at, "at"
	case e.Every != nil && e.Every.From != nil:
		return *e.Every.From, "every"
	case e.Every != nil:
		early, err := e.Every.Every.Quantile(0.01)
		if err != nil {
			early = 0
		}
		return from + seconds(early), "every"
	}
	return from, "" // at random, from the beginning
}
