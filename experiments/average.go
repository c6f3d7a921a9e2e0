package experiments

import (
	"math"

	"github.com/tenggat/tenggat/sim/stat"
)

// average is the mean of xs, one value per replication, with its t interval.
// Values that differ by less than arithmetic can tell are one value: their mean
// is the first of them, and its interval has no width.
func average(xs []float64, confidence float64) stat.Estimate {
	e := stat.MeanT(xs, confidence)
	if e.N > 1 && e.SD <= noise*math.Abs(e.Mean) {
		for _, x := range xs {
			if !math.IsNaN(x) {
				e.Mean = x
				break
			}
		}
		e.SD, e.Half, e.Low, e.High = 0, 0, e.Mean, e.Mean
	}
	return e
}

// noise is the share of a value below which a difference is that of rounding:
// a few hundred operations on numbers of 53 bits.
const noise = 1e-13

// paired is the mean of b[r] - a[r] over the replications that both have. What
// is left of two equal values after rounding is no difference.
func paired(a, b []float64, confidence float64) stat.Estimate {
	differences := make([]float64, min(len(a), len(b)))
	for r := range differences {
		if d := b[r] - a[r]; !(math.Abs(d) <= noise*max(math.Abs(a[r]), math.Abs(b[r]))) {
			differences[r] = d
		}
	}
	return average(differences, confidence)
}

// known are the ends of an interval where there are any: one replication has
// none, nor has a mean of which some values are infinite.
func known(e stat.Estimate) (low, high float64) {
	if math.IsNaN(e.Mean) || math.IsInf(e.Low, -1) && math.IsInf(e.High, 1) {
		return math.NaN(), math.NaN()
	}
	return e.Low, e.High
}
