package exact

import "math/bits"

// Chance is a place in a splitmix64 sequence (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014, fig. 14): a
// counter that walks by a fixed odd step, and a mixer that turns each stop
// into 64 random bits. It is a value: copying it copies the luck.
//
// A Chance is derived from a seed by keys (With), never from another draw, so
// what one draw does cannot shift the luck of anything else.
type Chance uint64

// step is the golden ratio in 64 bits, splitmix64's increment.
const step = 0x9e3779b97f4a7c15

// NewChance is the root of all chance in one replication of a run.
func NewChance(seed, replication uint64) Chance {
	return Chance(seed).With(0x74656e67676174).With(replication)
}

// With derives the chance named by one more key. The order of keys matters:
// c.With(1).With(2) and c.With(2).With(1) are strangers.
func (c Chance) With(key uint64) Chance {
	return Chance(mix(mix(uint64(c)+step) ^ (key*0xd1342543de82ef95 + step)))
}

// Uint64 is the next 64 random bits.
func (c *Chance) Uint64() uint64 {
	*c += step
	return mix(uint64(*c))
}

// U01 is uniform on [0, 1) in steps of 2^-53.
func (c *Chance) U01() float64 {
	return float64(float64(c.Uint64()>>11) * 0x1p-53)
}

// Open01 is uniform on (0, 1]: what a logarithm can take.
func (c *Chance) Open01() float64 {
	return float64(float64(c.Uint64()>>11+1) * 0x1p-53)
}

// IntN is uniform on [0, n), without bias (Lemire, "Fast random integer
// generation in an interval", 2019, algorithm 5). It panics if n is not positive.
func (c *Chance) IntN(n int64) int64 {
	if n <= 0 {
		panic("exact: IntN needs a positive bound")
	}
	hi, lo := bits.Mul64(c.Uint64(), uint64(n))
	if lo < uint64(n) {
		for floor := -uint64(n) % uint64(n); lo < floor; {
			hi, lo = bits.Mul64(c.Uint64(), uint64(n))
		}
	}
	return int64(hi)
}

// Given is the chance whose first U01 is u, for u on [0, 1): a script, or
// another generator, decides where the machine under test would have drawn.
func Given(u float64) Chance {
	return Chance(unmix(uint64(u*0x1p53)<<11) - step)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// unmix undoes mix: each of its steps is a bijection of 64 bits.
func unmix(z uint64) uint64 {
	z = (z ^ z>>31 ^ z>>62) * 0x319642b2d24d8ec3
	z = (z ^ z>>27 ^ z>>54) * 0x96de1b173f119089
	return z ^ z>>30 ^ z>>60
}
