package theory

import "math"

// Throttle is a client that refuses its own calls with chance
// max(0, (requests − K·accepts)/(requests + 1)), counted over a long window, in
// front of a service that accepts A per second. In its fixed point K·A calls are
// sent per second. Valid for R > K·A; the +1 and the noise of the window shift it
// by less than one percent. Site Reliability Engineering (2016), chapter 21.
type Throttle struct {
	Requests float64 // R, per second
	Accepts  float64 // A, per second
	K        float64
}

// Sent is how many calls are sent per second.
func (t Throttle) Sent() float64 { return math.Min(t.Requests, t.K*t.Accepts) }

// Accepted is how many calls are accepted per second.
func (t Throttle) Accepted() float64 { return math.Min(t.Sent(), t.Accepts) }

// RefusedShare is the share that the client refuses itself.
func (t Throttle) RefusedShare() float64 { return 1 - t.Sent()/t.Requests }

// Bulkhead lets at most c calls be in progress and refuses the others. With
// a = λE[S], whatever the law of S:
//
//	B(c, a) = (aᶜ/c!)/Σ_{k≤c} aᵏ/k!   in use = a(1−B)
//
// Erlang (1917); Sevastyanov (1957) for the insensitivity. Computed by
// B(k) = aB(k−1)/(k + aB(k−1)).
type Bulkhead struct {
	Arrivals float64 // λ, per second
	Mean     float64 // E[S], seconds
	Places   int     // c
}

// RefusedShare is the share of calls that are refused.
func (b Bulkhead) RefusedShare() float64 {
	a, blocked := b.Arrivals*b.Mean, 1.0
	for k := 1; k <= b.Places; k++ {
		blocked = a * blocked / (float64(k) + a*blocked)
	}
	return blocked
}

// MeanInUse is the mean number of calls in progress.
func (b Bulkhead) MeanInUse() float64 { return b.Arrivals * b.Mean * (1 - b.RefusedShare()) }
