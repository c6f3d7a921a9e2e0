package sim

import "fmt"

// BoundError says that a run outgrew one of its limits. The simulation cannot
// be continued after it.
type BoundError struct {
	Bound   string  // what was bounded: "events" or "pending"
	Limit   uint64  // the limit, in events
	At      Time    // the virtual time reached
	Busiest string  // the kind with the most events: of those handled, or of those pending
	Share   float64 // the busiest kind's share of them, in [0, 1]
}

// Error tells what was exceeded, when, by what mostly, and what to do.
func (e *BoundError) Error() string {
	format := "sim: more than %d events handled by %v, %.0f%% of them %q: " +
		"a model that feeds itself does this; otherwise shorten the run or raise the limit on events"
	if e.Bound == boundPending {
		format = "sim: more than %d events pending at %v, %.0f%% of them %q: " +
			"work may come in faster than it is done; otherwise raise the limit on pending events"
	}
	return fmt.Sprintf(format, e.Limit, e.At, e.Share*100, e.Busiest)
}

// The values of BoundError.Bound.
const (
	boundEvents  = "events"
	boundPending = "pending"
)
