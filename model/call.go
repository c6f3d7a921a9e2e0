package model

import (
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/idempotency"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// call is a request with a number, a caller's patience, and an answer that may
// come late. It lives until the caller has ended its wait and no leg of it is
// under way.
type call struct {
	ask     ask
	kind    scenario.Kinds
	from    int32 // node of the caller
	to      int32 // node of the server
	watch   int32 // of a monitor that probes, -1
	probe   int64 // number of its probe
	relay   int32 // node that passed it on to the server, -1
	proc    int32 // the calling process, -1 if a service calls
	life    uint32
	exec    int32 // the execution that waits, or -1
	execID  uint64
	job     int32 // of that execution; the call holds a copy
	lease   int32 // the machine's number of the lease, of a lock or a renewal
	request int32
	place   history.Place
	sentAt  sim.Time
	timer   sim.Timer // the caller's patience
	waiting bool
	legs    int8
	found   found // what a cache answered
	flight  int32 // that the asker of a cache leads, or that its copy ends; -1: none
	luck    exact.Chance

	// What it asks for.
	lock    int32            // lock record
	msg     int32            // message whose lease is renewed, or -1
	serial  uint32           // grant that it speaks of
	length  time.Duration    // of the lease asked for, or in the record that refused
	since   sim.Time         // when the caller began to wait for the lock; when the copy was fetched
	wall    policies.Instant // the caller's wall clock when it asked
	token   policies.Token   // that a write carries
	until   policies.Instant // end of the lease in the caller's record
	version uint64           // of a record that may be stolen, or read
	read    uint64           // whose version it is: a key, 0: the whole service
	step    *scenario.Step
	key     uint64
	attempt int32
	closes  bool              // it completes a guard's mark
	claim   idempotency.Claim // of the mark
	parcel  parcel            // job that it publishes, or that a write brings along
	rank    [2]int64          // that a write gives to its row, by history.RankOf
	effect  uint64            // the operation that a write does, by which the ledger counts
	row     uint64            // what the write updates, when it carries a rank

	// Of a ballot and the calls below it; see quorum.go.
	ballot           int32 // the call that it is a part of, -1
	bid              int64 // names the claim to members that grant each by itself
	yes, no, denials int8
	member           int8

	// What came of it.
	repeated bool // the guard's key is done already
	class    policies.Class
	grant    lease.Answer

	// Its time at a service.
	service servicing
}

// ask says what a call asks for.
type ask uint8

const (
	askAcquire ask = iota
	askRenewLock
	askReleaseLock
	askExtend // a delivery's lease
	askService
	askProbe
	askPublish
	askUnmark
	askCopy   // of a cache
	askFill   // of a cache: here is what was fetched
	askHolder // of a lock
	askMark   // of a cache that keeps the marks of a guard
	askVote
	asks
)

// place sends a call off. patience is how long the caller waits; the answer,
// the time-out or the refusal comes back through answered.
func (w *world) place(i int32, patience time.Duration) {
	c := w.calls.at(i)
	c.sentAt, c.waiting, c.legs, c.class = w.sim.Now(), true, 0, policies.OK
	if c.timer == 0 {
		c.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evTimeout, To: i})
	}
	if c.place.Noun == history.Lock && c.ask != askHolder && w.locks[c.place.Index].byMajority() {
		w.ballot(w.locks[c.place.Index], i)
	} else if w.request(i, c) == turnedAway {
		return
	}
	if patience != scenario.Forever {
		w.sim.Arm(c.timer, w.sim.Now().Add(patience))
	}
}

// request sends a call to its server.
func (w *world) request(i int32, c *call) sent {
	how := w.send(packet{what: letRequest, from: c.from, to: c.to, item: i}, c.kind, c.luck)
	switch how {
	case onItsWay:
		c.legs++
	case turnedAway:
		c.class = policies.Transient
		w.sim.At(w.sim.Now(), sim.Message, sim.Event{Kind: evTurnedAway, To: i, A: int64(c.sentAt)})
		c.legs++
	}
	return how
}

// newCall takes a record for a call of process p, or of a service if p is nil.
func (w *world) newCall(a ask, kind scenario.Kinds, p *process, to int32, luck exact.Chance) (int32, *call) {
	i := w.calls.take()
	c := w.calls.at(i)
	*c = call{ask: a, kind: kind, to: to, relay: -1, ballot: -1, watch: -1, proc: -1, exec: -1, job: -1, timer: c.timer, luck: luck, lock: -1, msg: -1, flight: -1,
		service: servicing{timer: c.service.timer}}
	if p != nil {
		c.proc, c.life, c.from = p.id, p.life, p.node
	}
	return i, c
}

// atServer is the arrival of a request.
func (w *world) atServer(i int32) {
	c := w.calls.at(i)
	if w.relays(i, c) {
		return
	}
	switch c.ask {
	case askAcquire:
		w.acquire(i, c)
	case askRenewLock:
		w.renewLock(i, c)
	case askReleaseLock:
		w.releaseLock(i, c)
	case askExtend:
		w.extend(i, c)
	case askService:
		w.serve(i, c)
	case askCopy:
		w.lookUp(i, c)
	case askFill:
		w.takeCopy(i, c)
	case askHolder:
		w.tellHolder(i, c)
	case askMark:
		w.takeMark(i, c)
	case askProbe:
		w.takeProbe(i, c)
	case askPublish:
		w.takePublish(i, c)
	case askUnmark:
		w.takeUnmark(i, c)
	case askVote:
		w.vote(i, c)
	}
}

