package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/sim/stat"
)

// A sum of thirds divided by their number is not quite a third, and 0.1 + 0.2
// not quite 0.3: neither is an interval.
func TestRoundingIsNoSpread(t *testing.T) {
	for _, xs := range [][]float64{
		{1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3}, {0.1, 0.1, 0.1}, {0.3, 0.1 + 0.2, 0.3}, {math.NaN(), 7.7, 7.7, 7.7},
	} {
		e := average(xs, stat.Confidence)
		want := xs[len(xs)-1]
		assert.Equal(t, []float64{want, want, want}, []float64{e.Mean, e.Low, e.High})
	}
	e := average([]float64{1, 1 + 1e-9}, stat.Confidence)
	assert.Less(t, e.Low, e.High, "a difference that a metric can have")

	e = paired([]float64{0.3, 5, 1e9}, []float64{0.1 + 0.2, 5, 1e9, 4}, stat.Confidence)
	assert.Equal(t, []float64{0, 0, 0, 3}, []float64{e.Mean, e.Low, e.High, float64(e.N)})
	e = paired([]float64{1, 2, math.NaN()}, []float64{2, 5, 1}, stat.Confidence)
	assert.Equal(t, []float64{2, 2}, []float64{e.Mean, float64(e.N)})
	assert.Equal(t, "0.333333", report.Interval(average([]float64{1. / 3, 1. / 3, 1. / 3}, stat.Confidence).Mean, 1./3, 1./3).String())
}

func TestAnIntervalWithoutEndsHasNone(t *testing.T) {
	for _, xs := range [][]float64{{4}, {1, math.Inf(1), 2}, {math.NaN()}, nil} {
		low, high := known(average(xs, stat.Confidence))
		assert.True(t, math.IsNaN(low) && math.IsNaN(high), xs)
	}
	low, high := known(average([]float64{1, 2}, stat.Confidence))
	assert.Less(t, low, high)
}
