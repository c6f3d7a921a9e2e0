package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/retry"
)

// ErrRefused is the error of a call that was not made: the breaker is open, or
// the limit throttles. It is transient.
var ErrRefused = errors.New("live: the call was refused before it was sent")

// CallRule says how one process calls one dependency.
type CallRule struct {
	Patience time.Duration             // longest wait for one answer; 0: no bound
	Retry    *retry.Rule               // nil: one attempt
	Breaker  *backpressure.BreakerRule // nil: none
	Limit    *backpressure.LimiterRule // nil: no bound; a call too many waits for its turn
}

// Caller makes the calls of one process to one dependency: each attempt waits
// for its turn at the limit, asks the breaker, and is given its patience. It may
// be used by many goroutines.
type Caller struct {
	rule CallRule
	clock
	luck exact.Chance

	mu      sync.Mutex // of all below
	breaker backpressure.Breaker
	limiter backpressure.Limiter
	tries   uint64
	line    []chan struct{} // attempts that wait for their turn
	alarm   *alarm          // when time alone makes room
	permits []backpressure.LimiterCommand
	breaks  []backpressure.Command
}

// NewCaller returns a caller with nothing in flight, or the mistakes of its
// rule.
func NewCaller(rule CallRule) (*Caller, error) {
	c := &Caller{rule: rule, clock: newClock(), luck: exact.NewChance(rand.Uint64(), 0)}
	var errs []error
	if rule.Retry == nil {
		c.rule.Retry = &retry.Rule{Attempts: 1}
	}
	errs = append(errs, c.rule.Retry.Check())
	if rule.Breaker != nil {
		errs = append(errs, rule.Breaker.Check())
	}
	if rule.Limit != nil {
		errs = append(errs, rule.Limit.Check())
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if rule.Breaker != nil {
		c.breaker.Reset(rule.Breaker)
	}
	if rule.Limit != nil {
		c.limiter.Reset(rule.Limit)
		c.alarm = newAlarm(c.clock, c.timePasses)
	}
	return c, nil
}

// Do calls fn until it succeeds, the rule gives up, or ctx ends; the error is
// the last one. The context of fn ends with the patience of its attempt.
func (c *Caller) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	return Retry(ctx, c.rule.Retry, func(ctx context.Context) error { return c.attempt(ctx, fn) })
}

func (c *Caller) attempt(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	epoch, allowed := c.ask()
	if !allowed {
		return ErrRefused
	}
	bounded, cancel := patience(ctx, c.rule.Patience)
	defer cancel()
	sent := c.now()
	err := fn(bounded)
	c.ended(epoch, ClassOf(err), c.now().Sub(sent))
	return err
}

// enter waits for a turn at the limit.
func (c *Caller) enter(ctx context.Context) error {
	if c.rule.Limit == nil {
		return nil
	}
	c.mu.Lock()
	if len(c.line) == 0 && c.admit() {
		c.mu.Unlock()
		return nil
	}
	if c.rule.Limit.Kind == backpressure.Throttle { // by chance: there is no turn to wait for
		c.mu.Unlock()
		return ErrRefused
	}
	turn := make(chan struct{})
	c.line = append(c.line, turn)
	c.awaitTurn()
	c.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.line, turn); i >= 0 {
		c.line = slices.Delete(c.line, i, i+1)
	} else {
		c.leave(backpressure.LimiterInput{Kind: backpressure.Withdrawn})
	}
	return context.Cause(ctx)
}

func (c *Caller) admit() bool {
	c.tries++
	c.permits = c.limiter.Step(c.now(), backpressure.LimiterInput{Kind: backpressure.Want, Chance: c.luck.With(c.tries)}, c.permits[:0])
	return c.permits[0] == backpressure.Admit
}

// leave tells the limiter that an attempt has ended, and lets the next in.
func (c *Caller) leave(in backpressure.LimiterInput) {
	c.permits = c.limiter.Step(c.now(), in, c.permits[:0])
	c.serveLine()
}

func (c *Caller) serveLine() {
	for len(c.line) > 0 && c.admit() {
		close(c.line[0])
		c.line = c.line[1:]
	}
	c.awaitTurn()
}

func (c *Caller) awaitTurn() {
	at := policies.Never
	if len(c.line) > 0 {
		at = c.limiter.Deadline(c.now())
	}
	c.alarm.set(at)
}

func (c *Caller) timePasses() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serveLine()
}

// ask asks the breaker for leave.
func (c *Caller) ask() (epoch uint32, allowed bool) {
	if c.rule.Breaker == nil {
		return 0, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.breaks = c.breaker.Step(c.now(), backpressure.Input{Kind: backpressure.Ask}, c.breaks[:0])
	for _, b := range c.breaks {
		if b.Kind == backpressure.Allow {
			return b.Epoch, true
		}
	}
	if c.rule.Limit != nil {
		c.leave(backpressure.LimiterInput{Kind: backpressure.Withdrawn})
	}
	return 0, false
}

// ended tells limit and breaker how an attempt ended.
func (c *Caller) ended(epoch uint32, class policies.Class, latency time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rule.Breaker != nil {
		c.breaks = c.breaker.Step(c.now(), backpressure.Input{Kind: backpressure.Done, Epoch: epoch, Class: class}, c.breaks[:0])
	}
	if c.rule.Limit != nil {
		c.leave(backpressure.LimiterInput{Kind: backpressure.Ended, Class: class, Latency: latency})
	}
}
