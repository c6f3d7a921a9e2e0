package live

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies/retry"
)

// Retry calls fn until it succeeds, the rule gives up, or ctx ends, and returns
// the last error of fn; nil when it succeeded. The class of an error is
// ClassOf's. When ctx ends during a wait the error of fn is returned, for it
// says more.
func Retry(ctx context.Context, rule *retry.Rule, fn func(ctx context.Context) error) error {
	if err := rule.Check(); err != nil {
		return err
	}
	var (
		machine retry.Machine
		clock   = newClock()
		luck    = exact.NewChance(rand.Uint64(), 0)
		in      = retry.Input{Kind: retry.Begin}
		out     []retry.Command
		err     error
	)
	machine.Reset(rule, nil)
	for {
		out = machine.Step(clock.now(), in, out[:0])
		if len(out) == 0 {
			return err
		}
		switch last := out[len(out)-1]; last.Kind {
		case retry.GiveUp:
			return err
		case retry.Retry:
			select {
			case <-time.After(machine.Deadline().Sub(clock.now())):
				in = retry.Input{Kind: retry.Due}
			case <-ctx.Done():
				return err
			}
		case retry.Attempt:
			if err = fn(ctx); err == nil {
				in = retry.Input{Kind: retry.Succeeded}
			} else {
				in = retry.Input{Kind: retry.Failed, Class: ClassOf(err), Chance: luck.With(uint64(last.Attempt))}
			}
		}
	}
}
