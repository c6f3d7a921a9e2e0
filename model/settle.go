package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/retry"
)

// settlement is what a process says to the broker of a delivery.
type settlement uint8

const (
	settleAck        settlement = iota
	settleRetry                 // again after the queue's retry delay
	settleReturn                // given back at once
	settleDrop                  // acknowledged and forgotten
	settleDeadLetter            // set aside
)

// settle is the arrival of a settlement at the broker.
func (w *world) settle(p *packet) {
	v := w.deliveries.at(p.item)
	m := w.messages.at(v.msg)
	q := w.queues[m.queue]
	if _, serial, _ := m.grant.Holder(); q.cfg.Serves != scenario.ServesNone {
		w.settled(q, v, m, p.how)
	} else if w.recordDelivery(history.AckRefused, q.place, v, 1); m.state == held && serial == v.serial {
		m.unheard = true
	}
	w.forget(p.item)
	w.setCredit(p)
	w.deal(q)
}

func (w *world) settled(q *broker, v *delivery, m *message, how settlement) {
	j := w.jobs.at(v.job)
	if m.state == gone {
		w.recordDelivery(history.AckRefused, q.place, v, 0)
		return
	}
	clean := how == settleAck || how == settleDrop || how == settleDeadLetter
	_, serial, _ := m.grant.Holder()
	mine := m.state == held && serial == v.serial
	w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.Release, Clean: clean, Owner: ownerOf(v.proc, v.life),
		Serial: v.serial, Token: v.token}, w.answers[:0])
	if w.answers[0].Kind != lease.Released {
		w.recordDelivery(history.AckRefused, q.place, v, 1)
		return
	}
	stolen := len(w.answers) > 1
	if stolen {
		w.lostClaim(q, m)
	}
	i := v.msg
	switch {
	case clean:
		switch how {
		case settleAck:
			j.accepted = true
			w.recordDelivery(history.Ack, q.place, v, int64(w.sim.Now()-j.published))
		case settleDrop:
			w.recordDelivery(history.Drop, q.place, v, 0)
		}
		w.withdraw(q, i, m)
		if how == settleDeadLetter {
			w.deadLetter(q, i, m)
		} else {
			w.bury(i)
		}
	case !mine && !stolen: // it went back to the queue, or to somebody else, by itself
	case how == settleRetry:
		w.giveBack(q, i, m, scenario.CountFailure, scenario.RetryFailure)
	default:
		w.giveBack(q, i, m, 0, scenario.RetryReturn)
	}
}

// withdraw takes a message out of whatever place it has.
func (w *world) withdraw(q *broker, i int32, m *message) {
	switch m.state {
	case held:
		w.unhold(q, m)
	case ready:
		w.remove(q, i)
	}
}

