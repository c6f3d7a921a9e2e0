package model

import (
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// A process may pause itself (pause_when): for a while after too many of its
// jobs have failed, or as long as its breaker before a service is open. It
// starts nothing and asks for nothing; what is in its buffer stays.

// pauseRule is the rule of a group whose processes pause at failures; nil: they
// do not.
func pauseRule(c *scenario.PauseWhen) *backpressure.PauseRule {
	if c == nil || c.Breaker != "" {
		return nil
	}
	rule := c.Rule()
	return &rule
}

// jobEnded lets a process learn from the end of a job.
func (w *world) jobEnded(x *execution, class policies.Class) {
	x.outcome = class
	p := x.proc
	if p.group.pauses == nil {
		return
	}
	if p.pause == nil {
		p.pause = new(backpressure.Pause)
		p.pause.Reset(p.group.pauses)
	}
	w.stepPause(p, backpressure.PauseInput{Kind: backpressure.Result, Failed: class != policies.OK})
}

// stepPause steps the pause policy and does what it says.
func (w *world) stepPause(p *process, in backpressure.PauseInput) {
	var room [2]backpressure.PauseCommand
	for _, c := range p.pause.Step(w.now(p.node), in, room[:0]) {
		if c == backpressure.Stop {
			w.pauseSelf(p, w.when(p.node, p.pause.Deadline()))
		} else {
			w.resumeSelf(p)
		}
	}
}

// pauseSelf lets a process pause until an instant.
func (w *world) pauseSelf(p *process, until sim.Time) {
	if p.rest == 0 {
		p.rest = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evRestEnds, To: p.id})
	}
	w.sim.Arm(p.rest, max(until, w.sim.Now()))
	if !p.rests {
		p.rests = true
		p.step(w, worker.Input{Kind: worker.Pause})
	}
}

func (w *world) resumeSelf(p *process) {
	w.disarm(p.rest)
	if !p.rests {
		return
	}
	p.rests = false
	p.obey(w)
}

// obey puts the machine into the state that operator and process want.
func (p *process) obey(w *world) {
	kind := worker.Unpause // drain works the buffer off; that it wants no more is for poll to say
	if p.rests || p.paused == scenario.PausedKeep || p.paused == scenario.PausedRelease {
		kind = worker.Pause
	}
	p.step(w, worker.Input{Kind: kind})
}

// onRestEnds is the end of a pause of one's own.
func (w *world) onRestEnds(ev sim.Event) {
	p := w.procs[ev.To]
	if w.park(p.node, ev, p.rest) {
		return
	}
	if p.pause != nil {
		w.stepPause(p, backpressure.PauseInput{Kind: backpressure.PauseDue})
	}
	w.resumeSelf(p)
}

// breakerOpened pauses the processes that wait for this breaker: the one whose
// it is, or all if they share it.
func (w *world) breakerOpened(s *service, x *execution, until policies.Instant) {
	at := w.when(w.nodeOf(x), until)
	if p := x.proc; p != nil && !w.breakerRule(p, s).PerService {
		if p.waitsFor(s) {
			w.pauseSelf(p, at)
		}
		return
	}
	for _, p := range w.procs {
		if p.up && p.waitsFor(s) {
			w.pauseSelf(p, at)
		}
	}
}

func (p *process) waitsFor(s *service) bool {
	c := p.group.cfg.PauseWhen
	return c != nil && c.Breaker == s.cfg.Name
}

// wakeAnew ends what a life has learnt about pauses and slots.
func (w *world) wakeAnew(p *process) {
	p.rests = false
	w.disarm(p.rest)
	if p.pause != nil {
		p.pause.Reset(p.group.pauses)
	}
	if p.slotLimit != nil {
		w.resetLimiter(p.slotLimit)
	}
}

// limited is how many of n more jobs a process would start by its own limit
// (concurrency).
func (p *process) limited(n int32) int32 {
	if p.slotLimit != nil {
		n = min(n, int32(p.slotLimit.machine.Room()))
	}
	return n
}

// takeSlot and freeSlot tell the limit of a process of a job's begin and end.
func (w *world) takeSlot(p *process) {
	if g := p.slotLimit; g != nil {
		w.permits = g.machine.Step(w.now(g.node), backpressure.LimiterInput{Kind: backpressure.Want}, w.permits[:0])
	}
}

func (w *world) freeSlot(x *execution) {
	g := x.proc.slotLimit
	if g == nil {
		return
	}
	switch x.stage {
	case offered:
		w.ends(g, backpressure.LimiterInput{Kind: backpressure.Withdrawn})
	case atWork:
		w.ends(g, backpressure.LimiterInput{Kind: backpressure.Ended, Class: x.outcome, Latency: time.Duration(w.sim.Now() - x.began)})
	}
}
