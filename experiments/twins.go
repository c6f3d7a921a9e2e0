package experiments

import (
	"fmt"
	"strings"
)

// twins are the lines on points that ran alike, event for event in every
// replication, and counted the same: what is set differently in them decided
// nothing, which equal numbers alone do not say.
func (s *Study) twins(points []*Point) []string {
	type run struct {
		trace, result string
		replications  int
	}
	var order []run
	same := map[run][]string{}
	for _, p := range points {
		r := run{p.Trace, p.Result, p.Replications()}
		if len(same[r]) == 0 {
			order = append(order, r)
		}
		same[r] = append(same[r], s.place(p))
	}
	var lines []string
	n := 0
	for _, r := range order {
		places := same[r]
		if len(places) < 2 {
			continue
		}
		if n++; n > mostTwins {
			continue
		}
		others := places[1:]
		names := strings.Join(others[:min(len(others), mostTwins)], ", ")
		if more := len(others) - mostTwins; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, fmt.Sprintf("%s: event for event the same as %s; what differs in the settings decided nothing.", names, places[0]))
	}
	if n > mostTwins {
		lines = append(lines, fmt.Sprintf("%d settings more have others that ran the same, event for event.", n-mostTwins))
	}
	return lines
}

// mostTwins is how many groups a table's notes name, and how many of each.
const mostTwins = 5
