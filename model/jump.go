package model

import (
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// jump steps the wall clock of the targets' nodes. Whatever waits for an instant
// of such a clock is set anew.
func (w *world) jump(targets []scenario.Target, by time.Duration) {
	for _, t := range targets {
		for _, n := range w.targetNodes(t) {
			w.nodes[n].offset += by
			w.clockChanged(n)
		}
	}
}

// clockChanged arms again what waits for an instant of a node's clock.
func (w *world) clockChanged(n int32) {
	for _, p := range w.procs {
		if p.node != n {
			continue
		}
		p.settleDown(w)
		for i := range w.sources {
			if s := &w.sources[i]; s.proc == p.id && s.cfg.Kind == scenario.ArriveAt {
				s.epoch++ // its instants are those of the wall clock
				w.schedule(int32(i), false)
			}
		}
	}
	if !w.nodes[n].wall {
		return
	}
	for _, s := range w.locks {
		if s.node == n {
			for _, i := range s.locks {
				w.watchLock(w.lockPool.at(i), s)
			}
		}
	}
	for _, q := range w.queues {
		if q.node == n {
			for _, i := range q.held {
				m := w.messages.at(i)
				w.watchLapse(q, m, q.leaseOf(w.jobs.at(m.job)))
			}
		}
	}
	for i := range w.watches.size {
		v := w.watches.at(i)
		if m := w.monitors[v.monitor]; v.detector != nil && v.node == n && !v.suspects() {
			w.watchSilence(m, v)
		}
	}
}

// ramp begins an event that sets something over a time.
func (w *world) ramp(f *fault) {
	w.rampTo(f, 0)
	for step := 1; step <= scenario.RampSteps; step++ {
		w.sim.At(w.sim.Now().Add(f.cfg.Over/scenario.RampSteps*time.Duration(step)), sim.Scenario,
			sim.Event{Kind: evRamp, To: int32(f.index), A: int64(step), B: int64(f.begun)})
	}
}

// onRamp is the next step of an event that is still what it was.
func (w *world) onRamp(ev sim.Event) {
	if f := &w.faults[ev.To]; f.active > 0 && int64(f.begun) == ev.B {
		w.rampTo(f, int(ev.A))
	}
}

func (w *world) rampTo(f *fault, step int) {
	w.endRamp(f)
	if step < scenario.RampSteps {
		w.ramps = append(w.ramps, scenario.Ramp{Event: int(f.index), Step: step})
	}
	w.overlay(f.index, true)
}

// endRamp forgets how far an event has come.
func (w *world) endRamp(f *fault) {
	for k := range w.ramps {
		if w.ramps[k].Event == int(f.index) {
			w.ramps = append(w.ramps[:k], w.ramps[k+1:]...)
			return
		}
	}
}
