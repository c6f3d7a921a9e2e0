package exact

import "math/bits"

// Wide is an unsigned integer of 128 bits: sums of squares, and of levels times
// nanoseconds, that leave the range of 64. Beyond 128 bits it wraps.
type Wide struct{ Hi, Lo uint64 }

// Product is x·y.
func Product(x, y uint64) Wide {
	hi, lo := bits.Mul64(x, y)
	return Wide{hi, lo}
}

// Plus is a + b.
func (a Wide) Plus(b Wide) Wide {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, carry)
	return Wide{hi, lo}
}

// Minus is a − b.
func (a Wide) Minus(b Wide) Wide {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(a.Hi, b.Hi, borrow)
	return Wide{hi, lo}
}

// Times is n·a.
func (a Wide) Times(n uint64) Wide {
	hi, lo := bits.Mul64(a.Lo, n)
	return Wide{hi + a.Hi*n, lo}
}

// Float is a as a float64: each word is rounded, then their sum.
func (a Wide) Float() float64 { return float64(float64(a.Hi)*0x1p64) + float64(a.Lo) }
