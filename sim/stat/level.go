package stat

import (
	"fmt"
	"math"
	"math/bits"
)

// Level is an integer that holds its value between changes: a queue's depth,
// running handlers, members of a group. It keeps the exact integral over time,
// and from it the time-weighted mean.
//
// A value set at instant t holds on [t, next change): of several values set at
// one instant only the last has existed. A job that passes through an empty
// queue without waiting leaves no peak of 1, and handing a lock over does not
// make two holders.
//
// The zero value is a level of 0 in a window that begins at instant 0; call
// Reset first for a run that begins elsewhere. Levels are never negative.
type Level struct {
	value    int64
	max      int64 // of the values that lasted, value itself not included
	start    int64 // of the window
	since    int64 // the integral is complete up to here
	integral wide
}

// Set makes v the value from now on. A v below 0, or a now before the latest
// one, panics.
func (l *Level) Set(now, v int64) {
	if v < 0 {
		panic(fmt.Sprintf("stat: Level set to %d at %d ns: a level is never negative", v, now))
	}
	l.settle(now)
	l.value = v
}

// Add changes the value by delta from now on.
func (l *Level) Add(now, delta int64) { l.Set(now, l.value+delta) }

// Value is the present value.
func (l *Level) Value() int64 { return l.value }

// Max is the largest value of the window, the present one included.
func (l *Level) Max() int64 { return max(l.max, l.value) }

// Integral is value times nanoseconds over the window up to now, exact, as the
// high and low words of a 128-bit number.
func (l *Level) Integral(now int64) (hi, lo uint64) {
	l.settle(now)
	return l.integral.mid, l.integral.lo
}

// Mean is the time-weighted mean over the window up to now; NaN for a window
// that has no length yet.
func (l *Level) Mean(now int64) float64 {
	l.settle(now)
	if now == l.start {
		return math.NaN()
	}
	return l.integral.over(uint64(now - l.start))
}

// Reset begins a new window at now, as at the end of a warm-up. The present
// value is kept, since the jobs that it counts are still there.
func (l *Level) Reset(now int64) {
	*l = Level{value: l.value, start: now, since: now}
}

// settle carries the integral and the maximum up to now.
func (l *Level) settle(now int64) {
	if now < l.since {
		panic(fmt.Sprintf("stat: Level at %d ns asked about %d ns, before it", l.since, now))
	}
	if now == l.since {
		return
	}
	hi, lo := bits.Mul64(uint64(l.value), uint64(now-l.since))
	l.integral.add(wide{mid: hi, lo: lo})
	l.max = max(l.max, l.value)
	l.since = now
}
