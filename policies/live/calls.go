package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// start runs the handler of a job.
func (w *Worker) start(c worker.Command) {
	j := &w.jobs[c.Job]
	ctx, cancel := context.WithCancelCause(w.ctx)
	j.lease, j.cancel = c.Lease, cancel
	job := &Job{Delivery: j.delivery, worker: w, id: c.Job}
	go func() {
		err := w.Handler(ctx, job)
		cancel(nil)
		w.signal(worker.Input{Kind: worker.Ended, Job: job.id, Class: ClassOf(err)})
	}()
}

// settle tells the queue what becomes of a message; its job id is free again.
func (w *Worker) settle(id int32, how worker.Fate) {
	d := w.jobs[id].delivery
	w.jobs[id] = running{}
	w.free = append(w.free, id)
	if how == worker.Hold {
		return
	}
	w.call(func(ctx context.Context) {
		w.complain(w.Queue.Settle(ctx, d, how), "settle message %d: %v", d.ID, how)
	})
}

// acquire asks for a lock; the answer comes by the inbox.
func (w *Worker) acquire(c worker.Command, asked *asking) {
	ctx, cancel := patience(numbered(w.ctx, c.Lease, c.Request), w.Rule.Dependency)
	defer cancel()
	n := news{in: worker.Input{Kind: worker.Granted, Lease: c.Lease, Request: c.Request}, asked: asked}
	n.claim, n.err = w.Locks.Acquire(ctx, asked.name, w.owner, w.Rule.Leases[c.Rule].Length)
	n.in.Token = n.claim.Token
	if n.err != nil {
		n.in.Kind = worker.Denied
	}
	if !w.tell(n) && n.err == nil {
		w.complain(w.Locks.Release(context.WithoutCancel(ctx), n.claim), "release %s", asked.name)
	}
}

// renew a delivery or a lock; the answer comes by the inbox.
func (w *Worker) renew(c worker.Command) {
	var ask func(context.Context) error
	if c.Job != worker.Process && w.jobs[c.Job].lease == c.Lease {
		d, length := w.jobs[c.Job].delivery, w.Rule.Leases[w.Delivery].Length
		ask = func(ctx context.Context) error { return w.Queue.Extend(ctx, d, length) }
	} else {
		asked := w.leases[c.Lease]
		claim, length := asked.claim, w.Rule.Leases[asked.rule].Length
		ask = func(ctx context.Context) error { return w.Locks.Renew(ctx, claim, length) }
	}
	go func() {
		ctx, cancel := patience(numbered(w.ctx, c.Lease, c.Request), w.Rule.Dependency)
		defer cancel()
		err := ask(ctx)
		if w.ctx.Err() == nil {
			w.complain(err, "renew lease %d", c.Lease)
		}
		w.signal(worker.Input{Kind: answer(err, worker.Renewed, worker.Refused, worker.Failed), Lease: c.Lease, Request: c.Request})
	}()
}

// release gives a lock back.
func (w *Worker) release(c store.Claim) {
	w.call(func(ctx context.Context) { w.complain(w.Locks.Release(ctx, c), "release %s", c.Name) })
}

// denied tells a handler that its lock was not obtained; a lock that the
// process needs is asked for again later.
func (w *Worker) denied(asked *asking, err error) {
	if !asked.need {
		asked.reply <- err
		return
	}
	again := &asking{name: asked.name, need: true, rule: asked.rule}
	time.AfterFunc(w.Rule.Poll, func() { w.tell(acquiring(worker.Process, again)) })
}

// call runs a call to a store that only the end of Run waits for.
func (w *Worker) call(f func(context.Context)) {
	w.calls.Go(func() {
		ctx, cancel := patience(w.ctx, w.Rule.Dependency)
		defer cancel()
		f(ctx)
	})
}

func (w *Worker) complain(err error, format string, args ...any) {
	if err != nil && w.OnError != nil {
		w.OnError(fmt.Errorf("live: %s: %w", fmt.Sprintf(format, args...), err))
	}
}

// answer is the word for what a store said to a renewal.
func answer[Kind any](err error, yes, no, none Kind) Kind {
	switch {
	case err == nil:
		return yes
	case errors.Is(err, store.ErrStale):
		return no
	}
	return none
}
