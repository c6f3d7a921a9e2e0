package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

const s = policies.Instant(time.Second)

var strict = lease.GrantRule{Rising: true, Late: [3]lease.Settle{lease.Reject, lease.Reject, lease.Reject}}

func TestLockTable(t *testing.T) {
	locks := store.NewLockTable(&strict)
	first, err := locks.Acquire(0, "a", 1, 10*time.Second)
	if err != nil || first.Token != 1 {
		t.Fatalf("first grant: %+v, %v", first, err)
	}
	if _, err := locks.Acquire(9*s, "a", 2, 10*time.Second); !errors.Is(err, store.ErrHeld) {
		t.Errorf("a held lock: %v, want ErrHeld", err)
	}
	if c, err := locks.Acquire(9*s, "b", 2, 10*time.Second); err != nil || c.Token != 1 {
		t.Errorf("another name: %+v, %v", c, err)
	}
	if err := locks.Renew(9*s, first, 10*time.Second); err != nil {
		t.Errorf("renew in time: %v", err)
	}
	if owner, ok := locks.Holder(18*s, "a"); !ok || owner != 1 {
		t.Errorf("holder at 18 s: %d, %v", owner, ok)
	}
	// At the deadline itself it is over.
	if err := locks.Renew(19*s, first, 10*time.Second); !errors.Is(err, store.ErrStale) {
		t.Errorf("renew at the deadline: %v, want ErrStale", err)
	}
	second, err := locks.Acquire(19*s, "a", 2, 10*time.Second)
	if err != nil || second.Token != 2 {
		t.Fatalf("second grant: %+v, %v", second, err)
	}
	if err := locks.Release(20*s, first); !errors.Is(err, store.ErrStale) {
		t.Errorf("release of another's lock: %v, want ErrStale", err)
	}
	if err := locks.Release(20*s, second); err != nil {
		t.Errorf("release: %v", err)
	}
	if _, ok := locks.Holder(20*s, "a"); ok {
		t.Error("a released lock has a holder")
	}
}

func TestQueueTable(t *testing.T) {
	q := store.NewQueueTable(&store.QueueRule{Claim: strict, Length: 10 * time.Second, Deliveries: 2, RetryAfter: 5 * time.Second})
	for _, body := range []string{"a", "b", "c"} {
		q.Publish(0, []byte(body))
	}
	handed := q.Receive(0, 2)
	if len(handed) != 2 || string(handed[0].Body) != "a" || handed[1].ID != 2 || handed[1].Attempt != 1 {
		t.Fatalf("handed %+v", handed)
	}
	a, b := handed[0], handed[1]
	c := q.Receive(1*s, 5)[0]
	if more := q.Receive(2*s, 5); len(more) != 0 || q.Deadline() != 10*s {
		t.Errorf("all are out, but %+v came; deadline %d", more, q.Deadline())
	}
	if err := q.Settle(3*s, a, worker.Ack); err != nil {
		t.Error(err)
	}
	if err := q.Settle(3*s, b, worker.Retry); err != nil || q.Deadline() != 8*s {
		t.Errorf("retry: %v, deadline %d", err, q.Deadline())
	}
	if err := q.Extend(9*s, c, 10*time.Second); err != nil {
		t.Error(err)
	}
	// The second delivery of b expires at 18 s; there is no third.
	b2 := q.Receive(8*s, 5)
	if len(b2) != 1 || b2[0].Attempt != 2 {
		t.Fatalf("second delivery: %+v", b2)
	}
	if err := q.Settle(18*s, b2[0], worker.Ack); !errors.Is(err, store.ErrStale) {
		t.Errorf("late ack: %v, want ErrStale", err)
	}
	if more := q.Receive(18*s, 5); len(more) != 0 || len(q.Dead()) != 1 || q.Dead()[0].ID != 2 {
		t.Errorf("after the last delivery: %+v, dead %+v", more, q.Dead())
	}
	if err := q.Settle(18*s, c, worker.DeadLetter); err != nil || q.Len() != 0 || len(q.Dead()) != 2 {
		t.Errorf("dead-letter: %v, %d left", err, q.Len())
	}
	if err := q.Extend(19*s, c, time.Second); !errors.Is(err, store.ErrStale) || q.Deadline() != policies.Never {
		t.Errorf("extend of a settled message: %v", err)
	}
	if id := q.Publish(20*s, nil); id != 4 {
		t.Errorf("id %d, want 4", id)
	}
	d := q.Receive(20*s, 1)[0]
	if err := q.Settle(21*s, d, worker.Return); err != nil || len(q.Receive(21*s, 1)) != 1 {
		t.Errorf("returned at once: %v", err)
	}
}
