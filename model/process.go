package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// process is one worker process: the driver of one worker machine. It carries
// messages, arms the machine's one deadline and runs the steps of the jobs; the
// machine decides.
type process struct {
	id     int32
	group  *group
	member int32 // of its group, from 0
	node   int32
	up     bool
	life   uint32
	deaths []sim.Time // of each life
	queues []*broker

	machine  *worker.Machine
	deadline sim.Timer
	inbox    []worker.Input
	out      []worker.Command
	busy     bool

	slots     []int32      // executions by the machine's job number, -1: free
	free      []int32      // job numbers to give out
	leases    []leaseOwner // by the machine's lease number
	buffer    ring         // executions that wait for a slot
	held      int32        // deliveries in the process
	waiting   int32        // those of them that have not been offered to the machine
	own       ring         // jobs that the process starts itself: job, source
	resting   []rest       // those of them that wait for another attempt
	gone      []int32      // sources to begin again at the next boot
	missed    []int32      // sources whose arrival found the process down
	breakers  []*backpressure.Breaker
	budgets   []*retry.Budget
	limiters  []*limiter // of its calls, by service
	slotLimit *limiter   // of its jobs; nil: its slots
	pause     *backpressure.Pause
	rests     bool      // it has paused itself
	rest      sim.Timer // the end of that
	received  int64     // deliveries of this life
	toldWant  int64     // what the broker was told last, and at which received
	toldAt    int64
	polls     uint64
	watches   []int32
	needs     []ownLock
	seeking   int8            // which of them an acquire is for
	told      bool            // the store has granted it already
	paused    scenario.Paused // by its operator
	looking   bool            // a look is due
	looks     uint64          // so far in this life
	booted    sim.Time
	nextLook  sim.Timer
	tied      []bool        // slots whose own delivery runs
	stopping  bool          // draining, to end
	ended     bool          // it is down, and will not boot again
	retired   bool          // its group shrank: it will not boot again
	downtime  time.Duration // after it has stopped
	probing   bool
	probeNode int32 // whom to ask whether coordination is back: the store that failed last, -1 if there is nobody
	probes    uint64
	idle      sim.Timer // the end of one look into the queue

	late   int32  // jobs to end before the process asks for more: it was expelled for them
	heeded uint32 // expulsions that it has heard of

	// The broker's view of this process.
	expelled uint32
	credit   int64 // deliveries that it may still send
	dealt    int64 // sent in this life
	heard    int64 // received, by the newest poll
}

// leaseOwner says whose a lease number of the machine is.
type leaseOwner struct {
	exec int32 // -1: nobody's
	lock int8  // index in the execution's locks, -1: its delivery
}

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

// boot begins a life.
func (w *world) boot(p *process) {
	p.up, p.ended = true, false
	w.nodes[p.node].up = true
	w.nodes[p.node].frozen = false
	w.record(history.Fact{Kind: history.Boot, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: int64(p.life)})
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
	w.record(history.Fact{Kind: history.Crash, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: int64(p.life)})
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
	w.record(history.Fact{Kind: history.Pause, Job: -1, Type: -1, Group: p.group.index, Process: p.member})
	for _, i := range p.slots {
		if i >= 0 {
			w.execs.at(i).freeze(w)
		}
	}
}

