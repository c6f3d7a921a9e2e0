package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

var strict = lease.GrantRule{Rising: true, Late: [3]lease.Settle{lease.Reject, lease.Reject, lease.Reject}}

func TestRetry(t *testing.T) {
	rule := &retry.Rule{Attempts: 4, Delays: []time.Duration{time.Second}, Growth: 2}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		fails int
		err   error
		calls int
		took  time.Duration
	}{
		"at once":   {0, nil, 1, 0},
		"third":     {2, broken, 3, 3 * time.Second},
		"gives up":  {9, broken, 4, 7 * time.Second},
		"permanent": {9, Permanent(broken), 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, calls := time.Now(), 0
				err := Retry(t.Context(), rule, func(context.Context) error {
					if calls++; calls <= c.fails {
						return c.err
					}
					return nil
				})
				if calls != c.calls || time.Since(begun) != c.took || (err == nil) != (c.fails < c.calls) {
					t.Errorf("%d calls in %v, error %v", calls, time.Since(begun), err)
				}
				if err != nil && !errors.Is(err, broken) {
					t.Errorf("error %v is not the function's", err)
				}
			})
		})
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		begun := time.Now()
		err := Retry(ctx, &retry.Rule{Delays: []time.Duration{time.Second}}, func(context.Context) error { return errors.New("broken") })
		if err == nil || time.Since(begun) != 1500*time.Millisecond {
			t.Errorf("error %v after %v", err, time.Since(begun))
		}
	})
}

// cut is a lock store that can be cut off: then calls end with their context.
type cut struct {
	*Locks
	mu  sync.Mutex
	off bool
}

func (c *cut) set(off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = off
}

func (c *cut) wait(ctx context.Context) error {
	c.mu.Lock()
	off := c.off
	c.mu.Unlock()
	if off {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (c *cut) Acquire(ctx context.Context, name string, owner int64, length time.Duration) (store.Claim, error) {
	if err := c.wait(ctx); err != nil {
		return store.Claim{}, err
	}
	return c.Locks.Acquire(ctx, name, owner, length)
}

func (c *cut) Renew(ctx context.Context, claim store.Claim, length time.Duration) error {
	if err := c.wait(ctx); err != nil {
		return err
	}
	return c.Locks.Renew(ctx, claim, length)
}

// TestKeeperNeverOverlaps: a holder that is cut off from the store stops before
// the next one is granted the lock.
func TestKeeperNeverOverlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := NewLocks(&strict)
		far := &cut{Locks: memory}
		rule := &lease.HolderRule{Length: 10 * time.Second, Every: 3 * time.Second, Timeout: time.Second}
		a, err := (&Keeper{Locks: far, Rule: rule}).Acquire(t.Context(), "leader")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if a.Context().Err() != nil {
			t.Fatal("lost although every renewal was answered")
		}
		far.set(true)
		b := &Keeper{Locks: memory, Rule: rule}
		for {
			lock, err := b.Acquire(t.Context(), "leader")
			synctest.Wait() // whatever is due at this very instant has happened
			if err == nil {
				if lock.Token() <= a.Token() {
					t.Errorf("token %d after %d", lock.Token(), a.Token())
				}
				if err := lock.Release(t.Context()); err != nil {
					t.Error(err)
				}
				break
			}
			time.Sleep(time.Millisecond)
		}
		if lost := (LostError{}); !errors.As(context.Cause(a.Context()), &lost) || lost.Why != lease.WhyExpired {
			t.Errorf("when the next is granted, the first's context says %v", context.Cause(a.Context()))
		}
		if err := a.Release(t.Context()); !errors.As(err, new(LostError)) {
			t.Errorf("release of a lost lock: %v", err)
		}
	})
}

func TestKeeperReleasesWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := NewLocks(&strict)
		rule := &lease.HolderRule{Length: time.Hour, Every: time.Minute}
		k := &Keeper{Locks: memory, Rule: rule}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := k.Acquire(ctx, "x"); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Acquire(ctx, "x"); !errors.Is(err, store.ErrHeld) {
			t.Errorf("second acquire: %v", err)
		}
		cancel()
		synctest.Wait()
		lock, err := k.Acquire(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		if err := lock.Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// plant is a worker with a queue, and a log of what its handler did.
type plant struct {
	queue *Queue
	locks *cut
	rule  *worker.Rule
	work  Handler
	mu    sync.Mutex
	log   []string
	fails []error
	state worker.State
}

func newPlant() *plant {
	return &plant{
		queue: NewQueue(&store.QueueRule{Claim: strict, Length: 10 * time.Second, Deliveries: 3, RetryAfter: 5 * time.Second}),
		locks: &cut{Locks: NewLocks(&strict)},
		rule: &worker.Rule{
			Slots: 2, Poll: 20 * time.Second, Dependency: 2 * time.Second, Drain: 30 * time.Second,
			Leases: []worker.LeaseRule{1: {HolderRule: lease.HolderRule{Length: 10 * time.Second, Every: 3 * time.Second}}},
		},
	}
}

func (p *plant) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, fmt.Sprintf(format, args...))
}

