package lint

import (
	"fmt"
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

var pauseWithinLease = Rule{
	ID:     "pause-within-lease",
	Title:  "a pause of a worker, with the run beside it where nothing renews the lease, is shorter than its leases, or what it writes afterwards is refused",
	Why:    "A paused worker cannot renew, and one that never renews has its work still to do: its lease ends, another one begins, and both write.",
	Source: "text on failover (pauses of the runtime), C17",
	find: func(v *view) (all []found) {
		var worst []paused
		for _, e := range v.Events {
			if e.Act != scenario.ActPause || e.For == nil {
				continue
			}
			for _, d := range v.expiring() {
				if v.pauses(e, d.groups) && v.unchecked(d) {
					worst = paused{e, d.leased(), "run", v.beforeAck(d), "no write after it is refused"}.into(worst)
				}
			}
			for _, h := range v.holds {
				if h.lock.Lease == nil || h.lock.Lease.Forever || stopsFirst(h.lock) || !v.pausesHolder(e, h) {
					continue
				}
				if late := v.late(h); late != "" {
					worst = paused{e, leased{h.lock.Lease, h.path + ".lease"}, "work", v.steps(h.steps), late}.into(worst)
				}
			}
		}
		for _, p := range worst {
			all = append(all, p.found())
		}
		return all
	},
}

// paused is a lease whose holder may be paused beyond its end.
type paused struct {
	event *scenario.Event
	lease leased
	name  string // of the work
	work  span
	late  string // what becomes of a write that comes too late
}

// need is how long the lease had to be: a renewed one lasts from one renewal to the next, another one for all the work.
func (p paused) need() time.Duration {
	if p.lease.renewed() {
		return distSpan(p.event.For).high
	}
	return sum(distSpan(p.event.For).high, p.work.high)
}

// into adds what outlives its lease, of each lease the worst. Work that is too long by itself is another rule's.
func (p paused) into(all []paused) []paused {
	have, _ := p.lease.least()
	if p.need() <= have || !p.lease.renewed() && p.work.high > have {
		return all
	}
	i := slices.IndexFunc(all, func(q paused) bool { return q.lease.path == p.lease.path })
	switch {
	case i < 0:
		return append(all, p)
	case all[i].need() < p.need():
		all[i] = p
	}
	return all
}

func (p paused) found() found {
	_, text := p.lease.least()
	pause := distSpan(p.event.For)
	x := found{severity: Warning, paths: []string{p.lease.path + ".length", "events." + p.event.Name + ".for"}}
	x.sum = "pause " + pause.text()
	if !p.lease.renewed() && p.work.high > 0 {
		x.paths = append(x.paths, p.work.paths...)
		x.sum = fmt.Sprintf("%s %s + %s = %s", p.name, p.work.text(), x.sum, duration(p.need()))
	}
	x.sum += fmt.Sprintf(" > %s, and %s", text, p.late)
	x.changes = longer(p.lease.path, sum(p.need(), 1))
	return x
}

// pauses says that an event stops a process of one of the groups.
func (v *view) pauses(e *scenario.Event, groups []*scenario.Group) bool {
	return slices.ContainsFunc(e.On, func(t scenario.Target) bool {
		return t.Noun == "workers" && slices.ContainsFunc(groups, func(g *scenario.Group) bool { return t.Name == g.Name || t.Name == "" })
	})
}

// pausesHolder says that an event stops a process that holds a lock for a job.
func (v *view) pausesHolder(e *scenario.Event, h hold) bool {
	holder := func(t scenario.Target) bool {
		return t.Noun == "locks" && t.Name == h.lock.Name && t.Index == scenario.HolderOf
	}
	takers := slices.DeleteFunc(slices.Clone(v.Workers), func(g *scenario.Group) bool { return !v.takes(g, h.job) })
	return slices.ContainsFunc(e.On, holder) || v.pauses(e, takers)
}

// stopsFirst reports whether a holder that wakes after its lease no longer works.
func stopsFirst(k *scenario.Lock) bool {
	have, _ := leased{Lease: k.Lease}.least()
	return k.Lease.OnLoss == scenario.LossStop && k.Lease.Believe <= have && k.Lease.Anchor != scenario.UntilTold && k.Lease.Anchor != scenario.Always
}

// late says what becomes of a write under a lock that comes after the next grant; empty where all are refused.
func (v *view) late(h hold) (text string) {
	for _, s := range every(h.steps) {
		switch {
		case s.Verb != scenario.Write:
		case !v.shutsOut(s, h):
			return "no write after it is refused"
		case v.waits(s, h):
			text = "a write after it passes until the next holder has written"
		}
	}
	return text
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
