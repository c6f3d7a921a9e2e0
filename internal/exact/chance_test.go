package exact

import (
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestGivenIsTheFirstDraw also at the ends of the range.
func TestGivenIsTheFirstDraw(t *testing.T) {
	for _, u := range []float64{0, 0.25, 0.32383276483316237, 1 - 0x1p-53} {
		c := Given(u)
		if got := c.U01(); got != u {
			t.Errorf("Given(%v).U01() = %v", u, got)
		}
	}
}

// TestChanceGolden: every published result rests on these numbers.
func TestChanceGolden(t *testing.T) {
	root := NewChance(7, 0)
	for _, g := range []struct {
		name  string
		c     Chance
		draws []uint64
	}{
		{"root", root, []uint64{0x6e1cb8465f183951, 0x962d1e0f629eb918, 0x5b506df571936764}},
		{"replication 1", NewChance(7, 1), []uint64{0x7a2310e76a10b900, 0xde581483598d2a68, 0xca3c71889c4d1288}},
		{"seed 8", NewChance(8, 0), []uint64{0xba55c51c53b8298b, 0x8ae55a35c3e24399, 0x35bf5b219270d314}},
		{"key 0", root.With(0), []uint64{0x989057fdd9486d55, 0xe6121e99111436cf, 0x4104f29282105ffa}},
		{"key 1", root.With(1), []uint64{0xa30fd66c4ead8c7c, 0xd70764c4e64c5161, 0xfffceadb1abb520b}},
		{"keys 1, 2", root.With(1).With(2), []uint64{0x24942ac0c78b102b, 0xf88b7338d0331100, 0x6c54f39077dab40b}},
		{"keys 2, 1", root.With(2).With(1), []uint64{0x6c82cf1bd300643e, 0x18a9d0d3f7743a49, 0xb6c140e9031e5f84}},
		{"key 2^64-1", root.With(1<<64 - 1), []uint64{0x2112ba060b014df0, 0x382c0d08247badd6, 0x262a394b1f93fa92}},
		// The reference C code of splitmix64 prints these from seed 1234567.
		{"splitmix64", 1234567, []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423}},
	} {
		for i, want := range g.draws {
			if got := g.c.Uint64(); got != want {
				t.Errorf("%s: draw %d is %#016x, want %#016x", g.name, i, got, want)
			}
		}
	}
	for i, n := range []int64{10, 1000, 1 << 62, 1<<62 + 1, 3} {
		want := [...]int64{4, 586, 1644969989132048857, 526837608546588713, 1}[i]
		if got := root.IntN(n); got != want {
			t.Errorf("IntN(%d) is %d, want %d", n, got, want)
		}
	}
}

// families are sequences of chances whose keys differ as little as the keys of
// a run do: job after job, attempt after attempt, replication after replication.
var families = map[string]func(i uint64) Chance{
	"along the stream": func(i uint64) Chance { return NewChance(7, 0) + Chance(i*step) },
	"keys":             func(i uint64) Chance { return NewChance(7, 0).With(i) },
	"multiples":        func(i uint64) Chance { return NewChance(7, 0).With(i << 32) },
	"nested keys":      func(i uint64) Chance { return NewChance(7, 0).With(3).With(i) },
	"outer keys":       func(i uint64) Chance { return NewChance(7, 0).With(i).With(3) },
	"both keys":        func(i uint64) Chance { return NewChance(7, 0).With(i / 256).With(i % 256) },
	"replications":     func(i uint64) Chance { return NewChance(7, i) },
	"seeds":            func(i uint64) Chance { return NewChance(i, 0) },
	"parent and child": func(i uint64) Chance {
		if i%2 == 0 {
			return NewChance(7, 0).With(i)
		}
		return NewChance(7, 0).With(i - 1).With(1)
	},
	"siblings of two parents": func(i uint64) Chance { return NewChance(7, 0).With(i % 2).With(i / 2) },
}

// The seeds are fixed, so each test below gives one verdict for ever; the
// levels are what a good generator misses once in a million tries.
const level = 1e-6

// TestFirstDrawsAcrossKeys: first draws of neighbouring keys are uniform, and
// so are pairs of them at distances 1 and 2.
func TestFirstDrawsAcrossKeys(t *testing.T) {
	const n, cells = 1 << 16, 16
	for name, member := range families {
		t.Run(name, func(t *testing.T) {
			var u [n]float64
			single := make([]int, cells*cells)
			for i := range u {
				c := member(uint64(i))
				u[i] = c.U01()
				single[int(u[i]*cells*cells)]++
			}
			checkUniform(t, "first draws", single)
			for _, lag := range []int{1, 2} {
				pairs := make([]int, cells*cells)
				covariance := 0.0
				for i := range n - lag {
					pairs[int(u[i]*cells)*cells+int(u[i+lag]*cells)]++
					covariance += (u[i] - 0.5) * (u[i+lag] - 0.5)
				}
				checkUniform(t, "pairs", pairs)
				if z := covariance * 12 / math.Sqrt(n); math.Abs(z) > distuv.UnitNormal.Quantile(1-level/2) {
					t.Errorf("draws at distance %d are correlated: %.1f standard errors", lag, z)
				}
			}
		})
	}
}

func TestIntNIsUniform(t *testing.T) {
	counts := make([]int, 7)
	c := NewChance(1, 0)
	for range 100_000 {
		counts[c.IntN(7)]++
	}
	checkUniform(t, "IntN(7)", counts)
	high := make([]int, 3) // a bound that an unbiased method must often reject
	for range 100_000 {
		high[c.IntN(3<<61)>>61]++
	}
	checkUniform(t, "IntN(3·2^61)", high)
}

// checkUniform is Pearson's chi-square test of equal probabilities.
func checkUniform(t *testing.T, what string, counts []int) {
	t.Helper()
	n := 0
	for _, c := range counts {
		n += c
	}
	expected := float64(n) / float64(len(counts))
	chi := 0.0
	for _, c := range counts {
		chi += (float64(c) - expected) * (float64(c) - expected) / expected
	}
	law := distuv.ChiSquared{K: float64(len(counts) - 1)}
	if p := law.Survival(chi); p < level || p > 1-level {
		t.Errorf("%s: chi-square %.1f over %d cells has p = %.2g", what, chi, len(counts), p)
	}
}

// TestAvalanche: one flipped bit of a key, a seed or a replication flips each
// bit of the first draw with probability 1/2.
func TestAvalanche(t *testing.T) {
	const n = 1000
	// The largest of 64·64 near-normal deviations exceeds this once in a million.
	limit := distuv.UnitNormal.Quantile(1-level/2/64/64) * math.Sqrt(n) / 2
	for name, first := range map[string]func(x uint64) Chance{
		"key":         func(x uint64) Chance { return NewChance(7, 0).With(x) },
		"outer key":   func(x uint64) Chance { return NewChance(7, 0).With(x).With(1) },
		"seed":        func(x uint64) Chance { return NewChance(x, 0) },
		"replication": func(x uint64) Chance { return NewChance(7, x) },
	} {
		draw := func(x uint64) uint64 { c := first(x); return c.Uint64() }
		for in := range 64 {
			var flips [64]int
			for i := range uint64(n) {
				for d := draw(i) ^ draw(i^1<<in); d != 0; d &= d - 1 {
					flips[bits.TrailingZeros64(d)]++
				}
			}
			for out, f := range flips {
				if math.Abs(float64(f)-n/2) > limit {
					t.Errorf("%s: bit %d flips bit %d in %d of %d cases", name, in, out, f, n)
				}
			}
		}
	}
}
