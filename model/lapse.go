package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// watchLapse sets the instant at which the broker notices that the claim on m
// has run out: at its deadline, or when it looks next after it.
func (w *world) watchLapse(q *broker, m *message, l *scenario.Lease) {
	until := m.grant.Until()
	if until == policies.Never || l == nil {
		w.sim.Stop(m.timer)
		return
	}
	w.sim.Arm(m.timer, w.looks(&l.Check, q.phase, w.when(q.node, until)))
}

// onMessage is a message's deadline: it may start now, may be tried again now,
// or the claim on it has run out.
func (w *world) onMessage(ev sim.Event) {
	m := w.messages.at(ev.To)
	q := w.queues[m.queue]
	if m.state == delayed {
		w.enqueue(q, ev.To, m)
		return
	}
	l := q.leaseOf(w.jobs.at(m.job))
	if l == nil {
		return // the settings have changed: deliveries have no deadline any more
	}
	if q.cfg.Serves == scenario.ServesNone {
		return // resumes will look again
	}
	if w.looked(q, &l.Check) {
		w.sim.Arm(m.timer, w.looks(&l.Check, q.phase, w.sim.Now()+1))
		return
	}
	w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.Lapse}, w.answers[:0])
	for _, a := range w.answers {
		if a.Kind == lease.Expired {
			q.lapses++
			w.lapsed(q, ev.To, m, l)
		}
	}
}

// looked says that the present look has given back as many as one look may.
func (w *world) looked(q *broker, c *scenario.Check) bool {
	if q.look != w.sim.Now() {
		q.look, q.lapses = w.sim.Now(), 0
	}
	return !c.AtOnce && q.lapses >= c.Batch
}

// lapsed gives back a message whose claim has run out, and whatever else the
// lapse takes along.
func (w *world) lapsed(q *broker, i int32, m *message, l *scenario.Lease) {
	p, life := w.procs[m.holder], m.life
	w.lostClaim(q, m)
	w.giveBack(q, i, m, scenario.CountExpiry, scenario.RetryExpiry)
	if l.Scope == scenario.ScopeMessage {
		w.deal(q)
		return
	}
	w.takeAllBack(q, p, life, 0, scenario.RetryReturn)
	out := int64(0)
	if l.Scope == scenario.ScopeProcess && p.life == life {
		out = 1
		w.expel(q, p)
	}
	w.send(packet{what: letClosed, from: q.node, to: p.node, proc: p.id, life: life, a: int64(q.place.Index), b: out}, scenario.Deliver,
		w.luck[luckClose].With(uint64(p.id)).With(uint64(w.sim.Now())))
	w.deal(q)
}

// lostClaim records that the claim on m was ended by the grantor.
func (w *world) lostClaim(q *broker, m *message) {
	p := w.procs[m.holder]
	alive := int64(0)
	if p.up && p.life == m.life {
		alive = 1
	}
	j := w.jobs.at(m.job)
	f := w.jobFact(history.Expire, q.place, j, alive)
	f.Group, f.Process, f.Delivery = p.group.index, p.member, m.hands
	w.record(f)
	if alive == 0 {
		return
	}
	w.deliverySlips(m)
	if !m.told {
		f.Kind = history.LostAlive
		w.record(f)
	}
}

// takeAllBack gives back all that one life of a process holds of q. Where the
// reason is that claims ran out, the process has lost them.
func (w *world) takeAllBack(q *broker, p *process, life uint32, event scenario.Counted, why scenario.RetryOn) {
	for k := 0; k < len(q.held); {
		i := q.held[k]
		m := w.messages.at(i)
		if m.holder != p.id || m.life != life {
			k++
			continue
		}
		w.takeBack(q, m)
		if why == scenario.RetryExpiry {
			w.lostClaim(q, m)
		}
		w.giveBack(q, i, m, event, why)
	}
}

// takeBack ends the claim on a message, whoever has it.
func (w *world) takeBack(q *broker, m *message) {
	w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.SessionEnd, Owner: ownerOf(m.holder, m.life)}, w.answers[:0])
}

// endSession is a monitor's suspicion: the queue's claims of that life lapse.
func (w *world) endSession(q *broker, p *process, life uint32) {
	w.takeAllBack(q, p, life, scenario.CountRecovery, scenario.RetryExpiry)
	if !p.up || p.life == life {
		w.leavesGroup(q, p)
	}
	w.deal(q)
}
