package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// received is the arrival of a delivery at its process: it waits there until
// it may start and a slot is free.
func (w *world) received(pk *packet) {
	p := w.procs[pk.proc]
	if !p.up || p.life != pk.life {
		w.forget(pk.item)
		return
	}
	p.received++
	v := w.deliveries.at(pk.item)
	v.gotAt = w.sim.Now()
	if p.stopping || p.paused == scenario.PausedRelease || p.machine.Returns() {
		w.sendSettle(p, pk.item, settleReturn)
		return
	}
	j := w.jobs.at(v.job)
	q := w.queues[w.messages.at(v.msg).queue]
	if p.group.queue(q).Ack == scenario.AckReceive {
		w.ackDelivery(p, pk.item)
	}
	if p.group.types[j.kind].strange {
		w.turnDown(p, pk.item)
		return
	}
	w.holdJob(v.job)
	i, x := w.newExecution(v.job, p, p.group.types[j.kind].ops)
	x.delivery, x.number, x.tied = pk.item, v.number, w.tie(p, v)
	if !v.acked {
		p.held++
	}
	p.waiting++
	p.number(i, x)
	if v.timer == 0 {
		v.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evDelivery, To: pk.item})
	}
	v.exec = i
	if in, known := w.announcement(p, q, x, v); known {
		x.known = true
		p.step(w, in)
	}
	if at, later := w.startOf(j, v.gotAt); later && q.cfg.ByWorker {
		x.stage = heldBack
		w.sim.Arm(v.timer, at)
		p.settleDown(w)
		return
	}
	w.buffered(p, i, x, v, q)
}

// turnDown ends a delivery of a type that the process's code does not know.
func (w *world) turnDown(p *process, d int32) {
	if say, speaks := saying(fates[p.group.cfg.Unknown]); speaks && !w.deliveries.at(d).acked {
		w.sendSettle(p, d, say)
		return
	}
	w.forget(d)
	p.poll(w)
}

// announcement tells the machine of a delivery before it could start, if it has
// to know: to keep its lease, or to give it back in doubt.
func (w *world) announcement(p *process, q *broker, x *execution, v *delivery) (in worker.Input, known bool) {
	in = worker.Input{Kind: worker.Buffered, Job: x.slot, Acked: v.acked}
	k := p.group.keeps(q, w.jobs.at(v.job))
	if l := k.lease; l != nil && l.Renew != nil && l.Covers == scenario.CoversHeld && l.From != scenario.FromStart {
		in.Rule, in.At = k.rule, w.read(p.node, v.gotAt)
		return in, true
	}
	return in, p.group.rule.Doubt != 0
}

// buffered puts a delivery into the process's buffer, from which it starts.
func (w *world) buffered(p *process, i int32, x *execution, v *delivery, q *broker) {
	x.stage = inBuffer
	p.buffer.push(i)
	if patience := p.group.queue(q).Patience; patience != scenario.Forever {
		w.sim.Arm(v.timer, w.sim.Now().Add(patience))
	}
	p.feed(w)
	p.settleDown(w)
}

// onDelivery is the instant at which a delivery that was held back may start,
// or at which the process has no more patience with one that finds no slot.
func (w *world) onDelivery(ev sim.Event) {
	v := w.deliveries.at(ev.To)
	p := w.procs[v.proc]
	if w.park(p.node, ev, v.timer) {
		return
	}
	x := w.execs.at(v.exec)
	if x.stage == heldBack {
		w.buffered(p, v.exec, x, v, w.queues[w.messages.at(v.msg).queue])
		return
	}
	w.discard(p, v.exec, x)
	p.settleDown(w)
}

// discard forgets a delivery that has not started, without a word to anybody.
func (w *world) discard(p *process, i int32, x *execution) {
	if x.known {
		p.step(w, worker.Input{Kind: worker.Ended, Job: x.slot})
	}
	w.dispose(p, i, x, worker.Hold)
}

// dispose ends an execution as the machine says: the delivery is settled, and
// its slot is free.
func (w *world) dispose(p *process, i int32, x *execution, how worker.Fate) {
	w.halt(x)
	switch x.stage {
	case inBuffer:
		p.buffer.drop(i)
		p.waiting--
	case heldBack:
		p.waiting--
	case atWork:
		p.looking = p.group.poll != nil
	}
	if x.late {
		p.late--
	}
	p.untie(x)
	w.freeSlot(x)
	slot, d, job := x.slot, x.delivery, x.job
	if x.dropped && how == worker.Ack {
		how = worker.Drop
	}
	for k := range x.locks[:x.nlocks] {
		w.disbelieve(x, &x.locks[k])
	}
	if x.lease > 0 {
		p.leases[x.lease].exec = -1
	}
	p.release(slot)
	source := x.source
	w.freeExecution(i)
	if d >= 0 {
		if v := w.deliveries.at(d); v.timer != 0 { // its start, or the end of patience: neither comes now
			w.sim.Stop(v.timer)
		}
		if !w.deliveries.at(d).acked {
			p.held--
		}
		say, speaks := saying(how)
		if w.deliveries.at(d).acked && how != worker.Retry {
			speaks = false
		}
		if speaks {
			w.sendSettle(p, d, say)
		} else {
			w.forget(d)
		}
	} else {
		if how == worker.Retry && w.retryOwn(p, job, source) {
			return
		}
		if source >= 0 && w.sources[source].cfg.Kind == scenario.ArriveLoop {
			w.schedule(source, true)
		}
	}
	w.dropJob(job)
}

