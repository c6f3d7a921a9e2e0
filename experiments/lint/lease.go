package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on how long a lease must be, and how long it may be.

var leaseCoversRun = Rule{
	ID:     "lease-covers-run",
	Title:  "lease ≥ longest hold before the start + longest run, unless renewed while it runs",
	Why:    "The queue hands the message to another worker while the first one still has it, and the job runs twice, or never to its end.",
	Source: "C01 C03 C05 C11 C41",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			held, run := v.beforeStart(d), v.beforeAck(d)
			switch {
			case d.renewed() && d.lease.Covers == scenario.CoversHeld:
				continue
			case d.renewed():
				run = span{}
			}
			have, text := d.least()
			need := sum(held, run.high)
			if need < have || need == have && held == 0 || need == 0 { // a run that ends with the lease still ends first
				continue
			}
			x := found{severity: Error, paths: append([]string{d.path + ".length"}, run.paths...)}
			x.sum = fmt.Sprintf("run %s > %s", run.text(), text)
			switch {
			case held > 0 && run.high > 0:
				x.sum = fmt.Sprintf("hold %s + run %s = %s ≥ %s", duration(held), run.text(), duration(need), text)
			case held > 0:
				x.sum = fmt.Sprintf("hold %s ≥ %s", duration(held), text)
			}
			if held > 0 {
				x.paths = append(x.paths, "jobs."+d.job.Name+".start")
			}
			x.changes = longer(d.path, sum(need, period(d.lease.Check), 1))
			all = append(all, x)
		}
		return all
	},
}

var leaseCoversBuffer = Rule{
	ID:     "lease-covers-buffer",
	Title:  "lease > prefetched messages × handler time / slots",
	Why:    "With a backlog the last messages of the buffer run out of lease before their turn comes, and are received again by somebody else.",
	Source: "C09 C41 C43",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			if d.lease.From == scenario.FromStart || d.renewed() && d.lease.Covers == scenario.CoversHeld {
				continue
			}
			run := v.run(d.job)
			have, text := d.least()
			for _, g := range d.groups {
				buffered := v.buffered(d)
				if buffered <= g.Slots {
					continue
				}
				slots, ahead := float64(g.Slots), float64(buffered)
				if d.queue.Ack == scenario.AckStart { // its own run no longer counts
					ahead -= slots
				}
				need := seconds(ahead * run.mean / slots)
				if need < have {
					continue
				}
				fits := int((have - 1).Seconds() / run.mean * slots)
				all = append(all, found{
					severity: Error,
					paths:    append([]string{"queues." + d.queue.Name + ".prefetch", d.path + ".length"}, run.paths...),
					sum: fmt.Sprintf("%s × %s (mean) / %s of %s = %s ≥ %s",
						plural(int(ahead), "message"), duration(seconds(run.mean)), plural(g.Slots, "slot"), g.Name, duration(need), text),
					changes: append([][]scenario.Assignment{
						change(set("queues."+d.queue.Name+".prefetch", number(float64(max(fits, g.Slots))))),
					}, longer(d.path, need+1)...),
				})
			}
		}
		return all
	},
}

var lockCoversWork = Rule{
	ID:     "lock-covers-work",
	Title:  "lease of a lock ≥ longest work under it, unless renewed",
	Why:    "The lease ends under the work: a holder that knows it stops in the middle, one that does not works beside the next.",
	Source: "C35, text on upgrades (lock time-to-live longer than the worst processing time, or renewed)",
	find: func(v *view) (all []found) {
		for _, h := range v.holds {
			if h.lock.Lease == nil || h.lock.Lease.Forever {
				continue
			}
			l := leased{h.lock.Lease, h.path + ".lease"}
			work := v.steps(h.steps)
			have, text := l.least()
			if l.renewed() || work.high <= have {
				continue
			}
			all = append(all, found{
				severity: Error,
				paths:    append([]string{l.path + ".length"}, work.paths...),
				sum:      fmt.Sprintf("work %s > %s", work.text(), text),
				changes:  longer(l.path, work.high),
			})
		}
		return all
	},
}

