package model

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// execution is one run of a job's steps in a process, or of a service's steps
// for one call.
type execution struct {
	id       uint64 // never used again
	job      int32
	proc     *process // nil at a service
	slot     int32    // in the process, and the machine's name for the job
	delivery int32    // -1: the process started the job itself
	source   int32    // that started it, -1
	parent   int32    // at a service: the call that is served
	number   int32    // of the delivery
	tied     int32    // the slot that it is tied to, or anySlot
	startNo  int32    // of this job's starts
	loss     loss     // of its delivery
	lease    int32    // the machine's number of the delivery's lease, 0 if none
	stage    stage
	late     bool // its process was expelled from its group for it
	known    bool // the machine keeps the lease of this delivery though it has not started
	started  bool
	began    sim.Time

	ops   []op
	pc    int32
	loops [maxLoops]loop
	depth int8

	work    sim.Timer     // end of work that needs un-paused time
	left    time.Duration // work that remains
	since   sim.Time      // when left was true
	working bool
	outcome policies.Class // of the handler
	inLine  bool           // waits for its turn at a limit
	wake    sim.Timer      // end of a wait

	locks     [maxLocks]heldLock // those with lock -1 are free
	nlocks    int8
	asking    int8     // lock being acquired, -1
	names     int8     // names of it that are held already
	giveUp    sim.Time // end of the wait for it
	notify    *call    // the grant that the store has just told of
	dropped   bool     // it ended because somebody else has the lock
	call      int32
	retry     retry.Machine
	failed    policies.Class // of the attempt that failed last
	epoch     uint32         // the breaker's word for the call under way
	tries     uint64         // calls made so far, naming their luck
	version   uint64         // of what was read last
	read      uint64         // its key; 0: the whole service
	row       uint64         // the key of the read under way
	seen      uint64         // the hit that is being checked
	reading   reading
	flight    int32         // that it leads, -1
	marks     [maxOnce]mark // of the guards that it has passed
	concluded bool          // its effect is there, if it is one that lands when the job completes
}

// stage is how far an execution has come.
type stage uint8

const (
	offered  stage = iota // the machine decides
	heldBack              // until the job's start
	inBuffer              // until a slot is free
	atWork
)

const (
	maxLoops = 3
	maxLocks = 4
)

// loop is one repeat block under way.
type loop struct {
	round int32 // from 1
	began sim.Time
}

// heldLock is a lock that an execution holds or asks for.
type heldLock struct {
	lock     int32
	lease    int32
	serial   uint32
	token    policies.Token
	held     bool
	since    sim.Time // when it began to wait
	watcher  watcher
	steals   bool // the record of this version is to be taken
	version  uint64
	request  int32
	believes bool
	bid      int64 // what names it to members that agree by majority
	loss     loss
	circled  bool // its wait is part of a circle that was told
}

// newExecution takes a record for a job (or, with proc nil, a service's call).
func (w *world) newExecution(job int32, p *process, ops []op) (int32, *execution) {
	i := w.execs.take()
	x := w.execs.at(i)
	w.lastExec++
	*x = execution{id: w.lastExec, job: job, proc: p, delivery: -1, tied: anySlot, source: -1, parent: -1, asking: -1, call: -1, flight: -1, ops: ops,
		work: x.work, wake: x.wake}
	if x.work == 0 {
		x.work = w.sim.NewTimer(sim.Message, sim.Event{Kind: evWork, To: i})
		x.wake = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evWake, To: i})
	}
	return i, x
}

// freeExecution gives the record back; what still names it finds nobody.
func (w *world) freeExecution(i int32) {
	w.execs.at(i).id = 0
	w.execs.give(i)
}

// exec is the execution with this index, nil if it has ended since.
func (w *world) exec(i int32, id uint64) *execution {
	if i < 0 {
		return nil
	}
	if x := w.execs.at(i); x.id == id {
		return x
	}
	return nil
}

// round is the number of the innermost repeat's round.
func (x *execution) round() int64 {
	if x.depth == 0 {
		return 0
	}
	return int64(x.loops[x.depth-1].round)
}

// luck is the chance of this execution's present step.
func (w *world) stepLuck(x *execution, purpose int) policies.Chance {
	return w.luck[purpose].With(w.jobs.at(x.job).luck).With(uint64(x.startNo)<<32 | uint64(x.pc)<<20 | uint64(x.round()))
}

// maxSteps bounds the steps that a job runs without waiting for anything, and
// so the time that one event can take.
const maxSteps = 1_000_000

// advance runs steps until one has to wait, or the last has ended.
func (w *world) advance(i int32, x *execution) {
	for id, steps := x.id, 0; ; steps++ {
		if steps > maxSteps {
			w.err = cmp.Or(w.err, fmt.Errorf("at %v job %d of %s has run %d steps without waiting: give a repeated step some work, or fewer rounds",
				w.sim.Now(), w.jobs.at(x.job).serial, w.types[w.jobs.at(x.job).kind].cfg.Name, maxSteps))
			return
		}
		if int(x.pc) == len(x.ops) {
			w.finish(i, x, policies.OK)
			return
		}
		if !w.begin(i, x, &x.ops[x.pc]) || x.id != id {
			return
		}
		x.pc++
	}
}

