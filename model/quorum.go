package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// A store whose members agree by majority has no record of its own: each member
// grants, renews and forgets by itself and by its own clock, and a caller who
// has the word of more than half of them has the lock. What it asks all of them
// at once is a ballot: the caller's one call, with a call to each member below
// it, which names the claim that it speaks of. The lock's own grant is the
// account of who won, kept by nobody in that world: it numbers the claims, and
// its tokens are those that an agreement among the members would give.

// ballotBox is a member's record of each lock.
type ballotBox map[uint64]*lease.Grant

// ballot asks every member what call i asks. Whoever is cut off is silent.
func (w *world) ballot(s *lockStore, i int32) {
	for k, node := range s.cluster.nodes {
		c := w.calls.at(i)
		n, v := w.newCall(askVote, c.kind, nil, node, c.luck.With(uint64(k)<<8|5))
		v.from, v.proc, v.life, v.place = c.from, c.proc, c.life, c.place
		v.ballot, v.member, v.lock, v.bid, v.length, v.legs = i, int8(k), c.lock, c.bid, c.length, 1
		c.legs++
		switch w.send(packet{what: letRequest, from: v.from, to: node, item: n}, v.kind, v.luck) {
		case vanished:
			v.legs--
			w.retireCall(n, v)
		case turnedAway:
			v.class, v.waiting = policies.Transient, true
			w.sim.At(w.sim.Now(), sim.Message, sim.Event{Kind: evTurnedAway, To: n})
		}
	}
}

// vote is a member's answer to what a ballot asks.
func (w *world) vote(i int32, v *call) {
	s := w.locks[v.place.Index]
	switch asks := w.calls.at(v.ballot).ask; {
	case s.cfg.Serves != scenario.ServesAll:
		v.class = policies.Transient
	case asks == askProbe:
	default:
		g := w.membersGrant(s, v)
		ask := lease.Ask{Kind: lease.Acquire, Owner: v.bid, Clean: true}
		if owner, serial, held := g.Holder(); held && owner == v.bid {
			ask.Serial = serial
		}
		fits := true
		switch asks {
		case askRenewLock:
			ask.Kind = lease.Renew
		case askReleaseLock:
			ask.Kind = lease.Release
		}
		if ask.Kind != lease.Release {
			ask.Until, fits = w.lockUntil(s, v.proc, w.now(v.to), v.length)
		}
		if !fits {
			v.class = policies.Coordination
			break
		}
		w.answers = g.Step(w.now(v.to), ask, w.answers[:0])
		if v.grant = w.answers[0]; v.grant.Kind == lease.Refused {
			v.class = policies.Coordination
		}
	}
	w.reply(i, v)
}

// membersGrant is a member's record of the lock that a vote is about, as the
// member finds it when it looks.
func (w *world) membersGrant(s *lockStore, v *call) *lease.Grant {
	box := &s.cluster.votes[v.member]
	if *box == nil {
		*box = ballotBox{}
	}
	name := w.lockPool.at(v.lock).name
	g := (*box)[name]
	if g == nil {
		g = new(lease.Grant)
		g.Reset(&s.rule)
		(*box)[name] = g
	}
	if until := g.Until(); until != policies.Never && w.looks(&s.cfg.Lease.Check, s.phase, w.when(v.to, until)) <= w.sim.Now() {
		w.answers = g.Step(w.now(v.to), lease.Ask{Kind: lease.Lapse}, w.answers[:0])
	}
	return g
}

// voted counts a member's answer. The reply that completes the majority decides
// for the caller; so does the one that makes it impossible.
func (w *world) voted(v *call) {
	c := w.calls.at(v.ballot)
	s := w.locks[c.place.Index]
	yes := v.class == policies.OK
	if !c.waiting {
		if p := w.procs[c.proc]; yes && c.ask == askAcquire && c.grant.Kind != lease.Granted && p.up && p.life == c.life {
			w.disclaim(p, c) // too late for a caller who has given up
		}
		return
	}
	n := int8(len(s.cluster.nodes))
	switch {
	case yes:
		if c.yes++; 2*c.yes <= n {
			return
		}
	default:
		if v.class == policies.Coordination {
			c.denials++
		}
		if c.no++; 2*(n-c.no) > n {
			return
		}
		if c.class = policies.Transient; 2*(n-c.denials) <= n || c.ask == askAcquire && c.denials > 0 {
			c.class = policies.Coordination
		}
	}
	w.sim.Stop(c.timer)
	c.waiting = false
	w.decided(s, v.ballot, c)
}

// decided gives the caller the result of its ballot.
func (w *world) decided(s *lockStore, i int32, c *call) {
	won := c.class == policies.OK
	switch c.ask {
	case askAcquire:
		k := w.lockPool.at(c.lock)
		if !won {
			if c.class == policies.Coordination {
				w.record(w.callFact(history.Refuse, c, 0))
			}
			w.disclaim(w.procs[c.proc], c)
			break
		}
		w.answers = k.grant.Step(w.now(s.node), lease.Ask{Kind: lease.Take, Owner: ownerOf(c.proc, c.life), Until: policies.Never,
			Version: k.grant.Version()}, w.answers[:0])
		c.grant = w.answers[0]
		if len(w.answers) > 1 {
			w.lockLost(k)
		}
		w.granted(c.lock, k, s, lockWaiter{proc: c.proc, life: c.life, exec: c.exec, execID: c.execID, job: c.job, since: c.since})
	case askRenewLock:
		w.renewedByMajority(c)
	}
	w.answered(i, c)
}

// renewedByMajority tells of a ballot on a renewal; that of a claim which has
// been given back meanwhile changes nothing.
func (w *world) renewedByMajority(c *call) {
	k := w.lockPool.at(c.lock)
	_, serial, ok := k.grant.Holder()
	stands := ok && serial == c.serial
	f := w.callFact(history.Renew, c, 0)
	switch c.class {
	case policies.OK:
		if stands {
			w.record(f)
		}
	case policies.Coordination:
		w.renewRefused(f, stands, &k.told)
	}
}

// disclaim tells every member that the claim of a ballot is given up.
func (w *world) disclaim(p *process, c *call) {
	n, r := w.newCall(askReleaseLock, scenario.Release, p, c.to, c.luck.With(6))
	r.lock, r.place, r.bid = c.lock, c.place, c.bid
	w.tellMembers(n, r)
}

// revokeVotes takes every member's grant of a lock away.
func (w *world) revokeVotes(s *lockStore, name uint64) {
	for k, box := range s.cluster.votes {
		if g := box[name]; g != nil {
			w.answers = g.Step(w.now(s.cluster.nodes[k]), lease.Ask{Kind: lease.Revoke}, w.answers[:0])
		}
	}
}

// resign gives a lock back: call i tells the members.
func (w *world) resign(i int32, c *call) {
	k := w.lockPool.at(c.lock)
	s := w.locks[k.store]
	w.answers = k.grant.Step(w.now(s.node), lease.Ask{Kind: lease.Release, Clean: true, Owner: ownerOf(c.proc, c.life), Serial: c.serial,
		Token: c.token}, w.answers[:0])
	if _, _, stands := k.grant.Holder(); w.answers[0].Kind == lease.Released && !stands {
		w.record(w.callFact(history.Release, c, int64(w.sim.Now()-k.since)))
		w.endOrphan(k, w.sim.Now(), 0)
	}
	w.tellMembers(i, c)
}

// tellMembers sends what needs no answer.
func (w *world) tellMembers(i int32, c *call) {
	c.legs++ // until all are sent
	w.ballot(w.locks[c.place.Index], i)
	c.legs--
	w.retireCall(i, c)
}
