package model

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// overlay puts the sets of an event in place, or takes them back.
func (w *world) overlay(event int16, on bool) {
	if on {
		w.sets |= 1 << event
	} else {
		w.sets &^= 1 << event
	}
	sc, err := w.base.Overlay(w.sets, w.ramps...)
	if err != nil { // the reader has tried each event alone, not all that may be on together
		w.err = cmp.Or(w.err, fmt.Errorf("at %v, with %s: %w", w.sim.Now(), w.active(), err))
		return
	}
	w.sc = sc
	w.reconfigure()
}

// active names the events whose sets are in place.
func (w *world) active() string {
	var names []string
	for i, e := range w.base.Events {
		if w.sets>>i&1 == 1 {
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, " and ")
}

// reconfigure lets every component see the settings that hold from now on.
func (w *world) reconfigure() {
	sc := w.sc
	w.net.cfg = &sc.Network
	for i := range w.net.links {
		w.net.links[i].cfg = sc.Network.Links[i]
	}
	for i, q := range w.queues {
		served := q.cfg.Serves
		if q.cfg = sc.Queues[i]; served == scenario.ServesNone && q.cfg.Serves != served {
			defer w.resumes(q)
		}
	}
	for i, s := range w.locks {
		s.cfg = sc.Locks[i]
		s.rule = s.cfg.GrantRule()
		if s.cluster != nil {
			s.cluster.cfg = s.cfg.Members
		}
	}
	for i, s := range w.services {
		before, servers := s.cfg.Speed, s.cfg.Servers
		if accepts := s.cfg.Accepts; !reflect.DeepEqual(accepts, sc.Services[i].Accepts) {
			defer s.accept()
		}
		if s.cfg = sc.Services[i]; s.cfg.Servers != servers {
			w.level(s.place, history.LevelServers, int64(numberOf(s.cfg.Servers)))
		}
		s.rule = s.cfg.KeyRule()
		s.ops = w.compile(w.sc, s.cfg.Steps, nil, nil)
		if s.cfg.Speed != before {
			w.changeSpeed(s, before)
		}
	}
	for i, s := range w.caches {
		s.configure(sc.Caches[i])
	}
	for i, r := range w.reviewers {
		r.cfg = sc.Reconcilers[i]
	}
	for i, m := range w.monitors {
		m.cfg = sc.Monitors[i]
	}
	for i, t := range w.types {
		before := t.cfg
		t.cfg = sc.Jobs[i]
		w.changeType(t, before)
	}
	for _, q := range w.queues {
		w.agree(q)
		w.identify(q)
	}
	for _, g := range w.groups {
		w.see(g)
		slots, prefetch := g.rule.Slots, g.prefetch
		w.groupRule(g)
		if g.rule.Slots != slots {
			w.record(history.Fact{Kind: history.Level, Attempt: history.LevelSlots, Job: -1, Type: -1, Group: g.index, Process: -1, Value: int64(g.rule.Slots)})
		}
		g.lookout()
		w.changeGroup(g, slots != g.rule.Slots || prefetch != g.prefetch)
	}
	for _, q := range w.queues {
		w.deal(q)
	}
	w.reachChanged()
}

// changeType takes a new load and new steps; jobs under way keep theirs.
func (w *world) changeType(t *jobType, before *scenario.Job) {
	t.ops = w.compile(w.sc, t.cfg.Steps, t.cfg.Fields, nil)
	if reflect.DeepEqual(before.Arrivals, t.cfg.Arrivals) {
		return
	}
	for i := range w.sources {
		if s := &w.sources[i]; s.kind == t.index {
			s.epoch++
		}
	}
	if t.queue != nil {
		w.addSources(t, -1, 0)
		return
	}
	for _, id := range t.group.procs {
		w.addSources(t, id, int(w.procs[id].member))
	}
}

// changeGroup grows, drains or pauses a group; other says that its processes
// take more or less than before.
func (w *world) changeGroup(g *group, other bool) {
	if g.asked != g.cfg.Count { // an autoscaler may have another number
		g.asked = g.cfg.Count
		w.setCount(g, g.asked)
	}
	if g.paused != g.cfg.Paused || other {
		g.paused = g.cfg.Paused
		for _, id := range g.procs {
			w.obeyPaused(w.procs[id])
		}
	}
}
