package stat

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// MinSamples is the number of values that a replication needs before its
// quantile counts as an estimate.
const MinSamples = 1000

// ErrFewSamples says that a quantile was refused because a replication has
// fewer than MinSamples values. A longer run is the remedy.
var ErrFewSamples = errors.New("too few samples for a quantile")

// QuantileT is the mean, with its t interval, of one quantile per replication;
// samples[r] is the number of values behind quantiles[r]. A quantile of few
// values is biased, and averaging replications does not mend a bias, so that it
// returns ErrFewSamples when any replication has fewer than MinSamples.
// Different lengths panic.
func QuantileT(quantiles []float64, samples []int64, conf float64) (Estimate, error) {
	if len(quantiles) != len(samples) {
		panic(fmt.Sprintf("stat: QuantileT of %d quantiles and %d sample counts", len(quantiles), len(samples)))
	}
	for r, n := range samples {
		if n < MinSamples {
			return Estimate{}, fmt.Errorf("%w: replication %d has %d, want %d; make the run longer", ErrFewSamples, r, n, MinSamples)
		}
	}
	return studentT(KindQuantile, quantiles, conf), nil
}

// MedianCI is QuantileCI at one half: what to print of a metric that may be
// infinite, such as the time to drain.
func MedianCI(xs []float64, conf float64) Estimate { return QuantileCI(xs, 0.5, conf) }

// QuantileCI is the p-quantile, 0 < p < 1, of xs over replications, with the
// interval between two order statistics that needs no assumption about the
// distribution (David and Nagaraja, Order Statistics, 3rd ed. 2003, section
// 7.1): with B binomial(n, p), the ends are the r-th and s-th smallest value,
// r the largest with P(B < r) <= α/2 and s the smallest with P(B >= s) <= α/2.
// Where no such order statistic exists that end is infinite; a median at 95 %
// needs 6 values. Infinite values are values like others here, NaN are left
// out. The point is the value of rank n·p rounded up, or the mean of the ranks
// n·p and n·p+1 when n·p is whole.
func QuantileCI(xs []float64, p, conf float64) Estimate {
	if !(p > 0 && p < 1) {
		panic(fmt.Sprintf("stat: QuantileCI at %v: want a share inside (0, 1)", p))
	}
	e := newEstimate(KindOrder, conf)
	sorted := e.take(xs)
	slices.Sort(sorted)
	if e.N == 0 {
		return e
	}
	r := int(rank(p, int64(e.N)))
	e.Mean = sorted[r-1]
	if float64(r)/float64(e.N) == p && sorted[r] != e.Mean {
		e.Mean = (e.Mean + sorted[r]) / 2
	}
	low, high := orderRanks(e.N, p, conf)
	if low >= 1 {
		e.Low = sorted[low-1]
	}
	if high <= e.N {
		e.High = sorted[high-1]
	}
	if low < 1 || high > e.N {
		e.note("%d values are too few for a two-sided interval", e.N)
	}
	e.Half = (e.High - e.Low) / 2
	if e.High == e.Low {
		e.Half = 0 // Also when both are infinite.
	}
	return e
}

// orderRanks finds the ranks of QuantileCI; 0 and n+1 stand for no bound. The
// binomial terms are big.Float because (1-p)^n leaves the range of float64 at
// n = 1075 already for the median, and because its arithmetic is the same
// everywhere.
func orderRanks(n int, p, conf float64) (low, high int) {
	const prec = 256
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	tail := num((1 - conf) / 2)
	q := num(1)
	q.Sub(q, num(p))
	term := num(1) // P(B = k), from k = 0 on
	for range n {
		term.Mul(term, q)
	}
	odds := num(p)
	odds.Quo(odds, q)

	below := num(0) // P(B < k)
	rest := num(1)  // P(B >= k)
	high = n + 1
	for k := 0; k <= n; k++ {
		if below.Cmp(tail) <= 0 {
			low = k
		}
		if rest.Cmp(tail) <= 0 {
			return low, k
		}
		below.Add(below, term)
		rest.Sub(rest, term)
		term.Mul(term, odds)
		term.Mul(term, num(float64(n-k)))
		term.Quo(term, num(float64(k+1)))
	}
	return low, high
}