// extend is the arrival of a renewal of a delivery's lease.
func (w *world) extend(i int32, c *call) {
	m := w.messages.at(c.msg)
	q := w.queues[m.queue]
	now := w.now(q.node)
	j := w.jobs.at(m.job)
	l := q.leaseOf(j)
	if c.class = policies.OK; q.cfg.Serves == scenario.ServesNone { // OK: the caller's patience may have ended
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	if m.state == gone || l == nil { // l: the settings have changed, and no deadline is left to extend
		if m.state == gone {
			c.class = policies.Coordination
		}
		w.reply(i, c)
		return
	}
	asked := w.procs[c.proc].group.keeps(q, j).lease
	length, fits := asked.RenewBy, true
	if length == 0 {
		length = w.lengthOf(l, asked, j, m.hands-1)
	} else {
		length, fits = inRange(l, length)
	}
	phase := m.grant.Phase(now, c.serial)
	if fits {
		w.answers = m.grant.Step(now, lease.Ask{Kind: lease.Renew, Owner: ownerOf(c.proc, c.life), Serial: c.serial, Token: c.token,
			Until: w.slacken(l, now.Add(length), j.luck, m.hands)}, w.answers[:0])
	} else {
		w.answers = append(w.answers[:0], lease.Answer{Kind: lease.Refused})
	}
	f := w.jobFact(history.Renew, q.place, j, 0)
	f.Group, f.Process, f.Delivery = w.groupOf(c.proc), w.memberOf(c.proc), int32(c.serial) // the k-th grant is the k-th delivery
	switch w.answers[0].Kind {
	case lease.Renewed:
		if len(w.answers) > 1 { // it took the message from whoever has it now
			w.lostClaim(q, m)
			m.holder, m.life = c.proc, c.life
		}
		if m.state == ready || m.state == delayed { // it had gone back; its holder has it again
			f.Value = 1
			w.withdraw(q, c.msg, m)
			m.state, m.holder, m.life, m.told, m.slot = held, c.proc, c.life, false, int32(len(q.held))
			q.held = append(q.held, c.msg)
			w.goesOut(q, m)
		}
		w.watchLapse(q, m, l)
		w.record(f)
	case lease.Refused:
		c.class = policies.Coordination
		w.renewRefused(f, phase == lease.Lapsed, &m.told)
	}
	w.reply(i, c)
}

// polled is the arrival of a process's wish for more.
func (w *world) polled(pk *packet) {
	p := w.procs[pk.proc]
	if pk.anew && p.life == pk.life {
		p.dealt = pk.a
	}
	w.setCredit(pk)
	if pk.once && p.life == pk.life {
		w.grantCredit(p, 0)
	}
}

// setCredit notes at the broker that a process has received so many deliveries
// and wants so many more. What was handed out and has not arrived yet counts
// against the wish.
func (w *world) setCredit(pk *packet) {
	p, received, want := w.procs[pk.proc], pk.a, pk.b
	if !p.up || p.life != pk.life || want < 0 || pk.heeded < p.expelled && !pk.anew {
		return
	}
	if received < p.heard {
		return // an older poll, overtaken
	}
	p.heard = received
	w.grantCredit(p, want-(p.dealt-received))
	if want > 0 {
		for _, q := range p.queues {
			w.joinsGroup(q, p)
		}
	}
	if p.credit > 0 {
		for _, q := range p.queues {
			w.deal(q)
		}
	}
}

func (w *world) grantCredit(p *process, credit int64) {
	if p.credit > 0 {
		w.eager--
	}
	p.credit = credit
	if p.credit > 0 {
		w.eager++
	}
}

// spend takes one from a process's credit for a hand-out.
func (w *world) spend(p *process) {
	p.dealt++
	w.grantCredit(p, p.credit-1)
}

// queueWait is the delay before a returned message is available again.
func (w *world) queueWait(r *scenario.Retry, q *broker, m *message, why scenario.RetryOn) (wait time.Duration, again bool) {
	m.failed++
	if r.Attempts > 0 && int(m.failed) >= r.Attempts {
		return 0, false
	}
	j := w.jobs.at(m.job)
	rule := w.ruleOf(r)
	wait = rule.Wait(int(m.failed), m.last, w.luck[luckRetry].With(j.luck).With(uint64(m.failed)))
	m.last = wait
	w.recordJob(history.Retry, q.place, j, int64(wait))
	return wait, true
}

// ruleOf is the policy's rule for a retry block; made once for each block.
func (w *world) ruleOf(r *scenario.Retry) *retry.Rule {
	if rule := w.rules[r]; rule != nil {
		return rule
	}
	rule := r.Rule()
	w.rules[r] = &rule
	return &rule
}

// leaseOf is the lease of a job's deliveries: its own, or the queue's.
func (q *broker) leaseOf(j *job) *scenario.Lease { return q.terms[j.kind].lease }

// lengthOf is how long the k-th delivery's lease lasts (k from 0), for a taker
// who asks for the length of his own.
func (w *world) lengthOf(l, asked *scenario.Lease, j *job, k int32) time.Duration {
	d, _ := inRange(l, asked.Length.At(int(k)).Draw(w.luck[luckLease].With(j.luck).With(uint64(k))))
	return d
}

// inRange is the length that the grantor makes of one that it was asked for;
// false says that it refuses it.
func inRange(l *scenario.Lease, d time.Duration) (time.Duration, bool) {
	if d >= l.RangeLow && d <= l.RangeHigh {
		return d, true
	}
	switch l.Outside {
	case scenario.OutsideClamp:
		return min(max(d, l.RangeLow), l.RangeHigh), true
	case scenario.OutsideReplace:
		return l.Replaced, true
	}
	return d, false
}

func (w *world) lengthFits(l *scenario.Lease, j *job) bool {
	if l.Forever {
		return true
	}
	_, fits := inRange(l, l.Length.At(0).Draw(w.luck[luckLease].With(j.luck).With(0)))
	return fits
}

// slacken moves a deadline by the grantor's slack.
func (w *world) slacken(l *scenario.Lease, until policies.Instant, luck uint64, k int32) policies.Instant {
	if l.Slack == nil || until == policies.Never {
		return until
	}
	d := l.Slack.Draw(w.luck[luckSlack].With(luck).With(uint64(k)))
	if l.SlackMinus {
		d = -d
	}
	return until.Add(d)
}
