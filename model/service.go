package model

import (
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/sim"
)

// service is a station: servers, a queue of calls before them, and what it
// remembers of the writes that it took.
type service struct {
	cfg   *scenario.Service
	place history.Place
	node  int32
	queue ring    // calls that wait
	busy  []int32 // calls that are served
	ops   []op    // its own steps, if it has any
	memory
	rows     map[uint64]row
	writes   uint64            // version of its row: accepted writes so far
	versions map[uint64]uint64 // the same by key, if somebody reads by key

	// Of callers that share them.
	breaker *backpressure.Breaker
	budget  *retry.Budget
	limiter *limiter // of services that call it

	bucket backpressure.Bucket // of what it accepts
}

// servicing is a call's time at a service.
type servicing struct {
	left  time.Duration // work that remains, at full speed
	since sim.Time      // when left was true
	slot  int32         // index in service.busy, -1 if not served
	timer sim.Timer
}

// serve is the arrival of a call at a service.
func (w *world) serve(i int32, c *call) {
	s := w.services[c.place.Index]
	serves := w.serves(s.place)
	if serves == scenario.ServesNone || serves == scenario.ServesReads && c.step != nil && (c.step.Verb == scenario.Write || c.step.Verb == scenario.Once || c.step.Verb == scenario.Register) {
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	if s.cfg.Accepts != nil && !s.bucket.Take(w.now(s.node)) {
		w.record(w.callFact(history.Refuse, c, 0))
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	c.service.slot = -1
	if len(s.busy) < s.cfg.Servers {
		w.beginService(s, i, c)
		return
	}
	if s.queue.n >= s.cfg.Capacity {
		w.record(w.callFact(history.Refuse, c, 0))
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	s.queue.push(i)
	w.level(s.place, history.LevelCalls, int64(s.queue.n))
}

// beginService puts a call on a server.
func (w *world) beginService(s *service, i int32, c *call) {
	w.record(w.callFact(history.Serve, c, 0))
	if len(s.ops) > 0 {
		c.service.slot = int32(len(s.busy))
		s.busy = append(s.busy, i)
		w.level(s.place, history.LevelBusy, int64(len(s.busy)))
		w.runSteps(s, i, c)
		return
	}
	v := &c.service
	v.left = s.cfg.Time.At(int(c.attempt) - 1).Draw(c.luck.With(3))
	if v.left == 0 && s.cfg.Speed > 0 {
		w.endService(s, i, c, policies.OK)
		return
	}
	v.slot, v.since = int32(len(s.busy)), w.sim.Now()
	s.busy = append(s.busy, i)
	w.level(s.place, history.LevelBusy, int64(len(s.busy)))
	if v.timer == 0 {
		v.timer = w.sim.NewTimer(sim.Message, sim.Event{Kind: evService, To: i})
	}
	w.pace(s, v)
}

// pace arms the end of a call's service for the present speed.
func (w *world) pace(s *service, v *servicing) {
	if s.cfg.Speed <= 0 {
		w.sim.Stop(v.timer)
		return
	}
	left := v.left
	if s.cfg.Speed != 1 {
		left = time.Duration(exact.RoundNs(float64(v.left) / s.cfg.Speed))
	}
	w.sim.Arm(v.timer, w.sim.Now().Add(left))
}

// changeSpeed re-times what is being served.
func (w *world) changeSpeed(s *service, from float64) {
	if len(s.ops) > 0 {
		return // its calls run steps of their own
	}
	now := w.sim.Now()
	for _, i := range s.busy {
		v := &w.calls.at(i).service
		done := time.Duration(exact.RoundNs(float64(float64(now.Sub(v.since)) * from)))
		v.left, v.since = max(0, v.left-done), now
		w.pace(s, v)
	}
}

// accept fills the bucket of what the service accepts.
func (s *service) accept() {
	if a := s.cfg.Accepts; a != nil {
		rule := a.Rule()
		s.bucket.Reset(&rule)
	}
}

// remaining is how long somebody will wait for what an execution does: the
// caller of the service that it works for, or its job's time limit.
func (w *world) remaining(x *execution) time.Duration {
	if x.proc != nil {
		limit := x.proc.group.types[w.jobs.at(x.job).kind].cfg.Limit
		if limit == scenario.Forever {
			return scenario.Forever
		}
		return x.began.Add(limit).Sub(w.sim.Now())
	}
	if c := w.calls.at(x.parent); w.withDeadline(c) && c.until != policies.Never {
		return sim.Time(c.until).Sub(w.sim.Now())
	}
	return scenario.Forever
}

// onService ends a call's time on its server.
func (w *world) onService(ev sim.Event) {
	c := w.calls.at(ev.To)
	w.endService(w.services[c.place.Index], ev.To, c, policies.OK)
}

// endService answers a call, frees its server and takes the next.
func (w *world) endService(s *service, i int32, c *call, class policies.Class) {
	c.class = class
	if class == policies.OK && s.cfg.Errors > 0 {
		luck := c.luck.With(4)
		if luck.U01() < s.cfg.Errors {
			c.class = s.cfg.Error
		}
	}
	if c.class == policies.OK && c.step != nil {
		switch c.step.Verb {
		case scenario.Write:
			w.write(s, c)
		case scenario.Read:
			c.version = s.versionOf(c.key)
		case scenario.Register:
			w.register(s, c)
		case scenario.Once:
			w.guard(&s.memory, w.now(s.node), c)
		}
	}
	if c.service.slot >= 0 {
		last := len(s.busy) - 1
		moved := s.busy[last]
		s.busy[c.service.slot] = moved
		w.calls.at(moved).service.slot = c.service.slot
		s.busy = s.busy[:last]
		w.level(s.place, history.LevelBusy, int64(len(s.busy)))
	}
	w.reply(i, c)
	for s.queue.n > 0 && len(s.busy) < s.cfg.Servers {
		var next int32
		if s.cfg.LIFO {
			next = s.queue.popBack()
		} else {
			next = s.queue.pop()
		}
		w.level(s.place, history.LevelCalls, int64(s.queue.n))
		n := w.calls.at(next)
		if s.cfg.Drop && !n.waiting || w.withDeadline(n) && w.sim.Now() >= sim.Time(n.until) {
			n.legs--
			w.retireCall(next, n)
			continue
		}
		w.beginService(s, next, n)
	}
}

// versionOf is how many writes have been accepted under a key, or with 0 at all.
func (s *service) versionOf(key uint64) uint64 {
	if key == 0 {
		return s.writes
	}
	return s.versions[key]
}
