package dist

import (
	"math"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// law is a distribution on [0, +Inf], in nanoseconds. What is not known is NaN.
type law interface {
	draw(c exact.Chance) float64
	quantile(p float64) float64 // least x with cdf(x) >= p, for p on [0, 1]
	mean() float64              // expected value
	max() float64               // least upper bound
}

// openLaw is one that can still be mixed and capped.
type openLaw interface {
	law
	cdf(x float64) float64       // probability of at most x, for x >= 0
	limited(cap float64) float64 // expected value of min(X, cap)
}

// finite keeps a draw that overflows apart from forever, which is +Inf.
func finite(x float64) float64 { return math.Min(x, math.MaxFloat64) }

// constant is the law of one value, +Inf for forever.
type constant float64

func newConstant(d time.Duration) constant {
	if d == Forever {
		return constant(math.Inf(1))
	}
	return constant(d)
}

// duration is the value, kept under Forever if it is not forever.
func (k constant) duration() time.Duration {
	if float64(k) > math.MaxFloat64 {
		return Forever
	}
	return time.Duration(min(exact.RoundNs(float64(k)), math.MaxInt64-1))
}

func (k constant) draw(exact.Chance) float64   { return float64(k) }
func (k constant) quantile(float64) float64    { return float64(k) }
func (k constant) mean() float64               { return float64(k) }
func (k constant) limited(cap float64) float64 { return math.Min(float64(k), cap) }
func (k constant) max() float64                { return float64(k) }

func (k constant) cdf(x float64) float64 {
	if x < float64(k) {
		return 0
	}
	return 1
}

// uniform spreads evenly over [low, high), low < high.
type uniform struct{ low, high float64 }

func (l uniform) draw(c exact.Chance) float64 { return l.quantile(c.U01()) }
func (l uniform) quantile(p float64) float64  { return l.low + float64(p*(l.high-l.low)) }
func (l uniform) mean() float64               { return l.low + float64((l.high-l.low)/2) }
func (l uniform) max() float64                { return l.high }

func (l uniform) cdf(x float64) float64 {
	return math.Max(0, math.Min(1, (x-l.low)/(l.high-l.low)))
}

func (l uniform) limited(cap float64) float64 {
	x := math.Max(l.low, math.Min(l.high, cap))
	below := float64((l.low + float64((x-l.low)/2)) * l.cdf(x))
	return math.Min(cap, below+float64(x*(1-l.cdf(x))))
}

// exponential has the given mean: F(x) = 1 - e^(-x/mean).
type exponential struct{ average float64 }

// For a uniform u on the grid of U01, 1-u is exact, and Log(1-u) has the same
// bits as Log1p(-u) in half the time.
func (l exponential) draw(c exact.Chance) float64 { return float64(-l.average * exact.Log(1-c.U01())) }
func (l exponential) quantile(p float64) float64  { return float64(-l.average * exact.Log1p(-p)) }
func (l exponential) cdf(x float64) float64       { return -exact.Expm1(-x / l.average) }
func (l exponential) mean() float64               { return l.average }
func (l exponential) limited(cap float64) float64 { return float64(l.average * l.cdf(cap)) }
func (l exponential) max() float64                { return math.Inf(1) }

// weibull has F(x) = 1 - e^(-(x/scale)^shape).
type weibull struct{ scale, shape float64 }

func (l weibull) draw(c exact.Chance) float64 {
	return finite(l.at(-exact.Log(1 - c.U01())))
}

func (l weibull) quantile(p float64) float64 { return l.at(-exact.Log1p(-p)) }

// at is the time at which the cumulated hazard is h.
func (l weibull) at(h float64) float64 {
	return float64(l.scale * exact.Exp(exact.Log(h)/l.shape))
}

// hazard is (x/scale)^shape.
func (l weibull) hazard(x float64) float64 {
	return exact.Exp(float64(l.shape * exact.Log(x/l.scale)))
}

func (l weibull) cdf(x float64) float64 { return -exact.Expm1(-l.hazard(x)) }
func (l weibull) max() float64          { return math.Inf(1) }

func (l weibull) mean() float64 {
	return float64(l.scale * exact.Exp(exact.LogGamma(1+1/l.shape)))
}

func (l weibull) limited(cap float64) float64 {
	h := l.hazard(cap)
	return float64(l.mean()*exact.GammaCDF(h, 1+1/l.shape)) + float64(cap*exact.Exp(-h))
}

// pareto has F(x) = 1 - (least/x)^shape from least on (Pareto, type I).
type pareto struct{ least, shape float64 }

func (l pareto) draw(c exact.Chance) float64 {
	return finite(l.at(-exact.Log(1 - c.U01())))
}

func (l pareto) quantile(p float64) float64 { return l.at(-exact.Log1p(-p)) }

// at is the time at which the cumulated hazard is h.
func (l pareto) at(h float64) float64 {
	return float64(l.least * exact.Exp(h/l.shape))
}

func (l pareto) max() float64 { return math.Inf(1) }

func (l pareto) cdf(x float64) float64 {
	if x <= l.least {
		return 0
	}
	return -exact.Expm1(float64(-l.shape * exact.Log(x/l.least)))
}

func (l pareto) mean() float64 {
	if l.shape <= 1 {
		return math.Inf(1)
	}
	return float64(l.least * (l.shape / (l.shape - 1)))
}

// limited is the integral of 1-F up to the cap; shape 1 is its limit.
func (l pareto) limited(cap float64) float64 {
	if cap <= l.least {
		return cap
	}
	log := exact.Log(cap / l.least)
	if l.shape == 1 {
		return l.least + float64(l.least*log)
	}
	return l.least - float64(l.least*exact.Expm1(float64((1-l.shape)*log)))/(l.shape-1)
}

// gamma has the density x^(shape-1) e^(-x/scale), up to a factor.
type gamma struct{ scale, shape float64 }

func (l gamma) draw(c exact.Chance) float64 { return finite(l.quantile(c.U01())) }
func (l gamma) quantile(p float64) float64  { return float64(l.scale * exact.GammaQuantile(p, l.shape)) }
func (l gamma) cdf(x float64) float64       { return exact.GammaCDF(x/l.scale, l.shape) }
func (l gamma) mean() float64               { return float64(l.scale * l.shape) }
func (l gamma) max() float64                { return math.Inf(1) }

func (l gamma) limited(cap float64) float64 {
	below := float64(l.mean() * exact.GammaCDF(cap/l.scale, l.shape+1))
	return below + float64(cap*(1-l.cdf(cap)))
}
