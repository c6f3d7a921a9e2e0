package dist

import (
	"math"

	"github.com/tenggat/tenggat/internal/exact"
)

// mixture is one of its parts, chosen at random.
type mixture []part

type part struct {
	share float64 // probability of this part
	upTo  float64 // probability of this part or an earlier one
	law   openLaw
}

func (m mixture) draw(c exact.Chance) float64 {
	for i, u := 0, c.U01(); ; i++ {
		if u < m[i].upTo {
			return m[i].law.draw(c.With(uint64(i)))
		}
	}
}

// quantile searches between the least and the greatest quantile of the parts.
func (m mixture) quantile(p float64) float64 {
	low, high := math.Inf(1), 0.0
	for _, t := range m {
		if t.share > 0 {
			low = math.Min(low, t.law.quantile(p))
			high = math.Max(high, t.law.quantile(p))
		}
	}
	return invert(m, p, low, high)
}

func (m mixture) cdf(x float64) float64 {
	return m.average(func(l openLaw) float64 { return l.cdf(x) })
}

func (m mixture) mean() float64 { return m.average(openLaw.mean) }

func (m mixture) limited(cap float64) float64 {
	return m.average(func(l openLaw) float64 { return l.limited(cap) })
}

func (m mixture) max() float64 {
	most := 0.0
	for _, t := range m {
		if t.share > 0 {
			most = math.Max(most, t.law.max())
		}
	}
	return most
}

func (m mixture) average(f func(openLaw) float64) float64 {
	sum := 0.0
	for _, t := range m {
		if t.share > 0 {
			sum += float64(t.share * f(t.law))
		}
	}
	return sum
}

// sum is a constant and one or more independent random terms.
type sum struct {
	shift float64
	terms []openLaw
}

func (s sum) draw(c exact.Chance) float64 {
	x := s.shift + s.terms[0].draw(c)
	for i, t := range s.terms[1:] {
		x += t.draw(c.With(uint64(i + 1)))
	}
	return x
}

func (s sum) quantile(p float64) float64 {
	if len(s.terms) > 1 {
		return math.NaN()
	}
	return s.shift + s.terms[0].quantile(p)
}

func (s sum) cdf(x float64) float64 {
	switch {
	case x < s.shift:
		return 0
	case len(s.terms) > 1:
		return math.NaN()
	}
	return s.terms[0].cdf(x - s.shift)
}

func (s sum) mean() float64 {
	x := s.shift
	for _, t := range s.terms {
		x += t.mean()
	}
	return x
}

func (s sum) limited(cap float64) float64 {
	switch {
	case cap <= s.shift:
		return cap
	case cap >= s.max():
		return s.mean()
	case len(s.terms) > 1:
		return math.NaN()
	}
	return s.shift + s.terms[0].limited(cap-s.shift)
}

func (s sum) max() float64 {
	x := s.shift
	for _, t := range s.terms {
		x += t.max()
	}
	return x
}

// capped is a law whose draws beyond most become most.
type capped struct {
	law  openLaw
	most float64
}

func (l capped) draw(c exact.Chance) float64 { return math.Min(l.law.draw(c), l.most) }
func (l capped) quantile(p float64) float64  { return math.Min(l.law.quantile(p), l.most) }
func (l capped) mean() float64               { return l.law.limited(l.most) }
func (l capped) max() float64                { return math.Min(l.law.max(), l.most) }

// invert finds the least float64 x in [low, high] with l.cdf(x) >= p, if high is
// one. It halves bit patterns, which rise with the numbers from 0 to +Inf, so
// 64 steps always do. An unknown law gives NaN.
func invert(l openLaw, p, low, high float64) float64 {
	switch {
	case low != low || high != high:
		return math.NaN()
	case p == 1: // cdf rounds to 1 before it gets there
		return l.max()
	case l.cdf(low) >= p:
		return low
	}
	below, enough := math.Float64bits(low), math.Float64bits(high)
	for below+1 < enough {
		mid := below + (enough-below)/2
		if l.cdf(math.Float64frombits(mid)) >= p {
			enough = mid
		} else {
			below = mid
		}
	}
	return math.Float64frombits(enough)
}