// retryOwn lets a process try a job of its own again after a wait, if the job's
// retry rule has another attempt.
func (w *world) retryOwn(p *process, job, source int32) bool {
	j := w.jobs.at(job)
	r := w.types[j.kind].cfg.Retry
	j.failed++
	if r == nil || r.Attempts > 0 && int(j.failed) >= r.Attempts {
		return false
	}
	j.waited = w.ruleOf(r).Wait(int(j.failed), j.waited, w.luck[luckRetry].With(j.luck).With(uint64(j.failed)))
	f := w.jobFact(history.Retry, history.Place{}, j, int64(j.waited))
	f.Group, f.Process, f.Attempt = p.group.index, p.member, j.failed
	w.record(f)
	p.resting = append(p.resting, rest{job, source})
	w.sim.At(w.sim.Now().Add(j.waited), sim.Deadline, sim.Event{Kind: evRested, To: p.id, A: int64(job)<<32 | int64(uint32(source)), B: int64(p.life)})
	return true
}

// rest is a job of a process's own that waits for its next attempt.
type rest struct{ job, source int32 }

func (w *world) onRested(ev sim.Event) {
	p := w.procs[ev.To]
	if !p.up || int64(p.life) != ev.B || w.park(p.node, ev, 0) {
		return
	}
	at := rest{int32(ev.A >> 32), int32(uint32(ev.A))}
	p.resting = slices.DeleteFunc(p.resting, func(r rest) bool { return r == at })
	p.own.push(at.job)
	p.own.push(at.source)
	p.feed(w)
	p.settleDown(w)
}

// saying is what a fate says to the broker; hold says nothing.
func saying(how worker.Fate) (settlement, bool) {
	switch how {
	case worker.Ack:
		return settleAck, true
	case worker.Retry:
		return settleRetry, true
	case worker.Return, worker.Drain:
		return settleReturn, true
	case worker.Drop:
		return settleDrop, true
	case worker.DeadLetter:
		return settleDeadLetter, true
	}
	return 0, false
}

// sendSettle tells the broker what became of a delivery, and in the same
// breath how much more the process wants.
func (w *world) sendSettle(p *process, d int32, say settlement) {
	v := w.deliveries.at(d)
	m := w.messages.at(v.msg)
	q := w.queues[m.queue]
	if _, standing, ok := m.grant.Holder(); ok && standing == v.serial {
		m.told = true
	}
	want := int64(-1) // one that looks says what it wants when it looks
	if p.group.poll == nil || p.group.buffers {
		want = p.wanted()
		w.expects(p, want)
	}
	if !w.say(p, q, d, say, want) && want > 0 { // it was one message only to be short: the wish does not share the fate of the word
		w.tell(p, want, false)
	}
}

// say sends the word on a delivery, with a wish for more or with -1 for none; it
// is false if the word is lost.
func (w *world) say(p *process, q *broker, d int32, how settlement, want int64) bool {
	if w.send(packet{what: letSettle, from: p.node, to: q.node, proc: p.id, life: p.life, item: d, how: how, a: p.received, b: want, heeded: p.heeded},
		scenario.Ack, w.deliveryLuck(w.deliveries.at(d))) != onItsWay {
		w.forget(d)
		return false
	}
	p.heardBy = max(p.heardBy, w.arrival)
	return true
}

// ackNow acknowledges before the end, as the job's steps or its queue say.
func (w *world) ackNow(x *execution) {
	if x.delivery < 0 || w.deliveries.at(x.delivery).acked {
		return
	}
	w.ackDelivery(x.proc, x.delivery)
}

// ackDelivery sends an acknowledgement of a delivery that goes on running.
func (w *world) ackDelivery(p *process, d int32) {
	v := w.deliveries.at(d)
	v.acked = true
	if v.exec >= 0 {
		p.held-- // it makes room for another
	}
	copied := w.deliveries.take()
	c := w.deliveries.at(copied)
	timer := c.timer
	*c = *v
	c.timer = timer
	w.holdJob(c.job)
	w.messages.at(c.msg).refs++
	w.say(p, w.queues[w.messages.at(c.msg).queue], copied, settleAck, -1)
}

