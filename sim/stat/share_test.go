package stat

import (
	"math"
	"testing"
)

// Newcombe, "Two-sided confidence intervals for the single proportion",
// Statistics in Medicine 17 (1998) 857-872, table I, method 3.
func TestWilsonAgainstNewcombe(t *testing.T) {
	for _, row := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{20, 20, 1 - 0.1611, 1},
	} {
		e := Wilson(row.k, row.n, 0.95)
		if !near(e.Low, row.low, 5e-5) || !near(e.High, row.high, 5e-5) || e.Mean != float64(row.k)/float64(row.n) {
			t.Errorf("%d/%d: %v, want [%v, %v]", row.k, row.n, e, row.low, row.high)
		}
	}
}

func TestWilsonAtTheEdges(t *testing.T) {
	if e := Wilson(0, 50, 0.95); e.Low != 0 || e.Mean != 0 || e.High <= 0 {
		t.Errorf("0 of 50: %v", e)
	}
	if e := Wilson(50, 50, 0.95); e.High != 1 || e.Mean != 1 || e.Low >= 1 {
		t.Errorf("50 of 50: %v", e)
	}
	if e := Wilson(0, 0, 0.95); e.Low != 0 || e.High != 1 || !math.IsNaN(e.Mean) || e.Note == "" {
		t.Errorf("0 of 0: %v", e)
	}
	wantPanic(t, "more hits than trials", func() { Wilson(3, 2, 0.95) })
	wantPanic(t, "negative hits", func() { Wilson(-1, 2, 0.95) })
}

// Hanley and Lippman-Hand: no reaction among 14 patients, at most 3/14 or 21 %.
func TestRuleOfThree(t *testing.T) {
	if e := RuleOfThree(14); e.Mean != 0 || e.Low != 0 || !near(e.High, 0.214, 5e-4) || e.Note == "" {
		t.Errorf("got %+v", e)
	}
	if e := RuleOfThree(0); !math.IsInf(e.High, 1) {
		t.Errorf("without exposure the bound is %v", e.High)
	}
	// The exact bound solves (1-p)^n = 0.05; the rule is on its safe side.
	for _, n := range []float64{30, 100, 1000} {
		if p := RuleOfThree(n).High; math.Pow(1-p, n) > 0.05 || math.Pow(1-p, n) < 0.04 {
			t.Errorf("n = %v: no event has probability %v at the bound", n, math.Pow(1-p, n))
		}
	}
	wantPanic(t, "negative exposure", func() { RuleOfThree(-1) })
}
