package dist

import (
	"math"

	"github.com/tenggat/tenggat/internal/exact"
)

// leastU stands in for a uniform draw of exactly 0, whose normal quantile is
// infinite; it is half the step of U01.
const leastU = 0x1p-54

// normal is the absolute value of a normal variable with this mean and
// standard deviation.
type normal struct{ center, sd float64 }

func (l normal) draw(c exact.Chance) float64 {
	z := exact.NormQuantile(math.Max(c.U01(), leastU))
	return math.Abs(l.center + float64(l.sd*z))
}

func (l normal) quantile(p float64) float64 {
	return invert(l, p, 0, l.center+float64(40*l.sd))
}

func (l normal) cdf(x float64) float64 {
	return exact.NormCDF((x-l.center)/l.sd) - exact.NormCDF(-(x+l.center)/l.sd)
}

func (l normal) mean() float64 {
	t := l.center / l.sd
	return float64(l.sd * (normIntegral(t) + normIntegral(-t)))
}

// limited integrates P(X > x) + P(X < -x) from 0 to the cap.
func (l normal) limited(cap float64) float64 {
	t := l.center / l.sd
	c := cap / l.sd
	return float64(l.sd * (normIntegral(t) - normIntegral(t-c) + normIntegral(-t) - normIntegral(-t-c)))
}

func (l normal) max() float64 { return math.Inf(1) }

// normIntegral is the integral of the normal distribution function up to t.
func normIntegral(t float64) float64 {
	return float64(t*exact.NormCDF(t)) + float64(exact.Exp(-float64(t*t)/2)/math.Sqrt(2*math.Pi))
}

// lognormal is the median times e to a normal variable with mean 0 and
// deviation sigma.
type lognormal struct{ median, sigma float64 }

func (l lognormal) draw(c exact.Chance) float64 {
	return finite(l.quantile(math.Max(c.U01(), leastU)))
}

func (l lognormal) quantile(p float64) float64 {
	return float64(l.median * exact.Exp(float64(l.sigma*exact.NormQuantile(p))))
}

// z is where x lies on the normal scale.
func (l lognormal) z(x float64) float64 { return exact.Log(x/l.median) / l.sigma }

func (l lognormal) cdf(x float64) float64 {
	return exact.NormCDF(l.z(x))
}

func (l lognormal) mean() float64 {
	return float64(l.median * exact.Exp(float64(l.sigma*l.sigma)/2))
}

func (l lognormal) limited(cap float64) float64 {
	z := l.z(cap)
	return float64(l.mean()*exact.NormCDF(z-l.sigma)) + float64(cap*exact.NormCDF(-z))
}

func (l lognormal) max() float64 { return math.Inf(1) }
