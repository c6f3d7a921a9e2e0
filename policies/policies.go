package policies

import (
	"math"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// Instant is a reading of the caller's own clock, in nanoseconds from an
// origin that only the caller knows. Two instants may be compared only when
// one clock gave both; a clock may also be set back, so a policy must bear a
// now that is earlier than the one before.
type Instant int64

// Never is later than every instant: no deadline.
const Never Instant = math.MaxInt64

// Add is the instant d after i; it stops at Never instead of overflowing.
func (i Instant) Add(d time.Duration) Instant {
	if i == Never {
		return Never
	}
	sum := i + Instant(d)
	if d > 0 && sum < i {
		return Never
	}
	return sum
}

// Sub is the time from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i - j) }

// Chance is luck passed in by value, keyed by purpose, entity and attempt.
type Chance = exact.Chance

// Token numbers the grants of one resource; a later grant has a higher token.
// Zero is the token of a store that has none.
type Token uint64

// Class says what kind of answer an attempt got, and so which path follows.
type Class uint8

const (
	// OK is no error.
	OK Class = iota
	// Transient errors pass by themselves: time-outs, refused connections.
	// They are worth another attempt after a wait.
	Transient
	// Permanent errors stay whatever one does: invalid data, a broken rule.
	Permanent
	// Coordination errors say that ownership is in doubt: a lease is lost, the
	// lock store is out of reach. The worker must stop taking work.
	Coordination
)

func (c Class) String() string {
	return [...]string{"ok", "transient", "permanent", "coordination"}[c]
}

// ClassSet is a set of classes.
type ClassSet uint8

// Classes is the set of the given classes.
func Classes(classes ...Class) ClassSet {
	var s ClassSet
	for _, c := range classes {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in the set.
func (s ClassSet) Has(c Class) bool { return s&(1<<c) != 0 }
