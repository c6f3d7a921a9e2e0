package stat

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tenggat/tenggat/internal/exact"
)

// Ranks of the 95 % interval for a median, as in any table of the sign test. By
// hand for n = 10: P(B < 2) = 11/1024 is under 0.025 and P(B < 3) = 56/1024 is
// not, so that the ends are the 2nd smallest and the 2nd largest. For n = 5
// already P(B < 1) = 1/32 is too much.
func TestOrderRanksOfTheMedian(t *testing.T) {
	for _, row := range []struct{ n, low, high int }{
		{1, 0, 2}, {5, 0, 6}, {6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9},
		{15, 4, 12}, {20, 6, 15}, {30, 10, 21}, {50, 18, 33}, {100, 40, 61},
	} {
		if low, high := orderRanks(row.n, 0.5, 0.95); low != row.low || high != row.high {
			t.Errorf("n = %d: ranks %d and %d, want %d and %d", row.n, low, high, row.low, row.high)
		}
	}
}

func TestOrderRanksAgainstGonum(t *testing.T) {
	for _, p := range []float64{0.1, 0.5, 0.9, 0.99} {
		for _, n := range []int{7, 40, 150, 1200} {
			b := distuv.Binomial{N: float64(n), P: p}
			low, high := orderRanks(n, p, 0.95)
			below := func(k int) float64 { return b.CDF(float64(k - 1)) } // P(B < k)
			if low > 0 && below(low) > 0.025 || low < n && below(low+1) <= 0.025 {
				t.Errorf("n = %d, p = %v: lower rank %d is not the largest", n, p, low)
			}
			if high <= n && 1-below(high) > 0.025 || high > 1 && 1-below(high-1) <= 0.025 {
				t.Errorf("n = %d, p = %v: upper rank %d is not the smallest", n, p, high)
			}
		}
	}
}

func TestMedianOfWhatMayBeInfinite(t *testing.T) {
	xs := []float64{4, inf, 1, 3, inf, 2, 5, 6, 8, 7} // Ranks 2 and 9 of 10.
	e := MedianCI(xs, 0.95)
	if e.Mean != 5.5 || e.Low != 2 || !math.IsInf(e.High, 1) || e.Infinite != 2 || e.N != 10 || e.Note != "" {
		t.Errorf("got %+v", e)
	}
	if e := MedianCI([]float64{inf, inf, 1, inf, nan}, 0.95); !math.IsInf(e.Mean, 1) || e.Skipped != 1 || e.N != 4 {
		t.Errorf("mostly infinite: got %+v", e)
	}
	if e := MedianCI([]float64{inf, inf, inf, inf, inf, inf}, 0.95); e.Low != inf || e.High != inf || e.Half != 0 {
		t.Errorf("all infinite: got %+v", e)
	}
	if e := MedianCI([]float64{3, 1, 2}, 0.95); e.Mean != 2 || e.Low != -inf || e.High != inf || e.Note == "" {
		t.Errorf("three values: got %+v", e)
	}
	if e := MedianCI(nil, 0.95); !math.IsNaN(e.Mean) || e.N != 0 {
		t.Errorf("no values: got %+v", e)
	}
	wantPanic(t, "p", func() { QuantileCI(xs, 1, 0.95) })
}

func TestQuantileCILeavesItsInputAlone(t *testing.T) {
	xs := []float64{3, 1, 2}
	MedianCI(xs, 0.95)
	if xs[0] != 3 || xs[1] != 1 || xs[2] != 2 {
		t.Errorf("the values are now %v", xs)
	}
}

// The order statistic interval covers at least as often as it says, for a
// skewed distribution too: exponential values, median ln 2, n = 25. Its exact
// coverage at ranks 8 and 18 is 0.9567; 10,000 trials err by 0.002.
func TestCoverageOfTheMedian(t *testing.T) {
	const trials = 10_000
	c := exact.NewChance(29, 0)
	xs := make([]float64, 25)
	var covered int
	for range trials {
		for i := range xs {
			xs[i] = -exact.Log(c.Open01())
		}
		if e := MedianCI(xs, 0.95); e.Low <= math.Ln2 && math.Ln2 <= e.High {
			covered++
		}
	}
	if got := float64(covered) / trials; !near(got, 0.9567, 4*0.002) {
		t.Errorf("covered %v of the time, want 0.9567", got)
	}
}

func TestQuantileTRefusesFewSamples(t *testing.T) {
	quantiles := []float64{1, 2, 3}
	if _, err := QuantileT(quantiles, []int64{1000, 999, 5000}, 0.95); !errors.Is(err, ErrFewSamples) {
		t.Errorf("999 samples: error %v, want ErrFewSamples", err)
	}
	e, err := QuantileT(quantiles, []int64{1000, 1000, 5000}, 0.95)
	if err != nil || e.Mean != 2 || e.SD != 1 || e.Kind != KindQuantile {
		t.Errorf("got %+v, %v", e, err)
	}
	wantPanic(t, "lengths", func() { _, _ = QuantileT(quantiles, nil, 0.95) })
}
