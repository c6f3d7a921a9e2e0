package live

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/bundle"
	"github.com/tenggat/tenggat/policies/fence"
)

// A worker under the bundle critical: its token is registered before the handler
// has the lock, an earlier holder's late write is refused, and a registration
// that fails gives the lock back.
func TestWorkerRegistersItsTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		b := bundle.Critical()
		rule := b.Worker(1, time.Second, 30*time.Second, 10*time.Second)
		p.rule = &rule
		var gate fence.Gate
		failing := true
		p.work = func(ctx context.Context, job *Job) error {
			lock, err := job.Lock(ctx, "account", 2)
			if err != nil {
				p.note("no lock: %v", err)
				return err
			}
			p.note("token %d, a write with the one before: %v, with its own: %v", lock.Token, gate.Check(lock.Token-1), gate.Check(lock.Token))
			return nil
		}
		c := p.config()
		c.Register = func(_ context.Context, lock string, token policies.Token) error {
			if failing {
				failing = false
				return errors.New("ledger unreachable")
			}
			p.note("%s: token %d shown", lock, token)
			gate.Check(token)
			return nil
		}
		p.queue.Publish(nil)
		if _, err := p.run(t, time.Minute, c); err != nil {
			t.Error(err)
		}
		want := []string{"no lock: ledger unreachable", "account: token 2 shown", "token 2, a write with the one before: false, with its own: true"}
		if !slices.Equal(p.log, want) || p.queue.Len() != 0 {
			t.Errorf("log %q, %d left", p.log, p.queue.Len())
		}
	})
}
