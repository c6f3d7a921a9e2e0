package theory

import "math"

// GM1 is one queue and one server with exponential service, and times between
// arrivals that are constant (Phases 0) or the sum of so many equal exponential
// ones (Erlang). With A* the Laplace transform of that time, σ in (0, 1) solves
//
//	σ = A*(μ(1−σ)),  A*(s) = e^{−s/λ} or (kλ/(kλ+s))ᵏ
//	P(wait) = σ   Wq = σ/(μ(1−σ))
//
// Valid for λ < μ. Kleinrock, vol. 1, chapter 6. Kingman (1962): whatever the two
// laws, Wq ≤ λ(Var A + Var S)/(2(1−ρ)).
type GM1 struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ, per second
	Phases   int
}

// WaitShare is the share of jobs that wait. The iteration rises from 0 to the
// least fixed point, which is the one below 1.
func (q GM1) WaitShare() float64 {
	sigma := 0.0
	for {
		s := q.Service * (1 - sigma)
		next := math.Exp(-s / q.Arrivals)
		if k := float64(q.Phases); k > 0 {
			next = math.Pow(k*q.Arrivals/(k*q.Arrivals+s), k)
		}
		if next-sigma < 1e-14 {
			return next
		}
		sigma = next
	}
}

// MeanWait is the mean wait before service, zeros included.
func (q GM1) MeanWait() float64 {
	sigma := q.WaitShare()
	return sigma / (q.Service * (1 - sigma))
}

// MostMeanWait is Kingman's bound on the mean wait.
func (q GM1) MostMeanWait() float64 {
	variance := 1 / (q.Service * q.Service)
	if q.Phases > 0 {
		variance += 1 / (float64(q.Phases) * q.Arrivals * q.Arrivals)
	}
	return q.Arrivals * variance / (2 * (1 - q.Arrivals/q.Service))
}

// Batches is one queue and one server with exponential service; batches of
// exactly Size jobs come as a Poisson process.
//
//	ρ = λE[X]/μ   L = ρ(1 + E[X²]/E[X])/(2(1−ρ))   W = L/(λE[X])
//
// Valid for ρ < 1. Gross and Harris, Fundamentals of Queueing Theory, section
// 3.1 (M^[X]/M/1).
type Batches struct {
	Batches float64 // λ, per second
	Size    int     // X
	Service float64 // μ, per second
}

// MeanInSystem is the mean number that wait or are served.
func (b Batches) MeanInSystem() float64 {
	size := float64(b.Size)
	rho := b.Batches * size / b.Service
	return rho * (1 + size) / (2 * (1 - rho))
}

// MeanSojourn is the mean time from arrival to completion.
func (b Batches) MeanSojourn() float64 { return b.MeanInSystem() / (b.Batches * float64(b.Size)) }
