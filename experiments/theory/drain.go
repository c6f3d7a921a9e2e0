package theory

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Drain is a queue that starts empty and in which nothing is done for Outage
// seconds while jobs keep coming; then all workers start at once. The backlog
// N is Poisson with mean λD, and each step down from n > c takes a mean of
// 1/(cμ−λ), an M/M/1 busy period:
//
//	E[drain] = E[(N−c)⁺] / (cμ−λ)   fluid: λD/(cμ−λ)
//
// where the drain ends when c jobs are left. Valid for λ < cμ, exponential
// service. Kleinrock, vol. 1, section 5.8.
type Drain struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ of one worker, per second
	Workers  int     // c
	Outage   float64 // D, seconds
}

// MeanBacklog is the mean number of jobs when the outage ends.
func (d Drain) MeanBacklog() float64 { return d.Arrivals * d.Outage }

// Fluid is the time to drain if jobs were a liquid and all of it had to go.
func (d Drain) Fluid() float64 {
	return d.MeanBacklog() / (float64(d.Workers)*d.Service - d.Arrivals)
}

// Mean is the exact mean time from the end of the outage until no more than
// Workers jobs are left.
func (d Drain) Mean() float64 {
	backlog := distuv.Poisson{Lambda: d.MeanBacklog()}
	excess := 0.0
	last := backlog.Lambda + 40*math.Sqrt(backlog.Lambda) + 40 // nothing lies beyond
	for n := float64(d.Workers + 1); n <= last; n++ {
		excess += (n - float64(d.Workers)) * backlog.Prob(n)
	}
	return excess / (float64(d.Workers)*d.Service - d.Arrivals)
}
