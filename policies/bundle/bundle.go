package bundle

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/worker"
)

// Bundle is the settings of one level, as the rules of the policies that it is
// made of.
type Bundle struct {
	Name string
	// Patience is the longest wait for the answer to one call: of a service, a
	// broker, a lock store or a cache.
	Patience time.Duration
	// Retry is of calls to services.
	Retry retry.Rule
	// Hard is the longest time of one job, from its start.
	Hard time.Duration
	// Drain is the longest time from the signal to stop until running jobs are
	// told to stop.
	Drain time.Duration
	// Doubt is what stops intake besides needs that are not renewed and errors
	// of coordination. From medium on.
	Doubt worker.Doubt
	// Fates is what becomes of a job by the class of its end.
	Fates [4]worker.Fate

	// Keeps: leases of deliveries and locks are renewed, and work whose lease
	// is lost is stopped; see Lease. From medium on.
	Keeps bool
	// LockWait is the longest wait for a lock; 0: without end.
	LockWait time.Duration

	// Register: a holder shows its token to the resources that it will write
	// to before it reads or writes any of them. Of critical.
	Register bool
	// Verify: what a cache says is checked against its source. Of critical.
	Verify bool
	// Breaker is before each service, one in each process; nil: none.
	Breaker *backpressure.BreakerRule
	// Limit bounds the calls of one process that are in flight at one service;
	// a call too many waits for its turn. nil: no bound.
	Limit *backpressure.LimiterRule
}

// Simple is for jobs that may run twice without harm, or whose effect is keyed.
func Simple() Bundle {
	return Bundle{
		Name:     "simple",
		Patience: 2 * time.Second,
		Retry: retry.Rule{Attempts: 4, Delays: []time.Duration{200 * time.Millisecond}, Growth: 2, Cap: 5 * time.Second,
			Jitter: retry.Full, Only: policies.Classes(policies.Transient)},
		Hard:  5 * time.Minute,
		Drain: 30 * time.Second,
		Fates: [4]worker.Fate{policies.Transient: worker.Retry, policies.Permanent: worker.DeadLetter, policies.Coordination: worker.Retry},
	}
}

// Medium is for jobs of which only one of a kind ought to run at a time.
func Medium() Bundle {
	b := Simple()
	b.Name = "medium"
	b.Fates[policies.Coordination] = worker.Drain
	b.Doubt = worker.DoubtRenewals | worker.DoubtHeartbeat
	b.Keeps = true
	b.LockWait = 30 * time.Second
	return b
}

// Critical is for jobs that must not have two effects, whatever fails of what
// the package comment lists.
func Critical() Bundle {
	b := Medium()
	b.Name = "critical"
	b.Register = true
	b.Verify = true
	b.Breaker = &backpressure.BreakerRule{Consecutive: 5, Opens: []time.Duration{5 * time.Second}, Probes: 1, ProbeLimit: 10 * time.Second}
	b.Limit = &backpressure.LimiterRule{Kind: backpressure.AIMD, Window: time.Second,
		LimitRule: backpressure.LimitRule{Start: 8, Min: 1, Max: 64, Add: 1, Num: 500, Den: 1000}}
	return b
}

// Named is the bundle of a name: simple, medium or critical.
func Named(name string) (Bundle, error) {
	for _, b := range []Bundle{Simple(), Medium(), Critical()} {
		if b.Name == name {
			return b, nil
		}
	}
	return Bundle{}, fmt.Errorf("bundle: there is no bundle %q; give simple, medium or critical", name)
}

// Lease is how a lease of this length is kept: renewed every quarter of it,
// believed in for nine tenths of it from the instant at which the last good
// request was sent, and its work stopped when it is lost. Without Keeps it is
// never renewed and its loss goes unnoticed.
//
//	length   renewed every   a renewal has failed after   believed for
//	10s      2.5s            2.5s                         9s
//	30s      7.5s            7.5s                         27s
func (b *Bundle) Lease(length time.Duration) worker.LeaseRule {
	if !b.Keeps {
		return worker.LeaseRule{HolderRule: lease.HolderRule{Length: length}, OnLoss: worker.IgnoreLoss}
	}
	return worker.LeaseRule{
		HolderRule: lease.HolderRule{Length: length, Every: length / 4, Timeout: length / 4, Believe: length / 10 * 9},
		OnLoss:     worker.StopOnLoss,
	}
}

// Worker is the rule of a worker with so many slots that keeps leases of these
// lengths: the k-th is entry k of its table of leases, k from 1.
func (b *Bundle) Worker(slots int32, poll time.Duration, lengths ...time.Duration) worker.Rule {
	r := worker.Rule{Slots: slots, Poll: poll, Dependency: b.Patience, Hard: b.Hard, Drain: b.Drain, Doubt: b.Doubt, Fates: b.Fates, Leases: []worker.LeaseRule{{}}}
	for _, length := range lengths {
		r.Leases = append(r.Leases, b.Lease(length))
	}
	return r
}
