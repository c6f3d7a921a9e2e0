package store

import (
	"context"
	"errors"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/worker"
)

var (
	// ErrHeld says that a lock is not to be had now: somebody holds it, or it
	// is closed after an unclean end.
	ErrHeld = errors.New("store: the lock is held")
	// ErrStale says that a claim is over: what it asks is refused for good.
	ErrStale = errors.New("store: the claim is over")
)

// Locks grants locks for a time. An error that is neither nil, ErrHeld nor
// ErrStale (by errors.Is) leaves open whether the request was carried out.
type Locks interface {
	// Acquire asks once for a lock and does not wait for its holder. Its
	// length counts from no earlier than the call.
	Acquire(ctx context.Context, name string, owner int64, length time.Duration) (Claim, error)
	// Renew lets the claim end length after it is received.
	Renew(ctx context.Context, claim Claim, length time.Duration) error
	// Release ends the claim, if it still stands.
	Release(ctx context.Context, claim Claim) error
}

// Claim is one grant of a lock. It is the holder's proof: a store compares all
// of it before it renews or releases.
type Claim struct {
	Name   string
	Owner  int64
	Serial uint32         // which grant of this lock
	Token  policies.Token // to be shown with every write; 0 when the store has none
}

// Queue hands out messages, each for a time.
type Queue interface {
	// Receive waits until there is a message or ctx ends, and hands out up to
	// most messages. None and no error is allowed.
	Receive(ctx context.Context, most int) ([]Delivery, error)
	// Extend lets the delivery's claim end length after it is received.
	Extend(ctx context.Context, d Delivery, length time.Duration) error
	// Settle says what becomes of the message. worker.Hold and worker.Drain
	// never reach it.
	Settle(ctx context.Context, d Delivery, how worker.Fate) error
}

// Delivery is one hand-out of a message.
type Delivery struct {
	ID      int64
	Body    []byte
	Attempt int    // 1 is the first delivery
	Receipt uint32 // which delivery of this message
	// Waited is how long the call to Receive had waited in the queue before
	// the claim began: with a long poll the claim is younger than the call.
	// 0 is always safe.
	Waited time.Duration
}
