package exact

import "math"

// Erf is the error function, within 1 ulp (method and coefficients: FreeBSD
// msun, s_erf.c, Copyright 1993 Sun Microsystems, freely usable).
func Erf(x float64) float64 {
	a := math.Abs(x)
	var y float64
	switch {
	case x != x:
		return x
	case a < 0.84375:
		return x + float64(x*erfLow(a))
	case a < 1.25:
		y = erx + erfMid(a)
	case a < 6:
		y = 1 - erfcHigh(a)
	default:
		y = 1
	}
	return math.Copysign(y, x)
}

// Erfc is 1 - Erf(x), within 3 ulp also far to the right, where it is tiny.
func Erfc(x float64) float64 {
	a := math.Abs(x)
	var y float64 // erfc(a)
	switch {
	case x != x:
		return x
	case a < 0.25:
		return 1 - (x + float64(x*erfLow(a)))
	case a < 0.84375:
		y = 0.5 - (float64(a*erfLow(a)) + (a - 0.5))
	case a < 1.25:
		y = 1 - erx - erfMid(a)
	case a < 28:
		y = erfcHigh(a)
	}
	if x < 0 {
		return 2 - y
	}
	return y
}

// erx is erf(1) to single precision, so that 1 - erx is exact.
const erx = 8.45062911510467529297e-01

func erfLow(a float64) float64 {
	z := float64(a * a)
	return horner(z, erfLowNum) / horner(z, erfLowDen)
}

func erfMid(a float64) float64 {
	return horner(a-1, erfMidNum) / horner(a-1, erfMidDen)
}

// erfcHigh is erfc(a) for a from 1.25 to 28. It splits a = z + rest, where z²
// is exact, so that e^(-a²) loses no digits.
func erfcHigh(a float64) float64 {
	num, den := erfHighNum, erfHighDen
	if a >= 1/0.35 {
		num, den = erfFarNum, erfFarDen
	}
	s := 1 / float64(a*a)
	z := math.Float64frombits(math.Float64bits(a) &^ 0xffffffff)
	fit := horner(s, num) / horner(s, den)
	return Exp(-float64(z*z)-0.5625) * Exp(float64((z-a)*(z+a))+fit) / a
}

// horner is c[0] + c[1] x + c[2] x² + …
func horner(x float64, c []float64) float64 {
	y := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		y = float64(y*x) + c[i]
	}
	return y
}

var (
	// erf(x)/x - 1 below 0.84375, in x².
	erfLowNum = []float64{
		1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03,
		-2.37630166566501626084e-05,
	}
	erfLowDen = []float64{
		1, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
		1.32494738004321644526e-04, -3.96022827877536812320e-06,
	}
	// erf(x) - erx between 0.84375 and 1.25, in x-1.
	erfMidNum = []float64{
		-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
		-1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03,
	}
	erfMidDen = []float64{
		1, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
		1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02,
	}
	// ln(x erfc(x)) + x² + 0.5625 between 1.25 and 1/0.35, in 1/x².
	erfHighNum = []float64{
		-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
		-1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00,
	}
	erfHighDen = []float64{
		1, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02,
		6.45387271733267880336e+02, 4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00,
		-6.04244152148580987438e-02,
	}
	// The same from 1/0.35 to 28.
	erfFarNum = []float64{
		-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
		-6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02,
	}
	erfFarDen = []float64{
		1, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03,
		3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01,
	}
)
