package lint

import (
	"fmt"
	"slices"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
)

// Rules on the bounds of attempts: enough for what is no failure of the job, and not for ever.

var receiveLimit = Rule{
	ID:     "receive-limit",
	Title:  "receive limit ≥ 1 + receives that cannot start",
	Why:    "Messages are dead-lettered that no handler ever saw.",
	Source: "C07 C19 C43",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			a := d.queue.Attempts
			if a.Limit == scenario.Unlimited || a.Count&scenario.CountReceive == 0 || d.lease == nil {
				continue
			}
			path := "queues." + d.queue.Name + ".attempts"
			x := found{severity: Error, paths: []string{path + ".limit", "queues." + d.queue.Name + ".prefetch"}}
			need := 1
			for _, g := range d.groups {
				have, _ := d.least()
				lapses := d.queue.Patience != forever || !d.renewed() && times(v.run(d.job).high, 2) > have
				if waiting := d.queue.Prefetch - g.Slots; waiting > 0 && lapses {
					need = max(need, 1+(waiting+g.Slots-1)/g.Slots)
				}
			}
			switch {
			case need > 1 && a.Limit < need:
				x.sum = fmt.Sprintf("limit %d < 1 + %d receives without a slot = %d", a.Limit, need-1, need)
				x.changes = [][]scenario.Assignment{change(set(path, number(float64(need))))}
			case a.Limit < 2:
				x.severity = Hint
				x.sum = fmt.Sprintf("limit %d, counted at the receive: one death of a worker, or one lost acknowledgement, uses it up", a.Limit)
				x.changes = [][]scenario.Assignment{change(set(path, "2"))}
			default:
				continue
			}
			all = append(all, x)
		}
		return all
	},
}

var permanentBound = Rule{
	ID:     "permanent-bound",
	Title:  "a permanent error is not tried again without a bound",
	Why:    "A message that can never succeed comes back for ever and fills the queue.",
	Source: "C19, texts on failover and upgrades (poison message)",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			if _, ok := d.bounded(); ok || !slices.Contains(again, d.job.Fates[policies.Permanent]) {
				continue
			}
			all = append(all, v.endless(d, "permanent", Error, "dead_letter"))
		}
		return all
	},
}

var coordinationBound = Rule{
	ID:     "coordination-bound",
	Title:  "a coordination error is not tried again without a bound",
	Why:    "While the lock store is away, workers take one job after the other to fail, and load what is already in trouble.",
	Source: "text on failover (retry without bound on a coordination error)",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			coordinates := slices.ContainsFunc(jobSteps(d.job), func(s placedStep) bool { return s.Verb == scenario.LockStep || s.Token != "" })
			if _, ok := d.bounded(); ok || !coordinates || !slices.Contains(again, d.job.Fates[policies.Coordination]) {
				continue
			}
			all = append(all, v.endless(d, "coordination", Warning, "drain"))
		}
		return all
	},
}

var crashBound = Rule{
	ID:     "crash-bound",
	Title:  "a job that can kill its process has a limit of attempts",
	Why:    "The poison pill is handed to one process after the other and takes its neighbours along, without end.",
	Source: "C19",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			for _, s := range jobSteps(d.job) {
				if s.Verb != scenario.CrashStep || d.queue.Attempts.Limit != scenario.Unlimited || d.queue.Ack != scenario.AckEnd {
					continue
				}
				path := "queues." + d.queue.Name + ".attempts"
				all = append(all, found{
					severity: Error,
					paths:    []string{path + ".limit", s.path},
					sum:      "crash, attempts unlimited: no bound",
					changes:  [][]scenario.Assignment{change(set(path, "3"))},
				})
			}
		}
		return all
	},
}

// again are the fates by which a message comes back.
var again = []scenario.Fate{scenario.FateRetry, scenario.FateReturn, scenario.FateHold}

// endless is a class of errors that brings a message back for ever.
func (v *view) endless(d delivery, class string, severity Severity, instead string) found {
	path := "jobs." + d.job.Name + ".errors." + class
	return found{
		severity: severity,
		paths:    []string{path, "queues." + d.queue.Name + ".attempts.limit"},
		sum:      fmt.Sprintf("errors %s = %s, attempts unlimited: no bound", class, v.settings[path].Value),
		changes:  [][]scenario.Assignment{change(set(path, instead))},
	}
}
