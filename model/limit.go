package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/sim"
)

// limiter bounds what one caller has in flight at one service, or how many
// slots one process uses.
type limiter struct {
	id      int32
	node    int32 // of the caller
	machine backpressure.Limiter
	rule    backpressure.LimiterRule
	place   history.Place // of the service, or nowhere
	group   int16         // of the process, -1
	told    int64         // the limit recorded last
	waits   bool
	line    []waitingCall
	timer   sim.Timer
}

// waitingCall is an attempt that waits for its turn.
type waitingCall struct {
	exec    int32
	id      uint64
	attempt int32
}

func (w *world) newLimiter(c *scenario.Concurrency, node int32, place history.Place, group int16) *limiter {
	g := &limiter{id: int32(len(w.limiters)), node: node, rule: c.Rule(), place: place, group: group, waits: c.Wait}
	w.limiters = append(w.limiters, g)
	g.machine.Reset(&g.rule)
	w.tellLimit(g, g.machine.Limit())
	return g
}

// resetLimiter begins anew: its caller has died.
func (w *world) resetLimiter(g *limiter) {
	g.machine.Reset(&g.rule)
	g.line = g.line[:0]
	w.disarm(g.timer)
	w.tellLimit(g, g.machine.Limit())
}

// tellLimit records a limit that is another than before.
func (w *world) tellLimit(g *limiter, limit int64) {
	if g.rule.Kind == backpressure.Throttle || limit == g.told {
		return
	}
	w.record(history.Fact{Kind: history.Level, Place: g.place, Attempt: history.LevelLimit, Job: -1, Type: -1, Group: g.group, Process: -1, Value: limit - g.told})
	g.told = limit
}

// limiterOf is the limit of a caller at a service; nil if there is none.
func (w *world) limiterOf(x *execution, s *service) *limiter {
	p := x.proc
	cfg := w.service(p, s).Concurrency
	if cfg == nil {
		return nil
	}
	at, node, group := &s.limiter, w.nodeOf(x), int16(-1)
	if p != nil {
		at, node, group = grown(&p.limiters, int(s.place.Index)), p.node, p.group.index
	}
	if *at == nil {
		*at = w.newLimiter(cfg, node, s.place, group)
	}
	return *at
}

// enters asks for leave to send an attempt. One that gets none waits for its
// turn, or has failed.
func (w *world) enters(g *limiter, i int32, x *execution, number int32) bool {
	if len(g.line) == 0 && w.admit(g, x, number) {
		return true
	}
	if g.waits {
		x.inLine = true
		g.line = append(g.line, waitingCall{exec: i, id: x.id, attempt: number})
		w.awaitTurn(g)
		return false
	}
	f := w.execFact(history.Refuse, x, 0)
	f.Place = g.place
	w.record(f)
	w.fail(i, x, policies.Transient, w.callLuck(x, number))
	return false
}

func (w *world) admit(g *limiter, x *execution, number int32) bool {
	w.permits = g.machine.Step(w.now(g.node), backpressure.LimiterInput{Kind: backpressure.Want, Chance: w.callLuck(x, number).With(7)}, w.permits[:0])
	return w.permits[0] == backpressure.Admit
}

// awaitTurn sets the instant at which time alone makes room.
func (w *world) awaitTurn(g *limiter) {
	at := g.machine.Deadline(w.now(g.node))
	if at == policies.Never {
		return
	}
	if g.timer == 0 {
		g.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evTurn, To: g.id})
	}
	w.sim.Arm(g.timer, max(w.when(g.node, at), w.sim.Now()))
}

// onTurn is that instant.
func (w *world) onTurn(ev sim.Event) {
	g := w.limiters[ev.To]
	if !w.park(g.node, ev, g.timer) {
		w.serveLine(g)
	}
}

// ends tells a limiter that what it let in has ended, and lets the next in.
func (w *world) ends(g *limiter, in backpressure.LimiterInput) {
	w.permits = g.machine.Step(w.now(g.node), in, w.permits[:0])
	w.tellLimit(g, g.machine.Limit())
	w.serveLine(g)
}

// serveLine lets in those that wait, while there is room.
func (w *world) serveLine(g *limiter) {
	for len(g.line) > 0 {
		first := g.line[0]
		x := w.exec(first.exec, first.id)
		if x != nil && x.inLine && !w.admit(g, x, first.attempt) {
			w.awaitTurn(g)
			return
		}
		g.line = g.line[:copy(g.line, g.line[1:])]
		if x != nil && x.inLine {
			x.inLine = false
			w.sendAttempt(first.exec, x, first.attempt)
		}
	}
}
