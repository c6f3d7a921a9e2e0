package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/dist"
)

// Rules on locks: that they end, that the holder stops before they do, and how long a waiter must wait.

var lockEnds = Rule{
	ID:     "lock-ends",
	Title:  "a lock has a lease or a session",
	Why:    "A holder that dies, or loses the store, keeps the lock for ever.",
	Source: "text on failover (a lock without expiry)",
	find: func(v *view) (all []found) {
		for _, k := range v.Locks {
			if (k.Lease == nil || k.Lease.Forever) && len(k.Session) == 0 {
				path := "locks." + k.Name + ".lease"
				all = append(all, found{
					severity: Error,
					paths:    []string{path},
					sum:      "lease none, session none: no bound",
					changes:  renewedLease(path, 0),
				})
			}
		}
		return all
	},
}

var holderStopsFirst = Rule{
	ID:     "holder-stops-first",
	Title:  "a holder stops believing before the store frees the lock, and then stops working",
	Why:    "Between the end of the lease and the end of the belief two holders work at once.",
	Source: "C26 C33 C39",
	find: func(v *view) (all []found) {
		for _, k := range v.Locks {
			if k.Lease == nil || k.Lease.Forever || v.fencedEverywhere(k) {
				continue
			}
			l := leased{k.Lease, "locks." + k.Name + ".lease"}
			have, text := l.least()
			belief := l.path + ".believe_for"
			x := found{severity: Warning, paths: []string{belief, l.path + ".length"}, changes: [][]scenario.Assignment{change(set(belief, "=length"))}}
			way := v.lockWay(k)
			switch {
			case l.OnLoss == scenario.LossIgnore:
				x.paths[0] = l.path + ".on_loss"
				x.sum = fmt.Sprintf("%s, on_loss = ignore: the work goes on", text)
				x.changes = [][]scenario.Assignment{
					change(set(l.path+".on_loss", "stop")),
					change(set(l.path+".on_loss", "stop"), set(belief, "=length")),
				}
			case l.Anchor == scenario.UntilTold, l.Anchor == scenario.Always:
				x.sum = fmt.Sprintf("%s, believe_for = %s: a holder that hears nothing never stops", text, v.settings[belief].Value)
			case l.Believe > have:
				x.severity = Error
				x.sum = fmt.Sprintf("believe_for %s > %s: two holders for up to %s", duration(l.Believe), text, duration(l.Believe-have))
			case l.Anchor == scenario.SinceReply && sum(l.Believe, way.high) > have:
				x.severity = Hint
				x.sum = fmt.Sprintf("believe_for %s from the reply, which is under way for %s > %s", duration(l.Believe), way.text(), text)
			default:
				continue
			}
			all = append(all, x)
		}
		return all
	},
}

var takeoverInTime = Rule{
	ID:     "takeover-in-time",
	Title:  "longest wait, and time limit − work, ≥ lease + slack + check + delay + poll",
	Why:    "A waiter gives up before the lock of a dead holder can be free, so no wait ever succeeds when it matters.",
	Source: "C27 C29",
	find: func(v *view) (all []found) {
		for _, h := range v.holds {
			need, text := takeover(h.lock)
			if need == forever {
				continue
			}
			wait := h.path + ".wait.for"
			if !h.lock.Once && h.lock.WaitFor < need {
				all = append(all, found{
					severity: Warning,
					paths:    []string{wait, h.path + ".lease.length"},
					sum:      fmt.Sprintf("wait %s < takeover %s", duration(h.lock.WaitFor), text),
					changes:  [][]scenario.Assignment{change(set(wait, duration(above(need))))},
				})
			}
			run := v.steps(placed(h.job.Steps, "jobs."+h.job.Name+".steps"))
			if limit := h.job.Limit; limit != forever && sum(need, run.high) > limit && run.high <= limit {
				x := found{
					severity: Warning,
					paths:    append([]string{"jobs." + h.job.Name + ".time_limit", h.path + ".lease.length"}, run.paths...),
					sum: fmt.Sprintf("takeover %s, + work %s = %s > time limit %s", text, run.text(),
						duration(sum(need, run.high)), duration(limit)),
				}
				if least := distSpan(&h.lock.Lease.Length[0]).high - (sum(need, run.high) - limit); least > 0 {
					x.changes = append(x.changes, change(set(h.path+".lease", duration(below(least))), set(h.path+".lease.renew", "=length / 3")))
				}
				x.changes = append(x.changes, change(set("jobs."+h.job.Name+".time_limit", duration(above(sum(need, run.high))))))
				all = append(all, x)
			}
		}
		return all
	},
}

