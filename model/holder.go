package model

import (
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

type watcher = lease.Watcher

// beginLock begins the wait for a lock, or for the names of it that are still
// missing.
func (w *world) beginLock(i int32, x *execution, o *op) {
	s := w.locks[o.index]
	j := w.jobs.at(x.job)
	x.asking = x.freeLock()
	h := &x.locks[x.asking]
	*h = heldLock{lock: w.lockNamed(s, render(&o.names[x.names], j, x)), since: w.sim.Now()}
	seen := x.proc.group.lock(s)
	if seen.WaitFor != scenario.Forever {
		x.giveUp = w.sim.Now().Add(seen.WaitFor)
	} else {
		x.giveUp = sim.Never
	}
	if p := &seen.Poll; !seen.Notified && !seen.Once && (p.From != nil || p.Random) {
		w.sim.Arm(x.wake, w.nextTick(p, w.stepLuck(x, luckWait), x.tries, w.sim.Now()-1, h.since))
		return
	}
	x.proc.step(w, worker.Input{Kind: worker.Acquiring, Job: x.slot, Rule: s.leaseRule})
}

// freeLock is the place of the next lock among those of the execution.
func (x *execution) freeLock() int8 {
	for k := range x.locks[:x.nlocks] {
		if x.locks[k].lock < 0 {
			return int8(k)
		}
	}
	if int(x.nlocks) == maxLocks {
		panic("model: a job holds more locks than an execution has room for")
	}
	x.nlocks++
	return x.nlocks - 1
}

// sendAcquire sends the request that the machine commands.
func (w *world) sendAcquire(p *process, c *worker.Command) {
	i := p.slots[c.Job]
	x := w.execs.at(i)
	h := &x.locks[x.asking]
	k := w.lockPool.at(h.lock)
	s := w.locks[k.store]
	h.lease, h.request = c.Lease, c.Request
	p.ownLease(c.Lease, leaseOwner{exec: i, lock: x.asking})
	if x.notify != nil { // the store has granted it unasked: this is its number
		return
	}
	n, q := w.newCall(askAcquire, scenario.Acquire, p, w.front(p, s), w.lockLuck(k, p).With(w.jobs.at(x.job).luck).With(uint64(x.startNo)<<32|x.tries))
	x.tries++
	w.holdJob(x.job)
	q.job, q.exec, q.execID = x.job, i, x.id
	x.call = n
	w.bid(p, h, n, q)
}

// bid asks for a lock by call n.
func (w *world) bid(p *process, h *heldLock, n int32, q *call) {
	k := w.lockPool.at(h.lock)
	s := w.locks[k.store]
	q.lease, q.request, q.lock, q.place, q.since = h.lease, h.request, h.lock, s.place, h.since
	w.bids++
	h.bid, q.bid = w.bids, w.bids
	q.length = w.askedLength(p, s, k)
	if p.group.lock(s).Lease != nil {
		q.wall = w.wallAt(p.node)
		q.until = q.wall.Add(q.length)
	}
	if h.steals {
		q.version = h.version
	}
	w.place(n, p.group.lock(s).Timeout)
}

// askedLength is the length that a holder asks for.
func (w *world) askedLength(p *process, s *lockStore, k *lock) time.Duration {
	l := p.group.lock(s).Lease
	if l == nil || l.Forever {
		return scenario.Forever
	}
	return l.Length.At(int(k.grants)).Draw(w.luck[luckLease].With(k.name).With(k.grants))
}

// acquired is the answer to a request for a lock, or its absence.
func (w *world) acquired(i int32, c *call) {
	p := w.procs[c.proc]
	if c.exec < -1 {
		w.ownAnswered(c)
		return
	}
	x := w.exec(c.exec, c.execID)
	if x == nil || x.asking < 0 || x.locks[x.asking].lock != c.lock {
		if c.grant.Kind == lease.Granted {
			w.handBack(c)
		}
		return
	}
	x.call = -1
	h := &x.locks[x.asking]
	s := w.locks[w.lockPool.at(c.lock).store]
	if c.class == policies.OK && c.grant.Kind == lease.Granted {
		h.serial = c.grant.Serial
		p.step(w, worker.Input{Kind: worker.Granted, Job: x.slot, Lease: c.lease, Request: c.request, Token: c.grant.Token})
		return
	}
	seen := p.group.lock(s)
	if seen.Once {
		w.denied(c.exec, x)
		return
	}
	if w.mustSteal(p, s, h, c) {
		p.step(w, worker.Input{Kind: worker.Again, Lease: h.lease})
		return
	}
	now := w.sim.Now()
	next := now.Add(seen.Timeout) // a waiter who is to be told still asks now and then
	if !seen.Notified {
		next = w.nextTick(&seen.Poll, w.stepLuck(x, luckWait), x.tries, now, h.since)
	}
	if next >= x.giveUp {
		next = x.giveUp
	}
	w.sim.Arm(x.wake, max(next, now))
}

// mustSteal says, of a waiter that judges for itself, that the record which
// refused it has outlived its length, and is to be taken.
func (w *world) mustSteal(p *process, s *lockStore, h *heldLock, c *call) bool {
	tried := h.steals // and was refused: the lock is closed, or another was faster
	h.steals = false
	l := p.group.lock(s).Lease
	if l == nil || c.class != policies.Coordination || l.ExpiresBy != scenario.ByWaiter && l.ExpiresBy != scenario.ByWaiterOwn {
		return false
	}
	length := c.length
	if l.ExpiresBy == scenario.ByWaiterOwn {
		length = w.askedLength(p, s, w.lockPool.at(c.lock))
	}
	if h.watcher.Observe(w.now(p.node), c.version, length).Steal && !tried {
		h.steals, h.version = true, c.version
	}
	return h.steals
}

// askAgain is the next look of a waiter.
func (w *world) askAgain(i int32, x *execution) {
	if w.sim.Now() >= x.giveUp {
		h := &x.locks[x.asking]
		k := w.lockPool.at(h.lock)
		f := w.execFact(history.LockTimeout, x, int64(w.sim.Now()-h.since))
		f.Place, f.Key = w.locks[k.store].place, k.name
		w.record(f)
		w.denied(i, x)
		return
	}
	h := &x.locks[x.asking]
	if h.lease == 0 { // the first look, at a tick
		s := w.locks[w.lockPool.at(h.lock).store]
		x.proc.step(w, worker.Input{Kind: worker.Acquiring, Job: x.slot, Rule: s.leaseRule})
		return
	}
	x.proc.step(w, worker.Input{Kind: worker.Again, Lease: h.lease})
}

// denied ends the wait for a lock that was not obtained.
func (w *world) denied(i int32, x *execution) {
	h := &x.locks[x.asking]
	s := w.locks[w.lockPool.at(h.lock).store]
	p := x.proc
	p.probeNode = s.node
	x.asking = -1
	h.lock = -1
	if h.lease > 0 {
		p.step(w, worker.Input{Kind: worker.Denied, Job: x.slot, Lease: h.lease, Request: h.request})
	}
	seen := p.group.lock(s)
	if !seen.Once || seen.TurnedAway == scenario.TurnedAwayFail {
		w.finish(i, x, policies.Coordination)
		return
	}
	if seen.TurnedAway == scenario.TurnedAwaySkip {
		w.jobs.at(x.job).skipped = true
	} else if x.dropped = true; x.delivery < 0 { // else the broker records it
		w.record(w.execFact(history.Drop, x, 0))
	}
	w.halt(x)
	p.step(w, worker.Input{Kind: worker.Ended, Job: x.slot})
}

// notified is the store's word that a waiting request was granted.
func (w *world) notified(pk *packet) {
	c := w.calls.at(pk.item)
	p := w.procs[pk.proc]
	if pk.to != p.node { // half of its way
		pk.from, pk.to = pk.to, p.node
		if !w.nodes[pk.from].up || w.send(*pk, scenario.Acquire, c.luck.With(4)) != onItsWay {
			c.legs--
			w.retireCall(pk.item, c)
		}
		return
	}
	c.legs--
	if c.exec < -1 {
		if p.up && p.life == pk.life {
			w.ownNotified(c)
		}
		w.retireCall(pk.item, c)
		return
	}
	x := w.exec(c.exec, c.execID)
	if p.up && p.life == pk.life && x != nil && x.asking >= 0 && x.locks[x.asking].lock == c.lock && !x.locks[x.asking].held {
		w.sim.Stop(x.wake)
		if x.call >= 0 {
			w.abandon(x.call)
			x.call = -1
		}
		h := &x.locks[x.asking]
		h.serial = c.grant.Serial
		x.notify = c
		p.step(w, worker.Input{Kind: worker.Again, Lease: h.lease})
		x.notify = nil
		p.step(w, worker.Input{Kind: worker.Granted, Job: x.slot, Lease: h.lease, Request: h.request, Token: c.grant.Token})
	} else if p.up && p.life == pk.life {
		w.handBack(c)
	}
	w.retireCall(pk.item, c)
}

// locked lets the handler go on: the lock is its own.
func (w *world) locked(p *process, c *worker.Command) {
	o := p.leases[c.Lease]
	x := w.execs.at(o.exec)
	h := &x.locks[o.lock]
	h.held, h.token = true, c.Token
	x.asking = -1
	w.believe(x, h)
	if step := &x.ops[x.pc]; int(x.names)+1 < len(step.names) {
		x.names++
		w.beginLock(o.exec, x, step)
		return
	}
	x.names = 0
	x.pc++
	w.advance(o.exec, x)
}

// believe and disbelieve count who believes to own a lock.
func (w *world) believe(x *execution, h *heldLock) {
	if !h.believes {
		h.believes = true
		w.believers(x, h, 1)
	}
}

func (w *world) disbelieve(x *execution, h *heldLock) {
	if h.believes && h.lock >= 0 {
		h.believes = false
		w.believers(x, h, -1)
	}
}

func (w *world) believers(x *execution, h *heldLock, delta int32) {
	k := w.lockPool.at(h.lock)
	k.believers += delta
	f := w.execFact(history.Believe, x, int64(delta))
	f.Place, f.Key, f.Attempt = w.locks[k.store].place, k.name, k.believers
	w.record(f)
}

// leaseOf is whose lease a command speaks of. Before a job has started, the only
// one that the machine keeps for it is its delivery's, under a number that it
// tells at the start.
func (p *process) leaseOf(w *world, c *worker.Command) leaseOwner {
	if i := p.slots[c.Job]; i >= 0 && w.execs.at(i).stage != atWork {
		return leaseOwner{exec: i, lock: -1}
	}
	return p.leases[c.Lease]
}

// sendRelease gives a lock back.
func (w *world) sendRelease(p *process, c *worker.Command) {
	o := p.leaseOf(w, c)
	if o.lock < 0 || o.exec < 0 {
		return
	}
	x := w.execs.at(o.exec)
	h := &x.locks[o.lock]
	w.disbelieve(x, h)
	w.releaseTo(p, h.lock, h.tenure(), x.job)
	h.lock = -1
}

// handBack releases a grant that its asker no longer waits for.
func (w *world) handBack(c *call) {
	w.releaseTo(w.procs[c.proc], c.lock, tenure{c.grant.Serial, c.grant.Token, c.bid}, c.job)
}

// tenure is what names a holder's claim to its grantor.
type tenure struct {
	serial uint32
	token  policies.Token
	bid    int64 // to members that agree by majority
}

func (h *heldLock) tenure() tenure { return tenure{h.serial, h.token, h.bid} }

func (w *world) releaseTo(p *process, i int32, t tenure, job int32) {
	k := w.lockPool.at(i)
	s := w.locks[k.store]
	_, standing, ok := k.grant.Holder()
	if ok && standing == t.serial {
		k.left = w.sim.Now()
	}
	n, r := w.newCall(askReleaseLock, scenario.Release, p, w.front(p, s), w.lockLuck(k, p).With(uint64(t.serial)))
	if job >= 0 {
		w.holdJob(job)
	}
	r.job, r.lock, r.serial, r.token, r.bid, r.place = job, i, t.serial, t.token, t.bid, s.place
	if s.byMajority() {
		w.resign(n, r)
		return
	}
	if w.send(packet{what: letRequest, from: p.node, to: s.node, item: n}, scenario.Release, r.luck) == onItsWay {
		r.legs++
	} else {
		w.retireCall(n, r)
	}
}

// unlock gives a lock back before the job ends.
func (w *world) unlock(x *execution, o *op) {
	for k := int(x.nlocks) - 1; k >= 0; k-- {
		h := &x.locks[k]
		if h.lock < 0 || w.lockPool.at(h.lock).store != o.index || !h.held { // below 0: given up already
			continue
		}
		h.held = false
		x.proc.step(w, worker.Input{Kind: worker.Unlock, Job: x.slot, Lease: h.lease})
	}
}

// leaseLost notes that the holder no longer believes.
func (w *world) leaseLost(p *process, c *worker.Command) {
	o := p.leaseOf(w, c)
	if o.exec < 0 {
		return
	}
	x := w.execs.at(o.exec)
	if o.lock < 0 {
		x.loss.tell(w, w.execFact(history.Notice, x, 0))
		return
	}
	h := &x.locks[o.lock]
	if h.lock < 0 {
		return // given back before it was lost
	}
	k := w.lockPool.at(h.lock)
	f := w.execFact(history.Notice, x, 0)
	f.Place, f.Key = w.locks[k.store].place, k.name
	h.loss.tell(w, f)
	p.probeNode = w.locks[k.store].node
	w.disbelieve(x, h)
}

// lockLuck is the chance of messages about a lock between it and a process.
func (w *world) lockLuck(k *lock, p *process) exact.Chance {
	return w.luck[luckLock].With(k.name).With(uint64(p.id))
}