func (p *plant) config() Config {
	return Config{
		Rule: p.rule, Queue: p.queue, Locks: p.locks, Delivery: 1, Handler: p.work,
		OnError: func(err error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.fails = append(p.fails, err)
		},
		Observe: func(_ policies.Instant, decided []worker.Command, _ policies.Instant) {
			for _, c := range decided {
				if c.Kind == worker.Became {
					p.mu.Lock()
					p.state = c.State
					p.mu.Unlock()
				}
			}
		},
	}
}

// run lets the worker live until the context ends after d, and returns what Run
// returned and how long it took.
func (p *plant) run(t *testing.T, d time.Duration, c Config) (time.Duration, error) {
	w, err := NewWorker(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	begun := time.Now()
	err = w.Run(ctx)
	return time.Since(begun), err
}

func TestWorkerDoesEveryJobOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.work = func(ctx context.Context, job *Job) error {
			time.Sleep(25 * time.Second) // beyond the lease of the delivery, which is renewed
			p.note("%s", job.Body)
			return nil
		}
		for i := range 6 {
			p.queue.Publish(fmt.Appendf(nil, "job %d", i))
		}
		if _, err := p.run(t, 2*time.Minute, p.config()); err != nil {
			t.Error(err)
		}
		slices.Sort(p.log)
		want := []string{"job 0", "job 1", "job 2", "job 3", "job 4", "job 5"}
		if !slices.Equal(p.log, want) || p.queue.Len() != 0 || len(p.fails) != 0 {
			t.Errorf("did %v, %d left, failures %v", p.log, p.queue.Len(), p.fails)
		}
	})
}

func TestWorkerClasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.work = func(ctx context.Context, job *Job) error {
			p.note("%s %d", job.Body, job.Attempt)
			if string(job.Body) == "poison" {
				return Permanent(errors.New("poison"))
			}
			return errors.New("out of reach")
		}
		p.queue.Publish([]byte("poison"))
		p.queue.Publish([]byte("lame"))
		if _, err := p.run(t, time.Minute, p.config()); err != nil {
			t.Error(err)
		}
		slices.Sort(p.log)
		if want := []string{"lame 1", "lame 2", "lame 3", "poison 1"}; !slices.Equal(p.log, want) || len(p.queue.Dead()) != 2 {
			t.Errorf("did %v, dead %v", p.log, p.queue.Dead())
		}
	})
}

func TestWorkerDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.work = func(ctx context.Context, job *Job) error {
			if string(job.Body) == "short" {
				time.Sleep(10 * time.Second)
				return nil
			}
			<-ctx.Done() // told to stop after the time to drain
			p.note("%v", context.Cause(ctx))
			return ctx.Err()
		}
		p.queue.Publish([]byte("long"))
		p.queue.Publish([]byte("short"))
		p.queue.Publish([]byte("never started"))
		took, err := p.run(t, 5*time.Second, p.config())
		if err != nil || took != 35*time.Second {
			t.Errorf("Run took %v, error %v", took, err)
		}
		if want := []string{"live: the job is told to stop: drain"}; !slices.Equal(p.log, want) || p.queue.Len() != 2 {
			t.Errorf("log %v, %d left", p.log, p.queue.Len())
		}
		if again, _ := p.queue.Receive(t.Context(), 9); len(again) != 2 {
			t.Errorf("%d messages are there at once, want 2", len(again))
		}
	})
}

func TestWorkerKilledByAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.rule.Hard, p.rule.KillOnLimit = 5*time.Second, true
		p.work = func(ctx context.Context, job *Job) error {
			<-ctx.Done()
			return ctx.Err()
		}
		p.queue.Publish(nil)
		took, err := p.run(t, time.Minute, p.config())
		if !errors.Is(err, ErrKilled) || took != 5*time.Second || p.queue.Len() != 1 {
			t.Errorf("Run took %v, error %v, %d left", took, err, p.queue.Len())
		}
	})
}

