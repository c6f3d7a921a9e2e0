package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// Config is what a Worker needs.
type Config struct {
	// Rule decides everything. Rule.Poll bounds one look into the queue, and
	// looks that bring nothing begin at least so far apart; Rule.Dependency
	// bounds every other call to a store. 0 is no bound: then Receive must
	// wait for a message.
	Rule *worker.Rule
	// Queue brings the jobs.
	Queue store.Queue
	// Delivery is the entry of Rule.Leases by which the worker keeps its
	// deliveries; 0: it does not know that they expire.
	Delivery int32
	// Locks is where handlers and the process take locks; nil: they take none.
	Locks store.Locks
	// Needs are the locks that the process itself must hold to take work, one
	// for each that Rule.Needs counts. One that is not granted, or is lost, is
	// asked for again after Rule.Poll, which must then be above 0.
	Needs []Need
	// Register, if not nil, shows the token of a lock to the resources that the
	// job will write to under it; Job.Lock returns after it. Its error gives
	// the lock back. From then on a write of an earlier holder is refused.
	Register func(ctx context.Context, lock string, token policies.Token) error
	// Probe, if not nil, asks whether coordination is healthy: the stores that
	// the worker depends on answer, and renew. It is called while the worker
	// drains, again and again, Rule.Poll (then above 0) after each answer. Its
	// success ends doubt; without it somebody must call Coordinate.
	Probe func(ctx context.Context) error
	// Handler does the jobs.
	Handler Handler
	// Observe, if not nil, is told after each step what was decided and what
	// the next deadline is, in time since Run began. It must not keep decided.
	Observe func(now policies.Instant, decided []worker.Command, next policies.Instant)
	// OnError, if not nil, is told of each call to a store that failed; it may
	// be called from several goroutines.
	OnError func(error)
}

// Handler does one job. Its error decides, by ClassOf and the rule, what
// becomes of the message. When ctx ends the worker wants it to stop (the cause
// is a StopError); it keeps its slot until it returns.
type Handler func(ctx context.Context, job *Job) error

// Need is a lock that the process itself must hold.
type Need struct {
	Name string
	Rule int32 // entry of Rule.Leases; its OnLoss is not IgnoreLoss
}

// NewWorker returns a worker that is ready to Run once, or the mistakes of its
// configuration.
func NewWorker(c Config) (*Worker, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Worker{
		Config: c, machine: worker.New(c.Rule), inbox: make(chan news), done: make(chan struct{}), owner: rand.Int64(),
	}, nil
}

func (c *Config) check() error {
	if c.Rule == nil {
		return errors.New("live: a worker needs a Rule")
	}
	errs := []error{c.Rule.Check()}
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("live: "+format, args...)) }
	if c.Queue == nil || c.Handler == nil {
		complain("a worker needs a Queue and a Handler")
	}
	if c.Delivery < 0 || c.Delivery > 0 && int(c.Delivery) >= len(c.Rule.Leases) {
		complain("Delivery is %d; give an entry of Rule.Leases, 1 to %d, or 0", c.Delivery, len(c.Rule.Leases)-1)
	}
	if int(c.Rule.Needs) != len(c.Needs) {
		complain("Rule.Needs counts %d, but there are %d Needs", c.Rule.Needs, len(c.Needs))
	}
	if len(c.Needs) > 0 && (c.Locks == nil || c.Rule.Poll == 0) {
		complain("Needs are asked for again and again: set Locks, and Rule.Poll above 0")
	}
	if c.Probe != nil && c.Rule.Poll == 0 {
		complain("Probe is called again and again: set Rule.Poll above 0")
	}
	for _, n := range c.Needs {
		if n.Rule <= 0 || int(n.Rule) >= len(c.Rule.Leases) {
			complain("the need %q has the rule %d; give an entry of Rule.Leases", n.Name, n.Rule)
		} else if c.Rule.Leases[n.Rule].OnLoss == worker.IgnoreLoss {
			complain("the need %q ignores its loss; then it is no need: leave it out", n.Name)
		}
	}
	return errors.Join(errs...)
}
