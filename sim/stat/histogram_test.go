package stat

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// shapes are samples that a run may produce: wide, narrow, with heaps on single
// values, tiny, and at the end of the range.
func shapes() map[string][]int64 {
	c := exact.NewChance(7, 0)
	draw := func(n int, value func() int64) []int64 {
		vs := make([]int64, n)
		for i := range vs {
			vs[i] = value()
		}
		return vs
	}
	return map[string][]int64{
		"one":     {1_000_000_007},
		"zeros":   make([]int64, 10),
		"exact":   draw(500, func() int64 { return int64(c.Uint64() % 256) }),
		"decades": draw(20_000, func() int64 { return int64(c.Uint64() >> (2 + c.Uint64()%62)) }),
		"second":  draw(5_000, func() int64 { return 1e9 + int64(c.Uint64()%1e9) }),
		"atoms":   draw(3_000, func() int64 { return int64(c.Uint64()%4) * 30e9 }),
		"top":     draw(100, func() int64 { return MaxValue - int64(c.Uint64()%1000) }),
	}
}

func TestHistogramAgainstSortedSamples(t *testing.T) {
	for name, vs := range shapes() {
		t.Run(name, func(t *testing.T) {
			var h Histogram
			for _, v := range vs {
				h.Add(v)
			}
			sorted := slices.Clone(vs)
			slices.Sort(sorted)
			n := len(sorted)
			if h.Count() != int64(n) || h.Min() != sorted[0] || h.Max() != sorted[n-1] {
				t.Errorf("count, min, max = %d, %d, %d; want %d, %d, %d", h.Count(), h.Min(), h.Max(), n, sorted[0], sorted[n-1])
			}
			mean, variance := slowMoments(vs)
			// Two roundings of the quotient: within two units in the last place.
			if got := h.Mean(); math.Abs(got-mean) > 2*mean*0x1p-53 {
				t.Errorf("mean = %v, want %v", got, mean)
			}
			if got := h.Variance(); n > 1 && got != variance {
				t.Errorf("variance = %v, want %v", got, variance)
			}
			for _, p := range []float64{0, 0.001, 0.07, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
				want := float64(slowQuantile(sorted, p))
				if got := h.Quantile(p); math.Abs(got-want) > want/256 {
					t.Errorf("quantile %v = %v, want %v within 1/256", p, got, want)
				}
			}
			for i := 0; i < n; i += max(1, n/50) {
				for _, x := range []int64{sorted[i] - 1, sorted[i], sorted[i] + 1} {
					low, high := slowShareOver(sorted, x+x/128), slowShareOver(sorted, x)
					if got := h.ShareOver(x); got < low || got > high {
						t.Errorf("share over %d = %v, want between %v and %v", x, got, low, high)
					}
				}
			}
		})
	}
}

// slowMoments is mean and sample variance by rational arithmetic.
func slowMoments(vs []int64) (mean, variance float64) {
	n := big.NewRat(int64(len(vs)), 1)
	sum := new(big.Rat)
	for _, v := range vs {
		sum.Add(sum, big.NewRat(v, 1))
	}
	m := new(big.Rat).Quo(sum, n)
	squares := new(big.Rat)
	for _, v := range vs {
		d := new(big.Rat).Sub(big.NewRat(v, 1), m)
		squares.Add(squares, d.Mul(d, d))
	}
	mean, _ = m.Float64()
	if len(vs) > 1 {
		variance, _ = squares.Quo(squares, big.NewRat(int64(len(vs)-1), 1)).Float64()
	}
	return mean, variance
}

// slowQuantile walks up until the share p is reached.
func slowQuantile(sorted []int64, p float64) int64 {
	for i, v := range sorted {
		if float64(i+1)/float64(len(sorted)) >= p {
			return v
		}
	}
	return sorted[len(sorted)-1]
}

func slowShareOver(sorted []int64, x int64) float64 {
	var over int
	for _, v := range sorted {
		if v > x {
			over++
		}
	}
	return float64(over) / float64(len(sorted))
}

// Every value must lie in the bucket it is put in, buckets must follow each
// other without gap, and the reported middle must keep the promised error.
func TestBuckets(t *testing.T) {
	values := []int64{0, 1, 126, 127, 128, 129, 254, 255, 256, 257, MaxValue - 1, MaxValue}
	for k := 8; k < 62; k++ {
		values = append(values, 1<<k-1, 1<<k, 1<<k+1)
	}
	slices.Sort(values)
	last := -1
	for _, v := range values {
		octave, slot := bucket(v)
		place := int(octave)*perOctave + int(slot)
		if place < last {
			t.Errorf("bucket of %d comes before that of a smaller value", v)
		}
		last = place
		got := middle(int(octave), int(slot))
		if err := math.Abs(got - float64(v)); err > float64(v)/256 || v < 256 && err != 0 {
			t.Errorf("middle of the bucket of %d = %v", v, got)
		}
	}
	for v := int64(0); v < 1<<14; v++ { // Neighbours share a bucket or follow each other.
		o1, s1 := bucket(v)
		o2, s2 := bucket(v + 1)
		if step := (o2*perOctave + s2) - (o1*perOctave + s1); step > 1 {
			t.Fatalf("from %d to %d the bucket moves by %d", v, v+1, step)
		}
	}
}