var waitIsPoll = Rule{
	ID:     "wait-is-poll",
	Title:  "a period to wait for a lock is shorter than its lease and than the work under it",
	Why:    "`wait: 2s` is how often a candidate looks, and it does so for ever; a longest wait is `wait: {poll: …, for: …}`.",
	Source: "rules without a run (a period is no bound)",
	find: func(v *view) (all []found) {
		for _, h := range v.holds {
			k, path := h.lock, h.path+".wait"
			poll, constant := k.Poll.Every.IsConstant()
			if k.Notified || k.Once || k.WaitFor != forever || !constant || v.ofPreset(path+".poll") {
				continue
			}
			work := v.steps(h.steps)
			x := found{severity: Hint, paths: []string{path + ".poll", path + ".for"}}
			switch {
			case k.Lease != nil && !k.Lease.Forever && poll >= distSpan(&k.Lease.Length[0]).high:
				x.paths = append(x.paths, h.path+".lease.length")
				x.sum = fmt.Sprintf("looks every %s ≥ lease %s", duration(poll), duration(distSpan(&k.Lease.Length[0]).high))
			case work.high > 0 && poll >= work.high:
				x.paths = append(x.paths, work.paths...)
				x.sum = fmt.Sprintf("looks every %s ≥ work %s", duration(poll), work.text())
			default:
				continue
			}
			x.sum += ", for ever: is it meant as the longest wait?"
			faster := *k
			faster.Poll.Every = dist.Constant(above(poll / 10))
			wait := poll
			if need, _ := takeover(&faster); need != forever { // a shorter one would never see the lock of a dead holder free
				wait = max(poll, need)
			}
			x.changes = [][]scenario.Assignment{change(set(path, fmt.Sprintf("{poll: %s, for: %s}", duration(above(poll/10)), duration(above(wait)))))}
			all = append(all, x)
		}
		return once(all)
	},
}

// takeover is the longest time from a holder's death to the next grant, as a sum.
func takeover(k *scenario.Lock) (time.Duration, string) {
	l := k.Lease
	if l == nil || l.Forever {
		return forever, ""
	}
	var parts []string
	total := time.Duration(0)
	add := func(name string, d time.Duration) {
		if d > 0 {
			total = sum(total, d)
			parts = append(parts, name+" "+duration(d))
		}
	}
	_, high := leased{Lease: l}.asked()
	add("lease", high)
	if l.Slack != nil && !l.SlackMinus {
		add("slack", distSpan(l.Slack).high)
	}
	add("check", period(l.Check))
	add("delay", l.Delay)
	if !k.Notified && !k.Once {
		add("poll", distSpan(&k.Poll.Every).high)
	}
	if len(parts) == 1 {
		return total, duration(total)
	}
	return total, strings.Join(parts, " + ") + " = " + duration(total)
}

// lockWay is the time of a message to the lock's store, over the groups.
func (v *view) lockWay(k *scenario.Lock) (worst span) {
	for _, g := range v.Workers {
		if latency, _, _ := v.link(scenario.Renew, g.Name, "locks", k.Name); latency.high >= worst.high {
			worst = latency
		}
	}
	return worst
}

// fencedEverywhere reports whether all that is done under the lock are writes that a newer token shuts out.
func (v *view) fencedEverywhere(k *scenario.Lock) bool {
	fenced := false
	for _, h := range v.holds {
		for _, s := range every(h.steps) {
			if h.lock != k || s.Verb != scenario.Write {
				continue
			}
			if !v.fenced(s, k) {
				return false
			}
			fenced = true
		}
	}
	return fenced
}

// fenced reports whether a write is refused once the lock has a newer holder.
func (v *view) fenced(s placedStep, k *scenario.Lock) bool {
	return s.Token == k.Name && k.Rising && v.service(s.To).Checks&(scenario.CheckToken|scenario.CheckTokenGranted) != 0
}
