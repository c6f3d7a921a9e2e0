package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// lockStore is the server's side of locks: one Grant for each name, driven by
// the store's clock, and the rule by which expiry is noticed.
type lockStore struct {
	cfg       *scenario.Lock
	place     history.Place
	node      int32
	rule      lease.GrantRule
	byName    map[uint64]int32
	locks     []int32
	leaseRule int32 // in the worker's table
	phase     sim.Time
	cluster   *cluster    // nil: a single node
	wrote     bool        // it could write when that was asked last
	unended   []endedLife // sessions that ended while it could not write
}

// endedLife is a life of a process whose session is over.
type endedLife struct {
	proc int32
	life uint32
}

// lock is one name in a store.
type lock struct {
	store     int16
	name      uint64
	grant     lease.Grant
	holder    int32 // process of the standing claim
	life      uint32
	told      bool             // its loss was counted when a renewal was refused
	length    time.Duration    // in the record, for waiters who judge by it
	end       policies.Instant // in the record, by the holder's wall clock
	queue     []lockWaiter
	timer     sim.Timer
	believers int32    // processes that believe they own it
	gates     []gate   // of each service
	died      sim.Time // when the last holder died holding it; Never if none did
	left      sim.Time // when the holder sent its release of the standing claim; Never if it has not
	orphan    sim.Time // since when the standing claim has no holder, as was told; Never
	grants    uint64
	since     sim.Time  // when it was granted last
	past      []version // as far as a fail-over could go back
	found     uint32    // the grant of which a reconciler has told
}

// lockWaiter is a process that asked to be told when the lock is free.
type lockWaiter struct {
	proc   int32
	life   uint32
	exec   int32
	execID uint64
	job    int32
	lease  int32
	since  sim.Time
	asks   time.Duration
}

// lockNamed is the record of the lock with this name in a store.
func (w *world) lockNamed(s *lockStore, name uint64) int32 {
	if i, ok := s.byName[name]; ok {
		return i
	}
	i := w.lockPool.take()
	k := w.lockPool.at(i)
	*k = lock{store: s.place.Index, name: name, holder: -1, died: sim.Never, left: sim.Never, orphan: sim.Never,
		timer: w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evLock, To: i})}
	k.grant.Reset(&s.rule)
	s.byName[name] = i
	s.locks = append(s.locks, i)
	return i
}

// acquire is the arrival of a request for a lock.
func (w *world) acquire(i int32, c *call) {
	k := w.lockPool.at(c.lock)
	s := w.locks[k.store]
	if !w.canGrant(s, k, c) {
		w.reply(i, c)
		return
	}
	now := w.now(s.node)
	until, fits := w.lockUntil(s, c.proc, now, c.length)
	if !fits {
		c.class = policies.Coordination
		w.record(w.callFact(history.Refuse, c, 0))
		w.reply(i, c)
		return
	}
	ask := lease.Ask{Kind: lease.Acquire, Owner: ownerOf(c.proc, c.life), Until: until}
	seen := w.procs[c.proc].group.lock(s)
	judged := seen.Lease != nil && seen.Lease.ExpiresBy != scenario.ByStore
	if judged {
		ask.Until = policies.Never
		switch {
		case c.version != 0:
			ask.Kind, ask.Version = lease.Take, c.version
		case seen.Lease.ExpiresBy == scenario.ByRecord && c.wall >= k.end:
			ask.Kind, ask.Version = lease.Take, k.grant.Version()
		}
	}
	w.answers = w.stepLock(s, k, ask)
	c.grant = w.answers[0]
	if len(w.answers) > 1 {
		w.lockLost(k)
	}
	if c.grant.Kind == lease.Granted {
		k.length, k.end = c.length, c.until
		w.granted(c.lock, k, s, lockWaiter{proc: c.proc, life: c.life, exec: c.exec, execID: c.execID, job: c.job, since: c.since})
		w.reply(i, c)
		return
	}
	c.class = policies.Coordination
	w.record(w.callFact(history.Refuse, c, 0))
	if !seen.Once {
		w.waits(c)
	}
	if seen.Notified && !judged {
		w.enlist(k, c)
		w.watchLock(k, s)
	}
	c.version, c.length = k.grant.Version(), k.length
	w.reply(i, c)
}

