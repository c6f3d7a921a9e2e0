package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// owner names one life of a process to a grantor.
func (p *process) owner() int64 { return ownerOf(p.id, p.life) }

func ownerOf(proc int32, life uint32) int64 { return int64(proc)<<32 | int64(life) }

// diedAt is when a life ended; Never if it has not.
func (p *process) diedAt(life uint32) sim.Time {
	if int(life) < len(p.deaths) {
		return p.deaths[life]
	}
	return sim.Never
}

// onBoot begins the next life of a process.
func (w *world) onBoot(ev sim.Event) {
	p := w.procs[ev.To]
	if !p.up && int64(p.life) == ev.A && !p.retired {
		w.boot(p)
	}
}

// boot begins a life.
func (w *world) boot(p *process) {
	p.up, p.ended = true, false
	w.nodes[p.node].up = true
	w.nodes[p.node].frozen = false
	w.record(p.fact(history.Boot, int64(p.life)))
	w.groupLevel(p.group, 1)
	p.received, p.dealt, p.heard, p.toldWant, p.toldAt = 0, 0, 0, 0, 0
	p.late, p.heeded = 0, p.expelled
	w.grantCredit(p, 0)
	p.machine.Reset(&p.group.rule)
	p.paused = p.group.paused
	w.firstLook(p)
	p.step(w, worker.Input{Kind: worker.Boot})
	w.seekNeeds(p)
	w.obeyPaused(p)
	w.openSessions(p)
	w.lookAtBoot(p)
	if p.life == 0 {
		for _, t := range p.group.starts {
			w.addSources(t, p.id, int(p.member))
		}
	}
	for _, s := range p.gone {
		w.schedule(s, true)
	}
	for _, s := range p.missed {
		if w.sources[s].cfg.Kind == scenario.ArriveLoop {
			w.sim.At(w.sim.Now(), sim.Arrival, sim.Event{Kind: evArrival, To: s, A: int64(w.sources[s].epoch)})
		} else {
			w.sources[s].count++
			w.sources[s].next++
			w.schedule(s, true)
		}
	}
	p.gone, p.missed = p.gone[:0], p.missed[:0]
}

// crash ends a life at once: what was in memory is gone, nobody is told. The
// process boots again after downtime, unless that is Forever.
func (w *world) crash(p *process, downtime time.Duration) {
	if !p.up {
		return
	}
	p.ended = downtime == scenario.Forever
	w.record(p.fact(history.Crash, int64(p.life)))
	w.end(p, false)
	if downtime != scenario.Forever {
		w.sim.At(w.sim.Now().Add(downtime), sim.Scenario, sim.Event{Kind: evBoot, To: p.id, A: int64(p.life)})
	}
}

// end empties a process, one that was stopped or one that died, and begins its
// next life, which is not up yet.
func (w *world) end(p *process, stopped bool) {
	nd := &w.nodes[p.node]
	nd.up, nd.frozen = false, false
	w.spill(nd.backlog)
	nd.backlog = nd.backlog[:0]
	p.up, p.stopping = false, false
	p.deaths = append(p.deaths, w.sim.Now())
	for _, g := range p.limiters {
		if g != nil {
			g.line = g.line[:0] // nobody gets a turn by what ends now
		}
	}
	for k := range p.slots {
		if i := p.slots[k]; i >= 0 {
			w.wreck(p, i)
		}
	}
	p.buffer.n, p.held, p.waiting = 0, 0, 0
	for p.own.n > 0 {
		job, source := p.own.pop(), p.own.pop()
		w.sourceEnded(p, source)
		w.dropJob(job)
	}
	for _, r := range p.resting {
		w.sourceEnded(p, r.source)
		w.dropJob(r.job)
	}
	p.resting = p.resting[:0]
	p.life++
	p.inbox = p.inbox[:0]
	w.sim.Stop(p.deadline)
	w.sim.Stop(p.idle)
	w.disarm(p.nextLook)
	clear(p.tied)
	w.leavesLocks(p, p.life-1)
	w.grantCredit(p, 0) // its connections break
	w.leavesGroups(p, stopped)
	w.closeSessions(p)
	w.groupLevel(p.group, -1)
	p.machine.Reset(&p.group.rule)
	p.probing = false
	for k := range p.breakers {
		p.breakers[k] = nil
	}
	for k := range p.budgets {
		p.budgets[k] = nil
	}
	w.wakeAnew(p)
	w.abandonNeeds(p)
	for _, g := range p.limiters {
		if g != nil {
			w.resetLimiter(g)
		}
	}
}

// wreck ends an execution whose process has died.
func (w *world) wreck(p *process, i int32) {
	x := w.execs.at(i)
	w.halt(x)
	for k := range x.locks[:x.nlocks] {
		w.disbelieve(x, &x.locks[k])
	}
	j := w.jobs.at(x.job)
	if x.stage == atWork && j.diedAt == sim.Never {
		j.diedAt = w.sim.Now()
	}
	if x.delivery >= 0 {
		w.forget(x.delivery)
	}
	w.sourceEnded(p, x.source)
	job := x.job
	p.release(x.slot)
	w.freeExecution(i)
	w.dropJob(job)
}

// sourceEnded lets a loop go on at the next boot.
func (w *world) sourceEnded(p *process, source int32) {
	if source >= 0 && w.sources[source].cfg.Kind == scenario.ArriveLoop {
		p.gone = append(p.gone, source)
	}
}

// freeze stops everything in a process: nothing runs, messages and timers wait.
func (w *world) freeze(p *process) {
	w.nodes[p.node].frozen = true
	w.record(p.fact(history.Pause, 0))
	for _, i := range p.slots {
		if i >= 0 {
			w.execs.at(i).freeze(w)
		}
	}
}

// unfreeze lets it go on: what waited is handled in the order in which it
// came, then the machine is told that it slept.
func (w *world) unfreeze(p *process, slept time.Duration) {
	w.record(p.fact(history.Resume, int64(slept)))
	life := p.life
	for _, i := range p.slots {
		if i >= 0 {
			w.execs.at(i).unfreeze(w)
		}
	}
	w.nodes[p.node].woken, w.nodes[p.node].slept = w.sim.Now(), slept
	w.thaw(p.node)
	if p.up && p.life == life {
		p.step(w, worker.Input{Kind: worker.Woken})
	}
}
