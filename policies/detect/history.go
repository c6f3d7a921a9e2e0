package detect

import (
	"math"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// history is the newest intervals between beats, with their exact sum and sum
// of squares: nothing drifts however long it runs, and an interval that
// leaves the window takes away exactly what it brought.
type history struct {
	ring    []int64 // nanoseconds
	next    int     // where the next interval goes
	count   int
	sum     int64
	squares exact.Wide
}

const (
	// maxInterval (13 days) and maxWindow bound count·squares by 2^127.
	maxInterval time.Duration = 1 << 50
	maxWindow                 = 10_000
)

func (h *history) reset(window int) {
	ring := h.ring
	if cap(ring) < window {
		ring = make([]int64, window)
	}
	*h = history{ring: ring[:window]}
}

func (h *history) add(interval time.Duration) {
	x := int64(min(interval, maxInterval))
	if h.count == len(h.ring) {
		old := h.ring[h.next]
		h.sum -= old
		h.squares = h.squares.Minus(square(old))
	} else {
		h.count++
	}
	h.ring[h.next] = x
	h.next = (h.next + 1) % len(h.ring)
	h.sum += x
	h.squares = h.squares.Plus(square(x))
}

// fit is the mean and the population standard deviation, in nanoseconds.
func (h *history) fit() Fit {
	n := float64(h.count)
	// n²·variance = n·Σx² − (Σx)², in integers.
	spread := h.squares.Times(uint64(h.count)).Minus(square(h.sum))
	return Fit{Mean: float64(h.sum) / n, SD: math.Sqrt(spread.Float()) / n}
}

// list appends the intervals to out, oldest first.
func (h *history) list(out []time.Duration) []time.Duration {
	for i := range h.count {
		at := (h.next - h.count + i + len(h.ring)) % len(h.ring)
		out = append(out, time.Duration(h.ring[at]))
	}
	return out
}

func square(x int64) exact.Wide { return exact.Product(uint64(x), uint64(x)) }
