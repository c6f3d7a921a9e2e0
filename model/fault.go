package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// fault is a scenario event: what happens at a time, to whom, for how long.
type fault struct {
	cfg     *scenario.Event
	index   int16
	targets []int32 // of crash, stop and pause: processes, and members of stores as the complement of their node; rates hit them one by one
	cut     cut
	active  int    // overlapping occurrences
	begun   uint64 // occurrences so far
	setOff  uint64 // suspicions that have set it off
}

// occurrence is one happening of an event, until its end.
type occurrence struct {
	fault int16
	at    int32 // process that it hit, -1
	began sim.Time
}

// scheduleFaults sets the first occurrence of every event.
func (w *world) scheduleFaults() {
	for i := range w.faults {
		f := &w.faults[i]
		e := f.cfg
		switch {
		case e.Rate > 0 && (e.Act == scenario.ActCrash || e.Act == scenario.ActPause || e.Act == scenario.ActStop) && each(e.On):
			for k := range f.targets {
				w.nextRandom(int32(i), int32(k), 0, w.from)
			}
		case e.Rate > 0:
			w.nextRandom(int32(i), -1, 0, w.from)
		case e.HasAt:
			for k := range e.At {
				at := sim.Time(e.Base + e.At.At(k).Draw(w.luck[luckFault].With(uint64(i)).With(uint64(k))))
				w.eventAt(at, int32(i), -1, uint64(k))
			}
		case e.Every != nil:
			w.eventAt(w.firstTick(e.Every, w.luck[luckFault].With(uint64(i)), w.from), int32(i), -1, 0)
		}
	}
}

// each says that the targets are hit one by one, not as one drawn or holding.
func each(targets []scenario.Target) bool {
	for _, t := range targets {
		if t.Index == scenario.AnyOf || t.Index == scenario.HolderOf {
			return false
		}
	}
	return true
}

func (w *world) eventAt(at sim.Time, i, target int32, n uint64) {
	if at < w.sim.Now() {
		at = w.sim.Now()
	}
	w.sim.At(at, sim.Scenario, sim.Event{Kind: evFault, To: i, A: int64(target), B: int64(n)})
}

// nextRandom sets the next occurrence of an event with a rate. An exponential
// wait has no memory, so one that finds its target frozen or down is passed
// over, and the rate is one over un-paused, up time all the same.
func (w *world) nextRandom(i, target int32, n uint64, from sim.Time) {
	luck := w.luck[luckFault].With(uint64(i)).With(uint64(uint32(target))).With(n)
	w.eventAt(from.Add(exponential(luck, w.faults[i].cfg.Rate)), i, target, n)
}

// aim brings a process that was added during the run into the events and links
// that speak of its group.
func (w *world) aim(p *process) {
	for i := range w.faults {
		f := &w.faults[i]
		if f.cfg.Act == scenario.ActCut {
			f.cut.from = f.cut.from.with(p, f.cfg.On)
			f.cut.to = f.cut.to.with(p, f.cfg.To)
			continue
		}
		if !slices.ContainsFunc(f.cfg.On, p.isMeant) {
			continue
		}
		f.targets = append(f.targets, p.id)
		if f.cfg.Rate > 0 && each(f.cfg.On) {
			w.nextRandom(int32(i), int32(len(f.targets)-1), 0, w.sim.Now())
		}
	}
	for i := range w.net.links {
		l := &w.net.links[i]
		l.from, l.to = l.from.with(p, l.cfg.From), l.to.with(p, l.cfg.To)
	}
}

// isMeant says that a target names this process.
func (p *process) isMeant(t scenario.Target) bool {
	n := int(p.member) + 1
	return t.Noun == "workers" && t.Name == p.group.cfg.Name && (t.Index == scenario.AllOf || t.Index == scenario.Members && t.Lo <= n && n <= t.Hi)
}

// onFault is an occurrence.
func (w *world) onFault(ev sim.Event) {
	f := &w.faults[ev.To]
	e := f.cfg
	target, n := int32(ev.A), uint64(ev.B)
	switch {
	case e.Rate > 0:
		w.nextRandom(ev.To, target, n+1, w.sim.Now())
	case e.Every != nil && int(n)+1 < e.Times:
		w.eventAt(w.sim.Now().Add(e.Every.Every.Draw(w.luck[luckFault].With(uint64(ev.To)).With(n))), ev.To, -1, n+1)
	}
	w.happen(f, target, n, w.lengthOfEvent(f, target, n))
}