// TestWorkerLocks: two jobs on one key exclude each other by a lock that the
// handlers wait for; a lock that cannot be renewed stops its job in time.
func TestWorkerLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		inside := 0
		p.work = func(ctx context.Context, job *Job) error {
			var lock *JobLock
			err := Retry(ctx, &retry.Rule{Delays: []time.Duration{time.Second}, Only: policies.Classes(policies.Coordination)}, func(ctx context.Context) (err error) {
				lock, err = job.Lock(ctx, "account", 1)
				return err
			})
			if err != nil {
				return err
			}
			p.mu.Lock()
			inside++
			if inside > 1 {
				t.Error("two inside")
			}
			p.mu.Unlock()
			time.Sleep(15 * time.Second)
			p.mu.Lock()
			inside--
			p.mu.Unlock()
			p.note("token %d", lock.Token)
			lock.Unlock()
			return nil
		}
		p.queue.Publish(nil)
		p.queue.Publish(nil)
		if _, err := p.run(t, time.Minute, p.config()); err != nil {
			t.Error(err)
		}
		if want := []string{"token 1", "token 2"}; !slices.Equal(p.log, want) || p.queue.Len() != 0 {
			t.Errorf("log %v, %d left", p.log, p.queue.Len())
		}
	})
}

func TestWorkerLosesALock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		begun := time.Now()
		p.work = func(ctx context.Context, job *Job) error {
			if _, err := job.Lock(ctx, "account", 1); err != nil {
				return err
			}
			p.locks.set(true)
			<-ctx.Done()
			p.note("%v after %v", context.Cause(ctx), time.Since(begun))
			return ctx.Err()
		}
		p.queue.Publish(nil)
		if _, err := p.run(t, 12*time.Second, p.config()); err != nil {
			t.Error(err)
		}
		if want := []string{"live: the job is told to stop: lost after 10s"}; !slices.Equal(p.log, want) {
			t.Errorf("log %v", p.log)
		}
	})
}

// TestWorkerNeedsItsOwnLease: cut off from the lock store the worker stops taking
// work, is fenced when its belief ends, and works again when the store is back.
func TestWorkerNeedsItsOwnLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.rule.Needs, p.rule.Poll = 1, time.Second
		p.work = func(ctx context.Context, job *Job) error {
			select {
			case <-ctx.Done():
				p.note("%v", context.Cause(ctx))
			case <-time.After(40 * time.Second):
				p.note("done")
			}
			return context.Cause(ctx)
		}
		c := p.config()
		c.Needs = []Need{{Name: "worker 1", Rule: 1}}
		state := func(after time.Duration, f func(), want worker.State) {
			time.AfterFunc(after, func() {
				f()
				synctest.Wait()
				p.mu.Lock()
				defer p.mu.Unlock()
				if p.state != want {
					t.Errorf("after %v the worker is %v, want %v", after, p.state, want)
				}
			})
		}
		nothing := func() {}
		state(time.Second, func() { p.queue.Publish(nil) }, worker.Ready)
		state(10*time.Second, func() { p.locks.set(true) }, worker.Ready)
		state(15*time.Second, nothing, worker.Draining) // the beat at 12 s failed at 14 s
		state(20*time.Second, nothing, worker.Fenced)   // it believes until 19 s
		state(30*time.Second, func() { p.locks.set(false) }, worker.Fenced)
		state(33*time.Second, nothing, worker.Ready)
		if _, err := p.run(t, 2*time.Minute, c); err != nil {
			t.Error(err)
		}
		if want := []string{"live: the job is told to stop: lost", "done"}; !slices.Equal(p.log, want) || p.queue.Len() != 0 {
			t.Errorf("log %v, %d left", p.log, p.queue.Len())
		}
	})
}

func TestMistakesAreNamed(t *testing.T) {
	p := newPlant()
	for want, spoil := range map[string]func(*Config){
		"live: a worker needs a Rule":                                             func(c *Config) { c.Rule = nil },
		"live: a worker needs a Queue and a Handler":                              func(c *Config) { c.Queue = nil },
		"live: Delivery is 5; give an entry of Rule.Leases, 1 to 1, or 0":         func(c *Config) { c.Delivery = 5 },
		"live: Rule.Needs counts 0, but there are 1 Needs":                        func(c *Config) { c.Needs = []Need{{"x", 1}} },
		`live: the need "x" has the rule 9; give an entry of Rule.Leases`:         func(c *Config) { c.Needs = []Need{{"x", 9}}; r := *c.Rule; r.Needs = 1; c.Rule = &r },
		"worker: Slots is -1; give the number of jobs at once, or 0 for no limit": func(c *Config) { r := *c.Rule; r.Slots = -1; c.Rule = &r },
	} {
		c := p.config()
		c.Handler = func(context.Context, *Job) error { return nil }
		spoil(&c)
		if _, err := NewWorker(c); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
