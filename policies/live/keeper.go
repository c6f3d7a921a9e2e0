package live

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/store"
)

// Keeper acquires locks of one store and keeps each under one rule.
type Keeper struct {
	Locks store.Locks
	Rule  *lease.HolderRule
	// Observe, if not nil, is told after each step what was decided and what
	// the next deadline is, in time since the call to Acquire.
	Observe func(now policies.Instant, decided []lease.Command, next policies.Instant)
}

// Acquire asks once for a lock and, when it is granted, renews it in the
// background until it is released, lost, or ctx ends (then it is released).
// The error is the store's, or a LostError when the grant came too late.
func (k *Keeper) Acquire(ctx context.Context, name string) (*Lock, error) {
	if err := k.Rule.Check(); err != nil {
		return nil, err
	}
	l := &Lock{keeper: k, clock: newClock(), inbox: make(chan lease.Input), done: make(chan struct{})}
	l.machine.Reset(k.Rule)
	l.machine.Begin(l.now(), 1)
	claim, err := k.Locks.Acquire(numbered(ctx, 0, 1), name, rand.Int64(), k.Rule.Length)
	if err != nil {
		return nil, err
	}
	l.claim = claim
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	l.alarm = newAlarm(l.clock, func() { l.tell(lease.Input{Kind: lease.Tick}) })
	l.step(lease.Input{Kind: lease.Granted, Request: 1, Token: claim.Token})
	if !l.machine.Holds() {
		return nil, context.Cause(l.ctx)
	}
	go l.run()
	return l, nil
}

// Lock is a lock that a Keeper keeps.
type Lock struct {
	clock
	keeper  *Keeper
	claim   store.Claim
	machine lease.Keeper
	alarm   *alarm
	ctx     context.Context
	cancel  context.CancelCauseFunc
	inbox   chan lease.Input
	out     []lease.Command
	done    chan struct{}
}

// Context ends when the lock is released or lost; its cause is then
// context.Canceled or a LostError. It ends as soon as the goroutines run after
// the end of belief: a Margin in the rule makes room for what they still do.
func (l *Lock) Context() context.Context { return l.ctx }

// Token is to be shown with every write under the lock.
func (l *Lock) Token() policies.Token { return l.claim.Token }

// Woken tells that the process ran into a pause that it knows of (SIGCONT):
// the lock is renewed at once.
func (l *Lock) Woken() { l.tell(lease.Input{Kind: lease.Woken}) }

// Release stops the renewals and gives the lock back. A lock that is lost
// already is not released: the error is then its LostError.
func (l *Lock) Release(ctx context.Context) error {
	l.tell(lease.Input{Kind: lease.Ended})
	<-l.done
	if lost := (LostError{}); errors.As(context.Cause(l.ctx), &lost) {
		return lost
	}
	return l.keeper.Locks.Release(ctx, l.claim)
}

// run waits, steps and carries out, until the machine holds no more.
func (l *Lock) run() {
	defer close(l.done)
	defer l.cancel(nil)
	stop := context.AfterFunc(l.ctx, func() { l.tell(lease.Input{Kind: lease.Ended}) })
	defer stop()
	for l.machine.Holds() {
		l.step(<-l.inbox)
	}
	l.alarm.set(policies.Never)
	if parent := context.Cause(l.ctx); parent != nil && !errors.As(parent, new(LostError)) {
		l.release() // the caller's context ended
	}
}

func (l *Lock) step(in lease.Input) {
	now := l.now()
	l.out = l.machine.Step(now, in, l.out[:0])
	for _, c := range l.out {
		switch c.Kind {
		case lease.Renew:
			go l.renew(c.Request)
		case lease.Release:
			l.release()
		case lease.Lost:
			l.cancel(LostError{c.Why})
		}
	}
	next := l.machine.Deadline()
	l.alarm.set(next)
	if l.keeper.Observe != nil {
		l.keeper.Observe(now, l.out, next)
	}
}

func (l *Lock) renew(request int32) {
	err := l.keeper.Locks.Renew(numbered(l.ctx, 0, request), l.claim, l.keeper.Rule.Length)
	l.tell(lease.Input{Kind: answer(err, lease.Renewed, lease.Refused, lease.Failed), Request: request})
}

// release is sent although the context may have ended, and not waited for;
// after the length of the lease it is of no more use.
func (l *Lock) release() {
	go func() {
		ctx, cancel := patience(context.WithoutCancel(l.ctx), l.keeper.Rule.Length)
		defer cancel()
		l.keeper.Locks.Release(ctx, l.claim)
	}()
}

// tell puts an input into the inbox, unless nobody reads it any more.
func (l *Lock) tell(in lease.Input) {
	select {
	case l.inbox <- in:
	case <-l.done:
	}
}
