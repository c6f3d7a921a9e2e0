package dist

import (
	"errors"
	"math"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// Dist is a distribution of times that are never negative. The zero Dist is
// the constant 0s.
type Dist struct {
	fixed time.Duration // the value of a constant
	law   law           // nil for a constant
	text  string        // canonical, empty for a constant
}

// ErrNoQuantile says that a distribution has no known quantiles: it adds up
// several random terms.
var ErrNoQuantile = errors.New("dist: no quantile is known for a sum of several random terms")

// Constant is the distribution that always gives d. It panics if d is negative.
func Constant(d time.Duration) Dist {
	if d < 0 {
		panic("dist: Constant(" + d.String() + ") is negative")
	}
	return Dist{fixed: d}
}

// Draw gives a time from 0 to just under Forever, rounded to the nanosecond.
// Only where the text itself says forever does it give Forever.
func (d *Dist) Draw(c exact.Chance) time.Duration {
	if d.law == nil {
		return d.fixed
	}
	return constant(d.law.draw(c)).duration()
}

// Mean is the expected time in seconds; +Inf if it has none (a Pareto shape up
// to 1, forever), NaN if it is not known (a cap on a sum of several random
// terms).
func (d *Dist) Mean() float64 {
	return seconds(d.or().mean())
}

// MeanDuration is the mean to the nearest nanosecond, Forever if there is none;
// 0 if it is not known.
func (d *Dist) MeanDuration() time.Duration {
	if d.law == nil {
		return d.fixed
	}
	mean := d.law.mean()
	if mean != mean {
		return 0
	}
	return time.Duration(exact.RoundNs(mean))
}

// Quantile is the least time in seconds that a draw stays within with
// probability p or more. It is NaN for a p outside [0, 1]. The error is
// ErrNoQuantile or nil.
func (d *Dist) Quantile(p float64) (float64, error) {
	if !(p >= 0 && p <= 1) {
		return math.NaN(), nil
	}
	x := d.or().quantile(p)
	if x != x {
		return x, ErrNoQuantile
	}
	return seconds(x), nil
}

// Max is the least upper bound of the draws in seconds, +Inf if there is none.
func (d *Dist) Max() float64 {
	return seconds(d.or().max())
}

// IsConstant tells whether every draw is the same, and which.
func (d *Dist) IsConstant() (time.Duration, bool) {
	return d.fixed, d.law == nil
}

// String is a text that Parse reads back as the same distribution.
func (d *Dist) String() string {
	if d.law == nil {
		return formatDuration(d.fixed)
	}
	return d.text
}

// or is the law of d, also where d is a constant.
func (d *Dist) or() law {
	if d.law == nil {
		return newConstant(d.fixed)
	}
	return d.law
}

func seconds(ns float64) float64 { return ns / 1e9 }
