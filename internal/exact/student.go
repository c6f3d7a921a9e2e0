package exact

import (
	"fmt"
	"math"
)

// manyDegrees is where the normal expansion of Student's quantile takes over.
const manyDegrees = 1000

// TQuantile is the t below which Student's variable with df degrees of freedom
// falls with probability p: the factor of a confidence interval,
// TQuantile(0.975, n-1) for 95 % from n values. Its relative error is below
// 1e-12 for p from 1e-6 to 1-1e-6 and df from 0.1 to 1000, and beyond 1e-11.
// df need not be whole. It is -Inf at p = 0 and +Inf at p = 1, and panics on a
// p outside [0, 1] or a df that is not positive.
//
// As in GammaQuantile, the tail and the middle are log-concave in y = ln t, so
// Newton's method on the smaller of the two converges.
func TQuantile(p, df float64) float64 {
	switch {
	case !(df > 0 && p >= 0 && p <= 1):
		panic(fmt.Sprintf("exact: TQuantile(%v, %v)", p, df))
	case p == 0 || p == 1 || p == 0.5:
		return NormQuantile(p)
	case df > manyDegrees:
		return studentExpansion(NormQuantile(p), df)
	case p < 0.5:
		return -studentUpper(p, df)
	}
	return studentUpper(1-p, df)
}

// studentUpper is the t > 0 above which lies the probability q < 1/2.
func studentUpper(q, df float64) float64 {
	// The tail is half of I(df/2, 1/2) at w = df/(df+t²), the middle half of
	// I(1/2, df/2) at 1-w (NIST DLMF 8.17); both have the same slope in y.
	a := float64(df / 2)
	logBeta := LogGamma(a) + LogGamma(0.5) - LogGamma(a+0.5)
	part := func(y float64) (tail, middle, slope float64) {
		ratio := float64(2*y) - Log(df) // ln(t²/df)
		lnW, lnV := -softplus(ratio), -softplus(-ratio)
		slope = Exp(float64(a*lnW) + float64(0.5*lnV) - logBeta)
		if Exp(lnW) < (a+1)/(a+2.5) {
			tail = float64(slope*betaFraction(a, 0.5, Exp(lnW))) / df
			return tail, 0.5 - tail, slope
		}
		middle = float64(slope * betaFraction(0.5, a, Exp(lnV)))
		return 0.5 - middle, middle, slope
	}
	if q > 0.25 { // start left of the root: the density is greatest at 0
		y := Log(0.5-q) + logBeta + float64(0.5*Log(df))
		return Exp(newton(y, 0.5-q, func(y float64) (float64, float64) {
			_, middle, slope := part(y)
			return middle, slope
		}))
	}
	y := Log(-NormQuantile(q)) // left of the root: Student's tail is the heavier
	return Exp(newton(y, q, func(y float64) (float64, float64) {
		tail, _, slope := part(y)
		return tail, -slope
	}))
}

// softplus is ln(1 + e^x).
func softplus(x float64) float64 {
	return math.Max(x, 0) + Log1p(Exp(-math.Abs(x)))
}

// betaFraction is the continued fraction of the incomplete beta function: what
// multiplies x^a (1-x)^b / (a B(a, b)) to give I(a, b) at x (NIST DLMF
// 8.17.22, by Lentz's method). It is quick for x < (a+1)/(a+b+2).
func betaFraction(a, b, x float64) float64 {
	c, d := 1.0, 1/(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < 1e6; m++ {
		even := m * (b - m) * x / ((a + float64(2*m) - 1) * (a + float64(2*m)))
		odd := -(a + m) * (a + b + m) * x / ((a + float64(2*m)) * (a + float64(2*m) + 1))
		for _, k := range [2]float64{even, odd} {
			d = 1 / (1 + float64(k*d))
			c = 1 + k/c
			h *= float64(c * d)
		}
		if math.Abs(float64(c*d)-1) < 0x1p-52 {
			break
		}
	}
	return h
}

// studentExpansion is the quantile for many degrees of freedom from the normal
// one (Abramowitz and Stegun 26.7.5).
func studentExpansion(z, df float64) float64 {
	z2 := float64(z * z)
	g1 := float64((z2 + 1) / 4)
	g2 := (float64((float64(5*z2)+16)*z2) + 3) / 96
	g3 := (float64((float64((float64(3*z2)+19)*z2)+17)*z2) - 15) / 384
	g4 := (float64((float64((float64((float64(79*z2)+776)*z2)+1482)*z2)-1920)*z2) - 945) / 92160
	return float64(z * (1 + (g1+(g2+(g3+g4/df)/df)/df)/df))
}
