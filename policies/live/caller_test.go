package live

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/bundle"
	"github.com/tenggat/tenggat/policies/retry"
)

func newTestCaller(t *testing.T, rule CallRule) *Caller {
	t.Helper()
	c, err := NewCaller(rule)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A limit of two: five calls of one second each take three, in the order in
// which they came.
func TestCallerWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestCaller(t, CallRule{Limit: &backpressure.LimiterRule{LimitRule: backpressure.LimitRule{Start: 2}}})
		begun := time.Now()
		var calls sync.WaitGroup
		var ends [5]time.Duration
		for i := range ends {
			calls.Go(func() {
				if err := c.Do(t.Context(), func(context.Context) error { time.Sleep(time.Second); return nil }); err != nil {
					t.Error(err)
				}
				ends[i] = time.Since(begun)
			})
			synctest.Wait()
		}
		calls.Wait()
		if want := [5]time.Duration{time.Second, time.Second, 2 * time.Second, 2 * time.Second, 3 * time.Second}; ends != want {
			t.Errorf("ended at %v, want %v", ends, want)
		}
	})
}

// Whoever stops waiting leaves no place taken, neither in the line nor among
// those in flight.
func TestCallerLeavesTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestCaller(t, CallRule{Limit: &backpressure.LimiterRule{LimitRule: backpressure.LimitRule{Start: 1}}})
		go c.Do(t.Context(), func(context.Context) error { time.Sleep(time.Minute); return nil })
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Do(short, func(context.Context) error { t.Error("it was called"); return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		begun := time.Now()
		if err := c.Do(t.Context(), func(context.Context) error { return nil }); err != nil || time.Since(begun) != 59*time.Second {
			t.Errorf("%v after %v, want nil after 59s", err, time.Since(begun))
		}
	})
}

// Three failures open the breaker; for ten seconds no call is made, and the one
// after that closes it.
func TestCallerStopsAtAnOpenBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestCaller(t, CallRule{Breaker: &backpressure.BreakerRule{Consecutive: 3, Opens: []time.Duration{10 * time.Second}},
			Limit: &backpressure.LimiterRule{LimitRule: backpressure.LimitRule{Start: 1}}})
		down, calls := errors.New("down"), 0
		call := func() error { return c.Do(t.Context(), func(context.Context) error { calls++; return down }) }
		for range 3 {
			if err := call(); !errors.Is(err, down) {
				t.Errorf("error %v", err)
			}
		}
		if err := call(); !errors.Is(err, ErrRefused) || calls != 3 {
			t.Errorf("error %v after %d calls", err, calls)
		}
		time.Sleep(10 * time.Second)
		down = nil
		for range 3 {
			if err := call(); err != nil {
				t.Error(err)
			}
		}
		if calls != 6 {
			t.Errorf("%d calls, want 6", calls)
		}
	})
}

// Every attempt has its own patience, and time alone makes room at a rate.
func TestCallerBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestCaller(t, CallRule{Patience: 2 * time.Second, Retry: &retry.Rule{Attempts: 3, Delays: []time.Duration{time.Second}},
			Limit: &backpressure.LimiterRule{Kind: backpressure.Rate, LimitRule: backpressure.LimitRule{Start: 1}, Window: 10 * time.Second}})
		begun, calls := time.Now(), 0
		err := c.Do(t.Context(), func(ctx context.Context) error { calls++; <-ctx.Done(); return ctx.Err() })
		if !errors.Is(err, context.DeadlineExceeded) || calls != 3 || time.Since(begun) != 22*time.Second {
			t.Errorf("%v after %d calls in %v, want calls at 0, 10 and 20 that end after 2s", err, calls, time.Since(begun))
		}
	})
}

func TestCallerChecksItsRule(t *testing.T) {
	if _, err := NewCaller(CallRule{Retry: &retry.Rule{Attempts: -1}, Limit: &backpressure.LimiterRule{Kind: 99}}); err == nil {
		t.Error("a broken rule is accepted")
	}
	for _, b := range []bundle.Bundle{bundle.Simple(), bundle.Medium(), bundle.Critical()} {
		newTestCaller(t, CallRule{Patience: b.Patience, Retry: &b.Retry, Breaker: b.Breaker, Limit: b.Limit})
	}
}
