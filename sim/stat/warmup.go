package stat

import "math"

// mserBatch is the 5 of MSER-5.
const mserBatch = 5

// MSER5 proposes how many leading values of series, taken at equal distances
// from the start of a run, to drop as warm-up (White, "An effective truncation
// heuristic for bias reduction in simulation output", Simulation 69, 1997,
// 323-334; batches of five: White, Cobb and Spratt, Winter Simulation
// Conference 2000, 755-760). With k batch means z, the cut is 5·d for the d in
// [0, k/2] that minimises
//
//	Σ_{i=d+1..k} (z_i - mean of z_{d+1..k})² / (k-d)²,
//
// the smallest such d at a tie.
//
// Ok is false, and the cut not to be trusted, when the minimum lies at the end
// of the search, that is when the series may be too short to have settled; when
// there are fewer than 10 batches; or when a value is not a finite number.
func MSER5(series []float64) (cut int, ok bool) {
	k := len(series) / mserBatch
	if k < 10 {
		return 0, false
	}
	var (
		best       = math.Inf(1)
		bestD      int
		n          float64 // batches behind mean and squares: d..k-1
		mean       float64
		squares    float64
		last       = k / 2
		batchTotal float64
	)
	// From the end towards the start, so that one Welford pass serves every d.
	for d := k - 1; d >= 0; d-- {
		batchTotal = 0
		for _, x := range series[d*mserBatch : (d+1)*mserBatch] {
			batchTotal += x
		}
		z := batchTotal / mserBatch
		n++
		delta := z - mean
		mean += delta / n
		squares += float64(delta * (z - mean))
		if math.IsNaN(squares) || math.IsInf(squares, 0) {
			return 0, false
		}
		if score := squares / float64(n*n); d <= last && score <= best {
			best, bestD = score, d
		}
	}
	return bestD * mserBatch, bestD < last
}