var leaseWithinCap = Rule{
	ID:     "lease-within-cap",
	Title:  "hold + run ≤ the hard cap of the grantor, counted from the first grant",
	Why:    "Renewals beyond the cap are refused, so the message comes back however well the worker renews.",
	Source: "rules without a run (hard cap); SQS 12 h",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			run := v.beforeAck(d)
			need := sum(v.beforeStart(d), run.high)
			if d.lease.Cap == forever || !d.renewed() || need <= d.lease.Cap {
				continue
			}
			all = append(all, found{
				severity: Error,
				paths:    append([]string{d.path + ".cap"}, run.paths...),
				sum:      fmt.Sprintf("hold %s + run %s = %s > cap %s", duration(v.beforeStart(d)), run.text(), duration(need), duration(d.lease.Cap)),
				changes: [][]scenario.Assignment{
					change(set("jobs."+d.job.Name+".time_limit", duration(below(d.lease.Cap-v.beforeStart(d))))),
				},
			})
		}
		return all
	},
}

var leaseInRange = Rule{
	ID:     "lease-in-range",
	Title:  "every length asked for lies inside the range that the grantor accepts",
	Why:    "A grantor that replaces or clamps a length does so silently: what is written is not what is granted.",
	Source: "C11",
	find: func(v *view) (all []found) {
		for _, l := range v.leases {
			low, high := l.asked()
			path := l.path + ".length"
			if l.Renew != nil && l.RenewBy > 0 && (l.RenewBy < l.RangeLow || l.RenewBy > l.RangeHigh) {
				low, high, path = l.RenewBy, l.RenewBy, l.path+".renew.by"
			}
			bound, beyond := l.RangeHigh, high
			switch {
			case l.Forever:
				continue
			case low < l.RangeLow:
				bound, beyond = l.RangeLow, low
			case high <= l.RangeHigh:
				continue
			}
			x := found{
				severity: Error,
				paths:    []string{path, l.path + ".range", l.path + ".outside"},
				changes:  [][]scenario.Assignment{change(set(path, duration(bound)))},
			}
			becomes := "is refused"
			switch l.Outside {
			case scenario.OutsideClamp:
				x.severity, becomes = Warning, duration(bound)+" is granted"
			case scenario.OutsideReplace:
				becomes = duration(l.Replaced) + " is granted"
			}
			x.sum = fmt.Sprintf("%s lies outside %s..%s: %s", duration(beyond), duration(l.RangeLow), duration(l.RangeHigh), becomes)
			all = append(all, x)
		}
		return all
	},
}

var leaseCoversLimit = Rule{
	ID:     "lease-covers-limit",
	Title:  "lease ≥ hard time limit of the job, unless renewed; and there is such a limit where the run has no bound",
	Why:    "A run that the limit still allows outlives the lease, and the message is handed out beside it.",
	Source: "C03 C05, text on failover (hard job time-out)",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			run := v.beforeAck(d)
			have, text := d.least()
			need := sum(v.beforeStart(d), d.job.Limit)
			if d.renewed() || need <= have || run.high == 0 || sum(v.beforeStart(d), run.high) > have {
				continue
			}
			limit := "jobs." + d.job.Name + ".time_limit"
			x := found{
				severity: Warning,
				paths:    []string{limit, d.path + ".length"},
				sum:      fmt.Sprintf("time limit %s > %s", duration(d.job.Limit), text),
				changes:  longer(d.path, sum(need, period(d.lease.Check))),
			}
			if d.job.Limit == forever {
				most := sum(v.beforeStart(d), run.most)
				if run.by == "" || most <= have {
					continue
				}
				x.severity = Hint
				x.sum = fmt.Sprintf("run %s has no upper end and no time limit, %s", run.text(), text)
				if most != forever {
					x.sum = fmt.Sprintf("run %s may take up to %s and has no time limit, %s", run.text(), duration(run.most), text)
				}
				x.changes = [][]scenario.Assignment{change(set(limit, duration(below(have-v.beforeStart(d)))))}
			}
			all = append(all, x)
		}
		return all
	},
}

