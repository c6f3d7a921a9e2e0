package lint

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on time-outs among themselves: dependency < lease < job < shutdown, and not one for all.

var callWithinLease = Rule{
	ID:     "call-within-lease",
	Title:  "a call that fails to the end, and the longest work beside it, after the other messages of the buffer with work of their mean, ends within a lease that is not renewed",
	Why:    "While the dependency is away messages outlive their leases and are handed out again, so the outage adds work.",
	Source: "C41, text on failover (graded time-outs)",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			have, text := d.least()
			if d.renewed() || d.queue.Ack != scenario.AckEnd || sum(v.beforeStart(d), v.beforeAck(d).high) > have {
				continue
			}
			mine, prefetch := v.failing(d, have, text)
			for _, x := range mine {
				if prefetch > 0 { // one that suits all calls of the job
					x.changes = slices.Insert(x.changes, 0, change(set("queues."+d.queue.Name+".prefetch", number(prefetch))))
				}
				all = append(all, x)
			}
		}
		return once(all)
	},
}

// failing are the calls of a job that outlive its lease when they fail to the end, and the most prefetched messages with
// which none would; 0 where that is no remedy.
func (v *view) failing(d delivery, have time.Duration, text string) (all []found, prefetch float64) {
	run := v.beforeAck(d)
	ahead, slots, group := v.ahead(d)
	prefetch = float64(ahead)
	for _, s := range jobSteps(d.job) {
		if !v.calls(s) {
			continue
		}
		to, timeout, retry, path := v.client(s)
		fails, call := worst(timeout, retry), v.call(s)
		rest := run.high - min(run.high, call.high)
		total := min(sum(rest, fails), d.job.Limit)
		usual := min(max(0, run.mean-call.mean)+fails.Seconds(), d.job.Limit.Seconds()) // of the messages before it
		need := sum(total, seconds(usual*float64(ahead)/float64(slots)))
		if need <= have {
			continue
		}
		x := found{severity: Warning, paths: []string{d.path + ".length", "services." + to.Name + ".timeout"}, changes: longer(d.path, need)}
		x.sum = fmt.Sprintf("time-out %s", duration(timeout))
		if retry != nil {
			x.sum = fmt.Sprintf("%s × time-out %s + waits = %s", attempts(retry), duration(timeout), duration(fails))
			x.paths = append(x.paths, path+".retry.attempts")
		}
		x.sum = fmt.Sprintf("call of %s: %s, + the rest %s = %s", to.Name, x.sum, duration(rest), duration(total))
		if ahead > 0 {
			x.sum += fmt.Sprintf(", after %s × %s (mean) / %s of %s = %s", plural(ahead, "message"), duration(seconds(usual)), plural(slots, "slot"), group, duration(need))
			x.paths = append(x.paths, "queues."+d.queue.Name+".prefetch")
		}
		x.sum += " > " + text
		all = append(all, x)
		prefetch = min(prefetch, float64(slots)+math.Floor((have-total).Seconds()/usual*float64(slots)))
		if total > have {
			prefetch = 0
		}
	}
	return all, prefetch
}

var callWithinLimit = Rule{
	ID:     "call-within-limit",
	Title:  "a call that fails to the end does so within the job's time limit",
	Why:    "The limit ends the job in the middle of its retries, and the error that it reports is not the one that happened.",
	Source: "text on failover (graded time-outs)",
	find: func(v *view) (all []found) {
		for _, j := range v.Jobs {
			for _, s := range jobSteps(j) {
				if !v.calls(s) || j.Limit == forever {
					continue
				}
				to, timeout, retry, path := v.client(s)
				fails := worst(timeout, retry)
				if fails < j.Limit {
					continue
				}
				x := found{
					severity: Hint,
					paths:    []string{"jobs." + j.Name + ".time_limit", "services." + to.Name + ".timeout"},
					sum:      fmt.Sprintf("call of %s: time-out %s ≥ time limit %s", to.Name, duration(timeout), duration(j.Limit)),
				}
				if retry != nil {
					x.paths = append(x.paths, path+".retry.attempts")
					x.sum = fmt.Sprintf("call of %s: %s × time-out %s + waits = %s ≥ time limit %s",
						to.Name, attempts(retry), duration(timeout), duration(fails), duration(j.Limit))
					x.changes = append(x.changes, change(set(path+".retry.elapsed", duration(below(max(0, j.Limit-timeout-1))))))
				}
				if shorter := below(j.Limit / 2); timeout >= j.Limit {
					x.changes = append(x.changes, change(set("services."+to.Name+".timeout", duration(shorter))))
				}
				all = append(all, x)
			}
		}
		return once(all)
	},
}

var drainCoversRun = Rule{
	ID:     "drain-covers-run",
	Title:  "shutdown drain ≥ longest run, and ≥ the job's time limit",
	Why:    "An orderly stop kills the job in the middle, and it runs again elsewhere.",
	Source: "text on failover (shutdown drain time-out, graded time-outs)",
	find: func(v *view) (all []found) {
		for _, g := range v.Workers {
			for _, j := range v.Jobs {
				run := v.run(j)
				if !v.takes(g, j) || run.high == forever {
					continue
				}
				path := "workers." + g.Name + ".drain"
				x := found{severity: Hint, paths: append([]string{path}, run.paths...)}
				need := run.high
				switch {
				case run.high > g.Drain:
					x.sum = fmt.Sprintf("drain %s < run %s", duration(g.Drain), run.text())
					if v.stops(g) {
						x.severity = Warning
					}
				case j.Limit != forever && j.Limit > g.Drain:
					need = j.Limit
					x.paths = []string{path, "jobs." + j.Name + ".time_limit"}
					x.sum = fmt.Sprintf("drain %s < time limit %s", duration(g.Drain), duration(j.Limit))
				default:
					continue
				}
				x.changes = [][]scenario.Assignment{change(set(path, duration(above(need)))), change(set(path, duration(above(need+grain(need)))))}
				if j.Limit != forever { // one change for both halves of the rule
					x.changes = append(x.changes, change(set(path, duration(above(max(need, j.Limit))))))
				}
				all = append(all, x)
			}
		}
		return all
	},
}

// takes reports whether a group runs a type of job.
func (v *view) takes(g *scenario.Group, j *scenario.Job) bool {
	for _, d := range v.deliveries {
		for _, taker := range d.groups {
			if d.job == j && taker == g {
				return true
			}
		}
	}
	return j.By == g.Name
}

// stops reports whether an event stops processes of a group in an orderly way, by itself or by a smaller count.
func (v *view) stops(g *scenario.Group) bool {
	for _, e := range v.Events {
		for _, t := range e.On {
			if e.Act == scenario.ActStop && t.Name == g.Name {
				return true
			}
		}
		for _, s := range e.Sets {
			if s.Path == "workers."+g.Name+".count" {
				return true
			}
		}
	}
	return false
}

// attempts names the number of attempts of a rule.
func attempts(r *scenario.Retry) string {
	if r.Attempts == 0 {
		return "unlimited"
	}
	return number(float64(r.Attempts))
}