// A heap on a constant time-out must not be counted as over it, though all its
// bucket's neighbours are.
func TestShareOverAtAConstant(t *testing.T) {
	var h Histogram
	h.AddN(1e9, 10)
	h.AddN(30e9, 60)
	h.AddN(60e9, 30)
	for _, row := range []struct {
		x    int64
		want float64
	}{{0, 1}, {1e9 - 1, 1}, {1e9, 0.9}, {29e9, 0.9}, {30e9, 0.3}, {60e9 - 1e9, 0.3}, {60e9, 0}, {MaxValue, 0}} {
		if got := h.ShareOver(row.x); got != row.want {
			t.Errorf("share over %d = %v, want %v", row.x, got, row.want)
		}
	}
}

func TestHistogramMergesExactly(t *testing.T) {
	var all, left, right, merged Histogram
	for i, v := range shapes()["decades"] {
		all.Add(v)
		if i%3 == 0 {
			left.Add(v)
		} else {
			right.Add(v)
		}
	}
	merged.Merge(&Histogram{})
	merged.Merge(&right)
	merged.Merge(&left)
	if !reflect.DeepEqual(merged, all) {
		t.Error("merged parts differ from the whole")
	}
}

func TestAddNIsNAdds(t *testing.T) {
	var once, many Histogram
	for _, v := range []int64{0, 255, 1e9, MaxValue} {
		once.AddN(v, 1000)
		for range 1000 {
			many.Add(v)
		}
	}
	once.AddN(17, 0)
	if !reflect.DeepEqual(once, many) {
		t.Error("AddN(v, 1000) differs from 1000 times Add(v)")
	}
}

// 2^40 values of 2^62 ns: the sum needs 103 bits and the squares 165.
func TestHistogramDoesNotOverflow(t *testing.T) {
	var h Histogram
	h.AddN(MaxValue, 1<<40)
	h.AddN(0, 1<<40)
	if got, want := h.Mean(), 0x1p61; got != want {
		t.Errorf("mean = %v, want %v", got, want)
	}
	n := 0x1p41
	if got, want := h.Variance(), 0x1p122*(n/(n-1)); got != want {
		t.Errorf("variance = %v, want %v", got, want)
	}
}

func TestHistogramEmptyAndReset(t *testing.T) {
	var h Histogram
	check := func(when string) {
		t.Helper()
		for i, v := range []float64{h.Mean(), h.Variance(), h.SD(), h.Quantile(0.5), h.ShareOver(1)} {
			if !math.IsNaN(v) {
				t.Errorf("%s: figure %d of no values is %v, want NaN", when, i, v)
			}
		}
		if h.Count() != 0 || h.Min() != 0 || h.Max() != 0 {
			t.Errorf("%s: count, min, max = %d, %d, %d", when, h.Count(), h.Min(), h.Max())
		}
	}
	check("new")
	h.Add(5e9)
	h.Reset()
	check("reset")
	h.Add(7e9)
	if h.Min() != 7e9 || h.Quantile(0.5) != 7e9 {
		t.Errorf("after reset and 7 s: min %d, median %v", h.Min(), h.Quantile(0.5))
	}
}

func TestHistogramRefuses(t *testing.T) {
	var h Histogram
	for name, misuse := range map[string]func(){
		"negative":  func() { h.Add(-1) },
		"too large": func() { h.Add(MaxValue + 1) },
		"count":     func() { h.AddN(1, -1) },
		"p low":     func() { h.Quantile(-0.1) },
		"p NaN":     func() { h.Quantile(math.NaN()) },
	} {
		wantPanic(t, name, misuse)
	}
	if h.Count() != 0 || h.Mean() == 0 {
		t.Error("a refused value was counted")
	}
}

// wantPanic runs misuse and expects it to panic in this package's name.
func wantPanic(t *testing.T, name string, misuse func()) {
	t.Helper()
	defer func() {
		if msg := fmt.Sprint(recover()); len(msg) < 6 || msg[:6] != "stat: " {
			t.Errorf("%s: panic %q, want one that begins with the package name", name, msg)
		}
	}()
	misuse()
}

// 0.07·100 is a little above 7 in float64; the rank must be 7 all the same.
func TestRank(t *testing.T) {
	for _, row := range []struct {
		p    float64
		n    int64
		want int64
	}{{0.07, 100, 7}, {0.29, 100, 29}, {0.5, 1, 1}, {0.5, 2, 1}, {0.5, 3, 2}, {0.95, 20, 19}, {0.99, 1000, 990}, {1e-9, 5, 1}, {0.999, 5, 5}} {
		if got := rank(row.p, row.n); got != row.want {
			t.Errorf("rank(%v, %d) = %d, want %d", row.p, row.n, got, row.want)
		}
	}
}
