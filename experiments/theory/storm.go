package theory

import "math"

// Storm is a server of capacity C with an unlimited queue, first come first
// served, and clients that give up after τ, send the same request again at
// once, r times at most, and come at times 0, 1/λ, 2/λ, …. The server knows
// nothing of that and serves every attempt in full. It stands still on
// [0, Outage). As a fluid:
//
//	backlog at the end      Q = λ·Σ_{j=0..r} (Outage − jτ)
//	attempts while all fail λ(r+1) per second: for ever if λ(r+1) > C
//	else a new attempt succeeds again from t₁ = Outage + (Q − Cτ)/(C − λ(r+1)) on,
//	requests that fail      λ(t₁ − rτ),
//	queue empty             t₁ + τ + λ(r+1)τ/(C − λ)
//
// Valid for λ < C and Outage ≥ rτ. Derived; Bronson et al., "Metastable failures
// in distributed systems" (HotOS 2021); Huang et al. (OSDI 2022).
type Storm struct {
	Arrivals float64 // λ, per second
	Capacity float64 // C, per second
	Retries  int     // r
	Timeout  float64 // τ
	Outage   float64
}

// attempts is how many are sent per second while every one fails.
func (s Storm) attempts() float64 { return s.Arrivals * float64(s.Retries+1) }

// Threshold is the load above which the overload keeps itself up.
func (s Storm) Threshold() float64 { return s.Capacity / float64(s.Retries+1) }

// MostAttempts is the largest number of attempts per request at which it does
// not.
func (s Storm) MostAttempts() int { return int(math.Floor(s.Capacity / s.Arrivals)) }

// FirstSuccess is when attempts that are sent begin to succeed again.
func (s Storm) FirstSuccess() float64 {
	backlog := 0.0
	for j := 0; j <= s.Retries; j++ {
		backlog += s.Arrivals * (s.Outage - float64(j)*s.Timeout)
	}
	spare := s.Capacity - s.attempts()
	if spare <= 0 {
		return math.Inf(1)
	}
	return s.Outage + (backlog-s.Capacity*s.Timeout)/spare
}

// Failed is how many requests fail for good.
func (s Storm) Failed() float64 {
	return s.Arrivals * (s.FirstSuccess() - float64(s.Retries)*s.Timeout)
}

// Empty is when the queue is empty again.
func (s Storm) Empty() float64 {
	return s.FirstSuccess() + s.Timeout + s.attempts()*s.Timeout/(s.Capacity-s.Arrivals)
}

// Growth is by how many attempts per second the queue grows while every one
// fails; below zero it shrinks.
func (s Storm) Growth() float64 { return s.attempts() - s.Capacity }

// Goodput is how many requests per second succeed in the long run.
func (s Storm) Goodput() float64 {
	if s.Growth() > 0 {
		return 0
	}
	return s.Arrivals
}

// StormBudget is a storm whose retries are limited to a share b of first
// attempts: λ(1+b) attempts per second at most, for any number of time-outs.
// Site Reliability Engineering (2016), chapters 21 and 22.
type StormBudget struct {
	Arrivals float64 // λ, per second
	Capacity float64 // C, per second
	Ratio    float64 // b
}

// MostOffered is how many attempts are sent per second when every one fails.
func (s StormBudget) MostOffered() float64 { return s.Arrivals * (1 + s.Ratio) }

// Sustains says whether the overload keeps itself up.
func (s StormBudget) Sustains() bool { return s.MostOffered() > s.Capacity }

// Threshold is the load above which it does.
func (s StormBudget) Threshold() float64 { return s.Capacity / (1 + s.Ratio) }

// DrainTime is how long it takes to work off so many attempts.
func (s StormBudget) DrainTime(backlog float64) float64 {
	if s.Sustains() {
		return math.Inf(1)
	}
	return backlog / (s.Capacity - s.MostOffered())
}
