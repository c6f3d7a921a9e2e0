package stat

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Histogram counts durations in nanoseconds, from 0 to MaxValue, in buckets
// whose width grows with the value: every octave [2^k, 2^(k+1)) is cut into
// 128 equal buckets, and everything below 256 ns has a bucket of its own.
//
// What is exact: Count, Min, Max, Mean and Variance (up to the rounding of the
// float64 returned) and therefore everything about values below 256 ns.
// What is not: Quantile, off by less than 1/256 (0.4 %) of the true sample
// quantile, and ShareOver, exact for a bound at most 1/128 (0.8 %) above the
// one asked for.
//
// The zero value is an empty histogram. Memory is 1 KiB per octave, taken when
// the octave gets its first value. The log-linear layout is that of Gil Tene's
// HdrHistogram.
type Histogram struct {
	count   int64
	min     int64
	max     int64
	sum     wide
	squares wide
	octaves [octaves]*[perOctave]int64
}

// MaxValue is the largest value a Histogram takes: 2^62 ns, about 146 years.
const MaxValue int64 = 1 << 62

const (
	octaveBits = 7
	perOctave  = 1 << octaveBits
	octaves    = 64 // MaxValue needs 57; a power of two saves the bounds check.
)

// Add counts one value in nanoseconds. A value outside [0, MaxValue] panics:
// no duration on the virtual clock can be one.
func (h *Histogram) Add(v int64) {
	hi, lo := bits.Mul64(uint64(v), uint64(v))
	h.place(v, 1)
	h.sum.add(wide{lo: uint64(v)})
	h.squares.add(wide{lo: lo, mid: hi})
}

// AddN counts the value v n times, in about the time of one Add. A negative n
// panics.
func (h *Histogram) AddN(v, n int64) {
	switch {
	case n < 0:
		panic(fmt.Sprintf("stat: Histogram.AddN(%d, %d): negative count", v, n))
	case n == 0:
		return
	}
	hi, lo := bits.Mul64(uint64(v), uint64(v))
	h.place(v, n)
	h.sum.add(times(0, uint64(v), uint64(n)))
	h.squares.add(times(hi, lo, uint64(n)))
}

// place is what Add and AddN share: everything but the sums, whose
// multiplications by n would cost Add a fifth of its time.
func (h *Histogram) place(v, n int64) {
	if uint64(v) > uint64(MaxValue) {
		panic(fmt.Sprintf("stat: Histogram got %d ns, want 0 to 2^62", v))
	}
	if h.count == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.count += n
	octave, slot := bucket(v)
	if h.octaves[octave] == nil {
		h.octaves[octave] = new([perOctave]int64)
	}
	h.octaves[octave][slot] += n
}

// Count is the number of values added.
func (h *Histogram) Count() int64 { return h.count }

// Min is the smallest value in ns, exact; 0 when there is none.
func (h *Histogram) Min() int64 { return h.min }

// Max is the largest value in ns, exact; 0 when there is none.
func (h *Histogram) Max() int64 { return h.max }

// Mean is the mean in ns, from an exact sum; NaN when there is no value.
func (h *Histogram) Mean() float64 {
	if h.count == 0 {
		return math.NaN()
	}
	return h.sum.over(uint64(h.count))
}

// Variance is the sample variance in ns² with divisor n-1, from exact sums and
// rounded once; NaN under two values.
func (h *Histogram) Variance() float64 {
	if h.count < 2 {
		return math.NaN()
	}
	n, sum := big.NewInt(h.count), h.sum.big()
	num := new(big.Int).Mul(n, h.squares.big())
	num.Sub(num, sum.Mul(sum, sum))
	den := new(big.Int).Mul(n, big.NewInt(h.count-1))
	v, _ := new(big.Rat).SetFrac(num, den).Float64()
	return v
}

// SD is the square root of Variance, in ns.
func (h *Histogram) SD() float64 { return math.Sqrt(h.Variance()) }

