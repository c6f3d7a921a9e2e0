package stat

import (
	"fmt"
	"math"
)

// Precision is a rule for sequential stopping: run replications until the
// interval is narrow enough or the cap is reached.
type Precision struct {
	Within float64 // wanted half-width as a share of the mean, such as 0.02
	Max    int     // most replications
}

// firstLook is the number of replications before which a narrow interval is
// taken for luck: stopping at the first narrow one undercovers badly when the
// spread comes from a few values (Law, Simulation Modeling and Analysis, 5th
// ed. 2015, section 9.4.1, asks for about ten).
const firstLook = 10

// Enough says whether to stop after the replications of e, and why or why not
// yet, for the report. An estimate of 0 is never precise, since it has no
// relative half-width: it goes on to the cap.
func (p Precision) Enough(e Estimate) (stop bool, why string) {
	ran := e.N + e.Skipped
	relative := e.Half / math.Abs(e.Mean)
	if math.IsNaN(relative) || math.IsInf(e.Mean, 0) {
		relative = math.Inf(1)
	}
	width := "no relative half-width"
	if !math.IsInf(relative, 1) {
		width = fmt.Sprintf("half-width %.3g %% of the mean", float64(relative*100))
	}
	why = fmt.Sprintf("%s, wanted %.3g %%, after %d replications", width, float64(p.Within*100), ran)
	switch {
	case ran >= firstLook && relative <= p.Within:
		return true, why
	case ran >= p.Max:
		return true, fmt.Sprintf("cap of %d replications: %s", p.Max, why)
	}
	return false, why
}

// mostReplications bounds what NeededToDecide will ask for.
const mostReplications = 1_000_000_000

// NeededToDecide is about how many replications would bring the interval of e
// off bound, if mean and spread stayed as they are: e.N when it is off already,
// and 0 when no number up to a billion would do or when e has no interval to
// shrink.
func NeededToDecide(e Estimate, bound float64) int {
	if !e.Straddles(bound) {
		return e.N
	}
	if e.N < 2 || math.IsInf(e.Half, 1) || e.after(mostReplications).Straddles(bound) {
		return 0
	}
	low, high := e.N, mostReplications // straddles at low, does not at high
	for high-low > 1 {
		n := low + (high-low)/2
		if e.after(n).Straddles(bound) {
			low = n
		} else {
			high = n
		}
	}
	return high
}

// after is the estimate with its interval as n values with the same point and
// spread would give it: by the same formula for t and Wilson, by 1/n where no
// event has been seen, by 1/√n else.
func (e Estimate) after(n int) Estimate {
	switch e.Kind {
	case KindT, KindPaired, KindRatio, KindQuantile:
		e.bound(e.halfT(n))
	case KindWilson:
		e.Low, e.High = wilson(e.Mean, float64(n), e.Conf)
	case KindZero:
		e.High *= float64(e.N) / float64(n)
	default:
		shrink := math.Sqrt(float64(e.N) / float64(n))
		e.Low = e.Mean - float64((e.Mean-e.Low)*shrink)
		e.High = e.Mean + float64((e.High-e.Mean)*shrink)
	}
	return e
}
