package theory

import "math"

// MD1 is one queue and one server with Poisson arrivals and a constant service
// time D. Valid for ρ = λD < 1.
//
//	Wq = ρD/(2(1−ρ))   P(Wq > 0) = ρ
//
// For (k−1)D ≤ t < kD, with u = kD−t and Q_j the chance of at most j waiting,
//
//	P(Wq ≤ t) = e^{−λu} Σ_{j=0..k−1} Q_{k−1−j}·(λu)^j/j!
//
// which has positive terms only, unlike Erlang's alternating sum (1909). Franx,
// "A simple solution for the M/D/c waiting time distribution", Operations
// Research Letters 29 (2001); Tijms, A First Course in Stochastic Models (2003),
// section 9.6.
type MD1 struct {
	Arrivals float64 // λ, per second
	Service  float64 // D, seconds
}

// WaitShare is the share of jobs that wait at all.
func (q MD1) WaitShare() float64 { return min(1, q.Arrivals*q.Service) }

// MeanWait is the mean wait before service.
func (q MD1) MeanWait() float64 {
	rho := q.WaitShare()
	return rho * q.Service / (2 * (1 - rho))
}

// WaitOver is the share of jobs that wait longer than t.
func (q MD1) WaitOver(t float64) float64 {
	if q.WaitShare() == 1 {
		return 1
	}
	k := int(math.Floor(t/q.Service)) + 1
	load := q.Arrivals * (float64(k)*q.Service - t)
	waiting := q.waitingAtMost(k)
	sum, term := 0.0, math.Exp(-load)
	for j := range k {
		sum += waiting[k-1-j] * term
		term *= load / float64(j+1)
	}
	return 1 - sum
}

// waitingAtMost is Q_0 … Q_{n−1}. The number in system at departures, which is
// the number at any time, crosses each level as often upwards as downwards:
//
//	p_{n+1}·a_0 = p_0·P(A > n) + Σ_{k=1..n} p_k·P(A > n−k+1)
//
// where A, Poisson with mean ρ, counts the arrivals during one service.
func (q MD1) waitingAtMost(n int) []float64 {
	rho := q.WaitShare()
	over := make([]float64, n+2) // over[i] = P(A > i)
	term := math.Exp(-rho)
	left := 1.0
	for i := range over {
		left -= term
		over[i] = max(0, left)
		term *= rho / float64(i+1)
	}
	p := []float64{1 - rho}
	total := p[0]
	atMost := make([]float64, n)
	for i := range n {
		up := p[0] * over[i]
		for k := 1; k <= i; k++ {
			up += p[k] * over[i-k+1]
		}
		p = append(p, up*math.Exp(rho))
		total += p[i+1]
		atMost[i] = total // at most i waiting: at most i+1 in system
	}
	return atMost
}
