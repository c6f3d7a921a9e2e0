package model

import (
	"math"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// wanted is how many more deliveries the process would take now.
func (p *process) wanted() int64 {
	if s := p.machine.State(); p.stopping || s != worker.Ready && s != worker.Processing || p.paused != scenario.NotPaused || p.late > 0 {
		return 0
	}
	if p.group.prefetch == 0 {
		if wants := p.limited(p.machine.Wants()); wants < math.MaxInt32 {
			return int64(wants) - int64(p.waiting)
		}
		return math.MaxInt32
	}
	return int64(p.group.prefetch) - int64(p.held)
}

// poll tells the broker what is wanted, if it does not know.
func (p *process) poll(w *world) {
	if len(p.queues) == 0 {
		return
	}
	if p.looking {
		w.endLook(p)
	}
	if p.group.poll != nil && !p.group.buffers {
		return
	}
	want := p.wanted()
	if want == p.toldWant-(p.received-p.toldAt) || want == math.MaxInt32 && p.toldWant == want {
		return
	}
	w.tell(p, want, false)
}

// tell sends a poll. anew says that deliveries which the broker sent and the
// process has not received are lost: the look into the queue begins anew.
func (w *world) tell(p *process, want int64, anew bool) {
	w.expects(p, want)
	p.polls++
	w.send(packet{what: letPoll, from: p.node, to: p.queues[0].node, proc: p.id, life: p.life, a: p.received, b: want, anew: anew, heeded: p.heeded}, scenario.Poll,
		w.pollLuck(p))
}

func (w *world) pollLuck(p *process) chance {
	return w.luck[luckPoll].With(uint64(p.id)).With(uint64(p.life)).With(p.polls)
}

// expects notes what the broker is being told.
func (w *world) expects(p *process, want int64) {
	p.toldWant, p.toldAt = want, p.received
	if patience := p.group.pollTimeout(); w.lossy && want > 0 && patience != scenario.Forever {
		w.sim.Arm(p.idle, w.sim.Now().Add(patience))
	}
}

// pollTimeout is how long one question for work stays open, as the group's most
// urgent queue has it.
func (g *group) pollTimeout() time.Duration {
	if len(g.queues) == 0 {
		return scenario.Forever
	}
	return g.queue(g.queues[0]).PollTimeout
}

func (w *world) onIdle(ev sim.Event) {
	p := w.procs[ev.To]
	if w.park(p.node, ev, p.idle) {
		return
	}
	if want := p.wanted(); want > 0 {
		w.tell(p, want, true)
	}
}
