package backpressure

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// window counts the ends of recent calls, and the failures among them. By
// time it keeps ten buckets of a tenth of the width each, as Hystrix and
// failsafe-go do: a result leaves after nine to ten tenths. By number it
// keeps the last few results themselves.
type window struct {
	of      int           // least results that say anything
	tenth   time.Duration // 0 = by number
	buckets [buckets]tally
	number  int64  // of the newest bucket: now / tenth
	results []bool // by number: a ring, true = failed
	next    int
	total   tally
}

type tally struct{ ended, failed int }

const buckets = 10

func checkShare(what string, share float64, of int, within time.Duration) error {
	switch {
	case !(share >= 0 && share <= 1):
		return fmt.Errorf("backpressure: %s acts on a share of %v failures; give 0 to 1", what, share)
	case of < 0 || of > maxOf:
		return fmt.Errorf("backpressure: %s judges %d calls; give 1 to %d, or 0 for 1", what, of, maxOf)
	case within < 0 || within > 0 && within < buckets:
		return fmt.Errorf("backpressure: %s counts within %v; give 10ns or more, or 0 for the last calls", what, within)
	}
	return nil
}

const maxOf = 1_000_000

func (w *window) reset(of int, within time.Duration) {
	results := w.results
	*w = window{of: orElse(of, 1)}
	if within > 0 {
		w.tenth = max(within/buckets, 1)
	} else {
		if cap(results) < w.of {
			results = make([]bool, w.of)
		}
		w.results = results[:w.of]
	}
}

func (w *window) add(now policies.Instant, failed bool) {
	n := tally{ended: 1}
	if failed {
		n.failed = 1
	}
	if w.tenth == 0 {
		if w.total.ended == len(w.results) {
			w.total.ended--
			if w.results[w.next] {
				w.total.failed--
			}
		}
		w.results[w.next] = failed
		w.next = (w.next + 1) % len(w.results)
		w.total.plus(n)
		return
	}
	w.note(now, n)
}

// note counts in the newest of the buckets by time.
func (w *window) note(now policies.Instant, n tally) {
	w.advance(now)
	w.bucket(w.number).plus(n)
	w.total.plus(n)
}

// advance empties the buckets that have become too old. A clock set back
// starts the window anew: what was counted then has no age any more.
func (w *window) advance(now policies.Instant) {
	number := floorDiv(int64(now), int64(w.tenth))
	if number < w.number || number-w.number >= buckets {
		w.buckets, w.total = [buckets]tally{}, tally{}
	} else {
		for n := w.number + 1; n <= number; n++ {
			b := w.bucket(n)
			w.total.ended -= b.ended
			w.total.failed -= b.failed
			*b = tally{}
		}
	}
	w.number = number
}

func (w *window) bucket(number int64) *tally {
	return &w.buckets[((number%buckets)+buckets)%buckets]
}

// reaches reports whether enough calls have ended and a share of them failed.
func (w *window) reaches(share float64) bool {
	return w.total.ended >= w.of && float64(w.total.failed) >= share*float64(w.total.ended)
}

func (t *tally) plus(n tally) {
	t.ended += n.ended
	t.failed += n.failed
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
