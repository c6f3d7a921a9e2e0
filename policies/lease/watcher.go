package lease

import (
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Watcher is a waiter that judges expiry by its own clock: a record that it
// has seen unchanged for a whole length is taken to be abandoned, and may be
// taken with a compare-and-set on the version that was seen. It needs no clock
// in common with the holder, only one that runs at a similar speed. The zero
// value has seen nothing.
//
// Source: kubernetes/client-go, tools/leaderelection (observedTime); the
// DynamoDB lock client works in the same way.
type Watcher struct {
	version uint64
	seen    policies.Instant
	any     bool
}

// Decision is what a Watcher makes of an observation.
type Decision struct {
	Steal   bool             // the lease may be taken now
	ReadyAt policies.Instant // else: not before
}

// Observe notes the version of the record at now and judges it; length is the
// one in the record or the waiter's own. A clock that was set back starts the
// observation anew, for the time that passed is unknown.
func (w *Watcher) Observe(now policies.Instant, version uint64, length time.Duration) Decision {
	if !w.any || version != w.version || now < w.seen {
		*w = Watcher{version: version, seen: now, any: true}
	}
	ready := w.seen.Add(length)
	return Decision{Steal: ready <= now, ReadyAt: ready}
}

// Forget drops what was seen.
func (w *Watcher) Forget() { *w = Watcher{} }
