package stat

import (
	"fmt"
	"math"
	"strings"

	"github.com/tenggat/tenggat/internal/exact"
)

// Estimate is what a set of replications says about one number.
type Estimate struct {
	Kind     string  // method: one of the Kind constants
	N        int     // values, infinite ones included (for Wilson: trials)
	Skipped  int     // values that were NaN and left out
	Infinite int     // values that were infinite
	Mean     float64 // the point: mean, difference, share or quantile; NaN without values
	SD       float64 // sample standard deviation of the values; NaN where the method has none
	Low      float64 // lower end of the interval; -Inf when nothing bounds it
	High     float64 // upper end of the interval; +Inf when nothing bounds it
	Half     float64 // half of High - Low
	Conf     float64 // wanted coverage of the interval, such as 0.95
	Note     string  // what a reader must know beside the numbers; "" for nothing
}

// Confidence is the coverage of every interval that the project prints.
const Confidence = 0.95

// The methods behind an Estimate.
const (
	KindT        = "t"               // MeanT
	KindPaired   = "paired t"        // Paired
	KindRatio    = "t of ratios"     // RatioT
	KindQuantile = "t of quantiles"  // QuantileT
	KindOrder    = "order statistic" // QuantileCI, MedianCI
	KindWilson   = "wilson"          // Wilson
	KindZero     = "rule of three"   // RuleOfThree
)

// MeanT is the mean of xs, one value per replication, with Student's t interval
//
//	mean ± t(1-α/2, n-1)·s/√n,  α = 1 - conf.
//
// NaN values (a metric that did not occur in a replication) are left out and
// counted in Skipped. With an infinite value there is no mean: the point is
// infinite, the interval is everything, and MedianCI is the estimate to print.
// A single value has the interval (-Inf, +Inf). A conf outside (0, 1) panics.
func MeanT(xs []float64, conf float64) Estimate { return studentT(KindT, xs, conf) }

// Paired is the mean of the differences b[r] - a[r] with its t interval at
// Confidence. Replication r of both has the same luck (common random numbers),
// so that what luck does to both cancels. When the lengths differ, as after
// sequential stopping, the replications that both have are compared.
func Paired(a, b []float64) Estimate {
	n := min(len(a), len(b))
	diffs := make([]float64, n)
	for i := range diffs {
		diffs[i] = b[i] - a[i]
	}
	e := studentT(KindPaired, diffs, Confidence)
	if len(a) != len(b) {
		e.note("compared on the %d replications that both have", n)
	}
	return e
}

// RatioT estimates a share or rate per job: the mean over replications of
// num[r]/den[r] with its t interval. Jobs within a replication share its faults
// and are not trials of their own, so that Wilson would be too narrow here. A
// replication with den 0 has no ratio and is skipped. Different lengths panic.
func RatioT(num, den []float64, conf float64) Estimate {
	if len(num) != len(den) {
		panic(fmt.Sprintf("stat: RatioT of %d numerators and %d denominators", len(num), len(den)))
	}
	ratios := make([]float64, len(num))
	for i := range ratios {
		ratios[i] = math.NaN()
		if den[i] != 0 {
			ratios[i] = num[i] / den[i]
		}
	}
	return studentT(KindRatio, ratios, conf)
}

// Straddles says that the interval has bound strictly inside, so that no
// comparison with it can be decided.
func (e Estimate) Straddles(bound float64) bool { return e.Low < bound && bound < e.High }

// String is the estimate on one line, for notes and failure messages.
func (e Estimate) String() string {
	s := fmt.Sprintf("%.6g [%.6g, %.6g] (%s, n = %d)", e.Mean, e.Low, e.High, e.Kind, e.N)
	if e.Note != "" {
		s += ": " + e.Note
	}
	return s
}

// note adds a remark.
func (e *Estimate) note(format string, args ...any) {
	e.Note = strings.TrimPrefix(e.Note+"; "+fmt.Sprintf(format, args...), "; ")
}

// newEstimate is an estimate that knows nothing yet.
func newEstimate(kind string, conf float64) Estimate {
	if !(conf > 0 && conf < 1) {
		panic(fmt.Sprintf("stat: confidence %v: want a share inside (0, 1), such as 0.95", conf))
	}
	return Estimate{
		Kind: kind, Conf: conf, Mean: math.NaN(), SD: math.NaN(),
		Low: math.Inf(-1), High: math.Inf(1), Half: math.Inf(1),
	}
}

// take returns the values of xs that are numbers, in their order, and counts
// and notes the others.
func (e *Estimate) take(xs []float64) []float64 {
	kept := make([]float64, 0, len(xs))
	for _, x := range xs {
		if math.IsNaN(x) {
			e.Skipped++
			continue
		}
		if math.IsInf(x, 0) {
			e.Infinite++
		}
		kept = append(kept, x)
	}
	e.N = len(kept)
	if e.Skipped > 0 {
		e.note("%d of %d replications have no value and are left out", e.Skipped, len(xs))
	}
	return kept
}

// studentT is the one t interval behind MeanT, Paired, RatioT and QuantileT.
func studentT(kind string, xs []float64, conf float64) Estimate {
	e := newEstimate(kind, conf)
	xs = e.take(xs)
	if e.N == 0 {
		return e
	}
	var sum float64
	for _, x := range xs {
		sum += x
	}
	e.Mean = sum / float64(e.N)
	if e.Infinite > 0 {
		e.note("%d of %d values are infinite: there is no mean, look at the median", e.Infinite, e.N)
		return e
	}
	if e.N == 1 {
		e.note("one replication has no interval")
		return e
	}
	var squares float64
	for _, x := range xs {
		d := x - e.Mean
		squares += float64(d * d)
	}
	e.SD = math.Sqrt(squares / float64(e.N-1))
	e.bound(e.halfT(e.N))
	return e
}

// halfT is the half-width that n values with this spread would have.
func (e Estimate) halfT(n int) float64 {
	return exact.TQuantile((1+e.Conf)/2, float64(n-1)) * e.SD / math.Sqrt(float64(n))
}

// bound puts the interval half to both sides of the point.
func (e *Estimate) bound(half float64) {
	e.Half, e.Low, e.High = half, e.Mean-half, e.Mean+half
}
