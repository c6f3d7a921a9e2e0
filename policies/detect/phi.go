package detect

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// Fit is a distribution of the time between beats: the mean and the standard
// deviation in nanoseconds. For PhiNormal and PhiLogistic both count; an
// exponential distribution has but its mean.
type Fit struct{ Mean, SD float64 }

// Phi is how surprising a silence is: −log10 of the chance that the next beat
// takes longer. Hayashibara, Défago, Yared and Katayama, "The φ accrual
// failure detector", SRDS 2004, eq. 1.
func Phi(kind Kind, silence time.Duration, fit Fit) float64 {
	return scale(kind, 0, fit).phi(silence)
}

// Crossing is the first whole nanosecond of silence whose Phi is at least
// level: Phi(Crossing) ≥ level > Phi(Crossing−1ns). A level that the fit's
// own silence of zero reaches is crossed at 0.
func Crossing(kind Kind, level float64, fit Fit) time.Duration {
	return scale(kind, 0, fit).crossing(level, standardised(kind, level))
}

// suspect turns a silence t into phi by y = (t − shift)/unit and the kind's
// tail of y.
type suspect struct {
	kind        Kind
	shift, unit float64 // nanoseconds
}

func scale(kind Kind, allowance time.Duration, fit Fit) suspect {
	if kind == PhiExponential {
		return suspect{kind, float64(allowance), max(fit.Mean, 1)}
	}
	return suspect{kind, fit.Mean + float64(allowance), max(fit.SD, 1)}
}

func (s suspect) phi(silence time.Duration) float64 {
	return tail(s.kind, (float64(silence)-s.shift)/s.unit)
}

// crossing starts from shift + y·unit, which is wrong by rounding only: it
// steps away by doubling until the first nanosecond lies between, then halves.
func (s suspect) crossing(level, y float64) time.Duration {
	guess := max(0, math.Ceil(s.shift+float64(y*s.unit)))
	if guess >= 1<<62 {
		return math.MaxInt64
	}
	above := time.Duration(guess) // the last place seen where phi ≥ level
	below := above - 1            // the last place seen where phi < level
	for step := time.Duration(1); s.phi(above) < level; step *= 2 {
		below, above = above, above+step
	}
	for step := time.Duration(1); below >= 0 && s.phi(below) >= level; step *= 2 {
		below, above = below-step, below
	}
	below = max(below, -1)
	for above-below > 1 {
		middle := below + (above-below)/2
		if s.phi(middle) >= level {
			above = middle
		} else {
			below = middle
		}
	}
	return above
}

// tail is −log10 P(Y > y) of the kind's standard distribution.
func tail(kind Kind, y float64) float64 {
	switch kind {
	case PhiNormal:
		return -exact.Log(0.5*exact.Erfc(y/math.Sqrt2)) / math.Ln10
	case PhiLogistic:
		// P = e/(1+e) with e = exp(−x), so −ln P = ln(1+exp(x)). Akka,
		// PhiAccrualFailureDetector; the polynomial is Page's (1977).
		x := float64(y * (1.5976 + float64(0.070566*float64(y*y))))
		if x > 0 {
			return (x + exact.Log1p(exact.Exp(-x))) / math.Ln10
		}
		return exact.Log1p(exact.Exp(x)) / math.Ln10
	case PhiExponential:
		return max(y, 0) / math.Ln10
	}
	panic(fmt.Sprintf("detect: kind %v has no phi", kind))
}

// standardised is the y at which the kind's tail reaches level, by halving
// down to neighbouring floats.
func standardised(kind Kind, level float64) float64 {
	low, high := -40.0, 1e3
	for {
		middle := low + float64((high-low)/2)
		if middle <= low || middle >= high {
			return high
		}
		if tail(kind, middle) >= level {
			high = middle
		} else {
			low = middle
		}
	}
}
