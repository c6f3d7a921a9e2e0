package exact

import "math"

// Pow is x^y, within 1 ulp where the result is a normal number; integer powers
// that a float64 holds come out exact. Special cases are those of math.Pow.
//
// Method: FreeBSD msun, e_pow.c. log2|x| and its product with y are carried in
// two parts, with about 70 good bits, so that a large y does not blow up the
// error.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case math.IsInf(y, 0):
		return powInfinite(math.Abs(x), y)
	}
	negative := false
	if x < 0 || x == 0 && math.Signbit(x) {
		whole := math.Floor(y) == y
		if !whole && x < 0 && !math.IsInf(x, -1) {
			return math.NaN()
		}
		negative = whole && math.Abs(math.Mod(y, 2)) == 1
	}
	r := powPositive(math.Abs(x), y)
	if negative {
		return -r
	}
	return r
}

// powInfinite is x^y for x >= 0 and y infinite.
func powInfinite(x, y float64) float64 {
	switch {
	case x == 1:
		return 1
	case (x > 1) == (y > 0):
		return math.Inf(1)
	}
	return 0
}

// powPositive is x^y for x >= 0 and y finite, not 0.
func powPositive(x, y float64) float64 {
	switch {
	case x == 0 || x > math.MaxFloat64:
		if (x == 0) == (y < 0) {
			return math.Inf(1)
		}
		return 0
	case x == 1 || math.Abs(y) < 0x1p-64:
		return 1
	case math.Abs(y) > 0x1p64: // the nearest x to 1 gives 2^±2047 at least
		return powInfinite(x, y)
	}
	high, low := log2(x)
	yh := head(y)
	// y log2(x) as a sum: the head of y times the head of the logarithm is exact.
	rest := float64((y-yh)*high) + float64(y*low)
	whole := float64(yh * high)
	z := rest + whole
	switch {
	case z >= 1025:
		return math.Inf(1)
	case z <= -1076:
		return 0
	}
	return exp2(whole, rest)
}

// head is x without the lower half of its mantissa: products of heads are exact.
func head(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ 0xffffffff)
}

// log2 is the binary logarithm of a positive number in two parts; the first
// has its lower half empty.
func log2(x float64) (high, low float64) {
	const (
		l1  = 5.99999999999994648725e-01
		l2  = 4.28571428578550184252e-01
		l3  = 3.33333329818377432918e-01
		l4  = 2.72728123808534006489e-01
		l5  = 2.30660745775561754067e-01
		l6  = 2.06975017800338417784e-01
		cp  = 9.61796693925975554329e-01  // 2/(3 ln 2)
		cpH = 9.61796700954437255859e-01  // its head
		cpL = -7.02846165095275826516e-09 // and the rest
		dpH = 5.84962487220764160156e-01  // log2(1.5)
		dpL = 1.35003920212974897128e-08
	)
	fraction, n := math.Frexp(x)
	ax := float64(2 * fraction) // in [1, 2)
	n--
	// 1. Choose the anchor 1 or 1.5 and scale ax to lie around it.
	anchor, anchorH, anchorL := 1.0, 0.0, 0.0
	switch {
	case ax >= 1.7320508075688772: // sqrt(3)
		ax /= 2
		n++
	case ax >= 1.2247448713915890: // sqrt(3/2)
		anchor, anchorH, anchorL = 1.5, dpH, dpL
	}
	// 2. s = (ax-anchor)/(ax+anchor) in two parts.
	u := ax - anchor
	v := 1 / (ax + anchor)
	s := float64(u * v)
	sH := head(s)
	tH := head(ax + anchor)
	tL := ax - (tH - anchor)
	sL := float64(v * ((u - float64(sH*tH)) - float64(sH*tL)))
	// 3. ln(ax/anchor) = 2s + 2/3 s³ + … ; 3 s² + … in two parts.
	s2 := float64(s * s)
	r := float64(float64(s2*s2) * horner6(s2, l1, l2, l3, l4, l5, l6))
	r += float64(sL * (sH + s))
	sH2 := float64(sH * sH)
	tH = head(3 + sH2 + r)
	tL = r - ((tH - 3) - sH2)
	u = float64(sH * tH)
	v = float64(sL*tH) + float64(tL*s)
	// 4. Times 2/(3 ln 2), plus the anchor's logarithm, plus the exponent.
	pH := head(u + v)
	pL := v - (pH - u)
	zH := float64(cpH * pH)
	zL := float64(cpL*pH) + float64(pL*cp) + anchorL
	e := float64(n)
	high = head(((zH + zL) + anchorH) + e)
	low = zL - (((high - e) - anchorH) - zH)
	return high, low
}

func horner6(x, c0, c1, c2, c3, c4, c5 float64) float64 {
	y := c4 + float64(x*c5)
	y = c3 + float64(x*y)
	y = c2 + float64(x*y)
	y = c1 + float64(x*y)
	return c0 + float64(x*y)
}

// exp2 is 2^(whole+rest), for a sum between -1076 and 1025.
func exp2(whole, rest float64) float64 {
	const (
		lg2  = 6.93147180559945286227e-01
		lg2H = 6.93147182464599609375e-01
		lg2L = -1.90465429995776804525e-09
	)
	n := math.Floor(whole + rest + 0.5)
	whole -= n
	t := head(rest + whole)
	u := float64(t * lg2H)
	v := float64((rest-(t-whole))*lg2) + float64(t*lg2L)
	z := u + v
	w := v - (z - u)
	t = float64(z * z)
	c := z - expTail(t)
	r := float64(z*c)/(c-2) - (w + float64(z*w))
	return math.Ldexp(1-(r-z), int(n))
}
