package theory

// Breakdown is M/M/1 whose worker crashes at rate ξ, busy or idle, and is up
// again after an exponential time of rate θ; the job that it had goes back to
// the head of the queue at once and needs a fresh service.
//
//	L = (λ(ξ+θ)² + λμξ) / ((ξ+θ)(θμ − λ(ξ+θ)))
//
// Valid for λ < μθ/(ξ+θ). White and Christie, "Queuing with preemptive priorities
// or with breakdown" (1958); for exponential service a fresh one and a resumed
// one have the same law.
type Breakdown struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ, per second
	Crashes  float64 // ξ, per second of up time
	Restarts float64 // θ, per second of down time
}

// Availability is the share of time in which the worker is up.
func (b Breakdown) Availability() float64 { return b.Restarts / (b.Crashes + b.Restarts) }

// MeanInSystem is the mean number of jobs that wait or run.
func (b Breakdown) MeanInSystem() float64 {
	both := b.Crashes + b.Restarts
	spare := b.Restarts*b.Service - b.Arrivals*both
	return (b.Arrivals*both*both + b.Arrivals*b.Service*b.Crashes) / (both * spare)
}

// MeanSojourn is the mean time from arrival to completion.
func (b Breakdown) MeanSojourn() float64 { return b.MeanInSystem() / b.Arrivals }
