package exact

import "math"

// ln 2 in two parts; the first has enough trailing zeros for k*ln2Hi to be
// exact for every exponent k of a float64.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

const (
	mantissa = 1<<52 - 1
	one      = 0x3ff0000000000000 // bits of 1
	sqrtHalf = 0x3fe6a09e00000000 // bits of a number just under sqrt(1/2)
)

// Log is the natural logarithm, within 1 ulp (method: FreeBSD msun, e_log.c).
// Log(0) is -Inf; Log of a negative number or NaN is NaN.
func Log(x float64) float64 {
	b := math.Float64bits(x)
	k := 0
	if b-1<<52 >= 0x7fe0000000000000 { // not a positive normal number
		switch {
		case x == 0:
			return math.Inf(-1)
		case x < 0 || x != x:
			return math.NaN()
		case b == 0x7ff0000000000000:
			return x
		}
		b = math.Float64bits(x * 0x1p54)
		k = -54
	}
	f, e := reduce(b)
	return logarithm(f, 0, k+e)
}

// Log1p is ln(1+x), within 1 ulp also for small x (FreeBSD msun, s_log1p.c).
// Log1p(-1) is -Inf; below that, and for NaN, it is NaN.
func Log1p(x float64) float64 {
	switch {
	case x < -1 || x != x:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	case math.Abs(x) < 0x1p-53:
		return x
	case -0.29289 < x && x < 0.41421: // 1+x between sqrt(1/2) and sqrt(2)
		return logarithm(x, 0, 0)
	}
	u := 1 + x
	f, k := reduce(math.Float64bits(u))
	var lost float64 // what the rounding of 1+x dropped, relative to u
	switch {
	case k >= 54:
	case k >= 2:
		lost = (1 - (u - x)) / u
	default:
		lost = (x - (u - 1)) / u
	}
	return logarithm(f, lost, k)
}

// reduce writes the positive normal number with bits b as 2^k (1+f), where
// 1+f lies between sqrt(1/2) and sqrt(2).
func reduce(b uint64) (f float64, k int) {
	b += one - sqrtHalf
	k = int(b>>52) - 1023
	return math.Float64frombits(b&mantissa+sqrtHalf) - 1, k
}

// logarithm is ln(1+f) + c + k ln 2. With s = f/(2+f) it sums the odd series
// of ln((1+s)/(1-s)), its coefficients fitted for the reduced range.
func logarithm(f, c float64, k int) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	odd := float64(z * (l1 + float64(w*(l3+float64(w*(l5+float64(w*l7)))))))
	even := float64(w * (l2 + float64(w*(l4+float64(w*l6)))))
	half := float64(float64(0.5*f) * f)
	kf := float64(k)
	small := float64(s*(half+(odd+even))) + (float64(kf*ln2Lo) + c)
	return float64(kf*ln2Hi) - ((half - small) - f)
}
