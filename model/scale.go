package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// An autoscaler looks at the messages that wait for a group every so long, and
// wants one process per so many, within a range. New processes boot after a
// delay; those that are too many drain.

// startScaling sets the first looks.
func (w *world) startScaling() {
	for i, g := range w.groups {
		if g.cfg.Scale != nil {
			w.sim.At(w.from.Add(g.cfg.Scale.Every), sim.Deadline, sim.Event{Kind: evScale, To: int32(i)})
		}
	}
}

// onScale is a look; with B set, the boot that an earlier look has ordered.
func (w *world) onScale(ev sim.Event) {
	g := w.groups[ev.To]
	s := g.cfg.Scale
	if s == nil {
		return // switched off for the rest of the run
	}
	if ev.B > 0 {
		if want := int(ev.A); !s.Frozen && want > g.count && want <= g.goal {
			w.setCount(g, want)
		}
		return
	}
	w.sim.At(w.sim.Now().Add(s.Every), sim.Deadline, sim.Event{Kind: evScale, To: ev.To})
	if s.Frozen {
		return
	}
	g.goal = g.desired(s)
	switch {
	case g.goal < g.count:
		w.setCount(g, g.goal)
	case g.goal > g.count && s.Delay == 0:
		w.setCount(g, g.goal)
	case g.goal > g.count:
		w.sim.At(w.sim.Now().Add(s.Delay), sim.Scenario, sim.Event{Kind: evScale, To: ev.To, A: int64(g.goal), B: 1})
	}
}

// desired is the number of processes for what waits.
func (g *group) desired(s *scenario.Scale) int {
	waiting := 0
	for _, q := range g.queues {
		waiting += q.depth()
	}
	return min(max((waiting+s.Per-1)/s.Per, s.Low), s.High)
}

// setCount grows or drains a group.
func (w *world) setCount(g *group, count int) {
	for g.count < count {
		w.grow(g)
	}
	for g.count > count {
		g.count--
		p := w.procs[g.procs[g.count]]
		p.retired = true
		if p.up {
			w.stopProcess(p, scenario.Forever)
		}
	}
}

// grow boots one process more: the one that had this number before the group
// shrank, as soon as it has ended what it had, or a new one.
func (w *world) grow(g *group) {
	if g.count == len(g.procs) {
		p := w.newProcess(g)
		w.aim(p)
		w.boot(p)
		return
	}
	p := w.procs[g.procs[g.count]]
	g.count++
	p.retired, p.downtime = false, 0
	if !p.up {
		w.boot(p)
	}
}
