package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// ErrKilled is what Worker.Run returns when a job at its hard limit took the
// process with it: handlers may still run, so the process must end now.
var ErrKilled = errors.New("live: a job ran into its hard limit and its rule kills the process; end the process")

// LostError is the cause of a context that ended because a lease was lost.
type LostError struct{ Why lease.Why }

func (e LostError) Error() string { return fmt.Sprintf("live: the lease is lost: %v", e.Why) }

// StopError is the cause of a handler's context that ended because the worker
// told the job to stop.
type StopError struct{ Cause worker.Cause }

func (e StopError) Error() string { return fmt.Sprintf("live: the job is told to stop: %v", e.Cause) }

// classed is an error of a known class.
type classed struct {
	error
	class policies.Class
}

func (e classed) Unwrap() error { return e.error }

// Permanent marks an error that another attempt will not cure.
func Permanent(err error) error { return classed{err, policies.Permanent} }

// Coordination marks an error that puts ownership in doubt.
func Coordination(err error) error { return classed{err, policies.Coordination} }

// ClassOf is the class of an error: OK for nil; as marked by Permanent or
// Coordination; Coordination for a lost or held lock; else Transient.
func ClassOf(err error) policies.Class {
	var marked classed
	var lost LostError
	switch {
	case err == nil:
		return policies.OK
	case errors.As(err, &marked):
		return marked.class
	case errors.As(err, &lost), errors.Is(err, store.ErrHeld), errors.Is(err, store.ErrStale):
		return policies.Coordination
	}
	return policies.Transient
}

// number is the key of the numbers of a request in its context.
type number struct{}

type numbers struct{ lease, request int32 }

// Numbers are the lease and request numbers of the call to a store that ctx
// belongs to: for its log, or as a key against doing it twice. The lease is 0
// for a Keeper's calls.
func Numbers(ctx context.Context) (lease, request int32) {
	n, _ := ctx.Value(number{}).(numbers)
	return n.lease, n.request
}

func numbered(ctx context.Context, lease, request int32) context.Context {
	return context.WithValue(ctx, number{}, numbers{lease, request})
}