// canGrant says that a store can do what a caller asks of a lock. One that only
// shows its records shows who holds it.
func (w *world) canGrant(s *lockStore, k *lock, c *call) bool {
	if s.cfg.Serves == scenario.ServesAll {
		return true
	}
	c.class = policies.Transient
	if _, _, held := k.grant.Holder(); held && s.cfg.Serves == scenario.ServesReads && c.version == 0 {
		c.class = policies.Coordination
		c.version, c.length = k.grant.Version(), k.length
	}
	return false
}

// lockUntil is the deadline of a grant to a process, or of its renewal, by the
// store's clock; false says that the length asked for is refused.
func (w *world) lockUntil(s *lockStore, proc int32, now policies.Instant, length time.Duration) (policies.Instant, bool) {
	l := w.procs[proc].group.lock(s).Lease
	if l == nil || l.Forever || l.ExpiresBy != scenario.ByStore {
		return policies.Never, true
	}
	length, fits := inRange(l, length)
	w.lockUses++
	return w.slacken(l, now.Add(length), uint64(s.place.Index), int32(w.lockUses)), fits
}

// granted notes a new claim and tells of it.
func (w *world) granted(i int32, k *lock, s *lockStore, to lockWaiter) {
	k.holder, k.life, k.told, k.left, k.since = to.proc, to.life, false, sim.Never, w.sim.Now()
	k.grants++
	w.watchLock(k, s)
	f := w.lockFact(history.Grant, k, w.procs[to.proc], int64(w.sim.Now()-to.since))
	f.Token = k.grant.Token()
	if w.exec(to.exec, to.execID) != nil { // else it has given up, and will hand the lock back
		f.Job, f.Type = w.jobs.at(to.job).serial, w.jobs.at(to.job).kind
	}
	w.record(f)
	if k.died != sim.Never {
		f.Kind, f.Value = history.TakeOver, int64(w.sim.Now()-k.died)
		w.record(f)
		k.died = sim.Never
	}
	w.orphanedByDeath(k)
}

// watchLock arms the lock's timer: for the instant at which the store notices
// that the claim has run out, or at which a closed lock opens for a waiter.
func (w *world) watchLock(k *lock, s *lockStore) {
	if _, _, ok := k.grant.Holder(); !ok {
		if len(k.queue) > 0 {
			w.sim.Arm(k.timer, max(w.sim.Now(), w.when(s.node, k.grant.ClosedUntil())))
		}
		return
	}
	until := k.grant.Until()
	if until == policies.Never || s.cfg.Lease == nil {
		w.sim.Stop(k.timer)
		return
	}
	w.sim.Arm(k.timer, w.looks(&s.cfg.Lease.Check, s.phase, w.when(s.node, until)))
}

// onLock is a lock's timer.
func (w *world) onLock(ev sim.Event) {
	k := w.lockPool.at(ev.To)
	s := w.locks[k.store]
	if !s.writable() {
		return // catchUp will look again
	}
	if _, _, ok := k.grant.Holder(); ok {
		w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Lapse})
		if len(w.answers) == 0 {
			return
		}
		w.lockLost(k)
	}
	w.freed(ev.To, k, s)
}

// lockLost records that the store ended the standing claim.
func (w *world) lockLost(k *lock) {
	p := w.procs[k.holder]
	f := w.lockFact(history.Expire, k, p, 0)
	alive := p.up && p.life == k.life
	if alive {
		f.Value = 1
	}
	w.record(f)
	if w.claimOver(k) {
		return
	}
	w.lockSlips(k)
	if !k.told {
		k.told = true
		f.Kind = history.LostAlive
		w.record(f)
	}
}

