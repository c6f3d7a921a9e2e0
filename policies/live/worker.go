package live

import (
	"context"
	"sync"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// Worker runs a handler for the messages of a queue. Only its loop touches the
// fields below; everybody else puts news into the inbox.
type Worker struct {
	Config
	clock
	machine  *worker.Machine
	alarm    *alarm
	inbox    chan news
	done     chan struct{}  // closed when nobody reads the inbox any more
	calls    sync.WaitGroup // looks, settlements, releases
	ctx      context.Context
	unlook   context.CancelFunc // ends the look that is on its way
	owner    int64
	jobs     []running // by job id
	free     []int32   // job ids to give out
	leases   []*asking // by lease id; nil for a delivery
	looking  bool      // a look is on its way, or the next one waits
	probing  bool      // a probe is on its way, or the next one waits
	stopping bool
	out      []worker.Command
}

// news is what comes by the inbox: an input, and what it carries.
type news struct {
	in    worker.Input
	asked *asking     // Acquiring, Granted, Denied
	claim store.Claim // Granted
	err   error       // Denied: why
	look  *look       // no input yet, but what a look brought
	probe bool        // no input, but the end of the rest after a probe
}

type look struct {
	sent       policies.Instant
	deliveries []store.Delivery
	rested     bool // not a look, only the end of the rest after an empty one
}

// asking is a lock that a handler or the process asked for.
type asking struct {
	name  string
	need  bool  // of the process
	rule  int32 // entry of Rule.Leases
	lease int32
	claim store.Claim
	reply chan error // to the handler
}

// running is a job that was taken from the queue.
type running struct {
	delivery store.Delivery
	lease    int32 // of the delivery
	cancel   context.CancelCauseFunc
}

// Run takes and runs jobs until ctx ends and then drains: it takes no more,
// waits for what runs, tells it to stop after Rule.Drain, and settles it. It
// returns nil when everything has ended, or ErrKilled.
func (w *Worker) Run(ctx context.Context) error {
	w.clock = newClock()
	w.alarm = newAlarm(w.clock, func() { w.signal(worker.Input{Kind: worker.Tick}) })
	var cancel context.CancelFunc
	w.ctx, cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { w.signal(worker.Input{Kind: worker.Stop}) })()

	w.take(news{in: worker.Input{Kind: worker.Boot}})
	for _, n := range w.Needs {
		w.take(acquiring(worker.Process, &asking{name: n.Name, need: true, rule: n.Rule}))
	}
	for w.machine.State() != worker.Stopped {
		w.look()
		w.probe()
		w.take(<-w.inbox)
	}
	w.alarm.set(policies.Never)
	close(w.done)
	if !w.stopping {
		return ErrKilled
	}
	w.calls.Wait()
	return nil
}

// Pause lets the worker take no new work until Unpause. This and the signals
// below may be given by anybody while Run runs.
func (w *Worker) Pause() { w.signal(worker.Input{Kind: worker.Pause}) }

// Unpause ends a Pause.
func (w *Worker) Unpause() { w.signal(worker.Input{Kind: worker.Unpause}) }

// Woken tells that the process ran into a pause that it knows of (SIGCONT).
func (w *Worker) Woken() { w.signal(worker.Input{Kind: worker.Woken}) }

// Coordinate tells whether the control plane is healthy. A worker that drains
// after a coordination error, or after a lease ended while its renewals failed,
// waits for it, or for Config.Probe.
func (w *Worker) Coordinate(healthy bool) {
	w.signal(worker.Input{Kind: worker.Coordination, OK: healthy})
}

// Heartbeat tells whether a monitor, one of several by number, answered the
// newest heartbeat of this process. It counts with worker.DoubtHeartbeat.
func (w *Worker) Heartbeat(monitor int32, answered bool) {
	w.signal(worker.Input{Kind: worker.Heartbeat, Monitor: monitor, OK: answered})
}

func (w *Worker) signal(in worker.Input) { w.tell(news{in: in}) }

// tell puts news into the inbox and reports whether somebody took it.
func (w *Worker) tell(n news) bool {
	select {
	case w.inbox <- n:
		return true
	case <-w.done:
		return false
	}
}

