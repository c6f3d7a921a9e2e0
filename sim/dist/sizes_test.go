package dist

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tenggat/tenggat/internal/exact"
)

// TestZipf compares the counts of 100,000 successive keys with the law by
// chi-square, and each draw with a plain search.
func TestZipf(t *testing.T) {
	for _, c := range []struct {
		n int
		s float64
	}{{1, 1}, {2, 1}, {7, 0}, {100, 1}, {1000, 0.8}, {50, 2.5}} {
		z := NewZipf(c.n, c.s)
		counts := make([]float64, c.n)
		const draws = 100_000
		for i := range uint64(draws) {
			chance := exact.NewChance(5, 0).With(i)
			k := z.Draw(chance)
			counts[k]++
			if u := chance.U01(); u >= z.upTo[k] || k > 0 && u < z.upTo[k-1] {
				t.Fatalf("n %d, s %v: u = %v gave %d", c.n, c.s, u, k)
			}
		}
		total := 0.0
		for k := range counts {
			total += math.Pow(float64(k+1), -c.s)
		}
		checkCounts(t, counts, func(k int) float64 { return math.Pow(float64(k+1), -c.s) / total })
	}
}

func TestGeometric(t *testing.T) {
	for _, mean := range []float64{1, 1.5, 10} {
		g := NewGeometric(mean)
		counts := make([]float64, 1000)
		for i := range uint64(100_000) {
			counts[g.Draw(exact.NewChance(5, 0).With(i))-1]++
		}
		checkCounts(t, counts, func(k int) float64 { return math.Pow(1-1/mean, float64(k)) / mean })
	}
	if k := NewGeometric(1e12).Draw(exact.Given(1 - 0x1p-53)); k < 1e13 || k > 1e14 {
		t.Errorf("the farthest draw is %d", k)
	}
}

// checkCounts is Pearson's chi-square test, with the cells that expect fewer
// than ten thrown together. Its level is 1e-6, with a fixed seed.
func checkCounts(t *testing.T, counts []float64, probability func(k int) float64) {
	t.Helper()
	n := 0.0
	for _, c := range counts {
		n += c
	}
	chi, cells, restSeen, restExpected := 0.0, 0, 0.0, 0.0
	for k, seen := range counts {
		expected := n * probability(k)
		if expected < 10 {
			restSeen += seen
			restExpected += expected
			continue
		}
		chi += (seen - expected) * (seen - expected) / expected
		cells++
	}
	if restExpected > 0 {
		chi += (restSeen - restExpected) * (restSeen - restExpected) / restExpected
		cells++
	}
	if cells == 1 {
		if chi != 0 {
			t.Errorf("one cell, and %v in it", n)
		}
		return
	}
	if p := (distuv.ChiSquared{K: float64(cells - 1)}).Survival(chi); p < 1e-6 {
		t.Errorf("chi-square %.1f over %d cells has p = %.2g", chi, cells, p)
	}
}

// TestSizesGolden: the same numbers on every CPU.
func TestSizesGolden(t *testing.T) {
	const wantZipf, wantGeometric = -7019786093634311999, 2102604442840975183
	z, g := NewZipf(1000, 1), NewGeometric(8)
	zipf, geometric := int64(0), int64(0)
	for i := range uint64(50_000) {
		c := exact.NewChance(9, i)
		zipf = zipf*31 + z.Draw(c)
		geometric = geometric*31 + g.Draw(c)
	}
	if zipf != wantZipf || geometric != wantGeometric {
		t.Errorf("the draws have changed: %d, %d", zipf, geometric)
	}
}

func TestSizesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"no values":        func() { NewZipf(0, 1) },
		"negative power":   func() { NewZipf(5, -1) },
		"power NaN":        func() { NewZipf(5, math.NaN()) },
		"mean below one":   func() { NewGeometric(0.9) },
		"mean NaN":         func() { NewGeometric(math.NaN()) },
		"mean without end": func() { NewGeometric(math.Inf(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func BenchmarkZipf(b *testing.B) {
	b.ReportAllocs()
	z, c := NewZipf(100_000, 1), exact.NewChance(7, 0)
	for i := uint64(0); b.Loop(); i++ {
		z.Draw(c + exact.Chance(i))
	}
}
