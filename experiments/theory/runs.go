package theory

import "math"

// losses are independent trials that are lost with the same chance; what counts
// is the first run of so many losses in a row. Feller, An Introduction to
// Probability Theory, vol. 1, section XIII.7.
type losses struct {
	chance float64 // of one loss, in (0, 1)
	run    int     // m, at least 1
}

// borne is the m of a deadline that every received message sets anew: the
// number of messages, one every period, whose loss in a row lets it pass,
// ⌈length/period⌉ − 1. Valid when length is no multiple of period, or a message
// at the deadline comes too late.
func borne(length, period float64) int { return int(math.Ceil(length/period)) - 1 }

// meanTrials is the mean number of the trial that completes the first run,
// (1−pᵐ)/((1−p)pᵐ).
func (l losses) meanTrials() float64 {
	run := math.Pow(l.chance, float64(l.run))
	return (1 - run) / ((1 - l.chance) * run)
}

// completions yields n and the chance that trial n completes the first run,
// for n = m, m+1, …, as long as yield wants more:
//
//	f_m = pᵐ   f_n = (1 − Σ_{k<n−m} f_k)·(1−p)pᵐ
func (l losses) completions(yield func(n int, chance float64) bool) {
	run := math.Pow(l.chance, float64(l.run))
	recent := make([]float64, l.run+1) // f of the last m+1 trials, by n mod m+1
	without := 1.0                     // chance of no run in the first n−m−1 trials
	for n := l.run; ; n++ {
		chance := run
		if n > l.run {
			without -= recent[n%len(recent)]
			chance = without * (1 - l.chance) * run
		}
		recent[n%len(recent)] = chance
		if !yield(n, chance) {
			return
		}
	}
}
