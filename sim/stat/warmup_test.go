package stat

import (
	"math"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// transient is a queue that starts far from where it settles: it decays with a
// time constant of 20 values to a level with noise.
func transient(n int) []float64 {
	c := exact.NewChance(31, 0)
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 5 + 40*exact.Exp(-float64(i)/20) + exact.NormQuantile(c.Open01())
	}
	return xs
}

// After 5 time constants 40·e^-5 = 0.27 is left and after 3 it is 2, with noise
// of spread 1: the cut must fall somewhere there.
func TestMSER5CutsATransient(t *testing.T) {
	cut, ok := MSER5(transient(2000))
	if !ok || cut < 60 || cut > 120 {
		t.Errorf("cut %d, %v; want between 60 and 120", cut, ok)
	}
}

func TestMSER5AgainstTheFormula(t *testing.T) {
	c := exact.NewChance(37, 0)
	for range 200 {
		xs := make([]float64, 50+c.Uint64()%200)
		jump := int(c.Uint64() % uint64(len(xs)))
		for i := range xs {
			xs[i] = c.U01()
			if i < jump {
				xs[i] += 2
			}
		}
		cut, ok := MSER5(xs)
		wantCut, wantOK := slowMSER5(xs)
		if cut != wantCut || ok != wantOK {
			t.Errorf("%d values, jump at %d: cut %d, %v; want %d, %v", len(xs), jump, cut, ok, wantCut, wantOK)
		}
	}
}

// slowMSER5 is the formula, term by term.
func slowMSER5(xs []float64) (int, bool) {
	k := len(xs) / 5
	z := make([]float64, k)
	for i := range z {
		z[i] = (xs[5*i] + xs[5*i+1] + xs[5*i+2] + xs[5*i+3] + xs[5*i+4]) / 5
	}
	best, bestD := math.Inf(1), 0
	for d := 0; d <= k/2; d++ {
		n := float64(k - d)
		var mean, squares float64
		for _, v := range z[d:] {
			mean += v / n
		}
		for _, v := range z[d:] {
			squares += (v - mean) * (v - mean)
		}
		if score := squares / (n * n); score < best {
			best, bestD = score, d
		}
	}
	return 5 * bestD, bestD < k/2
}

func TestMSER5KnowsWhenItCannotTell(t *testing.T) {
	rising := make([]float64, 500)
	for i := range rising {
		rising[i] = float64(i)
	}
	if cut, ok := MSER5(rising); ok {
		t.Errorf("a series that never settles is cut at %d", cut)
	}
	if _, ok := MSER5(rising[:49]); ok {
		t.Error("49 values are 9 batches, which is too few")
	}
	broken := transient(500)
	broken[300] = nan
	if _, ok := MSER5(broken); ok {
		t.Error("a series with NaN has an answer")
	}
	if cut, ok := MSER5(make([]float64, 100)); cut != 0 || !ok {
		t.Errorf("a constant series: cut %d, %v; want 0, true", cut, ok)
	}
}
