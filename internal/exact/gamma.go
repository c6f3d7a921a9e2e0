package exact

import (
	"fmt"
	"math"
)

const halfLn2Pi = 0.91893853320467274178

// LogGamma is the logarithm of the gamma function for x > 0, within
// 5e-15 max(1, |result|); NaN elsewhere. It is Stirling's series (NIST DLMF
// 5.11.1) from 10 on, and below the recurrence from there.
func LogGamma(x float64) float64 {
	switch {
	case !(x > 0):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	product := 1.0
	for ; x < 10; x++ {
		product *= x
	}
	return float64((x-0.5)*Log(x)) - x + halfLn2Pi + stirling(x) - Log(product)
}

// stirling is what Stirling's formula leaves out of ln Γ(x), for x >= 10.
func stirling(x float64) float64 {
	return horner(1/float64(x*x), stirlingSeries) / x
}

var stirlingSeries = []float64{1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156}

// GammaCDF is the probability that a gamma variable of the given shape and
// scale 1 is at most x: the regularised incomplete gamma function P(shape, x).
// Its relative error is below 1e-13, and its time grows as the root of a shape
// beyond 1000.
func GammaCDF(x, shape float64) float64 {
	switch {
	case !(x > 0):
		return 0
	case x > math.MaxFloat64:
		return 1
	}
	lower, _, _ := incompleteGamma(shape, Log(x))
	return lower
}

// largeShape is where the normal expansion of the quantile takes over.
const largeShape = 1000

// GammaQuantile is the x with GammaCDF(x, shape) = p. Its relative error is
// below 1e-12 for shapes from 0.01 to 1000, and beyond below 1e-10 for p from
// 0.001 to 0.999 and 1e-8 from 1e-12 to 1-1e-12. It is 0 at p = 0 and +Inf at
// p = 1, and panics on a shape that is not positive or a p outside [0, 1].
//
// As functions of y = ln x, both ln P and ln(1-P) are concave, because y has a
// log-concave density. Newton's method on the smaller of the two tails
// converges therefore from any start, from one side after its first step.
func GammaQuantile(p, shape float64) float64 {
	switch {
	case !(shape > 0 && p >= 0 && p <= 1):
		panic(fmt.Sprintf("exact: GammaQuantile(%v, %v)", p, shape))
	case p == 0:
		return 0
	case p == 1:
		return math.Inf(1)
	case shape > largeShape:
		return gammaExpansion(NormQuantile(p), shape)
	}
	y := (Log(p) + LogGamma(shape+1)) / shape // from P(shape, x) < x^shape/Γ(shape+1)
	// Wilson and Hilferty (1931): the cube root of x/shape is nearly normal.
	if root := 1 - 1/(9*shape) + NormQuantile(p)/(3*math.Sqrt(shape)); root > 0 {
		y = math.Max(y, Log(shape)+float64(3*Log(root)))
	}
	if p > 0.5 {
		return Exp(newton(y, 1-p, func(y float64) (float64, float64) {
			_, upper, slope := incompleteGamma(shape, y)
			return upper, -slope
		}))
	}
	return Exp(newton(y, p, func(y float64) (float64, float64) {
		lower, _, slope := incompleteGamma(shape, y)
		return lower, slope
	}))
}

// gammaExpansion is the quantile for a large shape from the normal one
// (Fisher and Cornish, "The percentile points of distributions having known
// cumulants", Technometrics 2, 1960, for chi-square at twice the shape).
func gammaExpansion(z, shape float64) float64 {
	r := math.Sqrt(shape)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	x := shape + float64(r*z) + (z2-1)/3
	x += float64(z*(z2-7)) / (36 * r)
	x -= (float64(3*z4) + float64(7*z2) - 16) / (810 * shape)
	return x + float64(z*(float64(9*z4)+float64(256*z2)-433))/(38880*float64(r*shape))
}

// incompleteGamma is P(a, x) and 1-P at x = e^y, and the slope of P in y.
// The smaller of the two keeps its relative precision.
func incompleteGamma(a, y float64) (lower, upper, slope float64) {
	x := Exp(y)
	slope = gammaSlope(a, x, y)
	if x < a+1 {
		lower = math.Min(slope*gammaSeries(a, x), 1)
		return lower, 1 - lower, slope
	}
	upper = math.Min(slope*gammaFraction(a, x), 1)
	return 1 - upper, upper, slope
}

// gammaSlope is x^a e^-x / Γ(a). From a = 10 on Stirling's formula takes the
// large terms away before they can cancel.
func gammaSlope(a, x, y float64) float64 {
	if a < 10 {
		return Exp(float64(a*y) - x - LogGamma(a))
	}
	d := (x - a) / a
	return float64(math.Sqrt(a/(2*math.Pi)) * Exp(float64(a*(Log1p(d)-d))-stirling(a)))
}

// gammaSeries is P(a, x) over its slope (NIST DLMF 8.7.1).
func gammaSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for n := 1.0; term > sum*0x1p-54; n++ {
		term = float64(term * (x / (a + n)))
		sum += term
	}
	return sum
}

// gammaFraction is (1-P(a, x)) over its slope: the continued fraction NIST
// DLMF 8.9.2 in its even form, by Lentz's method.
func gammaFraction(a, x float64) float64 {
	b := x + 1 - a
	d := 1 / b
	c := math.Inf(1)
	h := d
	for n := 1.0; n < 1e6; n++ {
		m := n * (a - n)
		b += 2
		d = 1 / (b + float64(m*d))
		c = b + m/c
		h *= float64(c * d)
		if math.Abs(float64(c*d)-1) < 0x1p-52 {
			break
		}
	}
	return h
}

// newton solves f(y) = target for positive f, by Newton's method on ln f,
// which must be concave. f gives its value and its slope.
func newton(y, target float64, f func(float64) (value, slope float64)) float64 {
	for range 100 {
		value, slope := f(y)
		step := float64(Log(target/value) * (value / slope))
		y += step
		if math.Abs(step) < 1e-9 {
			return y
		}
	}
	panic(fmt.Sprintf("exact: no root of f = %v, last y = %v", target, y))
}
