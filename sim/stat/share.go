package stat

import (
	"fmt"
	"math"

	"github.com/tenggat/tenggat/internal/exact"
)

// Wilson is the share k/n of n independent trials, with the score interval of
// E. B. Wilson (J. American Statistical Association 22, 1927, 209-212):
//
//	(p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n),  z = z(1-α/2).
//
// Trials are independent when each is a replication or an isolated crash. Jobs
// of one run are not; RatioT is for them. With n = 0 the interval is [0, 1].
// A k outside [0, n] panics.
func Wilson(k, n int, conf float64) Estimate {
	if k < 0 || k > n {
		panic(fmt.Sprintf("stat: Wilson of %d among %d trials", k, n))
	}
	e := newEstimate(KindWilson, conf)
	e.N, e.Low, e.High, e.Half = n, 0, 1, 0.5
	if n == 0 {
		e.note("no trials")
		return e
	}
	e.Mean = float64(k) / float64(n)
	e.Low, e.High = wilson(e.Mean, float64(n), conf)
	e.Half = (e.High - e.Low) / 2
	return e
}

// wilson is the interval around the share p of n trials. At p = 0 and p = 1 its
// outer end is exactly the share, which rounding would miss.
func wilson(p, n, conf float64) (low, high float64) {
	z := exact.NormQuantile((1 + conf) / 2)
	zz := float64(z * z)
	centre := p + zz/float64(2*n)
	spread := float64(z * math.Sqrt(float64(p*(1-p))/n+zz/float64(4*n*n)))
	scale := 1 + zz/n
	low, high = (centre-spread)/scale, (centre+spread)/scale
	if p == 0 {
		low = 0
	}
	if p == 1 {
		high = 1
	}
	return low, high
}

// RuleOfThree is the estimate of a rate when no event was seen in an exposure
// (replications, worker-days): the point is 0 and the 95 % upper bound is
// 3/exposure, since e^-3 is about 0.05 (Hanley and Lippman-Hand, J. American
// Medical Association 249, 1983, 1743-1745). No exposure gives no bound; a
// negative or NaN exposure panics.
func RuleOfThree(exposure float64) Estimate {
	if !(exposure >= 0) {
		panic(fmt.Sprintf("stat: RuleOfThree of an exposure of %v", exposure))
	}
	e := newEstimate(KindZero, Confidence)
	e.Mean, e.Low, e.High = 0, 0, 3/exposure
	e.Half = e.High / 2
	e.note("no event in an exposure of %.6g: the upper bound is 3/exposure", exposure)
	return e
}
