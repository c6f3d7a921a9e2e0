package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim"
)

// A monitor that watches a component asks it, at every beat, to answer a write.
// An answer is a sign of life; a refusal, an error and silence are not.

// watchComponents begins the watches of components.
func (w *world) watchComponents() {
	for _, m := range w.monitors {
		for _, t := range m.cfg.Watches {
			if t.Noun == "workers" {
				continue
			}
			d := new(session)
			for nth, node := range w.observe(m) {
				i := w.openWatch(m, node, int32(nth), d)
				v := w.watches.at(i)
				v.place = w.places[w.targetNodes(t)[0]]
				w.sim.Arm(v.beat, w.firstTick(&m.cfg.Heartbeat.Every, w.probeLuck(v), w.sim.Now()))
				w.watchSilence(m, v)
			}
		}
	}
}

// onProbing sends a probe and sets the next.
func (w *world) onProbing(ev sim.Event, v *watch) {
	if w.park(v.node, ev, v.beat) {
		return
	}
	m := w.monitors[v.monitor]
	v.number++
	luck := w.probeLuck(v)
	w.sim.Arm(v.beat, w.sim.Now().Add(m.cfg.Heartbeat.Every.Every.Draw(luck)))
	if !w.nodes[v.node].up {
		return
	}
	n, c := w.newCall(askProbe, scenario.Probe, nil, w.addressOf(v.place), luck)
	c.from, c.place, c.watch, c.probe = v.node, v.place, ev.To, v.number
	w.place(n, m.cfg.Heartbeat.Timeout)
}

// addressOf is the node that somebody outside talks to: of a store with members
// the one that leads.
func (w *world) addressOf(p history.Place) int32 {
	switch p.Noun {
	case history.Queue:
		return w.queues[p.Index].node
	case history.Lock:
		return w.front(nil, w.locks[p.Index])
	case history.Cache:
		return w.caches[p.Index].node
	default:
		return w.services[p.Index].node
	}
}

// writes says that a component would accept a write.
func (w *world) writes(p history.Place) bool {
	switch p.Noun {
	case history.Queue:
		return w.queues[p.Index].cfg.Serves == scenario.ServesAll
	case history.Lock:
		return w.locks[p.Index].writable()
	case history.Service:
		s := w.services[p.Index].cfg
		return s.Serves == scenario.ServesAll && s.Speed > 0
	}
	return true
}

// takeProbe is the arrival of a probe at a component.
func (w *world) takeProbe(i int32, c *call) {
	if c.place.Noun == history.Service && w.services[c.place.Index].cfg.Speed == 0 {
		c.legs-- // it hangs
		w.retireCall(i, c)
		return
	}
	if !w.writes(c.place) {
		c.class = policies.Transient
	}
	w.reply(i, c)
}

// proved is the answer to a monitor's probe, or its absence.
func (w *world) proved(c *call) {
	v := w.watches.at(c.watch)
	if c.class == policies.OK && w.nodes[v.node].up {
		w.believes(v, c.probe, c.sentAt)
	}
}

func (w *world) probeLuck(v *watch) chance {
	return w.luck[luckBeat].With(uint64(v.monitor)<<48 | 1<<47 | uint64(v.place.Noun)<<32 | uint64(v.place.Index)<<16 | uint64(v.nth)).With(uint64(v.number))
}
