package exact

import (
	"fmt"
	"math"
)

// RoundNs is the whole number nearest to x nanoseconds, halves to the even one.
// Beyond the range of int64 it is the nearer end of the range: the bare
// conversion gives another number on every CPU there. It panics on NaN.
func RoundNs(x float64) int64 {
	switch {
	case x != x:
		panic(fmt.Sprintf("exact: RoundNs(%v)", x))
	case x >= 0x1p63:
		return math.MaxInt64
	case x <= -0x1p63:
		return math.MinInt64
	}
	return int64(math.RoundToEven(x)) // one instruction; a branch on the fraction costs more
}