// reply sends the answer, which stands in the call, back to the caller. The
// request's leg becomes the reply's.
func (w *world) reply(i int32, c *call) {
	to := c.from
	if c.relay >= 0 {
		to = c.relay
	}
	if w.send(packet{what: letReply, from: c.to, to: to, item: i, life: c.life, proc: c.proc}, c.kind, c.luck.With(2)) != onItsWay {
		c.legs--
		w.retireCall(i, c)
	}
}

// atCaller is the arrival of an answer.
func (w *world) atCaller(p *packet) {
	c := w.calls.at(p.item)
	if p.to == c.relay { // half of its way
		c.to, c.relay, c.luck = c.relay, -1, c.luck.With(8)
		w.reply(p.item, c)
		return
	}
	c.legs--
	if c.ask == askVote {
		w.voted(c)
		w.retireCall(p.item, c)
		return
	}
	if late := !c.waiting; late {
		w.lateReply(p.item, c)
		w.retireCall(p.item, c)
		return
	}
	w.sim.Stop(c.timer)
	c.waiting = false
	w.answered(p.item, c)
	w.retireCall(p.item, c)
}

// onTurnedAway tells the caller that the connection was refused.
func (w *world) onTurnedAway(ev sim.Event) {
	c := w.calls.at(ev.To)
	if w.park(c.from, ev, 0) {
		return
	}
	c.legs--
	if c.waiting {
		c.waiting = false
		w.answered(ev.To, c)
	}
	w.retireCall(ev.To, c)
}

// onTimeout ends the caller's patience.
func (w *world) onTimeout(ev sim.Event) {
	c := w.calls.at(ev.To)
	if w.park(c.from, ev, c.timer) {
		return
	}
	c.waiting, c.class = false, policies.Transient
	w.record(w.callFact(history.TimeOut, c, int64(w.sim.Now()-c.sentAt)))
	w.answered(ev.To, c)
	w.retireCall(ev.To, c)
}

// callFact is a fact about a call, with the names of all that it concerns.
func (w *world) callFact(kind history.Kind, c *call, value int64) history.Fact {
	f := history.Fact{Kind: kind, Place: c.place, Job: -1, Type: -1, Group: -1, Process: -1, Key: c.key, Token: c.token, Attempt: c.attempt, Value: value}
	if c.job >= 0 {
		j := w.jobs.at(c.job)
		f.Job, f.Type = j.serial, j.kind
	}
	if c.proc >= 0 {
		p := w.procs[c.proc]
		f.Group, f.Process = p.group.index, p.member
	}
	if c.lock >= 0 && c.place.Noun == history.Lock {
		f.Key = w.lockPool.at(c.lock).name
	}
	return f
}

// abandon ends the caller's interest: it crashed, or its step was stopped.
func (w *world) abandon(i int32) {
	c := w.calls.at(i)
	if !c.waiting {
		return
	}
	w.sim.Stop(c.timer)
	c.waiting = false
	w.retireCall(i, c)
}

// retireCall frees the record once nobody can refer to it.
func (w *world) retireCall(i int32, c *call) {
	if c.waiting || c.legs > 0 {
		return
	}
	if c.flight >= 0 {
		w.aborted(c.flight)
	}
	if c.ask == askReleaseLock {
		w.releaseOver(c)
	}
	if c.msg >= 0 {
		w.dropMessage(c.msg)
	}
	if c.ballot >= 0 {
		whole := w.calls.at(c.ballot)
		whole.legs--
		w.retireCall(c.ballot, whole)
	}
	if c.job >= 0 {
		w.dropJob(c.job)
	}
	w.calls.give(i)
}

// answered tells the caller how its call ended; c.class is the verdict.
func (w *world) answered(i int32, c *call) {
	if c.proc >= 0 {
		p := w.procs[c.proc]
		if !p.up || p.life != c.life {
			return
		}
	}
	switch c.ask {
	case askAcquire:
		w.acquired(i, c)
	case askRenewLock, askExtend:
		w.renewed(c)
	case askService:
		w.served(i, c)
	case askCopy:
		w.cacheAnswered(i, c)
	case askHolder:
		w.holderTold(i, c)
	case askMark:
		w.markAnswered(i, c)
	case askProbe:
		if c.watch >= 0 {
			w.proved(c)
		} else {
			w.probed(c)
		}
	case askPublish:
		w.publishAnswered(i, c)
	case askVote:
		w.voted(c)
	}
}

// resumed is the execution that waited for the answer to call n, and waits no
// longer; nil if it has gone on without it.
func (w *world) resumed(n int32, c *call) *execution {
	x := w.exec(c.exec, c.execID)
	if x == nil || x.call != n {
		return nil
	}
	x.call = -1
	return x
}

// lateReply passes an answer that came after the caller's patience to the
// policy as what it is: a renewal's refusal still tells, all else is history.
// A lock that was granted to a caller who has given up is handed back.
func (w *world) lateReply(i int32, c *call) {
	switch c.ask {
	case askAcquire:
		if p := w.procs[c.proc]; c.grant.Kind == lease.Granted && p.up && p.life == c.life {
			w.handBack(c)
		}
	case askRenewLock, askExtend:
		if c.class != policies.OK {
			w.answered(i, c)
		}
	}
}
