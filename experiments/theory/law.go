package theory

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Law is the distribution of a positive time. In a file it is text:
// "exp MEAN", "constant D", "gamma mean M shape K", "lognormal mean M cv2 C" or
// "lognormal median M sigma S", without units, in seconds.
type Law struct{ positive }

// positive is what the formulas ask of a distribution.
type positive interface {
	CDF(x float64) float64
	Survival(x float64) float64
	Mean() float64
	Variance() float64
}

// Exponential is the exponential law with the given mean.
func Exponential(mean float64) Law { return Law{distuv.Exponential{Rate: 1 / mean}} }

// Lognormal has the given mean and squared coefficient of variation: the
// logarithm is normal with σ² = ln(1+cv2) and μ = ln(mean) − σ²/2.
func Lognormal(mean, cv2 float64) Law {
	sigma := math.Sqrt(math.Log1p(cv2))
	return Law{distuv.LogNormal{Mu: math.Log(mean) - sigma*sigma/2, Sigma: sigma}}
}

// LognormalMedian has the given median and standard deviation of the logarithm.
func LognormalMedian(median, sigma float64) Law {
	return Law{distuv.LogNormal{Mu: math.Log(median), Sigma: sigma}}
}

// Gamma has the given mean and shape; its scale is mean/shape.
func Gamma(mean, shape float64) Law { return Law{distuv.Gamma{Alpha: shape, Beta: shape / mean}} }

// Constant is always d.
func Constant(d float64) Law { return Law{constant(d)} }

type constant float64

func (c constant) CDF(x float64) float64 {
	if x < float64(c) {
		return 0
	}
	return 1
}
func (c constant) Survival(x float64) float64 { return 1 - c.CDF(x) }
func (c constant) Mean() float64              { return float64(c) }
func (c constant) Variance() float64          { return 0 }

// UnmarshalText reads a law from a file.
func (l *Law) UnmarshalText(text []byte) error {
	for _, form := range []struct {
		layout string
		law    func(a, b float64) Law
	}{
		{"lognormal mean %g cv2 %g", Lognormal},
		{"lognormal median %g sigma %g", LognormalMedian},
		{"gamma mean %g shape %g", Gamma},
		{"exp %g", func(mean, _ float64) Law { return Exponential(mean) }},
		{"constant %g", func(d, _ float64) Law { return Constant(d) }},
	} {
		var a, b float64
		numbers := []any{&a, &b}[:strings.Count(form.layout, "%g")]
		if n, err := fmt.Sscanf(string(text), form.layout, numbers...); err == nil && n == len(numbers) {
			*l = form.law(a, b)
			return nil
		}
	}
	return fmt.Errorf("%q is no law: write \"exp MEAN\", \"constant D\", \"gamma mean M shape K\", \"lognormal mean M cv2 C\" or \"lognormal median M sigma S\"", text)
}

// meanBelow is E[S; S ≤ x] = ∫₀ˣ (F(x) − F(t)) dt.
func (l Law) meanBelow(x float64) float64 {
	return integral(0, x, func(t float64) float64 { return l.CDF(x) - l.CDF(t) })
}

// integral is ∫ f over [a, b] by Gauss–Legendre on panels; f is smooth inside.
func integral(a, b float64, f func(float64) float64) float64 {
	const panels, points = 8, 32
	sum, width := 0.0, (b-a)/panels
	for i := range panels {
		low := a + float64(i)*width
		sum += quad.Fixed(f, low, low+width, points, quad.Legendre{}, 0)
	}
	return sum
}
