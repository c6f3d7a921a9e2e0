package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// scale places the numbers of one axis on paper. Beyond the main part there may be two strips: one before it for zero
// on a logarithmic scale, one after it for infinity.
type scale struct {
	axis      Axis
	low, high float64   // ends of the main part, in the axis's unit
	from, to  vg.Length // ends of the main part on paper
	zero, off bool      // whether the strips are there
	ticks     []tick
}

// strip is the depth of a strip for values off the scale.
const strip = vg.Length(22)

// newScale fits a scale to the numbers that are to stand on it. It is told how the axis pads its ends, not where on
// paper it lies: that is known only when its labels have been measured.
func newScale(a Axis, values []float64, fit fit) scale {
	s := scale{axis: a, low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range values {
		switch {
		case math.IsNaN(v):
		case math.IsInf(v, 1):
			s.off = true
		case a.Log && v <= 0:
			s.zero = true
		default:
			s.low, s.high = math.Min(s.low, v), math.Max(s.high, v)
		}
	}
	if s.low > s.high { // Nothing but gaps, zeros and infinities: an empty scale without ticks.
		s.low, s.high = 1, 2
		return s
	}
	if a.Log {
		s.fitLog(fit)
	} else {
		s.fitLinear(fit)
	}
	return s
}

// fit says how a scale treats its ends.
type fit struct {
	fromZero bool      // a linear scale includes zero and ends on a tick
	pad      float64   // least room beyond the data, as a share of a step then, of the span otherwise
	at       []float64 // preferred ticks: the values themselves, when they are few
	vertical bool
	length   vg.Length // of the axis on paper
}

func (s *scale) fitLinear(fit fit) {
	parts := 7
	if fit.vertical {
		parts = 6
	}
	if fit.fromZero {
		s.low, s.high = math.Min(s.low, 0), math.Max(s.high, 0)
	}
	if size := math.Max(math.Abs(s.low), math.Abs(s.high)); s.high-s.low <= 1e-9*size {
		s.low, s.high = s.low-size/2, s.high+size/2
	}
	if s.low == s.high {
		s.high = 1
	}
	if fit.fromZero {
		step := niceStep(s.high-s.low, parts, s.axis.Unit)
		up, down := s.high/step, s.low/step
		if up > 0 {
			up = math.Ceil(up + fit.pad - 1e-9)
		}
		if down < 0 {
			down = math.Floor(down - fit.pad + 1e-9)
		}
		s.low, s.high = down*step, up*step
	} else {
		pad := fit.pad * (s.high - s.low)
		s.low, s.high = s.low-pad, s.high+pad
	}
	s.choose(fit, linearTicks(s.low, s.high, parts, s.axis.Unit), linearTicks(s.low, s.high, 3, s.axis.Unit))
}

func (s *scale) fitLog(fit fit) {
	if s.high <= s.low*(1+1e-9) {
		s.low, s.high = s.low/2, s.high*2
	}
	pad := math.Pow(s.high/s.low, fit.pad)
	s.low, s.high = s.low/pad, s.high*pad
	s.choose(fit, logLadders(s.low, s.high, s.axis.Unit)...)
}

// choose takes the first list of ticks whose labels do not touch.
func (s *scale) choose(fit fit, lists ...[]tick) {
	if n := len(fit.at); n > 0 && n <= 12 {
		lists = append([][]tick{ticksAt(fit.at, s.axis.Unit)}, lists...)
	}
	s.from, s.to = 0, fit.length
	for _, s.ticks = range lists {
		if s.fits(fit.vertical) {
			return
		}
	}
}

func (s *scale) fits(vertical bool) bool {
	for i := 1; i < len(s.ticks); i++ {
		before, after := s.ticks[i-1], s.ticks[i]
		need := lineHeight
		if !vertical {
			need = (tickText.Width(before.label)+tickText.Width(after.label))/2 + 6
		}
		if s.at(after.value)-s.at(before.value) < need {
			return false
		}
	}
	return true
}

// at returns the place of a number on paper, in a strip if it is off the scale.
func (s scale) at(v float64) vg.Length {
	switch {
	case math.IsInf(v, 1):
		return s.to + strip/2
	case s.axis.Log && v <= 0:
		return s.from - strip/2
	}
	return s.edge(v)
}

// edge returns the place of a number on the main part, at its end if it is off the scale: how far an interval goes.
func (s scale) edge(v float64) vg.Length {
	return s.from + vg.Length(s.share(v))*(s.to-s.from)
}

// share is the distance of a number from the low end as a part of the whole, in [0, 1].
func (s scale) share(v float64) float64 {
	share := (v - s.low) / (s.high - s.low)
	if s.axis.Log {
		share = math.Log(math.Max(v, s.low)/s.low) / math.Log(s.high/s.low)
	}
	return math.Max(0, math.Min(1, share))
}

// on reports whether a number stands on the main part.
func (s scale) on(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (v > 0 || !s.axis.Log)
}

// move puts the main part on paper, between the strips.
func (s *scale) move(from, to vg.Length) {
	s.from, s.to = from, to
	if s.zero {
		s.from += strip
	}
	if s.off {
		s.to -= strip
	}
}
