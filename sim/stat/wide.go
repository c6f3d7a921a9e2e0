package stat

import (
	"math/big"
	"math/bits"
)

// wide is an unsigned sum of 192 bits, least significant word first. Sums of
// nanoseconds, of their squares and of level times duration all fit, so they
// are exact and the order of adding cannot show in a result.
type wide [3]uint64

// add adds n times the 128-bit number hi, lo.
func (w *wide) add(hi, lo, n uint64) {
	carry, low := bits.Mul64(lo, n)
	high, mid := bits.Mul64(hi, n)
	mid, c := bits.Add64(mid, carry, 0)
	high += c
	w.merge(wide{low, mid, high})
}

// merge adds another sum.
func (w *wide) merge(o wide) {
	var c uint64
	w[0], c = bits.Add64(w[0], o[0], 0)
	w[1], c = bits.Add64(w[1], o[1], c)
	w[2], _ = bits.Add64(w[2], o[2], c)
}

// over is the sum divided by d, for quotients under 2^64. The whole part and
// the remainder are exact before the last two roundings.
func (w *wide) over(d uint64) float64 {
	whole, rest := bits.Div64(w[1], w[0], d)
	return float64(whole) + float64(float64(rest)/float64(d))
}

// big is the sum as an arbitrary-precision integer.
func (w *wide) big() *big.Int {
	n := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		n.Lsh(n, 64)
		n.Or(n, new(big.Int).SetUint64(w[i]))
	}
	return n
}
