package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// cluster is the nodes of a store that has several. Those with a leader keep one
// record between them: the leader serves as long as it reaches a majority, and
// members pass on to it what their callers ask. What it has answered is known to
// the majority, except for what is younger than the lag when it is lost.
type cluster struct {
	cfg      *scenario.Membership
	nodes    []int32
	leader   int          // the member that leads, or led until it lost the majority
	reigns   bool         // it serves
	lostAt   sim.Time     // when it lost the majority
	election sim.Timer    // when another takes over
	deposed  [][]oldClaim // by member: what one that led before believes of the claims, until it acts on it
	votes    []ballotBox  // by member, of those that agree by majority
}

// oldClaim is a claim as a deposed leader remembers it.
type oldClaim struct {
	lock   int32
	serial uint32
	until  policies.Instant // by its own clock
}

// version is a lock as it was before a change.
type version struct {
	until  sim.Time // when it was changed
	grant  lease.Grant
	holder int32
	life   uint32
}

// newCluster makes the nodes of a store.
func (w *world) newCluster(s *lockStore, m *scenario.Membership) {
	c := &cluster{cfg: m, reigns: true, lostAt: sim.Never, deposed: make([][]oldClaim, len(m.Names))}
	for k := range m.Names {
		c.nodes = append(c.nodes, w.newNode(m.Clock, k))
		w.places = append(w.places, s.place)
	}
	if m.Agree == scenario.ByMajority {
		c.votes = make([]ballotBox, len(m.Names))
	}
	c.election = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evElection, To: int32(s.place.Index)})
	s.cluster, s.node = c, c.nodes[0]
}

// byMajority says that a store's members grant each by itself.
func (s *lockStore) byMajority() bool {
	return s.cluster != nil && s.cluster.cfg.Agree == scenario.ByMajority
}

// front is the node of a store that a process talks to, or with nil a monitor.
func (w *world) front(p *process, s *lockStore) int32 {
	if attach := w.sees(p).Locks[s.place.Index].Attach; s.cluster != nil && attach >= 0 {
		return s.cluster.nodes[attach]
	}
	return s.node
}

// towards is the node to which a store sends what is meant for a process: the
// process's own, or the member that passes it on.
func (w *world) towards(p *process, s *lockStore) int32 {
	if f := w.front(p, s); f != s.node {
		return f
	}
	return p.node
}

// writable says that a store can change its records now.
func (s *lockStore) writable() bool {
	return s.cfg.Serves == scenario.ServesAll && (s.cluster == nil || s.cluster.reigns)
}

// runs says that a node is up and not frozen.
func (w *world) runs(n int32) bool { return w.nodes[n].up && !w.nodes[n].frozen }

// reaches says that two nodes hear each other.
func (w *world) reaches(a, b int32) bool {
	there, _ := w.net.between(a, b, scenario.Heartbeat)
	back, _ := w.net.between(b, a, scenario.Heartbeat)
	return there == nil && back == nil
}

// leads says that a member runs and reaches a majority, itself included.
func (w *world) leads(c *cluster, member int) bool {
	if !w.runs(c.nodes[member]) {
		return false
	}
	n := 0
	for _, other := range c.nodes {
		if w.runs(other) && w.reaches(c.nodes[member], other) {
			n++
		}
	}
	return 2*n > len(c.nodes)
}

// reachChanged lets every store see who reaches whom now, and what it serves.
func (w *world) reachChanged() {
	for _, s := range w.locks {
		if s.cluster != nil && !s.byMajority() {
			w.watchLeader(s)
		}
		if now := s.writable(); now != s.wrote {
			if s.wrote = now; now {
				w.catchUp(s)
			}
		}
	}
}

// watchLeader finds out whether the leader still has its majority; if it has
// not, another takes over once that has lasted for the time of an election.
func (w *world) watchLeader(s *lockStore) {
	c := s.cluster
	c.reigns = w.leads(c, c.leader)
	switch {
	case c.reigns:
		c.lostAt = sim.Never
		w.sim.Stop(c.election)
		w.wakeDeposed(s)
		return
	case c.lostAt == sim.Never:
		c.lostAt = w.sim.Now()
	}
	switch due := w.sim.Due(c.election); {
	case c.candidate(w) < 0:
		w.sim.Stop(c.election)
	case due == sim.Never:
		w.sim.Arm(c.election, w.sim.Now().Add(c.cfg.Election))
	}
}

// candidate is the first member that could lead, -1 if none could.
func (c *cluster) candidate(w *world) int {
	for k := range c.nodes {
		if w.leads(c, k) {
			return k
		}
	}
	return -1
}

// onElection gives a store another leader.
func (w *world) onElection(ev sim.Event) {
	s := w.locks[ev.To]
	c := s.cluster
	next := c.candidate(w)
	if next < 0 {
		return
	}
	if c.cfg.Agree == scenario.ByUncheckedLeader && w.nodes[c.nodes[c.leader]].up {
		c.deposed[c.leader] = w.claimsOf(s)
	}
	before := s.node
	c.deposed[next] = nil
	c.leader, s.node = next, c.nodes[next]
	by := w.now(s.node).Sub(w.now(before))
	for _, i := range s.locks {
		w.inherit(s, w.lockPool.at(i), c.lostAt.Add(-c.cfg.Lag), by)
	}
	w.record(history.Fact{Kind: history.Elect, Place: s.place, Job: -1, Type: -1, Group: -1, Process: -1, Attempt: int32(next + 1),
		Value: int64(w.sim.Now() - c.lostAt)})
	w.reachChanged()
}

