package live

import (
	"context"
	"errors"
	"sync"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// Job is one delivery in a handler's hands.
type Job struct {
	store.Delivery
	worker *Worker
	id     int32
}

// Lock asks once for a lock, which is kept by entry rule of Rule.Leases until
// the job ends or it is unlocked. The error is the store's, a LostError when
// the grant came too late, or the cause of ctx. To wait for a lock that is
// held, mark the error as transient for Retry.
func (j *Job) Lock(ctx context.Context, name string, rule int32) (*JobLock, error) {
	if j.worker.Locks == nil {
		return nil, Permanent(errors.New("live: the worker has no Locks"))
	}
	asked := &asking{name: name, rule: rule, reply: make(chan error, 1)}
	j.worker.tell(acquiring(j.id, asked))
	select {
	case err := <-asked.reply:
		if err != nil {
			return nil, err
		}
		l := &JobLock{Token: asked.claim.Token, worker: j.worker, lease: asked.lease}
		if err := j.worker.register(ctx, name, l.Token); err != nil {
			l.Unlock()
			return nil, err
		}
		return l, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (w *Worker) register(ctx context.Context, name string, token policies.Token) error {
	if w.Register == nil {
		return nil
	}
	ctx, cancel := patience(ctx, w.Rule.Dependency)
	defer cancel()
	return w.Register(ctx, name, token)
}

func acquiring(job int32, asked *asking) news {
	return news{in: worker.Input{Kind: worker.Acquiring, Job: job, Rule: asked.rule}, asked: asked}
}

// JobLock is a lock that a handler holds.
type JobLock struct {
	Token  policies.Token // to be shown with every write under the lock
	worker *Worker
	lease  int32
	once   sync.Once
}

// Unlock gives the lock back before the job ends. The handler must not call it
// when it has returned.
func (l *JobLock) Unlock() {
	l.once.Do(func() { l.worker.signal(worker.Input{Kind: worker.Unlock, Lease: l.lease}) })
}
