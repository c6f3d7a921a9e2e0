package theory

import "math"

// PhiHistory is what an accrual detector has learnt from beats at known
// instants, in milliseconds: it begins with the intervals ¾·First and 5/4·First,
// takes in the interval before each beat at which φ was still below Level, and
// uses their mean and population deviation (at least Least) in φ's logistic
// form. It is computed here from the list as it stands, in two passes.
//
// Akka, PhiAccrualFailureDetector.
type PhiHistory struct {
	First float64
	Beats []float64
	Ask   float64 // when φ is asked for
	Least float64 // deviation
	Level float64
}

// Intervals are those that were taken in.
func (h PhiHistory) Intervals() []float64 {
	kept := []float64{h.First - h.First/4, h.First + h.First/4}
	for i := 1; i < len(h.Beats); i++ {
		if silence := h.Beats[i] - h.Beats[i-1]; h.fit(kept).Logistic(silence) < h.Level {
			kept = append(kept, silence)
		}
	}
	return kept
}

func (h PhiHistory) fit(intervals []float64) Phi {
	n := float64(len(intervals))
	mean, squares := 0.0, 0.0
	for _, x := range intervals {
		mean += x / n
	}
	for _, x := range intervals {
		squares += (x - mean) * (x - mean) / n
	}
	return Phi{Mean: mean, SD: max(h.Least, math.Sqrt(squares)), Level: h.Level}
}

// MeanInterval is the mean of the intervals.
func (h PhiHistory) MeanInterval() float64 { return h.fit(h.Intervals()).Mean }

// Deviation is the deviation that is used.
func (h PhiHistory) Deviation() float64 { return h.fit(h.Intervals()).SD }

// Phi is φ at Ask.
func (h PhiHistory) Phi() float64 {
	return h.fit(h.Intervals()).Logistic(h.Ask - h.Beats[len(h.Beats)-1])
}