// freed gives a free lock to whoever waits for it.
func (w *world) freed(i int32, k *lock, s *lockStore) {
	for len(k.queue) > 0 {
		now := w.now(s.node)
		if now < k.grant.ClosedUntil() {
			w.watchLock(k, s)
			return
		}
		next := k.queue[0]
		k.queue = k.queue[:copy(k.queue, k.queue[1:])]
		p := w.procs[next.proc]
		if !p.up || p.life != next.life {
			continue // its connection is closed
		}
		until, _ := w.lockUntil(s, next.proc, now, next.asks)
		w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Acquire, Owner: ownerOf(next.proc, next.life), Until: until})
		a := w.answers[0]
		k.length = next.asks
		w.granted(i, k, s, next)
		n, c := w.newCall(askAcquire, scenario.Acquire, p, p.node, w.lockLuck(k, p).With(k.grants))
		c.from, c.to = s.node, p.node
		c.lock, c.exec, c.execID, c.lease, c.grant, c.place, c.legs = i, next.exec, next.execID, next.lease, a, s.place, 1
		if w.send(packet{what: letNotify, from: s.node, to: w.towards(p, s), proc: p.id, life: p.life, item: n}, scenario.Acquire, c.luck) != onItsWay {
			c.legs--
			w.retireCall(n, c)
		}
		return
	}
}

// enlist notes that a caller waits for the lock; once is enough.
func (w *world) enlist(k *lock, c *call) {
	for n := range k.queue {
		if k.queue[n].execID == c.execID {
			return
		}
	}
	k.queue = append(k.queue, lockWaiter{proc: c.proc, life: c.life, exec: c.exec, execID: c.execID, job: c.job, lease: c.lease, since: c.since, asks: c.length})
}

// renewLock is the arrival of a renewal.
func (w *world) renewLock(i int32, c *call) {
	k := w.lockPool.at(c.lock)
	s := w.locks[k.store]
	c.class = policies.OK // the caller's patience may have ended
	if s.cfg.Serves != scenario.ServesAll {
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	now := w.now(s.node)
	phase := k.grant.Phase(now, c.serial)
	until, fits := w.lockUntil(s, c.proc, now, c.length)
	if fits {
		w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Renew, Owner: ownerOf(c.proc, c.life), Serial: c.serial, Token: c.token, Until: until})
	} else {
		w.answers = append(w.answers[:0], lease.Answer{Kind: lease.Refused})
	}
	f := w.callFact(history.Renew, c, 0)
	switch w.answers[0].Kind {
	case lease.Renewed:
		if len(w.answers) > 1 { // taken from whoever has it now
			w.lockLost(k)
			k.left = sim.Never
		}
		again := phase == lease.Free || len(w.answers) > 1
		if again { // its former holder has it again
			k.holder, k.life, k.told = c.proc, c.life, false
		}
		k.end = c.until
		w.watchLock(k, s)
		w.record(f)
		if again {
			w.orphanedByDeath(k)
		}
	case lease.Refused:
		c.class = policies.Coordination
		w.renewRefused(f, phase == lease.Lapsed, &k.told)
	}
	w.reply(i, c)
}

// releaseLock is the arrival of a release.
func (w *world) releaseLock(i int32, c *call) {
	k := w.lockPool.at(c.lock)
	s := w.locks[k.store]
	if s.cfg.Serves != scenario.ServesAll {
		c.legs--
		w.retireCall(i, c)
		return
	}
	w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Release, Clean: true, Owner: ownerOf(c.proc, c.life), Serial: c.serial, Token: c.token})
	if len(w.answers) > 1 || w.answers[0].Kind == lease.Released && w.answers[0].Serial != c.serial {
		w.lockLost(k) // it was another's
	}
	_, _, stands := k.grant.Holder()
	if w.answers[0].Kind == lease.Released && !stands {
		w.record(w.callFact(history.Release, c, int64(w.sim.Now()-k.since)))
		w.endOrphan(k, w.sim.Now(), 0)
		w.sim.Stop(k.timer)
		w.freed(c.lock, k, s)
	}
	c.legs--
	w.retireCall(i, c)
}

// endLockSession ends the claims of one life of a process.
func (w *world) endLockSession(s *lockStore, p *process, life uint32) {
	if !s.writable() {
		s.unended = append(s.unended, endedLife{p.id, life})
		return
	}
	for _, i := range s.locks {
		k := w.lockPool.at(i)
		w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.SessionEnd, Owner: ownerOf(p.id, life)})
		if len(w.answers) > 0 {
			w.lockLost(k)
			w.freed(i, k, s)
		}
	}
}
