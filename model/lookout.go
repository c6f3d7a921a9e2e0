package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// A process with a period (poll) does not hear of work, it looks: into its
// buffer, or, where it holds no more than its slots can run, into its queues.
// Between two looks it starts nothing. When a job ends it looks at once.

// lookout is how the processes of a group look: the period of its most urgent
// queue that has one.
func (g *group) lookout() {
	for _, q := range g.queues {
		if poll := g.queue(q).Poll; poll != nil {
			g.poll = poll
			g.buffers = g.cfg.Slots < scenario.Unlimited && g.prefetch > g.cfg.Slots
			return
		}
	}
	g.poll = nil
}

// firstLook begins a life with a look, or at the first tick of the period.
func (w *world) firstLook(p *process) {
	p.booted, p.looks = w.sim.Now(), 0
	p.looking = p.group.poll != nil
	if p.looking && (p.group.poll.From != nil || p.group.poll.Random) {
		p.looking = false
		w.lookAgain(p, w.firstTick(p.group.poll, w.lookLuck(p), w.sim.Now()))
	}
}

// onLook is a tick of the period.
func (w *world) onLook(ev sim.Event) {
	p := w.procs[ev.To]
	if w.park(p.node, ev, p.nextLook) {
		return
	}
	p.looking = p.group.poll != nil
	p.feed(w)
	p.settleDown(w)
}

// endLook ends a look: the buffer has been looked into already, the queues are
// asked now. The next look comes after the period.
func (w *world) endLook(p *process) {
	p.looking = false
	p.looks++
	now, period, luck := w.sim.Now(), p.group.poll, w.lookLuck(p)
	next := now.Add(period.Every.Draw(luck.With(p.looks)))
	if period.From != nil || period.Random {
		next = w.nextTick(period, luck, p.looks, now, p.booted)
	}
	w.lookAgain(p, next)
	if want := p.wanted(); want > 0 && !p.group.buffers {
		p.polls++
		w.send(packet{what: letPoll, from: p.node, to: p.queues[0].node, proc: p.id, life: p.life, a: p.received, b: want, anew: w.lossy, once: true, heeded: p.heeded},
			scenario.Poll, w.pollLuck(p))
	}
}

// lookAgain sets the next look.
func (w *world) lookAgain(p *process, at sim.Time) {
	if p.nextLook == 0 {
		p.nextLook = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evLook, To: p.id})
	}
	w.sim.Arm(p.nextLook, at)
}

// disarm stops a timer that few have.
func (w *world) disarm(t sim.Timer) {
	if t != 0 {
		w.sim.Stop(t)
	}
}

func (w *world) lookLuck(p *process) chance {
	return w.luck[luckLook].With(uint64(p.id)).With(uint64(p.life))
}
