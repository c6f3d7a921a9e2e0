package theory

import "math"

// FailureLimit is a message that is received again at once when an attempt
// fails, each with chance f on its own, up to m times; a failure more than the
// attempts allow sets it aside:
//
//	P(dead letter) = fᵐ   E[N] = (1−fᵐ)/(1−f)
//
// Derived: a geometric number of attempts, cut at m. Mechanism: Amazon SQS,
// maxReceiveCount.
type FailureLimit struct {
	Arrivals float64 // jobs per second
	Failure  float64 // f, in [0, 1)
	Receives int     // m, at least 1
}

// DeadLetterShare is the share of jobs set aside.
func (l FailureLimit) DeadLetterShare() float64 { return math.Pow(l.Failure, float64(l.Receives)) }

// MeanDeliveries is the mean number of attempts of a job.
func (l FailureLimit) MeanDeliveries() float64 { return (1 - l.DeadLetterShare()) / (1 - l.Failure) }

// DeadLettersPerHour counts the jobs set aside.
func (l FailureLimit) DeadLettersPerHour() float64 { return 3600 * l.Arrivals * l.DeadLetterShare() }

// SlowLimit is Visibility where the message may be received m times: at m·V it
// is set aside though no attempt has failed, and executions that run on delete
// nothing. With G = 1 − F,
//
//	P(dead letter) = Π_{i=1..m} G(iV)   E[N] = Σ_{k=0..m−1} Π_{i=1..k} G(iV)
type SlowLimit struct {
	Timeout  float64 // V, seconds
	Service  Law
	Receives int // m, at least 1
}

// DeadLetterShare is the share of jobs set aside, all of them healthy.
func (l SlowLimit) DeadLetterShare() float64 { return l.unlimited().MoreThan(l.Receives) }

// MeanDeliveries is the mean number of deliveries of a job.
func (l SlowLimit) MeanDeliveries() float64 {
	sum := 0.0
	for k := range l.Receives {
		sum += l.unlimited().MoreThan(k)
	}
	return sum
}

func (l SlowLimit) unlimited() Visibility { return Visibility{Timeout: l.Timeout, Service: l.Service} }
