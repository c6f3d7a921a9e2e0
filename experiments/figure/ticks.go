package figure

import "math"

// tick is a labelled place on an axis, in the axis's own unit.
type tick struct {
	value float64
	label string
}

func ticksAt(values []float64, unit string) []tick {
	ticks := make([]tick, len(values))
	for i, v := range values {
		ticks[i] = tick{v, label(v, unit, exactDigits)}
	}
	return ticks
}

// clockSteps are the distances at which people expect marks on an axis of time, in seconds from one second to a day.
// Below and above, steps follow 1-2-5.
var clockSteps = []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 3 * 3600, 6 * 3600, 12 * 3600, 86400}

// niceStep returns the smallest step that divides the span into at most so many parts.
func niceStep(span float64, parts int, unit string) float64 {
	least := span / float64(parts) * (1 - 1e-9)
	if unit == Seconds && least > 0.5 {
		for _, step := range clockSteps {
			if step >= least {
				return step
			}
		}
		return 86400 * niceStep(span/86400, parts, "")
	}
	decade := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*decade >= least {
			return m * decade
		}
	}
	return 10 * decade
}

// linearTicks returns the multiples of a nice step in [low, high].
func linearTicks(low, high float64, parts int, unit string) []tick {
	step := niceStep(high-low, parts, unit)
	slack := step * 1e-6
	var values []float64
	for k := math.Ceil((low - slack) / step); k*step <= high+slack; k++ {
		values = append(values, k*step+0) // +0 turns a negative zero into zero
	}
	return ticksAt(values, unit)
}

// logLadders returns ever coarser lists of ticks in [low, high], 0 < low < high: first 1-2-5, then powers of ten, then
// every second, third… power. Times go through seconds, minutes and hours instead of powers of ten.
func logLadders(low, high float64, unit string) [][]tick {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	build := func(every int, multiples ...float64) []tick {
		var values []float64
		for d := first; d <= last; d++ {
			if (d%every+every)%every != 0 || unit == Seconds && d >= 0 {
				continue
			}
			for _, m := range multiples {
				values = append(values, m*math.Pow(10, float64(d)))
			}
		}
		return ticksAt(within(append(values, clockMarks(last, unit, every, len(multiples) > 1)...), low, high), unit)
	}
	ladders := [][]tick{build(1, 1, 2, 5)}
	for every := 1; every <= last-first; every++ {
		ladders = append(ladders, build(every, 1))
	}
	if len(ladders[0]) < 2 { // Less than a step of 1-2-5: the scale is nearly linear here.
		ladders = [][]tick{linearTicks(low, high, 6, unit), linearTicks(low, high, 3, unit)}
	}
	return ladders
}

// clockMarks are the marks from one second up on a logarithmic axis of time.
func clockMarks(lastDecade int, unit string, every int, fine bool) []float64 {
	if unit != Seconds {
		return nil
	}
	marks := []float64{1, 10, 60, 600, 3600, 36000, 86400}
	if fine {
		marks = []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 5 * 86400}
	}
	if every > 1 {
		marks = []float64{1, 60, 3600, 86400}
	}
	for d := 1; d <= lastDecade-4; d += every { // Ten days and more.
		marks = append(marks, 86400*math.Pow(10, float64(d)))
	}
	return marks
}

func within(values []float64, low, high float64) []float64 {
	kept := values[:0]
	for _, v := range values {
		if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
			kept = append(kept, v)
		}
	}
	return kept
}