// channelClosed is the broker's word that it closed the channel: nothing that
// the process still has of this queue is its own.
func (w *world) channelClosed(pk *packet) {
	p := w.procs[pk.proc]
	if !p.up || p.life != pk.life {
		return
	}
	if pk.b == 1 {
		w.heedsExpulsion(p, int16(pk.a))
	}
	for _, i := range p.slots {
		if i < 0 {
			continue
		}
		x := w.execs.at(i)
		if x.delivery < 0 || w.messages.at(w.deliveries.at(x.delivery).msg).queue != int16(pk.a) {
			continue
		}
		switch {
		case x.lease > 0:
			p.step(w, worker.Input{Kind: worker.Revoked, Lease: x.lease})
		case x.stage != atWork:
			w.discard(p, i, x)
		}
	}
	p.settleDown(w)
}

// lose frees what a packet carried that nobody will read.
func (w *world) lose(i int32) {
	p := *w.packets.at(i)
	w.packets.give(i)
	switch p.what {
	case letDeliver, letSettle:
		w.forget(p.item)
	case letRequest, letReply, letNotify:
		c := w.calls.at(p.item)
		c.legs--
		w.retireCall(p.item, c)
	}
}

// obeyPaused puts a process into the state that its group's paused key asks. A
// frozen process hears of it when it goes on.
func (w *world) obeyPaused(p *process) {
	w.onOrder(sim.Event{Kind: evOrder, To: p.id, A: int64(p.life), B: orderPaused})
}

// The orders of an operator.
const (
	orderPaused = iota
	orderStop
	orderForget // that it was paused: its partitions are others now
)

func (w *world) onOrder(ev sim.Event) {
	p := w.procs[ev.To]
	if !p.up || int64(p.life) != ev.A || w.park(p.node, ev, 0) {
		return
	}
	if ev.B == orderStop {
		p.stopping = true
		w.returnBuffer(p)
		p.step(w, worker.Input{Kind: worker.Stop})
		return
	}
	p.paused = p.group.paused
	if ev.B == orderForget {
		p.paused = scenario.NotPaused
	}
	p.obey(w)
	if p.paused == scenario.PausedRelease {
		w.returnBuffer(p)
	}
}

// returnBuffer gives back what has not started, in the order in which it came;
// last what is held back until a later start.
func (w *world) returnBuffer(p *process) {
	for p.buffer.n > 0 {
		w.returnUnstarted(p, p.buffer.get(0))
	}
	for _, i := range p.slots {
		if i >= 0 && w.execs.at(i).stage == heldBack {
			w.returnUnstarted(p, i)
		}
	}
}

func (w *world) returnUnstarted(p *process, i int32) {
	x := w.execs.at(i)
	if x.known {
		p.step(w, worker.Input{Kind: worker.Ended, Job: x.slot})
	}
	w.dispose(p, i, x, worker.Return)
}

// became is a new state of the machine. A worker that drains because it cannot
// trust its coordination asks, in the way that failed, until the store answers.
func (w *world) became(p *process, s worker.State) {
	w.record(p.fact(history.Became, int64(s)))
	switch {
	case s == worker.Stopped && p.stopping:
		w.stopped(p)
	case s == worker.Fenced: // others may start what it has not
		w.returnBuffer(p)
	case s == worker.Stopped: // a job's time limit has killed it
		w.crash(p, p.group.cfg.Restart)
	case s == worker.Draining && p.probeNode >= 0 && !p.probing && !p.stopping:
		w.probe(p)
	}
}

func (w *world) probe(p *process) {
	p.probing = true
	p.probes++
	i, c := w.newCall(askProbe, p.probeBy, p, p.probeNode, w.luck[luckProbe].With(uint64(p.id)).With(p.probes))
	c.place = w.placeOf(p.probeNode)
	w.place(i, w.sc.Network.Timeout)
}

// probed is the answer to a probe, or its absence. As long as the worker drains
// another follows, after as long as one waits for an answer: a new doubt may
// have come while it drained for other reasons.
func (w *world) probed(c *call) {
	p := w.procs[c.proc]
	if c.class == policies.OK {
		p.step(w, worker.Input{Kind: worker.Coordination, OK: true})
	}
	if p.probing = p.machine.State() == worker.Draining; !p.probing {
		p.probeBy = scenario.Probe
		return
	}
	w.sim.At(w.sim.Now().Add(w.sc.Network.Timeout), sim.Deadline, sim.Event{Kind: evProbe, To: p.id, A: int64(p.life)})
}

func (w *world) onProbe(ev sim.Event) {
	p := w.procs[ev.To]
	if !p.up || int64(p.life) != ev.A || w.park(p.node, ev, 0) {
		return
	}
	if p.probing = p.machine.State() == worker.Draining; p.probing {
		w.probe(p)
	}
}
