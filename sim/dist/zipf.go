package dist

import (
	"fmt"
	"math"

	"github.com/tenggat/tenggat/internal/exact"
)

// Zipf draws 0..n-1, where k has a probability in proportion to 1/(k+1)^s: the
// rank of a hot key, account or tenant. It is immutable and may be shared.
type Zipf struct {
	upTo  []float64 // probability of at most k
	first []int64   // least k with upTo[k] > i/n: where the search for u in [i/n, (i+1)/n) begins
}

// NewZipf tabulates the law for n values, 16 bytes each; s = 1 is Zipf's own
// law, 0 makes all equal. It panics unless n is from 1 to 2^26 and s is from 0
// to 100.
func NewZipf(n int, s float64) *Zipf {
	if n < 1 || n > 1<<26 || !(s >= 0 && s <= 100) {
		panic(fmt.Sprintf("dist: NewZipf(%d, %v)", n, s))
	}
	z := &Zipf{upTo: make([]float64, n), first: make([]int64, n)}
	total := 0.0
	for k := range z.upTo {
		total += exact.Exp(-s * exact.Log(float64(k+1)))
		z.upTo[k] = total
	}
	for k := range z.upTo {
		z.upTo[k] /= total
	}
	k := int64(0)
	for i := range z.first {
		for z.upTo[k] <= float64(i)/float64(n) {
			k++
		}
		z.first[i] = k
	}
	return z
}

// Draw inverts the distribution function with one uniform number. A guide
// table (Chen and Asau, 1974) leaves fewer than two steps on average.
func (z *Zipf) Draw(c exact.Chance) int64 {
	u := c.U01()
	k := z.first[int(u*float64(len(z.first)))]
	for z.upTo[k] <= u {
		k++
	}
	return k
}

// Geometric draws 1, 2, … with the given mean: the size of a batch, the number
// of tries up to the first success. Each value has 1-1/mean of the probability
// of the one before.
type Geometric struct{ perLog float64 }

// NewGeometric takes the mean, from 1 to 1e12; it panics outside.
func NewGeometric(mean float64) Geometric {
	if !(mean >= 1 && mean <= 1e12) {
		panic(fmt.Sprintf("dist: NewGeometric(%v)", mean))
	}
	return Geometric{perLog: 1 / exact.Log1p(-1/mean)}
}

// Draw inverts the distribution function with one uniform number.
func (g Geometric) Draw(c exact.Chance) int64 {
	return 1 + int64(math.Floor(exact.Log(1-c.U01())*g.perLog))
}