// take steps the machine with one piece of news and carries out what it
// commands.
func (w *Worker) take(n news) {
	switch {
	case n.look != nil:
		w.takeLook(n.look)
		return
	case n.probe:
		w.probing = false
		return
	}
	switch n.in.Kind {
	case worker.Stop:
		w.stopping = true
		if w.unlook != nil {
			w.unlook()
		}
	case worker.Granted:
		n.asked.claim = n.claim
	}
	now := w.now()
	w.out = w.machine.Step(now, n.in, w.out[:0])
	for _, c := range w.out {
		w.carry(c, n)
	}
	if n.in.Kind == worker.Denied {
		w.denied(n.asked, n.err)
	}
	next := w.machine.Deadline()
	w.alarm.set(next)
	if w.Observe != nil {
		w.Observe(now, w.out, next)
	}
}

// carry out one command. None of it waits.
func (w *Worker) carry(c worker.Command, n news) {
	switch c.Kind {
	case worker.Start:
		w.start(c)
	case worker.StopJob:
		w.jobs[c.Job].cancel(StopError{c.Cause})
	case worker.Decline:
		if c.Job == worker.Process {
			w.denied(n.asked, nil)
		} else {
			w.settle(c.Job, worker.Return)
		}
	case worker.Settle:
		w.settle(c.Job, c.How)
	case worker.Acquire:
		n.asked.lease = c.Lease
		for int(c.Lease) >= len(w.leases) {
			w.leases = append(w.leases, nil)
		}
		w.leases[c.Lease] = n.asked
		go w.acquire(c, n.asked)
	case worker.Locked:
		n.asked.reply <- nil
	case worker.Renew:
		w.renew(c)
	case worker.Release:
		if n.in.Kind == worker.Granted {
			w.release(n.claim) // nobody waits for it any more
		} else {
			w.release(w.leases[c.Lease].claim)
		}
	case worker.Lost:
		if n.in.Kind == worker.Granted {
			w.denied(n.asked, LostError{c.Why}) // it came too late
		} else if c.Job == worker.Process {
			w.denied(w.leases[c.Lease], nil)
		}
	}
}

// look into the queue if the machine wants jobs and no look is on its way.
func (w *Worker) look() {
	most := w.machine.Wants()
	if most == 0 || w.looking {
		return
	}
	w.looking = true
	ctx, unlook := patience(w.ctx, w.Rule.Poll)
	w.unlook = unlook
	sent := w.now()
	w.calls.Go(func() {
		defer unlook()
		deliveries, err := w.Queue.Receive(ctx, int(most))
		if ctx.Err() == nil {
			w.complain(err, "look into the queue")
		}
		if w.tell(news{look: &look{sent: sent, deliveries: deliveries}}) {
			return
		}
		for _, d := range deliveries {
			w.complain(w.Queue.Settle(w.ctx, d, worker.Return), "return message %d", d.ID)
		}
	})
}

// takeLook offers what a look brought. After one that brought nothing the next
// waits until Poll has passed since its begin.
func (w *Worker) takeLook(l *look) {
	if len(l.deliveries) == 0 && !l.rested {
		time.AfterFunc(l.sent.Add(w.Rule.Poll).Sub(w.now()), func() { w.tell(news{look: &look{rested: true}}) })
		return
	}
	w.looking = false
	for _, d := range l.deliveries {
		if len(w.free) == 0 {
			w.free = append(w.free, int32(len(w.jobs)))
			w.jobs = append(w.jobs, running{})
		}
		id := w.free[len(w.free)-1]
		w.free = w.free[:len(w.free)-1]
		w.jobs[id] = running{delivery: d}
		w.take(news{in: worker.Input{Kind: worker.Offered, Job: id, Rule: w.Delivery, At: l.sent.Add(d.Waited)}})
	}
}

// probe asks whether coordination is healthy, if the machine drains and no
// probe is on its way.
func (w *Worker) probe() {
	if w.Probe == nil || w.probing || w.stopping || w.machine.State() != worker.Draining {
		return
	}
	w.probing = true
	w.call(func(ctx context.Context) {
		err := w.Probe(ctx)
		w.complain(err, "probe coordination")
		if err == nil {
			w.Coordinate(true)
		}
		time.AfterFunc(w.Rule.Poll, func() { w.tell(news{probe: true}) })
	})
}
