package stat

import (
	"math/big"
	"math/bits"
)

// wide is an unsigned sum of 192 bits. Sums of nanoseconds, of their squares and
// of level times duration all fit, so they are exact and the order of adding
// cannot show in a result.
type wide struct{ hi, mid, lo uint64 }

// times is n times the 128-bit number hi, lo.
func times(hi, lo, n uint64) wide {
	carry, low := bits.Mul64(lo, n)
	high, mid := bits.Mul64(hi, n)
	mid, c := bits.Add64(mid, carry, 0)
	return wide{high + c, mid, low}
}

// add adds another sum.
func (w *wide) add(o wide) {
	var c uint64
	w.lo, c = bits.Add64(w.lo, o.lo, 0)
	w.mid, c = bits.Add64(w.mid, o.mid, c)
	w.hi, _ = bits.Add64(w.hi, o.hi, c)
}

// over is the sum divided by d, for quotients under 2^64. The whole part and
// the remainder are exact before the last two roundings.
func (w *wide) over(d uint64) float64 {
	whole, rest := bits.Div64(w.mid, w.lo, d)
	return float64(whole) + float64(float64(rest)/float64(d))
}

// big is the sum as an arbitrary-precision integer.
func (w *wide) big() *big.Int {
	n := new(big.Int)
	for _, word := range []uint64{w.hi, w.mid, w.lo} {
		n.Lsh(n, 64)
		n.Or(n, new(big.Int).SetUint64(word))
	}
	return n
}
