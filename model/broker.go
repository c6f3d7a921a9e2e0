package model

import (
	"cmp"
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// broker is the server's side of a queue: which message waits, who holds which,
// and what becomes of a message that comes back.
type broker struct {
	cfg   *scenario.Queue
	place history.Place
	node  int32
	terms []terms // by job type

	waiting waitingList
	line    line
	keys    keyOrder
	held    []int32     // messages that a process holds, unordered
	serial  int64       // of the newest place in the queue
	front   int64       // of the newest place at its head
	takers  []int32     // processes that take from it
	turn    int         // the taker after the one served last
	deals   uint64      // hand-outs so far, naming the luck of the next
	parts   *partitions // nil: the queue is one
	phase   sim.Time
	look    sim.Time // the newest look for lapsed claims
	lapses  int      // given back at that look
	ids     ids      // of the jobs that it knows, with dedup
	shelf   []int32  // dead letters that an event may put back
	replays bool     // there is such an event
}

// terms are the queue's side of how the jobs of one type are given out.
type terms struct {
	lease *scenario.Lease // the type's own, or the queue's; nil: no deadline
	rule  lease.GrantRule
}

// agree sets the terms of a queue by what the settings say now.
func (w *world) agree(q *broker) {
	for i, t := range w.types {
		l := t.cfg.Lease
		if l == nil {
			l = q.cfg.Lease
		}
		q.terms[i].lease, q.terms[i].rule = l, lease.GrantRule{}
		if l != nil {
			q.terms[i].rule = l.GrantRule()
		}
	}
}

// publish puts a job into the queue, refuses it, or drops it as one that the
// queue knows already; false says that it was refused.
func (w *world) publish(q *broker, job int32) bool {
	w.holdJob(job)
	j := w.jobs.at(job)
	lease := q.leaseOf(j)
	full := q.cfg.Capacity < scenario.Unlimited && q.depth() >= q.cfg.Capacity
	switch {
	case q.cfg.Serves != scenario.ServesAll, full && (!q.cfg.DropOldest || q.waiting.len() == 0), lease != nil && !w.lengthFits(lease, j):
		w.turnAway(history.PublishRefused, q, job)
		return false
	case q.cfg.Dedup != nil && !j.dead && !w.takeID(q, j):
		w.turnAway(history.Suppress, q, job)
		return true
	}
	w.recordJob(history.Publish, q.place, j, 0)
	if full {
		oldest := w.oldest(q)
		w.remove(q, oldest)
		w.recordJob(history.Drop, q.place, w.jobs.at(w.messages.at(oldest).job), 0)
		w.bury(oldest)
	}
	i := w.newMessage(q, job)
	m := w.messages.at(i)
	if at, later := w.startOf(j, m.born); later && !q.cfg.ByWorker {
		m.state = delayed
		w.sim.Arm(m.timer, at)
		return true
	}
	w.enqueue(q, i, m)
	return true
}

// resumes lets a queue that serves again end what has run out, and take back what
// it was told of while it did not listen and nothing else would bring back.
func (w *world) resumes(q *broker) {
	for k := 0; k < len(q.held); {
		i := q.held[k]
		m := w.messages.at(i)
		if m.unheard && m.grant.Until() == policies.Never {
			w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.Revoke}, w.answers[:0])
			w.giveBack(q, i, m, 0, scenario.RetryReturn)
			continue
		}
		w.watchLapse(q, m, q.leaseOf(w.jobs.at(m.job)))
		k++
	}
	w.deal(q)
}

// newMessage makes a message of a job, as the newest of its queue.
func (w *world) newMessage(q *broker, job int32) int32 {
	i := w.messages.take()
	m := w.messages.at(i)
	kind := w.jobs.at(job).kind
	q.serial++
	*m = message{job: job, queue: q.place.Index, order: q.serial, refs: 1, timer: m.timer, holder: -1, born: w.sim.Now(),
		rank: int32(w.types[kind].cfg.Priority)}
	m.grant.Reset(&q.terms[kind].rule)
	if m.timer == 0 {
		m.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evMessage, To: i})
	}
	return i
}

// turnAway ends a job that the queue does not take: never taken, it cannot be
// lost.
func (w *world) turnAway(why history.Kind, q *broker, job int32) {
	j := w.jobs.at(job)
	w.recordJob(why, q.place, j, 0)
	j.landed = true
	w.dropJob(job)
}

// enqueue makes a message available.
func (w *world) enqueue(q *broker, i int32, m *message) {
	m.state, m.born = ready, w.sim.Now()
	if !m.line.there {
		w.lists(q, i, m)
	}
	w.comesBack(q, m)
	q.wait(i, m)
	w.level(q.place, history.LevelWaiting, int64(q.depth()))
	w.deal(q)
}

// wait puts a message among those that wait, where the queue's order has it.
func (q *broker) wait(i int32, m *message) {
	rank, order := int32(0), m.order
	switch q.cfg.Order {
	case scenario.ByPriority:
		rank = m.rank
	case scenario.LIFO:
		order = -order
	}
	q.waiting.push(i, rank, order)
}