var deliveryEnds = Rule{
	ID:     "delivery-ends",
	Title:  "a delivery has a lease or a session",
	Why:    "The message of a worker that dies never comes back.",
	Source: "C19 (fetch without recovery), text on failover (a lock without expiry)",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			if (d.lease == nil || d.lease.Forever) && len(d.queue.Session) == 0 && d.queue.Ack != scenario.AckReceive {
				all = append(all, found{
					severity: Warning,
					paths:    []string{"queues." + d.queue.Name, "queues." + d.queue.Name + ".ack"},
					sum:      "lease none, session none: no bound",
					changes:  renewedLease("queues."+d.queue.Name+".lease", v.run(d.job).high),
				})
			}
		}
		return all
	},
}

var recoveryWait = Rule{
	ID:     "recovery-wait",
	Title:  "a renewed lease of a delivery < longest run",
	Why:    "After a crash the message waits a whole lease; renewals would let it be shorter, at the price of more of them.",
	Source: "C13",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			run := v.beforeAck(d)
			have, text := d.least()
			if !d.renewed() || have < time.Minute || run.high == 0 || have < run.high {
				continue
			}
			shorter := above(min(have, run.high) / 10)
			all = append(all, found{
				severity: Hint,
				paths:    append([]string{d.path + ".length", d.path + ".renew.every"}, run.paths...),
				sum:      fmt.Sprintf("%s ≥ run %s: a crash costs up to %s", text, run.text(), duration(sum(have, period(d.lease.Check)))),
				changes:  [][]scenario.Assignment{change(set(d.path, duration(shorter)), set(d.path+".renew", "=length / 3"))},
			})
		}
		return all
	},
}

var lateSettle = Rule{
	ID:     "late-settle",
	Title:  "a late settlement does not touch the claim of the next holder, and finished work counts",
	Why:    "With steal the late one ends a claim that another worker relies on; with accept both hold it; with ignore of a free message the finished work is done again.",
	Source: "C03 C17, Kombu's delivery tag",
	find: func(v *view) (all []found) {
		for _, l := range v.leases {
			lock := strings.HasPrefix(l.path, "locks.")
			taken, free := l.Late[2], l.Late[1]
			path := l.path + ".late_settle.taken"
			x := found{severity: Warning, paths: []string{path}, changes: [][]scenario.Assignment{change(set(path, "ignore")), change(set(path, "reject"))}}
			switch {
			case taken == scenario.SettleSteal:
				x.sum = "late_settle taken = steal: the new claim is lost"
			case taken == scenario.SettleAccept && lock:
				x.severity, x.sum = Error, "late_settle taken = accept: two holders at once"
			case !lock && l.Renew == nil && (free == scenario.SettleIgnore || free == scenario.SettleReject):
				path = l.path + ".late_settle.free"
				x = found{severity: Hint, paths: []string{path}, changes: [][]scenario.Assignment{change(set(path, "accept"))}}
				x.sum = fmt.Sprintf("late_settle free = %s: a run that ends after the lease counts for nothing, though nobody else has the message", v.settings[path].Value)
			default:
				continue
			}
			all = append(all, x)
		}
		return all
	},
}

// expiring are the deliveries with a lease that can end before their acknowledgement.
func (v *view) expiring() (all []delivery) {
	for _, d := range v.deliveries {
		if d.lease != nil && !d.lease.Forever && d.queue.Ack != scenario.AckReceive {
			all = append(all, d)
		}
	}
	return all
}

// beforeStart is the longest time that a worker keeps a message in memory until it may start.
func (v *view) beforeStart(d delivery) time.Duration {
	if !d.queue.ByWorker || d.lease.From == scenario.FromStart {
		return 0
	}
	return v.planned(d.job)
}

// most is the number of messages that a queue can ever get.
func (v *view) most(q *scenario.Queue) (n int) {
	for _, d := range v.deliveries {
		if d.queue != q {
			continue
		}
		if len(v.publishers(d.job)) > 0 {
			return scenario.Unlimited
		}
		for _, a := range d.job.Arrivals {
			if a.Times == scenario.Unlimited || a.Mean > 0 {
				return scenario.Unlimited
			}
			n += max(1, len(a.At)) * a.Times * a.Batch
		}
	}
	return n
}