// begin runs one step; true says that it has ended already.
func (w *world) begin(i int32, x *execution, o *op) bool {
	s := o.step
	switch s.Verb {
	case scenario.Work:
		return w.beginWork(x, s)
	case scenario.CallService:
		luck := w.stepLuck(x, luckShare)
		if s.Share < 1 && luck.U01() >= s.Share {
			return true
		}
		w.beginCall(i, x)
		return false
	case scenario.Write, scenario.Register:
		w.beginCall(i, x)
		return false
	case scenario.Read:
		w.beginRead(i, x, o)
		return false
	case scenario.Once:
		return w.beginOnce(i, x, o)
	case scenario.PublishStep:
		if o.relayed {
			return true
		}
		w.beginPublish(i, x, o)
		return false
	case scenario.LockStep:
		w.beginLock(i, x, o)
		return false
	case scenario.Unlock:
		w.unlock(x, o)
		return true
	case scenario.Repeat:
		return w.beginRound(x, o)
	case scenario.AckNow:
		w.ackNow(x)
		return true
	case scenario.Fail:
		luck := w.stepLuck(x, luckShare)
		if luck.U01() >= s.Share {
			return true
		}
		w.finish(i, x, s.Class)
		return false
	case scenario.CrashStep:
		w.crash(x.proc, x.proc.group.cfg.Restart)
		return false
	}
	panic("model: a step without a verb")
}

func (w *world) beginWork(x *execution, s *scenario.Step) bool {
	if s.Forever {
		return false
	}
	j := w.jobs.at(x.job)
	x.left = s.Work.At(int(j.nth)).Draw(w.stepLuck(x, luckWork))
	if x.left == 0 {
		return true
	}
	x.working, x.since = true, w.sim.Now()
	w.sim.Arm(x.work, w.sim.Now().Add(x.left))
	return false
}

// beginRound opens a repeat, or goes on with its next round.
func (w *world) beginRound(x *execution, o *op) bool {
	if !o.closes {
		if o.step.Times == 0 {
			x.pc = o.jump
			return true
		}
		x.loops[x.depth] = loop{round: 1, began: w.sim.Now()}
		x.depth++
		return w.awaitRound(x, o)
	}
	l := &x.loops[x.depth-1]
	if int(l.round) == o.step.Times {
		x.depth--
		return true
	}
	l.round++
	x.pc = o.jump
	return w.awaitRound(x, o)
}

// awaitRound waits for the instant of the round: with `every`, round k begins
// k periods after the step did, or late at once.
func (w *world) awaitRound(x *execution, o *op) bool {
	if o.step.Every == 0 {
		return true
	}
	l := &x.loops[x.depth-1]
	at := l.began.Add(time.Duration(l.round) * o.step.Every)
	if at <= w.sim.Now() {
		return true
	}
	w.sim.Arm(x.wake, at)
	return false
}

// onWork is the end of a stretch of work.
func (w *world) onWork(ev sim.Event) {
	x := w.execs.at(ev.To)
	x.working = false
	x.pc++
	w.advance(ev.To, x)
}

// onWake is the end of a wait: for a round, a lock or the next attempt.
func (w *world) onWake(ev sim.Event) {
	x := w.execs.at(ev.To)
	if x.proc != nil && w.park(x.proc.node, ev, x.wake) {
		return
	}
	switch o := &x.ops[x.pc]; o.step.Verb {
	case scenario.Repeat:
		x.pc++
		w.advance(ev.To, x)
	case scenario.LockStep:
		w.askAgain(ev.To, x)
	default:
		w.retryStep(ev.To, x, retry.Input{Kind: retry.Due})
	}
}

// finish ends an execution by itself.
func (w *world) finish(i int32, x *execution, class policies.Class) {
	if x.proc == nil {
		c := w.calls.at(x.parent)
		s, parent := w.services[c.place.Index], x.parent
		w.freeExecution(i)
		w.endService(s, parent, c, class)
		return
	}
	if class == policies.OK {
		f := w.execFact(history.Complete, x, int64(w.sim.Now()-x.began))
		w.record(f)
		w.conclude(x)
	} else {
		w.record(w.execFact(history.Fail, x, int64(class)))
		w.unmark(x)
	}
	w.halt(x)
	w.jobEnded(x, class)
	x.proc.step(w, worker.Input{Kind: worker.Ended, Job: x.slot, Class: class})
}

// halt stops all that an execution waits for; its locks stay to be released.
func (w *world) halt(x *execution) {
	x.working, x.inLine = false, false
	w.sim.Stop(x.work)
	w.sim.Stop(x.wake)
	if x.call >= 0 {
		w.cutOff(x)
		w.abandon(x.call)
		x.call = -1
	}
	if x.flight >= 0 {
		w.aborted(x.flight)
		x.flight = -1
	}
	if x.started {
		x.started = false
		w.running(x, -1)
	}
}

// running counts a job's executions at once.
func (w *world) running(x *execution, delta int32) {
	j := w.jobs.at(x.job)
	j.running += delta
	f := w.execFact(history.Believe, x, int64(delta))
	f.Attempt, f.Key, f.Place = j.running, uint64(j.serial), w.types[j.kind].place()
	w.record(f)
	g := x.proc.group
	g.running += delta
	w.record(history.Fact{Kind: history.Level, Attempt: history.LevelRunning, Job: -1, Type: -1, Group: g.index, Process: -1, Value: int64(g.running)})
}

// freeze and unfreeze stop the clock of the work in a process.
func (x *execution) freeze(w *world) {
	if x.working {
		x.left -= w.sim.Now().Sub(x.since)
		w.sim.Stop(x.work)
	}
}

func (x *execution) unfreeze(w *world) {
	if x.working {
		x.since = w.sim.Now()
		w.sim.Arm(x.work, x.since.Add(x.left))
	}
}

// runSteps serves a call by the service's own steps.
func (w *world) runSteps(s *service, parent int32, c *call) {
	i, x := w.newExecution(c.job, nil, s.ops)
	x.parent, x.startNo = parent, c.attempt
	w.advance(i, x)
}
