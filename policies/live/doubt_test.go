package live

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// While renewals fail the worker takes no second job; when its job has ended it
// asks, as long as the answer is an error, and goes on at the first that is none.
func TestWorkerInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.rule.Doubt = worker.DoubtRenewals
		p.rule.Poll = time.Second
		begun := time.Now()
		p.work = func(ctx context.Context, job *Job) error {
			p.note("%s at %v", job.Body, time.Since(begun))
			if string(job.Body) == "first" {
				time.Sleep(5 * time.Second)
				p.queue.Publish([]byte("second"))
				time.Sleep(time.Second)
			}
			return nil
		}
		c := p.config()
		c.Queue = unextended{p.queue}
		c.Probe = func(context.Context) error {
			p.note("probe at %v", time.Since(begun))
			if time.Since(begun) < 9*time.Second {
				return errors.New("far away")
			}
			return nil
		}
		p.queue.Publish([]byte("first"))
		if _, err := p.run(t, 20*time.Second, c); err != nil {
			t.Error(err)
		}
		want := []string{"first at 0s", "probe at 3s", "probe at 4s", "probe at 5s", "probe at 6s", "probe at 7s", "probe at 8s", "probe at 9s", "second at 9s"}
		if !slices.Equal(p.log, want) || p.queue.Len() != 0 {
			t.Errorf("log %q, %d left", p.log, p.queue.Len())
		}
	})
}

// unextended is a queue that answers everything but renewals.
type unextended struct{ *Queue }

func (unextended) Extend(context.Context, store.Delivery, time.Duration) error {
	return errors.New("no answer")
}

// A worker whose heartbeat has no answer gives back the lock that it needs when
// its job has ended, and asks for it again once there is an answer.
func TestWorkerResignsInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.rule.Doubt, p.rule.Needs, p.rule.Poll = worker.DoubtHeartbeat, 1, time.Second
		c := p.config()
		c.Needs = []Need{{Name: "shard", Rule: 1}}
		c.Handler = func(context.Context, *Job) error {
			time.Sleep(5 * time.Second)
			return nil
		}
		p.queue.Publish(nil)
		w, err := NewWorker(c)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(2500*time.Millisecond, func() { w.Heartbeat(0, false) }) // between two looks, so that none comes at the same instant
		time.AfterFunc(8500*time.Millisecond, func() { w.Heartbeat(0, true) })
		held := make([]bool, 12) // by second: nobody else can have it
		for second := range held {
			time.AfterFunc(time.Duration(second)*time.Second+time.Millisecond, func() {
				claim, err := p.locks.Acquire(t.Context(), "shard", 99, time.Second)
				if held[second] = errors.Is(err, store.ErrHeld); err == nil {
					p.locks.Release(t.Context(), claim)
				}
			})
		}
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		yes, no := true, false
		if want := []bool{yes, yes, yes, yes, yes, no, no, no, no, yes, yes, yes}; !slices.Equal(held, want) {
			t.Errorf("by second the lock was held %v, want %v", held, want)
		}
	})
}