// Quantile is the p-quantile in ns, p in [0, 1]: the smallest value v such that
// at least the share p of all values is <= v, off by less than 1/256 of itself.
// Quantile(0) is Min and Quantile(1) is Max, both exact. NaN when there is no
// value; p outside [0, 1] panics.
func (h *Histogram) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("stat: Histogram.Quantile(%v): want a share in [0, 1]", p))
	}
	switch {
	case h.count == 0:
		return math.NaN()
	case p == 0:
		return float64(h.min)
	case p == 1:
		return float64(h.max)
	}
	left := rank(p, h.count)
	for octave, counts := range h.octaves {
		if counts == nil {
			continue
		}
		for slot, n := range counts {
			if left -= n; left <= 0 {
				return min(max(middle(octave, slot), float64(h.min)), float64(h.max))
			}
		}
	}
	panic(fmt.Sprintf("stat: Histogram of %d values has lost %d", h.count, left))
}

// ShareOver is the share of values above x ns: exact for some bound in
// [x, x·(1+1/128)), because values that share a bucket with x count as not
// above it. A heap of values at exactly x, such as a constant time-out, is
// therefore never taken for being over x. Below Min it is 1 and from Max on it
// is 0, exactly. NaN when there is no value.
func (h *Histogram) ShareOver(x int64) float64 {
	switch {
	case h.count == 0:
		return math.NaN()
	case x < h.min:
		return 1
	case x >= h.max:
		return 0
	}
	octave, slot := bucket(x)
	var over int64
	if counts := h.octaves[octave]; counts != nil {
		over = total(counts[slot+1:])
	}
	for _, counts := range h.octaves[octave+1:] {
		if counts != nil {
			over += total(counts[:])
		}
	}
	return float64(over) / float64(h.count)
}

// Merge adds all values of o. Merging is exact: the order and grouping of
// merges cannot be seen in the result.
func (h *Histogram) Merge(o *Histogram) {
	if o.count == 0 {
		return
	}
	if h.count == 0 || o.min < h.min {
		h.min = o.min
	}
	h.max = max(h.max, o.max)
	h.count += o.count
	h.sum.add(o.sum)
	h.squares.add(o.squares)
	for i, counts := range o.octaves {
		if counts == nil {
			continue
		}
		if h.octaves[i] == nil {
			h.octaves[i] = new([perOctave]int64)
		}
		for slot, n := range counts {
			h.octaves[i][slot] += n
		}
	}
}

// Reset forgets all values, as at the end of a warm-up, and keeps the memory.
func (h *Histogram) Reset() {
	kept := h.octaves
	*h = Histogram{octaves: kept}
	for _, counts := range kept {
		if counts != nil {
			*counts = [perOctave]int64{}
		}
	}
}

// bucket finds the place of v. Octave 0 holds 0..127 and octave k > 0 holds
// [2^(k+6), 2^(k+7)) in slots 2^(k-1) wide.
func bucket(v int64) (octave, slot uint) {
	octave = uint(bits.Len64(uint64(v)|(perOctave-1)) - octaveBits)
	shift := max(octave, 1) - 1
	return octave % octaves, uint(uint64(v)>>shift) % perOctave
}

// middle is the mean of the integers that share a bucket.
func middle(octave, slot int) float64 {
	if octave == 0 {
		return float64(slot)
	}
	width := int64(1) << (octave - 1)
	low := int64(perOctave+slot) * width
	return float64(low) + float64(float64(width-1)/2)
}

func total(counts []int64) int64 {
	var n int64
	for _, c := range counts {
		n += c
	}
	return n
}

// rank is the place, counted from 1, of the p-quantile among n sorted values:
// the smallest r with r/n >= p. The product p·n may round up past an integer
// (0.07·100), hence the second look.
func rank(p float64, n int64) int64 {
	r := int64(math.Ceil(p * float64(n)))
	if r > 1 && float64(r-1)/float64(n) >= p {
		r--
	}
	return min(max(r, 1), n)
}