// claimsOf is what the leader of a store knows of its standing claims.
func (w *world) claimsOf(s *lockStore) (all []oldClaim) {
	for _, i := range s.locks {
		k := w.lockPool.at(i)
		if _, serial, ok := k.grant.Holder(); ok {
			all = append(all, oldClaim{i, serial, k.grant.Until()})
		}
	}
	return all
}

// inherit is what a new leader makes of a lock: it knows it as it was at known,
// and reads another clock.
func (w *world) inherit(s *lockStore, k *lock, known sim.Time, by time.Duration) {
	if n := slices.IndexFunc(k.past, func(v version) bool { return v.until > known }); n >= 0 && s.cluster.cfg.Lag > 0 {
		w.forgets(s, k, &k.past[n])
	}
	k.past = k.past[:0]
	until := -policies.Never
	if _, _, ok := k.grant.Holder(); ok && s.cluster.cfg.Reset {
		until, _ = w.lockUntil(s, k.holder, w.now(s.node), k.length)
	}
	k.grant.Inherit(by, until)
}

// forgets brings a lock back to what it was before changes that a fail-over did
// not keep.
func (w *world) forgets(s *lockStore, k *lock, was *version) {
	_, stood, ok := k.grant.Holder()
	_, stands, remains := was.grant.Holder()
	if ok && !(remains && stands == stood) {
		w.lockLost(k)
	}
	k.grant.Forget(was.grant)
	k.holder, k.life, k.told, k.left = was.holder, was.life, false, sim.Never
	f := history.Fact{Kind: history.Forget, Place: s.place, Job: -1, Type: -1, Group: -1, Process: -1, Key: k.name, Token: k.grant.Token()}
	if remains {
		f.Value = 1
	}
	w.record(f)
	if remains {
		w.orphanedByDeath(k)
	}
}

// stepLock asks the grantor of a lock, and keeps how it was for as long as a
// fail-over could go back.
func (w *world) stepLock(s *lockStore, k *lock, ask lease.Ask) []lease.Answer {
	if c := s.cluster; c != nil && c.cfg.Lag > 0 {
		now := w.sim.Now()
		k.past = slices.DeleteFunc(k.past, func(v version) bool { return v.until < now.Add(-c.cfg.Lag) })
		k.past = append(k.past, version{now, k.grant, k.holder, k.life})
	}
	return k.grant.Step(w.now(s.node), ask, w.answers[:0])
}

// wakeDeposed lets members that led before, and hear the majority again, act on
// what they remember: they end the claims that had run out by it.
func (w *world) wakeDeposed(s *lockStore) {
	c := s.cluster
	for k, old := range c.deposed {
		n := c.nodes[k]
		if k == c.leader || old == nil || !w.leads(c, k) || !w.reaches(n, s.node) {
			continue
		}
		c.deposed[k] = nil
		now := w.now(n)
		for _, o := range old {
			l := w.lockPool.at(o.lock)
			if _, serial, ok := l.grant.Holder(); ok && serial == o.serial && o.until <= now {
				w.answers = w.stepLock(s, l, lease.Ask{Kind: lease.Revoke})
				w.lockLost(l)
				w.freed(o.lock, l, s)
			}
		}
	}
}

// catchUp lets a store that can write again end what has run out, and serve who
// waits.
func (w *world) catchUp(s *lockStore) {
	for _, e := range s.unended {
		w.endLockSession(s, w.procs[e.proc], e.life)
	}
	s.unended = s.unended[:0]
	for _, i := range s.locks {
		w.watchLock(w.lockPool.at(i), s)
	}
}

// relays handles a request at a member that is not the leader, and one that the
// leader cannot answer; false says that the leader has it and serves.
func (w *world) relays(i int32, c *call) bool {
	if c.place.Noun != history.Lock || w.locks[c.place.Index].cluster == nil {
		return false
	}
	s := w.locks[c.place.Index]
	switch {
	case !w.nodes[c.to].up:
		c.legs--
		w.retireCall(i, c)
	case s.byMajority():
		return false
	case c.to == s.node && s.cluster.reigns:
		return false
	case c.to == s.node: // it asks the others, and gets no answer
		c.legs--
		w.retireCall(i, c)
	case c.relay >= 0: // passed on to one that no longer leads
		c.class = policies.Transient
		w.reply(i, c)
	default:
		c.relay, c.to = c.to, s.node
		switch w.send(packet{what: letRequest, from: c.relay, to: c.to, item: i}, c.kind, c.luck.With(4)) {
		case vanished:
			c.legs--
			w.retireCall(i, c)
		case turnedAway:
			c.to, c.relay = c.relay, -1
			c.class = policies.Transient
			w.reply(i, c)
		}
	}
	return true
}

// onMemberBack ends the outage of a member.
func (w *world) onMemberBack(ev sim.Event) {
	n := ev.To
	if w.nodes[n].frozen {
		w.thaw(n)
	}
	w.nodes[n].up = true
	w.reachChanged()
}

// memberOut strikes a member: frozen, what comes waits; dead, it is lost, and so
// is what a member that agrees by majority had in its memory.
func (w *world) memberOut(n int32, dead bool) {
	if dead {
		w.nodes[n].up = false
		s := w.locks[w.places[n].Index]
		k := slices.Index(s.cluster.nodes, n)
		s.cluster.deposed[k] = nil
		if s.byMajority() {
			s.cluster.votes[k] = nil
		}
	} else {
		w.nodes[n].frozen = true
	}
	w.reachChanged()
}
