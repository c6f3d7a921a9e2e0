package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tenggat/tenggat/internal/exact"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// law are the ten observations of Law, Simulation Modeling and Analysis, the
// example of section 4.5: mean 1.34, variance 0.17, 90 % interval 1.34 ± 0.24.
var law = []float64{1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09}

func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance
}

func TestMeanTByTheBook(t *testing.T) {
	e := MeanT(law, 0.90)
	if !near(e.Mean, 1.34, 0.005) || !near(e.SD*e.SD, 0.17, 0.005) || !near(e.Half, 0.24, 0.005) {
		t.Errorf("%v with variance %v; want 1.34 ± 0.24 and 0.17", e, e.SD*e.SD)
	}
	if e.N != 10 || e.Low != e.Mean-e.Half || e.High != e.Mean+e.Half || e.Note != "" {
		t.Errorf("%+v does not hang together", e)
	}
}

func TestMeanTAgainstGonum(t *testing.T) {
	c := exact.NewChance(17, 0)
	for _, conf := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.999} {
		for _, n := range []int{2, 3, 4, 5, 10, 20, 31, 100, 500, 5000} {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = 3 + c.U01()
			}
			e := MeanT(xs, conf)
			want := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile((1+conf)/2) * e.SD / math.Sqrt(float64(n))
			// gonum's quantile is itself good to about 1e-9 here.
			if math.Abs(e.Half/want-1) > 1e-8 {
				t.Errorf("n = %d, conf %v: half-width %v, gonum %v", n, conf, e.Half, want)
			}
		}
	}
}

func TestMeanTOfUnusualValues(t *testing.T) {
	for _, row := range []struct {
		name             string
		xs               []float64
		n, skipped, infs int
		mean, low, high  float64
		mentioned        string
	}{
		{"none", nil, 0, 0, 0, nan, -inf, inf, ""},
		{"one", []float64{4}, 1, 0, 0, 4, -inf, inf, "one replication"},
		{"equal", []float64{4, 4, 4}, 3, 0, 0, 4, 4, 4, ""},
		{"NaN", []float64{nan, 4, nan, 4}, 2, 2, 0, 4, 4, 4, "2 of 4"},
		{"all NaN", []float64{nan, nan}, 0, 2, 0, nan, -inf, inf, "2 of 2"},
		{"infinite", []float64{1, inf, 2}, 3, 0, 1, inf, -inf, inf, "median"},
		{"both ends", []float64{inf, -inf}, 2, 0, 2, nan, -inf, inf, "median"},
	} {
		e := MeanT(row.xs, 0.95)
		same := e.N == row.n && e.Skipped == row.skipped && e.Infinite == row.infs &&
			alike(e.Mean, row.mean) && e.Low == row.low && e.High == row.high
		if !same || !strings.Contains(e.Note, row.mentioned) || row.mentioned == "" && e.Note != "" {
			t.Errorf("%s: got %+v", row.name, e)
		}
	}
	wantPanic(t, "confidence in percent", func() { MeanT(law, 95) })
	wantPanic(t, "no confidence", func() { MeanT(law, nan) })
}

func alike(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// The share of 95 % intervals that hold the true mean. For normal values it is
// 0.95 exactly, so 20,000 trials err by √(0.95·0.05/20000) = 0.0015 in one
// standard error; four of them are allowed.
func TestCoverageOfTheTInterval(t *testing.T) {
	const trials, n = 20_000, 10
	c := exact.NewChance(19, 0)
	var covered int
	xs := make([]float64, n)
	for range trials {
		for i := range xs {
			xs[i] = 7 + 2*exact.NormQuantile(c.Open01())
		}
		if e := MeanT(xs, 0.95); e.Low <= 7 && 7 <= e.High {
			covered++
		}
	}
	if got := float64(covered) / trials; !near(got, 0.95, 4*0.0015) {
		t.Errorf("covered %v of the time, want 0.95", got)
	}
}

// Common luck of spread 10 hides a difference of 1 from separate intervals, and
// cancels in the pairs.
func TestPairedCancelsCommonLuck(t *testing.T) {
	c := exact.NewChance(23, 0)
	var a, b []float64
	for range 30 {
		luck := 10 * c.U01()
		a = append(a, luck+0.1*c.U01())
		b = append(b, luck+1+0.1*c.U01())
	}
	e := Paired(a, b)
	if e.Straddles(0) || !near(e.Mean, 1, 0.05) || e.Half > 0.03 || e.Kind != KindPaired {
		t.Errorf("paired difference %v, want about 1", e)
	}
	if sep := MeanT(b, 0.95).Half; sep < 20*e.Half {
		t.Errorf("a separate half-width of %v is not much wider than %v", sep, e.Half)
	}
	back := Paired(b, a)
	if back.Mean != -e.Mean || back.Half != e.Half {
		t.Errorf("the difference the other way round is %v, want the negative of %v", back, e)
	}
}

func TestPairedOnTheCommonReplications(t *testing.T) {
	e := Paired([]float64{1, 2, 3, 1000}, []float64{2, 4, 6})
	if e.N != 3 || e.Mean != 2 || e.SD != 1 || !strings.Contains(e.Note, "3 replications") {
		t.Errorf("got %+v", e)
	}
}

func TestRatioT(t *testing.T) {
	// Ratios 1/2, 1/4, none, 3/4: mean 1/2, spread 1/4.
	e := RatioT([]float64{1, 2, 0, 3}, []float64{2, 8, 0, 4}, 0.95)
	if e.N != 3 || e.Skipped != 1 || e.Mean != 0.5 || e.SD != 0.25 || e.Kind != KindRatio {
		t.Errorf("got %+v", e)
	}
	wantPanic(t, "lengths", func() { RatioT([]float64{1}, nil, 0.95) })
}

func TestStraddles(t *testing.T) {
	e := Estimate{Low: 1, High: 2}
	for bound, want := range map[float64]bool{0: false, 1: false, 1.5: true, 2: false, 3: false, nan: false} {
		if e.Straddles(bound) != want {
			t.Errorf("[1, 2] straddles %v: %v", bound, !want)
		}
	}
}

func ExampleMeanT() {
	fmt.Println(MeanT([]float64{5, 7, 6, 8}, 0.95))
	fmt.Println(MeanT([]float64{5}, 0.95))
	// Output:
	// 6.5 [4.44574, 8.55426] (t, n = 4)
	// 5 [-Inf, +Inf] (t, n = 1): one replication has no interval
}
