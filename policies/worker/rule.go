package worker

import (
	"errors"
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// Rule is the configuration of one worker. It is read on every step and may be
// shared by many machines.
type Rule struct {
	// Slots is the number of jobs at once; 0: unlimited.
	Slots int32
	// Needs is the number of own leases that the process must hold to take
	// work. Default 0.
	Needs int32
	// Poll is the longest wait of one look into the queue. Only the driver
	// reads it.
	Poll time.Duration
	// Dependency is the longest wait for one call to a store or a service.
	// Only the driver reads it.
	Dependency time.Duration
	// Hard is the longest time of one job, from its start; 0: no limit. A job
	// may bring its own.
	Hard time.Duration
	// Drain is the longest time from Stop until running jobs are told to stop;
	// 0: at once.
	Drain time.Duration
	// KillOnLimit: a job at its hard limit takes the whole process with it,
	// and nothing is cleaned up. False: only the job is told to stop.
	KillOnLimit bool
	// Doubt is what counts against coordination besides what always does: a
	// failed renewal of a lease that the process Needs, a job that ended in
	// Drain, the driver's own word. Default: nothing. With any of it a worker
	// in doubt, or without what it Needs, gives back at once what it has not
	// started; in doubt also its own leases when nothing runs any more.
	Doubt Doubt
	// Fates is what becomes of a job by the class of its end; an entry that is
	// Usual means Ack, Retry, DeadLetter, Drain for policies.OK, Transient,
	// Permanent, Coordination. A job may bring its own.
	Fates [4]Fate
	// Leases is the table that inputs refer to by index. Entry 0 is not used:
	// index 0 means no lease.
	Leases []LeaseRule
}

// LeaseRule says how a lease is kept and what its loss means.
type LeaseRule struct {
	lease.HolderRule
	// OnLoss is what the loss sets off. Default StopOnLoss.
	OnLoss Loss
}

// Doubt is a set of reasons to distrust coordination.
type Doubt uint8

const (
	// DoubtRenewals: the newest renewal of a delivery or of a job's lock has
	// failed, until one succeeds; where that lease ends without, until the
	// driver says that coordination is healthy.
	DoubtRenewals Doubt = 1 << iota
	// DoubtHeartbeat: a monitor has not answered the heartbeat of the process,
	// until it does.
	DoubtHeartbeat
)

// Loss says what the loss of a lease sets off.
type Loss uint8

const (
	// StopOnLoss tells the work that depends on the lease to stop.
	StopOnLoss Loss = iota
	// FinishOnLoss lets the work end, and takes no more until it has.
	FinishOnLoss
	// IgnoreLoss goes on as if nothing had happened.
	IgnoreLoss
)

// Fate is what becomes of a job.
type Fate uint8

const (
	// Usual is the fate that the class of the end calls for.
	Usual Fate = iota
	// Ack: done.
	Ack
	// Retry: again after a delay.
	Retry
	// Return: given back at once.
	Return
	// Hold: nothing is said; the lease of the delivery must end by itself.
	Hold
	// Drop: acknowledged and forgotten, though it is not done.
	Drop
	// DeadLetter: put aside for people.
	DeadLetter
	// Drain: Return, and the worker takes no more until coordination is back.
	Drain
)

func (f Fate) String() string {
	return [...]string{"usual", "ack", "retry", "return", "hold", "drop", "dead-letter", "drain"}[f]
}

// usual is the fate that each class calls for.
var usual = [4]Fate{policies.OK: Ack, policies.Transient: Retry, policies.Permanent: DeadLetter, policies.Coordination: Drain}

// fate is the fate of class c for a job that brings its own fates.
func (r *Rule) fate(own [4]Fate, c policies.Class) Fate {
	switch {
	case own[c] != Usual:
		return own[c]
	case r.Fates[c] != Usual:
		return r.Fates[c]
	}
	return usual[c]
}

// Check returns one error per broken rule.
func (r *Rule) Check() error {
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("worker: "+format, args...)) }
	if r.Slots < 0 {
		complain("Slots is %d; give the number of jobs at once, or 0 for no limit", r.Slots)
	}
	if r.Needs < 0 {
		complain("Needs is %d; give the number of own leases that the worker must hold, 0 or more", r.Needs)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"Poll", r.Poll}, {"Dependency", r.Dependency}, {"Hard", r.Hard}, {"Drain", r.Drain}} {
		if d.value < 0 {
			complain("%s is %v; give 0 or more", d.name, d.value)
		}
	}
	if r.Doubt > DoubtRenewals|DoubtHeartbeat {
		complain("Doubt is %d; give a sum of DoubtRenewals and DoubtHeartbeat", r.Doubt)
	}
	for class, f := range r.Fates {
		if f > Drain {
			complain("the fate of class %v is %d; give one of Ack to Drain", policies.Class(class), f)
		}
	}
	for i := 1; i < len(r.Leases); i++ {
		if err := r.Leases[i].Check(); err != nil {
			complain("Leases[%d]: %w", i, err)
		}
		if r.Leases[i].OnLoss > IgnoreLoss {
			complain("Leases[%d]: OnLoss is %d; give StopOnLoss, FinishOnLoss or IgnoreLoss", i, r.Leases[i].OnLoss)
		}
	}
	return errors.Join(errs...)
}
