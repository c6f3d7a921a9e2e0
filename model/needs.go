package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// A process may need locks of its own to take work (needs): to lead a shard, to
// be the only one of its number. It asks for them as it boots, keeps them while
// it lives, and asks again when it has lost one. Its machine takes no work
// without them (DRAINING) and is FENCED when its own belief in one ends.

// ownLock is one of them.
type ownLock struct {
	heldLock
	wake sim.Timer // the next look
	luck uint64    // looks so far
}

// forProcess is the execution of a call that a process makes for its k-th own
// lock, and back: no execution has a number below -1.
func forProcess(k int8) int32 { return -2 - int32(k) }

// ownID names a process's own lock among those who wait for it.
func (p *process) ownID(k int8) uint64 { return 1<<63 | uint64(p.id)<<8 | uint64(k) }

// needed is how many locks a process of the group needs.
func (w *world) needed(g *group) (n int32) {
	for _, name := range g.cfg.Needs {
		n += int32(len(g.view.Locks[w.lockStoreNamed(name)].Names))
	}
	return n
}

// seekNeeds asks, at the boot of a process, for all that it needs.
func (w *world) seekNeeds(p *process) {
	if len(p.needs) == 0 {
		for _, name := range p.group.cfg.Needs {
			s := w.locks[w.lockStoreNamed(name)]
			names := p.group.lock(s).Names
			for n := range names {
				key := render(&names[n], &job{}, &execution{proc: p})
				k := len(p.needs)
				p.needs = append(p.needs, ownLock{heldLock: heldLock{lock: w.lockNamed(s, key)},
					wake: w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evSeek, To: p.id, A: int64(k)})})
			}
		}
	}
	for k := range p.needs {
		h := &p.needs[k]
		h.heldLock = heldLock{lock: h.lock, since: w.sim.Now()}
		s := w.locks[w.lockPool.at(h.lock).store]
		at := w.sim.Now()
		seen := p.group.lock(s)
		if c := &seen.Poll; !seen.Notified && !seen.Once && (c.From != nil || c.Random) {
			at = w.nextTick(c, w.seekLuck(p, int8(k)), h.luck, at-1, at)
		}
		w.sim.Arm(h.wake, at)
	}
}

// onSeek is a look for a lock that the process does not hold.
func (w *world) onSeek(ev sim.Event) {
	p := w.procs[ev.To]
	h := &p.needs[ev.A]
	if w.park(p.node, ev, h.wake) || h.held {
		return
	}
	p.seeking = int8(ev.A)
	if h.lease == 0 {
		p.step(w, worker.Input{Kind: worker.Acquiring, Job: worker.Process, Rule: w.locks[w.lockPool.at(h.lock).store].leaseRule})
		return
	}
	p.step(w, worker.Input{Kind: worker.Again, Lease: h.lease})
}

// carryOutOwn does what the machine commands for a lock of the process.
func (p *process) carryOutOwn(w *world, c *worker.Command) {
	k := p.seeking
	if c.Kind != worker.Acquire && c.Kind != worker.Decline {
		if k = p.leases[c.Lease].lock; p.leases[c.Lease].exec != forProcess(k) {
			return // given up before it was held
		}
	}
	h := &p.needs[k]
	switch c.Kind {
	case worker.Acquire:
		h.lease, h.request = c.Lease, c.Request
		p.ownLease(c.Lease, leaseOwner{exec: forProcess(k), lock: k})
		if !p.told {
			w.sendOwnAcquire(p, k)
		}
	case worker.Decline:
		w.seekLater(p, k)
	case worker.Renew:
		n, r := w.newRenewal(p, &h.heldLock, c)
		r.exec = forProcess(k)
		w.renew(p, &h.heldLock, n, r)
	case worker.Release:
		w.ownBelief(p, h, -1)
		w.releaseTo(p, h.lock, h.tenure(), -1)
		h.held, h.lease = false, 0
	case worker.Lost:
		w.ownBelief(p, h, -1)
		h.held, h.lease, h.since = false, 0, w.sim.Now()
		if c.Why != lease.WhyGaveUp || p.group.rule.Doubt == 0 { // in doubt it knows whom to ask
			p.probeNode = w.locks[w.lockPool.at(h.lock).store].node
		}
		w.sim.Arm(h.wake, w.sim.Now())
	}
}

