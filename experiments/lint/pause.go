package lint

import (
	"fmt"

	"github.com/tenggat/tenggat/model/scenario"
)

var pauseWithinLease = Rule{
	ID:     "pause-within-lease",
	Title:  "a pause of a worker is shorter than its leases, or the service refuses what it writes afterwards",
	Why:    "A paused worker cannot renew: its lease ends, another one begins, and both write.",
	Source: "text on failover (pauses of the runtime), C17",
	find: func(v *view) (all []found) {
		for _, e := range v.Events {
			if e.Act != scenario.ActPause || e.For == nil {
				continue
			}
			pause := distSpan(e.For)
			for _, d := range v.expiring() {
				if have, text := d.least(); pause.high > have && v.pauses(e, d) && v.unchecked(d) {
					all = append(all, v.pausedBeyond(e, pause, d.path, text))
				}
			}
		}
		return once(all)
	},
}

// pausedBeyond is the finding on one lease.
func (v *view) pausedBeyond(e *scenario.Event, pause span, path, text string) found {
	return found{
		severity: Warning,
		paths:    []string{"events." + e.Name + ".for", path + ".length"},
		sum:      fmt.Sprintf("pause %s > %s, and no write after it is refused", pause.text(), text),
		changes:  [][]scenario.Assignment{change(set(path, duration(above(pause.high+1))))},
	}
}

// pauses says that an event stops a process that takes such deliveries.
func (v *view) pauses(e *scenario.Event, d delivery) bool {
	for _, t := range e.On {
		for _, g := range d.groups {
			if t.Noun == "workers" && (t.Name == g.Name || t.Name == "") {
				return true
			}
		}
	}
	return false
}

// unchecked says that some write of the job is refused by nothing.
func (v *view) unchecked(d delivery) bool {
	for _, s := range jobSteps(d.job) {
		if s.Verb == scenario.Write && v.service(s.To).Checks == 0 {
			return true
		}
	}
	return false
}
