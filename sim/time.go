package sim

import (
	"math"
	"time"
)

// Time is an instant of virtual time: nanoseconds from the run's zero. It may
// be negative, so that a warm-up can end at zero.
type Time int64

// Never is after every instant that a run can reach. A timer that is not armed
// is due Never, and nothing scheduled at Never is ever handled.
const Never Time = math.MaxInt64

// Add is the instant d after t, or before it if d is negative. A sum beyond
// Never is Never, and one before the first instant is the first instant.
func (t Time) Add(d time.Duration) Time {
	sum := t + Time(d)
	switch {
	case d > 0 && sum < t:
		return Never
	case d < 0 && sum > t:
		return math.MinInt64
	}
	return sum
}

// Sub is the time from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Seconds is t in seconds, rounded to the nearest float64.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String is t as a duration since zero: 1.5s, -20ms, never.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return time.Duration(t).String()
}

// Rank orders the events of one instant. What arrives at an instant is known
// before what is due at it: a grant that comes in at the very end of a time-out
// is in time, and an interval [x, x+L) is over before what comes at x+L begins.
type Rank uint8

// The ranks, in the order in which they run.
const (
	Message  Rank = iota // completions, and every message received
	Scenario             // what the scenario does to the world: faults, deploys, changes of load
	Deadline             // expiry, time-outs, beats, polls, checks
	Arrival              // jobs from outside
)
