package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim"
)

// looks is when a grantor or an observer notices what is due at t: at once, at
// its next tick, or, when it looks only as a process boots, at no time that is
// known now.
func (w *world) looks(c *scenario.Check, phase sim.Time, t sim.Time) sim.Time {
	now := w.sim.Now()
	every, constant := c.Every.Every.IsConstant()
	switch {
	case t == sim.Never:
		return sim.Never
	case c.AtOnce, !constant, every <= 0 && !c.Boot:
		return max(t, now)
	case every <= 0:
		return sim.Never
	}
	ticks := (t.Sub(phase) + every - 1) / every
	return max(phase.Add(max(0, ticks)*every), now)
}

// lookAtBoot lets every grantor and observer look that does so when a process
// boots.
func (w *world) lookAtBoot(p *process) {
	now := w.sim.Now()
	for _, m := range w.monitors {
		if !m.cfg.Check.Boot {
			continue
		}
		for i := range w.watches.size {
			if v := w.watches.at(i); v.detector != nil && v.monitor == m.place.Index && w.when(v.node, v.detector.Deadline()) <= now {
				w.onSilence(sim.Event{Kind: evSilence, To: i})
			}
		}
	}
	for _, q := range p.queues {
		if l := q.cfg.Lease; l == nil || !l.Check.Boot {
			continue
		}
		for k := 0; k < len(q.held); {
			i := q.held[k]
			if until := w.messages.at(i).grant.Until(); until != policies.Never && w.when(q.node, until) <= now {
				w.onMessage(sim.Event{Kind: evMessage, To: i})
				k = 0 // the list has changed
				continue
			}
			k++
		}
	}
	for _, s := range w.locks {
		if l := s.cfg.Lease; l == nil || !l.Check.Boot {
			continue
		}
		for _, i := range s.locks {
			if until := w.lockPool.at(i).grant.Until(); until != policies.Never && w.when(s.node, until) <= now {
				w.onLock(sim.Event{Kind: evLock, To: i})
			}
		}
	}
}
