package theory

import "slices"

// DeadBreaker is a breaker in front of a dependency that fails every call;
// calls come as a Poisson process and take no time. It opens at the n-th
// failure in a row, for O seconds; the first call after that is the only probe.
// A cycle is O and the wait for the probe, exponential with mean 1/λ:
//
//	first opening: n/λ   calls that pass, per second: 1/(O + 1/λ)
//	refused: λO/(λO + 1)
//
// Renewal-reward theorem; breaker as in Nygard, Release It! (2007).
type DeadBreaker struct {
	Calls       float64 // λ, per second
	Consecutive int     // n
	Open        float64 // O, seconds
}

// MeanToOpen is the mean time from the start to the first opening.
func (b DeadBreaker) MeanToOpen() float64 { return float64(b.Consecutive) / b.Calls }

// PassedPerSecond is how many calls reach the dependency, from the first
// opening on.
func (b DeadBreaker) PassedPerSecond() float64 { return 1 / (b.Open + 1/b.Calls) }

// RefusedShare is the share of calls that are refused, from the first opening
// on.
func (b DeadBreaker) RefusedShare() float64 { return b.Calls * b.Open / (b.Calls*b.Open + 1) }

// PassedWithin is the mean number of calls that reach the dependency in the
// first t seconds, up to the edge effect of less than one call: n, and one for
// each cycle after the first opening.
func (b DeadBreaker) PassedWithin(t float64) float64 {
	return float64(b.Consecutive) + (t-b.MeanToOpen())*b.PassedPerSecond()
}

// FlakyBreaker is the breaker of DeadBreaker in front of a dependency that fails
// each call with chance f, probes too. It is closed for M calls on the mean, and
// has 1/(1−f) probes until it closes again:
//
//	M = (1−fⁿ)/((1−f)fⁿ)   cycle = M/λ + (O + 1/λ)/(1−f)
//
// Feller's runs, the renewal-reward theorem, and Wald's equation for successes.
type FlakyBreaker struct {
	Calls       float64 // λ, per second
	Failure     float64 // f
	Consecutive int     // n
	Open        float64 // O, seconds
}

// MeanClosedCalls is the mean number of calls in a closed period, the one that
// opens the breaker included.
func (b FlakyBreaker) MeanClosedCalls() float64 {
	return losses{chance: b.Failure, run: b.Consecutive}.meanTrials()
}

// probes is the mean number of probes until one is good.
func (b FlakyBreaker) probes() float64 { return 1 / (1 - b.Failure) }

func (b FlakyBreaker) cycle() float64 {
	return b.MeanClosedCalls()/b.Calls + (b.Open+1/b.Calls)*b.probes()
}

// PassedPerSecond is how many calls reach the dependency.
func (b FlakyBreaker) PassedPerSecond() float64 {
	return (b.MeanClosedCalls() + b.probes()) / b.cycle()
}

// OpenShare is the share of time in an open period.
func (b FlakyBreaker) OpenShare() float64 { return b.Open * b.probes() / b.cycle() }

// SuccessPerSecond is how many calls succeed.
func (b FlakyBreaker) SuccessPerSecond() float64 { return b.PassedPerSecond() * (1 - b.Failure) }

// Sawtooth is a limit that grows by Add each round and becomes
// ⌊limit·Num/Den⌋, at least 1, after a round in which it exceeded the capacity;
// demand is always above it. Chiu and Jain (1989), in whole numbers; run
// literally until a limit after an overload comes back.
type Sawtooth struct {
	Capacity int
	Start    int
	Add      int
	Num, Den int
}

func (s Sawtooth) next(limit int) int {
	if limit > s.Capacity {
		return max(1, limit*s.Num/s.Den)
	}
	return limit + s.Add
}

// FirstOverload is the first round, from 0, whose limit exceeds the capacity.
func (s Sawtooth) FirstOverload() int {
	round := 0
	for limit := s.Start; limit <= s.Capacity; limit = s.next(limit) {
		round++
	}
	return round
}

// cycle is the limits of one cycle in the long run, from its least.
func (s Sawtooth) cycle() []int {
	seen := map[int]int{} // limit after an overload → index of its round
	var limits []int
	for limit := s.Start; ; limit = s.next(limit) {
		limits = append(limits, limit)
		if limit <= s.Capacity {
			continue
		}
		after := s.next(limit)
		if begin, again := seen[after]; again {
			return limits[begin:]
		}
		seen[after] = len(limits)
	}
}

// CycleLength is the rounds in a cycle.
func (s Sawtooth) CycleLength() int { return len(s.cycle()) }

// CycleMin is the smallest limit of a cycle.
func (s Sawtooth) CycleMin() int { return slices.Min(s.cycle()) }

// CycleMax is the largest limit of a cycle.
func (s Sawtooth) CycleMax() int { return slices.Max(s.cycle()) }

// MeanLimit is the mean limit over a cycle.
func (s Sawtooth) MeanLimit() float64 {
	sum := 0
	for _, limit := range s.cycle() {
		sum += limit
	}
	return float64(sum) / float64(s.CycleLength())
}

// OverloadShare is the share of rounds whose limit exceeds the capacity.
func (s Sawtooth) OverloadShare() float64 {
	n := 0
	for _, limit := range s.cycle() {
		if limit > s.Capacity {
			n++
		}
	}
	return float64(n) / float64(s.CycleLength())
}