// onSpread is the turn of one target of an event that is spread over a time.
func (w *world) onSpread(ev sim.Event) {
	f := &w.faults[ev.To]
	if target := int32(ev.A); int(target) < len(f.targets) {
		w.happen(f, target, uint64(ev.B), w.lengthOfEvent(f, target, uint64(ev.B)))
	}
}

// lengthOfEvent is how long an occurrence lasts.
func (w *world) lengthOfEvent(f *fault, target int32, n uint64) time.Duration {
	if f.cfg.For == nil {
		return sim.Never.Sub(w.sim.Now())
	}
	return f.cfg.For.Draw(w.luck[luckLength].With(uint64(f.index)).With(uint64(uint32(target))).With(n))
}

// happen does what the event does, and sets its end.
func (w *world) happen(f *fault, target int32, n uint64, length time.Duration) {
	e := f.cfg
	endless := e.For == nil
	switch e.Act {
	case scenario.ActSet:
		w.eventBegins(f)
		if e.Over > 0 {
			w.ramp(f)
		} else {
			w.overlay(f.index, true)
		}
		w.eventEnds(f, -1, length, endless)
	case scenario.ActCut:
		w.eventBegins(f)
		w.net.cuts = append(w.net.cuts, &f.cut)
		w.reachChanged()
		w.eventEnds(f, -1, length, endless)
	case scenario.ActRevoke:
		w.eventBegins(f)
		w.revoke(f, n)
		w.eventEnds(f, -1, 0, false)
	case scenario.ActJump:
		w.eventBegins(f)
		w.jump(e.On, e.By)
		w.eventEnds(f, -1, length, endless)
	case scenario.ActFlush:
		w.eventBegins(f)
		w.flush(e.On, e.Share)
		w.eventEnds(f, -1, 0, false)
	case scenario.ActReplay:
		w.eventBegins(f)
		w.replay(f, n)
		w.eventEnds(f, -1, 0, false)
	default:
		hit := f.targets
		if target >= 0 {
			hit = f.targets[target : target+1]
		} else if !each(e.On) {
			hit = w.drawn(f, n)
		}
		for k, id := range hit {
			if wait := e.Over / time.Duration(len(hit)) * time.Duration(k); wait > 0 && target < 0 && each(e.On) {
				w.sim.At(w.sim.Now().Add(wait), sim.Scenario, sim.Event{Kind: evSpread, To: int32(f.index), A: int64(k), B: int64(n)})
				continue
			}
			if id < 0 {
				w.strikeMember(f, ^id, length, endless)
			} else {
				w.strike(f, w.procs[id], length, endless)
			}
		}
	}
}

// strike crashes, stops or pauses one process.
func (w *world) strike(f *fault, p *process, length time.Duration, endless bool) {
	nd := &w.nodes[p.node]
	if !p.up || f.cfg.Act == scenario.ActPause && nd.frozen {
		return
	}
	w.eventBegins(f)
	downtime := length
	if endless {
		downtime = scenario.Forever
	}
	switch f.cfg.Act {
	case scenario.ActCrash:
		w.crash(p, downtime)
	case scenario.ActStop:
		w.stopProcess(p, downtime)
	case scenario.ActPause:
		w.freeze(p)
		w.sim.At(w.sim.Now().Add(length), sim.Scenario, sim.Event{Kind: evThaw, To: p.id, A: int64(p.life), B: int64(w.sim.Now())})
	}
	w.eventEnds(f, p.id, length, endless)
}

// strikeMember crashes or pauses one member of a store.
func (w *world) strikeMember(f *fault, n int32, length time.Duration, endless bool) {
	if !w.runs(n) {
		return
	}
	w.eventBegins(f)
	w.memberOut(n, f.cfg.Act == scenario.ActCrash)
	if !endless {
		w.sim.At(w.sim.Now().Add(length), sim.Scenario, sim.Event{Kind: evMemberBack, To: n})
	}
	w.eventEnds(f, -1, length, endless)
}

