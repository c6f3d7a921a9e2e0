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
	heardBy   sim.Time      // when the last of its settlements that are on their way arrives
	ended     bool          // it is down, and will not boot again
	retired   bool          // its group shrank: it will not boot again
	downtime  time.Duration // after it has stopped
	probing   bool
	probeNode int32 // whom to ask whether coordination is back: the store that failed last, -1 if there is nobody
	probeBy   scenario.Kinds
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
	if !p.machine.Takes(w.now(p.node)) { // what it declines would come back here at once
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