func (w *world) sendOwnAcquire(p *process, k int8) {
	h := &p.needs[k]
	h.luck++
	n, q := w.newCall(askAcquire, scenario.Acquire, p, w.front(p, w.locks[w.lockPool.at(h.lock).store]), w.seekLuck(p, k).With(h.luck))
	q.exec, q.execID = forProcess(k), p.ownID(k)
	w.bid(p, &h.heldLock, n, q)
}

// ownAnswered is the answer to a request for a lock of the process, or its
// absence.
func (w *world) ownAnswered(c *call) {
	p, k := w.procs[c.proc], int8(-2-c.exec)
	h := &p.needs[k]
	s := w.locks[w.lockPool.at(h.lock).store]
	seen := p.group.lock(s)
	switch {
	case c.class == policies.OK && c.grant.Kind == lease.Granted:
		w.ownGranted(p, k, c, c.request)
	case h.held || c.request != h.request: // the store has told of a grant meanwhile
	case w.mustSteal(p, s, &h.heldLock, c):
		w.sim.Arm(h.wake, w.sim.Now())
	case !seen.Once:
		w.seekLater(p, k)
	}
}

// seekLater sets the next look for a lock of the process.
func (w *world) seekLater(p *process, k int8) {
	h := &p.needs[k]
	seen := p.group.lock(w.locks[w.lockPool.at(h.lock).store])
	next := w.sim.Now().Add(seen.Timeout)
	if !seen.Notified && !seen.Once {
		next = w.nextTick(&seen.Poll, w.seekLuck(p, k), h.luck, w.sim.Now(), h.since)
	}
	w.sim.Arm(h.wake, next)
}

// ownNotified is the store's word that it has granted a lock unasked.
func (w *world) ownNotified(c *call) {
	p, k := w.procs[c.proc], int8(-2-c.exec)
	h := &p.needs[k]
	if h.held || h.lease == 0 {
		w.handBack(c)
		return
	}
	w.sim.Stop(h.wake)
	p.seeking, p.told = k, true
	p.step(w, worker.Input{Kind: worker.Again, Lease: h.lease})
	p.told = false
	w.ownGranted(p, k, c, h.request)
}

// ownGranted hands a grant to the machine, which says at once when it is lost
// again because it came too late.
func (w *world) ownGranted(p *process, k int8, c *call, request int32) {
	h := &p.needs[k]
	if h.held {
		w.handBack(c)
		return
	}
	h.serial, h.token, h.held = c.grant.Serial, c.grant.Token, true
	w.ownBelief(p, h, 1)
	p.step(w, worker.Input{Kind: worker.Granted, Job: worker.Process, Lease: h.lease, Request: request, Token: c.grant.Token})
}

// ownBelief counts the processes that believe they own the lock.
func (w *world) ownBelief(p *process, h *ownLock, delta int32) {
	if h.believes == (delta > 0) {
		return
	}
	h.believes = delta > 0
	k := w.lockPool.at(h.lock)
	k.believers += delta
	f := w.lockFact(history.Believe, k, p, int64(delta))
	f.Attempt = k.believers
	w.record(f)
}

// abandonNeeds ends what a dead process had of its own.
func (w *world) abandonNeeds(p *process) {
	for k := range p.needs {
		h := &p.needs[k]
		w.ownBelief(p, h, -1)
		h.held, h.lease = false, 0
		w.sim.Stop(h.wake)
	}
}

func (w *world) seekLuck(p *process, k int8) chance {
	return w.lockLuck(w.lockPool.at(p.needs[k].lock), p).With(uint64(p.life)<<8 | uint64(k))
}
