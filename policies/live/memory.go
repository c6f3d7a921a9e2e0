package live

import (
	"context"
	"sync"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
)

// Locks is a lock store in this process: a store.LockTable on the real clock.
type Locks struct {
	clock
	mu    sync.Mutex
	table *store.LockTable
}

// NewLocks returns an empty lock store; the rule must pass Check.
func NewLocks(rule *lease.GrantRule) *Locks {
	return &Locks{clock: newClock(), table: store.NewLockTable(rule)}
}

// Acquire implements store.Locks.
func (l *Locks) Acquire(_ context.Context, name string, owner int64, length time.Duration) (store.Claim, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Acquire(l.now(), name, owner, length)
}

// Renew implements store.Locks.
func (l *Locks) Renew(_ context.Context, c store.Claim, length time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Renew(l.now(), c, length)
}

// Release implements store.Locks.
func (l *Locks) Release(_ context.Context, c store.Claim) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Release(l.now(), c)
}

// Queue is a queue in this process: a store.QueueTable on the real clock.
type Queue struct {
	clock
	mu     sync.Mutex
	table  *store.QueueTable
	change chan struct{} // closed and made anew when a message may have become free
}

// NewQueue returns an empty queue.
func NewQueue(rule *store.QueueRule) *Queue {
	return &Queue{clock: newClock(), table: store.NewQueueTable(rule), change: make(chan struct{})}
}

// Publish adds a message and returns its id.
func (q *Queue) Publish(body []byte) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.changed()
	return q.table.Publish(q.now(), body)
}

// Receive implements store.Queue: it waits for a message.
func (q *Queue) Receive(ctx context.Context, most int) ([]store.Delivery, error) {
	sent := q.now()
	for {
		q.mu.Lock()
		now := q.now()
		handed := q.table.Receive(now, most)
		wait, change := q.table.Deadline(), q.change
		q.mu.Unlock()
		if len(handed) > 0 {
			for i := range handed {
				handed[i].Waited = now.Sub(sent)
			}
			return handed, nil
		}
		if wait != policies.Never {
			wait -= now
		}
		select {
		case <-time.After(time.Duration(wait)):
		case <-change:
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// Extend implements store.Queue.
func (q *Queue) Extend(_ context.Context, d store.Delivery, length time.Duration) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.table.Extend(q.now(), d, length)
}

// Settle implements store.Queue.
func (q *Queue) Settle(_ context.Context, d store.Delivery, how worker.Fate) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.changed()
	return q.table.Settle(q.now(), d, how)
}

// Len is the number of messages that are not settled.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.table.Len()
}

// Dead lists the dead letters.
func (q *Queue) Dead() []store.Delivery {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.table.Dead()
}

func (q *Queue) changed() {
	close(q.change)
	q.change = make(chan struct{})
}
