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
	what, advice := "events handled", "a model that feeds itself does this; otherwise shorten the run or raise the limit on events"
	if e.Bound == boundPending {
		what, advice = "events pending", "the load may exceed what the system can serve; otherwise raise the limit on pending events"
	}
	return fmt.Sprintf("sim: more than %d %s at %v, %.0f%% of them %q: %s",
		e.Limit, what, e.At, e.Share*100, e.Busiest, advice)
}

const (
	boundEvents  = "events"
	boundPending = "pending"
)