// onThaw ends a pause, if the life that it froze still is.
func (w *world) onThaw(ev sim.Event) {
	p := w.procs[ev.To]
	if p.up && int64(p.life) == ev.A && w.nodes[p.node].frozen {
		w.unfreeze(p, w.sim.Now().Sub(sim.Time(ev.B)))
	}
}

// drawn is the processes that `any` and `holder` mean now.
func (w *world) drawn(f *fault, n uint64) []int32 {
	w.hit = w.hit[:0]
	for _, t := range f.cfg.On {
		switch t.Index {
		case scenario.AnyOf:
			g := w.groupNamed(t.Name)
			luck := w.luck[luckTarget].With(uint64(f.index)).With(n)
			if g.count > 0 {
				w.hit = append(w.hit, g.procs[luck.IntN(int64(g.count))])
			}
		case scenario.HolderOf:
			s := w.locks[w.lockStoreNamed(t.Name)]
			for _, i := range s.locks {
				k := w.lockPool.at(i)
				if _, _, ok := k.grant.Holder(); ok && w.procs[k.holder].up && w.procs[k.holder].life == k.life && !slices.Contains(w.hit, k.holder) {
					w.hit = append(w.hit, k.holder)
				}
			}
		default:
			w.hit = append(w.hit, w.targetProcs(t)...)
		}
	}
	return w.hit
}

// stopProcess drains a process, and ends it when it is done.
func (w *world) stopProcess(p *process, downtime time.Duration) {
	p.downtime = downtime
	w.onOrder(sim.Event{Kind: evOrder, To: p.id, A: int64(p.life), B: orderStop})
}

// stopped ends a process that has drained. It closes its connections behind what
// it has said on them, so that its last word is heard before its end.
func (w *world) stopped(p *process) {
	if p.heardBy > w.sim.Now() {
		w.sim.At(p.heardBy, sim.Deadline, sim.Event{Kind: evStopped, To: p.id, A: int64(p.life)})
		return
	}
	w.endStopped(p)
}

func (w *world) onStopped(ev sim.Event) {
	if p := w.procs[ev.To]; p.up && int64(p.life) == ev.A && !w.park(p.node, ev, 0) {
		w.endStopped(p)
	}
}

func (w *world) endStopped(p *process) {
	w.record(p.fact(history.Stop, int64(p.life)))
	downtime := p.downtime
	p.ended = downtime == scenario.Forever
	w.end(p, true)
	if downtime != scenario.Forever {
		w.sim.At(w.sim.Now().Add(downtime), sim.Scenario, sim.Event{Kind: evBoot, To: p.id, A: int64(p.life)})
	}
}

// eventBegins and eventEnds tell of an event's span.
func (w *world) eventBegins(f *fault) {
	f.active++
	f.begun++
	w.record(history.Fact{Kind: history.EventBegin, Place: history.Place{Noun: history.Event, Index: f.index}, Job: -1, Type: -1, Group: -1, Process: -1, Value: int64(f.active)})
}

func (w *world) eventEnds(f *fault, proc int32, length time.Duration, endless bool) {
	if endless {
		return
	}
	w.sim.At(w.sim.Now().Add(length), sim.Scenario, sim.Event{Kind: evFaultEnd, To: int32(f.index), A: int64(proc)})
}

// onFaultEnd undoes what lasted.
func (w *world) onFaultEnd(ev sim.Event) {
	f := &w.faults[ev.To]
	f.active--
	switch f.cfg.Act {
	case scenario.ActSet:
		if f.active == 0 {
			w.endRamp(f)
			w.overlay(f.index, false)
		}
	case scenario.ActJump:
		w.jump(f.cfg.On, -f.cfg.By)
	case scenario.ActCut:
		if k := slices.Index(w.net.cuts, &f.cut); k >= 0 {
			w.net.cuts = slices.Delete(w.net.cuts, k, k+1)
			w.reachChanged()
		}
	}
	w.record(history.Fact{Kind: history.EventEnd, Place: history.Place{Noun: history.Event, Index: f.index}, Job: -1, Type: -1, Group: -1, Process: -1, Value: int64(f.active)})
}