// unfreeze lets it go on: what waited is handled in the order in which it
// came, then the machine is told that it slept.
func (w *world) unfreeze(p *process, slept time.Duration) {
	w.record(history.Fact{Kind: history.Resume, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: int64(slept)})
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

// begin takes a job that the process starts itself.
func (p *process) begin(w *world, job, source int32) {
	w.holdJob(job)
	p.own.push(job)
	p.own.push(source)
	w.recordJob(history.Publish, history.Place{}, w.jobs.at(job), 0)
	p.feed(w)
	p.settleDown(w)
}

// step hands an input to the machine and carries out what it commands. Inputs
// that arise meanwhile wait for their turn: one inbox, one input at a time.
func (p *process) step(w *world, in worker.Input) {
	p.inbox = append(p.inbox, in)
	if p.busy {
		return
	}
	p.busy = true
	for life := p.life; len(p.inbox) > 0 && p.life == life; {
		next := p.inbox[0]
		p.inbox = p.inbox[:copy(p.inbox, p.inbox[1:])]
		p.out = p.machine.Step(w.now(p.node), next, p.out[:0])
		for k := 0; k < len(p.out) && p.life == life; k++ {
			p.carryOut(w, &p.out[k])
		}
		if len(p.inbox) == 0 && p.life == life {
			p.feed(w)
		}
	}
	p.busy = false
	p.settleDown(w)
}

// settleDown arms the deadline and tells the broker how much is wanted.
func (p *process) settleDown(w *world) {
	if p.busy || !p.up {
		return
	}
	if at := w.when(p.node, p.machine.Deadline()); at == sim.Never {
		w.sim.Stop(p.deadline)
	} else if due := w.sim.Due(p.deadline); due != at && due != parkedAt {
		w.sim.Arm(p.deadline, max(at, w.sim.Now()))
	}
	p.poll(w)
}

// onDeadline is the machine's deadline.
func (w *world) onDeadline(ev sim.Event) {
	p := w.procs[ev.To]
	if w.park(p.node, ev, p.deadline) {
		return
	}
	p.step(w, worker.Input{Kind: worker.Tick})
}

// feed offers what waits while the machine would start it.
func (p *process) feed(w *world) {
	if p.paused == scenario.PausedKeep || p.paused == scenario.PausedRelease || !p.up {
		return
	}
	room := p.machine.Wants()
	for _, in := range p.inbox { // offered already, not yet decided
		if in.Kind == worker.Offered {
			room--
		}
	}
	room = p.limited(room)
	for looks := p.group.poll == nil || p.looking || !p.group.buffers; looks && room > 0 && p.buffer.n > 0; room-- {
		i := p.next(w)
		if i < 0 {
			break
		}
		p.offer(w, i, w.execs.at(i))
	}
	for ; room > 0 && p.own.n > 0; room-- {
		job, source := p.own.pop(), p.own.pop()
		i, x := w.newExecution(job, p, p.group.types[w.jobs.at(job).kind].ops)
		x.source = source
		p.number(i, x)
		p.offer(w, i, x)
	}
}

// offer offers an execution to the machine.
func (p *process) offer(w *world, i int32, x *execution) {
	j := w.jobs.at(x.job)
	t := &p.group.types[j.kind]
	in := worker.Input{Kind: worker.Offered, Job: x.slot, Hard: t.cfg.Limit, Kill: t.cfg.Kill, Fates: t.fates}
	if in.Hard == scenario.Forever {
		in.Hard = -1
	}
	if x.delivery >= 0 {
		v := w.deliveries.at(x.delivery)
		w.sim.Stop(v.timer)
		p.waiting--
		q := w.queues[w.messages.at(v.msg).queue]
		in.Rule, in.At = p.group.keeps(q, j).rule, w.read(p.node, v.gotAt)
		if l := p.group.keeps(q, j).lease; l != nil && l.From == scenario.FromStart {
			in.At = w.now(p.node)
			w.leaseStarts(v, l, j)
		}
	}
	x.stage = offered
	w.takeSlot(p)
	p.step(w, in)
}

// number finds a job number for an execution.
func (p *process) number(i int32, x *execution) {
	if len(p.free) == 0 {
		p.free = append(p.free, int32(len(p.slots)))
		p.slots = append(p.slots, -1)
	}
	x.slot = p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.slots[x.slot] = i
}

// release frees a job number.
func (p *process) release(slot int32) {
	p.slots[slot] = -1
	p.free = append(p.free, slot)
}

// carryOut does one thing that the machine commands.
func (p *process) carryOut(w *world, c *worker.Command) {
	if c.Job == worker.Process && c.Kind != worker.Became {
		p.carryOutOwn(w, c)
		return
	}
	switch c.Kind {
	case worker.Start:
		p.start(w, c)
	case worker.Decline:
		i := p.slots[c.Job]
		x := w.execs.at(i)
		if x.delivery < 0 { // its own job: it waits on
			p.own.push(x.job)
			p.own.push(x.source)
			p.release(x.slot)
			w.freeSlot(x)
			w.freeExecution(i)
			return
		}
		p.untie(x)
		w.freeSlot(x)
		x.stage = inBuffer
		p.buffer.push(i)
		p.waiting++
	case worker.StopJob:
		p.stopJob(w, c)
	case worker.Acquire:
		w.sendAcquire(p, c)
	case worker.Locked:
		w.locked(p, c)
	case worker.Renew:
		w.sendRenew(p, c)
	case worker.Release:
		w.sendRelease(p, c)
	case worker.Settle:
		if i := p.slots[c.Job]; i >= 0 {
			w.dispose(p, i, w.execs.at(i), c.How)
		}
	case worker.Lost:
		w.leaseLost(p, c)
	case worker.Became:
		w.became(p, c.State)
	}
}

// start begins the handler of a job.
func (p *process) start(w *world, c *worker.Command) {
	i := p.slots[c.Job]
	x := w.execs.at(i)
	j := w.jobs.at(x.job)
	x.lease = c.Lease
	if c.Lease > 0 {
		p.ownLease(c.Lease, leaseOwner{exec: i, lock: -1})
	}
	x.stage, x.started, x.began, x.startNo = atWork, true, w.sim.Now(), j.starts
	wait := int64(-1)
	if j.starts == 0 {
		wait = int64(w.sim.Now() - w.readyAt(j))
	}
	j.starts++
	f := w.execFact(history.Start, x, wait)
	f.Attempt = j.starts
	w.record(f)
	if j.diedAt != sim.Never {
		f.Kind, f.Value = history.TakeOver, int64(w.sim.Now()-j.diedAt)
		w.record(f)
		j.diedAt = sim.Never
	}
	w.running(x, 1)
	if x.delivery >= 0 {
		m := w.messages.at(w.deliveries.at(x.delivery).msg)
		q := w.queues[m.queue]
		w.tally(q, m, scenario.CountStart)
		w.freeID(q, j, scenario.FreesAtStart)
		if p.group.queue(q).Ack == scenario.AckStart {
			w.ackNow(x)
		}
	}
	w.advance(i, x)
}

// stopJob tells a handler to stop. In the simulator it obeys at once.
func (p *process) stopJob(w *world, c *worker.Command) {
	i := p.slots[c.Job]
	x := w.execs.at(i)
	if c.Cause == worker.CauseKilled || c.Cause == worker.CauseHard && p.group.types[w.jobs.at(x.job).kind].cfg.Kill {
		return // the process dies in the same breath
	}
	class := policies.Coordination
	if c.Cause == worker.CauseHard {
		class = policies.Transient
	}
	w.record(w.execFact(history.Fail, x, int64(class)))
	w.unmark(x)
	w.halt(x)
	w.jobEnded(x, class)
	p.step(w, worker.Input{Kind: worker.Ended, Job: c.Job, Class: class})
}

func (p *process) ownLease(number int32, o leaseOwner) {
	for int(number) >= len(p.leases) {
		p.leases = append(p.leases, leaseOwner{exec: -1})
	}
	p.leases[number] = o
}
