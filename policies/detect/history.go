package detect

import (
	"math"
	"math/bits"
	"time"
)

// history is the newest intervals between beats, with their exact sum and sum
// of squares: nothing drifts however long it runs, and an interval that
// leaves the window takes away exactly what it brought.
type history struct {
	ring    []int64 // nanoseconds
	next    int     // where the next interval goes
	count   int
	sum     int64
	squares wide
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
		h.squares = h.squares.minus(square(old))
	} else {
		h.count++
	}
	h.ring[h.next] = x
	h.next = (h.next + 1) % len(h.ring)
	h.sum += x
	h.squares = h.squares.plus(square(x))
}

// fit is the mean and the population standard deviation, in nanoseconds.
func (h *history) fit() Fit {
	n := float64(h.count)
	// n²·variance = n·Σx² − (Σx)², in integers.
	spread := h.squares.times(uint64(h.count)).minus(square(h.sum))
	return Fit{Mean: float64(h.sum) / n, SD: math.Sqrt(spread.float()) / n}
}

// list appends the intervals to out, oldest first.
func (h *history) list(out []time.Duration) []time.Duration {
	for i := range h.count {
		at := (h.next - h.count + i + len(h.ring)) % len(h.ring)
		out = append(out, time.Duration(h.ring[at]))
	}
	return out
}

// wide is an unsigned integer of 128 bits.
type wide struct{ hi, lo uint64 }

func square(x int64) wide {
	hi, lo := bits.Mul64(uint64(x), uint64(x))
	return wide{hi, lo}
}

func (a wide) plus(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return wide{hi, lo}
}

func (a wide) minus(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return wide{hi, lo}
}

func (a wide) times(n uint64) wide {
	hi, lo := bits.Mul64(a.lo, n)
	return wide{hi + a.hi*n, lo}
}

func (a wide) float() float64 { return float64(float64(a.hi)*0x1p64) + float64(a.lo) }
