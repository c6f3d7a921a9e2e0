package stat

import (
	"strings"
	"testing"
)

func TestPrecision(t *testing.T) {
	rule := Precision{Within: 0.02, Max: 500}
	for _, row := range []struct {
		name string
		e    Estimate
		stop bool
		why  string
	}{
		{"narrow", Estimate{N: 40, Mean: 50, Half: 0.5}, true, "half-width 1 % of the mean, wanted 2 %, after 40 replications"},
		{"just", Estimate{N: 40, Mean: -50, Half: 1}, true, "half-width 2 % of the mean"},
		{"wide", Estimate{N: 40, Mean: 50, Half: 2}, false, "half-width 4 % of the mean"},
		{"too early to say", Estimate{N: 9, Mean: 50, Half: 0.5}, false, "after 9 replications"},
		{"cap", Estimate{N: 500, Mean: 50, Half: 2}, true, "cap of 500 replications"},
		{"cap, some without a value", Estimate{N: 100, Skipped: 400, Mean: 50, Half: 2}, true, "cap"},
		{"never happened", MeanT(make([]float64, 20), 0.95), false, "no relative half-width"},
		{"constant", MeanT([]float64{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, 0.95), true, "half-width 0 %"},
		{"infinite", MeanT([]float64{inf, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0.95), false, "no relative half-width"},
		{"none", MeanT(nil, 0.95), false, "after 0 replications"},
	} {
		stop, why := rule.Enough(row.e)
		if stop != row.stop || !strings.Contains(why, row.why) {
			t.Errorf("%s: %v, %q; want %v, %q", row.name, stop, why, row.stop, row.why)
		}
	}
}

// The slow version tries one number after the other.
func TestNeededToDecideAgainstTrying(t *testing.T) {
	estimates := []Estimate{
		MeanT(law, 0.95),
		MeanT([]float64{1, 2}, 0.95),
		Paired([]float64{1, 5, 2, 9}, []float64{2, 5, 3, 9.5}),
		Wilson(3, 40, 0.95),
		Wilson(0, 40, 0.95),
		RuleOfThree(20),
	}
	for _, e := range estimates {
		for _, share := range []float64{-0.9, -0.3, 0.2, 0.5, 0.97} {
			bound := e.Mean + share*(e.High-e.Mean)
			want := e.N
			if e.N >= 2 {
				for e.after(want).Straddles(bound) {
					want++
				}
			} else if e.Straddles(bound) {
				want = 0
			}
			if got := NeededToDecide(e, bound); got != want {
				t.Errorf("%v against %v: %d, want %d", e, bound, got, want)
			}
		}
	}
}

func TestNeededToDecideByHand(t *testing.T) {
	// Mean 0.1, spread 1: at n = 387 the half-width is t(0.975, 386)/√387 =
	// 1.96614/19.6723 = 0.09994, and at 386 it is 0.10007.
	e := Estimate{Kind: KindT, N: 30, Mean: 0.1, SD: 1, Conf: 0.95}
	e.bound(e.halfT(30))
	if got := NeededToDecide(e, 0); got != 387 {
		t.Errorf("a mean of 0.1 ± 1/√n against 0 takes %d, want 387", got)
	}
	if got := NeededToDecide(e, 0.1); got != 0 {
		t.Errorf("a bound at the mean takes %d, want 0 for never", got)
	}
	if got := NeededToDecide(e, 7); got != 30 {
		t.Errorf("a decided comparison takes %d, want the 30 there are", got)
	}
	if got := NeededToDecide(MeanT([]float64{1}, 0.95), 0); got != 0 {
		t.Errorf("one replication: %d, want 0 for unknown", got)
	}
	zeros := RuleOfThree(3) // 3/n is below 0.002 from n = 1501 on, at 1500 on it.
	zeros.N = 3
	if got := NeededToDecide(zeros, 0.002); got != 1500 {
		t.Errorf("three zeros against 0.002: %d, want 1500", got)
	}
	if e := Paired([]float64{1, 1}, []float64{2, 2}); NeededToDecide(e, 1) != 2 {
		t.Errorf("no spread: %d, want the 2 there are", NeededToDecide(e, 1))
	}
}
