package theory

import "gonum.org/v1/gonum/stat/distuv"

// Herd is so many clients of which each retries once, at a uniform instant of a
// window cut into equal slots. The peak is the largest number in one slot:
//
//	P(peak ≤ k) = N!/Mᴺ · [xᴺ] (Σ_{j≤k} xʲ/j!)ᴹ
//
// Multinomial occupancy, computed slot by slot: of r clients left for s slots,
// binomially many, each with chance 1/s, are in the next.
type Herd struct {
	Clients int // N
	Slots   int // M
}

// peakAtMost is P(peak ≤ k).
func (h Herd) peakAtMost(k int) float64 {
	fits := make([]float64, h.Clients+1) // by clients left, for one slot
	for left := range min(k, h.Clients) + 1 {
		fits[left] = 1
	}
	for s := 2; s <= h.Slots; s++ {
		next := make([]float64, h.Clients+1)
		for left := range next {
			inSlot := distuv.Binomial{N: float64(left), P: 1 / float64(s)}
			for j := 0; j <= min(k, left); j++ {
				if fits[left-j] > 0 {
					next[left] += inSlot.Prob(float64(j)) * fits[left-j]
				}
			}
		}
		fits = next
	}
	return fits[h.Clients]
}

// MeanPeak is the mean of the peak.
func (h Herd) MeanPeak() float64 {
	mean := 0.0
	for k := 0; k < h.Clients; k++ {
		above := 1 - h.peakAtMost(k)
		mean += above
		if above < 1e-12 {
			break
		}
	}
	return mean
}

// MedianPeak is the least k with P(peak ≤ k) of one half or more.
func (h Herd) MedianPeak() int {
	k := 0
	for h.peakAtMost(k) < 0.5 {
		k++
	}
	return k
}

// PeakAtLeast is P(peak ≥ k).
func (h Herd) PeakAtLeast(k int) float64 { return 1 - h.peakAtMost(k-1) }

// PeakWithoutJitter is the peak when all retry at one instant.
func (h Herd) PeakWithoutJitter() int { return h.Clients }
