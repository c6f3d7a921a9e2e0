package exact

import "math"

// Exp is e^x, within 1 ulp where the result is a normal number (method:
// FreeBSD msun, e_exp.c). Overflow gives +Inf, underflow 0.
func Exp(x float64) float64 {
	const (
		log2e     = 1.44269504088896338700e+00
		overflow  = 7.09782712893383973096e+02
		underflow = -7.45133219101941108420e+02
	)
	switch {
	case x != x || x > overflow:
		return x + math.Inf(1)
	case x < underflow:
		return 0
	}
	n := math.Floor(float64(log2e*x) + 0.5)
	hi := x - float64(n*ln2Hi)
	lo := float64(n * ln2Lo)
	return scale(expReduced(hi, lo), int(n))
}

// expReduced is e^(hi-lo) for |hi-lo| up to ln(2)/2: a rational function whose
// expansion agrees with Remez's fit of r(e^r+1)/(e^r-1).
func expReduced(hi, lo float64) float64 {
	r := hi - lo
	t := float64(r * r)
	c := r - expTail(t)
	return 1 - ((lo - float64(r*c)/(2-c)) - hi)
}

// expTail is t p1 + t² p2 + …, where r - expTail(r²) begins r(1 - r/6 + …).
func expTail(t float64) float64 {
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	return float64(t * (p1 + float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
}

// scale is y 2^k, rounded once.
func scale(y float64, k int) float64 {
	if -1021 <= k && k <= 1023 {
		return float64(y * math.Float64frombits(uint64(k+1023)<<52))
	}
	return math.Ldexp(y, k)
}

// Expm1 is e^x - 1, within 2 ulp also for small x (Kahan's correction, in
// Higham, "Accuracy and Stability of Numerical Algorithms", sec. 1.14.1).
func Expm1(x float64) float64 {
	u := Exp(x)
	switch {
	case u == 1:
		return x
	case u-1 == -1 || u > math.MaxFloat64:
		return u - 1
	}
	return float64((u-1)*x) / Log(u)
}
