package live

import (
	"context"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// clock reads the monotonic time since it was made.
type clock struct{ origin time.Time }

func newClock() clock { return clock{time.Now()} }

func (c clock) now() policies.Instant { return policies.Instant(time.Since(c.origin)) }

// alarm puts a tick into an inbox at a machine's deadline.
type alarm struct {
	clock
	timer *time.Timer
}

func newAlarm(c clock, ring func()) *alarm {
	t := time.AfterFunc(time.Hour, ring)
	t.Stop()
	return &alarm{c, t}
}

// set moves the alarm to an instant; Never switches it off.
func (a *alarm) set(at policies.Instant) {
	if at == policies.Never {
		a.timer.Stop()
		return
	}
	a.timer.Reset(at.Sub(a.now()))
}

// patience bounds a call to a store; 0 is no bound.
func patience(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}
