package stat

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// The bits of every kind of figure. They are the same on every CPU: this test
// is run on amd64, 386 and arm64. Nobody edits the file casually, since each
// change means that committed results change.
func TestGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := figures(t)
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	if len(wantLines) != len(gotLines) {
		t.Fatalf("%d lines, want %d; all of them:\n%s", len(gotLines), len(wantLines), got)
	}
	for i, line := range gotLines {
		if line != wantLines[i] {
			t.Errorf("got  %s\nwant %s", line, wantLines[i])
		}
	}
}

// figures prints one line per figure: its name, its bits and its value.
func figures(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	line := func(name string, x float64) {
		fmt.Fprintf(&out, "%s %016x %v\n", name, math.Float64bits(x), x)
	}
	estimate := func(name string, e Estimate) {
		line(name+".mean", e.Mean)
		line(name+".sd", e.SD)
		line(name+".low", e.Low)
		line(name+".high", e.High)
	}

	var h Histogram
	var l Level
	var now int64
	for _, v := range shapes()["decades"] {
		h.Add(v)
		now += v % 1_000_003
		l.Set(now, v%97)
	}
	line("histogram.mean", h.Mean())
	line("histogram.sd", h.SD())
	line("histogram.p50", h.Quantile(0.5))
	line("histogram.p99", h.Quantile(0.99))
	line("histogram.p999", h.Quantile(0.999))
	line("histogram.share_over_1s", h.ShareOver(1e9))
	line("level.mean", l.Mean(now+1))

	c := exact.NewChance(41, 0)
	xs, ys, counts := make([]float64, 37), make([]float64, 40), make([]int64, 37)
	for i := range xs {
		xs[i], ys[i] = 100*c.U01(), 3+exact.NormQuantile(c.Open01())
		counts[i] = MinSamples
	}
	estimate("mean", MeanT(xs, 0.95))
	estimate("paired", Paired(xs, ys))
	estimate("ratio", RatioT(xs, ys[:len(xs)], 0.9))
	quantile, err := QuantileT(xs, counts, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	estimate("quantile", quantile)
	estimate("median", MedianCI(xs, 0.95))
	estimate("p90", QuantileCI(ys, 0.9, 0.8))
	estimate("wilson", Wilson(7, 61, 0.95))
	estimate("zero", RuleOfThree(7))
	cut, _ := MSER5(transient(1000))
	line("mser5.cut", float64(cut))
	line("needed", float64(NeededToDecide(MeanT(xs, 0.95), 60)))
	return out.String()
}