// oldest is the waiting message that has the oldest place.
func (w *world) oldest(q *broker) int32 {
	if q.cfg.Order == scenario.FIFO {
		return q.waiting.heap[0].msg
	}
	return slices.MinFunc(q.waiting.heap, func(a, b waiter) int {
		return cmp.Compare(w.messages.at(a.msg).order, w.messages.at(b.msg).order)
	}).msg
}

// remove takes a message out of the waiting ones.
func (w *world) remove(q *broker, i int32) {
	if !w.leavesLine(q, i) {
		q.waiting.remove(i)
	}
	w.level(q.place, history.LevelWaiting, int64(q.depth()))
}

// deal hands out messages while there is one and a process that wants it.
func (w *world) deal(q *broker) {
	if q.cfg.Serves == scenario.ServesNone {
		return
	}
	if q.parts != nil {
		w.dealPartitions(q)
		return
	}
	for q.waiting.len() > 0 && len(q.held) < q.cfg.InFlight {
		p := w.pick(q)
		if p == nil {
			return
		}
		i := q.waiting.pop(q.cfg.Order, w.luck[luckOrder].With(uint64(q.place.Index)).With(q.deals))
		q.deals++
		w.level(q.place, history.LevelWaiting, int64(q.depth()))
		m := w.messages.at(i)
		if w.stepsBack(q, i, m) || w.expired(q, i, m) {
			continue
		}
		if w.count(q, i, m, scenario.CountReceive) || w.startedOut(q, i, m) {
			continue
		}
		w.handOut(q, i, m, p)
	}
}

// expired ends a message that has not started in time, if its job's patience is
// over when it is to be handed out.
func (w *world) expired(q *broker, i int32, m *message) bool {
	j := w.jobs.at(m.job)
	cfg := w.types[j.kind].cfg
	if j.starts > 0 || cfg.Expires == scenario.Forever || w.sim.Now().Sub(j.published) < cfg.Expires {
		return false
	}
	if cfg.ExpiresDL {
		w.deadLetter(q, i, m)
		return true
	}
	w.recordJob(history.Drop, q.place, j, 0)
	w.bury(i)
	return true
}

// pick is the process that gets the next message, nil if none wants it.
func (w *world) pick(q *broker) *process {
	switch q.cfg.Picks {
	case scenario.ByAny:
		return w.drawTaker(q, func(p *process) bool { return p.up })
	case scenario.ByRandom:
		return w.drawTaker(q, func(p *process) bool { return p.credit > 0 })
	case scenario.ByFirst:
		for _, t := range q.takers {
			if p := w.procs[t]; p.credit > 0 {
				return p
			}
		}
	default:
		if w.eager == 0 {
			return nil
		}
		for range q.takers {
			q.turn = (q.turn + 1) % len(q.takers)
			if p := w.procs[q.takers[q.turn]]; p.credit > 0 {
				return p
			}
		}
	}
	return nil
}

// drawTaker is a taker of q by lot, among those that may get a message.
func (w *world) drawTaker(q *broker, may func(*process) bool) *process {
	n := 0
	for _, t := range q.takers {
		if may(w.procs[t]) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	luck := w.luck[luckPick].With(uint64(q.place.Index)).With(q.deals)
	k := int(luck.IntN(int64(n)))
	for i := 0; ; i++ {
		if p := w.procs[q.takers[i]]; may(p) {
			if k--; k < 0 {
				return p
			}
		}
	}
}

// handOut gives message i to process p: the claim begins now.
func (w *world) handOut(q *broker, i int32, m *message, p *process) {
	now := w.now(q.node)
	j := w.jobs.at(m.job)
	until := policies.Never
	l := q.leaseOf(j)
	if asked := p.group.keeps(q, j).lease; l != nil && !asked.Forever {
		switch l.From {
		case scenario.FromReceive:
			until = now.Add(w.lengthOf(l, asked, j, m.hands))
		case scenario.FromEnqueue:
			until = w.read(q.node, m.born).Add(w.lengthOf(l, asked, j, m.hands))
		}
		until = w.slacken(l, until, j.luck, m.hands)
	}
	w.answers = m.grant.Step(now, lease.Ask{Kind: lease.Acquire, Owner: p.owner(), Until: until}, w.answers[:0])
	a := w.answers[0]
	if a.Kind != lease.Granted {
		panic("model: a message in the queue is held by somebody")
	}
	m.state, m.holder, m.life, m.told, m.unheard = held, p.id, p.life, false, false
	m.hands++
	m.refs++
	m.slot = int32(len(q.held))
	q.held = append(q.held, i)
	w.watchLapse(q, m, l)
	w.goesOut(q, m)
	w.spend(p)

	d := w.deliveries.take()
	v := w.deliveries.at(d)
	*v = delivery{msg: i, job: m.job, serial: a.Serial, token: a.Token, number: m.hands, proc: p.id, life: p.life,
		timer: v.timer, exec: -1}
	w.holdJob(m.job)
	w.recordDelivery(history.Deliver, q.place, v, 0)
	if w.send(packet{what: letDeliver, from: q.node, to: p.node, proc: p.id, life: p.life, item: d}, scenario.Deliver, w.deliveryLuck(v)) != onItsWay {
		w.forget(d)
	}
}
