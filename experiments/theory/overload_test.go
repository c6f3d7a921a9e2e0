package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// With one class, or two that are alike, priority changes nobody's mean; and
// Kleinrock's conservation law: Σ ρ_k·Wq_k does not depend on the order.
func TestPriorityConservesWork(t *testing.T) {
	one := Priority{[]PriorityClass{{0.6, Lognormal(1, 2)}}}
	assert.InEpsilon(t, MG1{0.6, Lognormal(1, 2)}.MeanWait(), one.MeanWait(1), 1e-9)
	a, b := PriorityClass{0.3, Exponential(1)}, PriorityClass{0.4, Constant(1)}
	ab, ba := Priority{[]PriorityClass{a, b}}, Priority{[]PriorityClass{b, a}}
	assert.InEpsilon(t, 0.3*ab.MeanWait(1)+0.4*ab.MeanWait(2), 0.3*ba.MeanWait(2)+0.4*ba.MeanWait(1), 1e-12)
}

// Between constant and exponential times the waits lie between too; with very
// many phases they are those of constant ones; with one phase it is M/M/1.
func TestArrivalsOfManyPhases(t *testing.T) {
	assert.InEpsilon(t, MM1{0.8, 1}.MeanSojourn()-1, GM1{0.8, 1, 1}.MeanWait(), 1e-9)
	assert.InEpsilon(t, GM1{0.8, 1, 0}.MeanWait(), GM1{0.8, 1, 1_000_000}.MeanWait(), 1e-5)
	for k := 1; k < 9; k++ {
		q := GM1{0.8, 1, k}
		assert.Less(t, q.MeanWait(), q.MostMeanWait())
		assert.Less(t, GM1{0.8, 1, k + 1}.MeanWait(), q.MeanWait())
	}
	assert.InEpsilon(t, MM1{0.7, 1}.MeanSojourn(), Batches{0.7, 1, 1}.MeanSojourn(), 1e-12)
}

// The chain of (jobs, worker up or down) itself, cut off at 400 jobs and solved
// by iteration.
func TestBreakdownAgainstItsChain(t *testing.T) {
	b := Breakdown{Arrivals: 0.5, Service: 1, Crashes: 0.05, Restarts: 0.25}
	const most = 400
	var p [2][most + 1]float64 // down, up
	p[1][0] = 1
	const step = 0.5 // of a uniformised second
	for range 60_000 {
		var next [2][most + 1]float64
		for n := range most + 1 {
			for up := range 2 {
				here := p[up][n]
				move := func(rate float64, up, n int) { next[up][n] += here * rate * step }
				out := 0.0
				if n < most {
					move(b.Arrivals, up, n+1)
					out += b.Arrivals
				}
				if up == 1 {
					move(b.Crashes, 0, n)
					out += b.Crashes
					if n > 0 {
						move(b.Service, 1, n-1)
						out += b.Service
					}
				} else {
					move(b.Restarts, 1, n)
					out += b.Restarts
				}
				next[up][n] += here * (1 - out*step)
			}
		}
		p = next
	}
	inSystem, isUp := 0.0, 0.0
	for n := range most + 1 {
		inSystem += float64(n) * (p[0][n] + p[1][n])
		isUp += p[1][n]
	}
	assert.InEpsilon(t, inSystem, b.MeanInSystem(), 1e-6)
	assert.InEpsilon(t, isUp, b.Availability(), 1e-9)
	calm := Breakdown{0.7, 1, 1e-12, 1}
	assert.InEpsilon(t, MM1{0.7, 1}.MeanInSystem(), calm.MeanInSystem(), 1e-9, "a worker that never crashes")
}

// The bucket played literally.
func TestQuotaPlayed(t *testing.T) {
	q := Quota{Cost: 5, Earn: 1, Most: 3}
	for _, f := range []float64{0.1, 0.3, 0.5, 0.9} {
		r := rand.New(rand.NewPCG(1, uint64(f*100)))
		tokens, attempts, requests := 500.0, 0.0, 0.0
		for n := range 400_000 {
			if n == 50_000 {
				attempts, requests = 0, 0
			}
			requests++
			for k := 1; ; k++ {
				attempts++
				if r.Float64() >= f {
					if k == 1 {
						tokens = min(500, tokens+q.Earn)
					} else {
						tokens = min(500, tokens+q.Cost)
					}
					break
				}
				if k == q.Most || tokens < q.Cost {
					break
				}
				tokens -= q.Cost
			}
		}
		assert.InEpsilon(t, q.Amplification(f), attempts/requests, 0.004, "%v", f)
	}
}

// Six clients in three slots, every one of 3⁶ ways.
func TestHerdCounted(t *testing.T) {
	h := Herd{Clients: 6, Slots: 3}
	var peaks [7]float64
	for way := range 729 {
		var slots [3]int
		for c, rest := 0, way; c < 6; c, rest = c+1, rest/3 {
			slots[rest%3]++
		}
		peaks[max(slots[0], slots[1], slots[2])]++
	}
	mean, least := 0.0, 0.0
	for k, n := range peaks {
		mean += float64(k) * n / 729
		if k >= 4 {
			least += n / 729
		}
	}
	assert.InEpsilon(t, mean, h.MeanPeak(), 1e-9)
	assert.InEpsilon(t, least, h.PeakAtLeast(4), 1e-9)
	assert.Equal(t, 3, h.MedianPeak())
}

// A breaker that always fails, but for the calls of its closed period, is the
// dead one; and Erlang's loss is that of a queue without room.
func TestOverloadMeetsWhatIsKnown(t *testing.T) {
	flaky, dead := FlakyBreaker{20, 1 - 1e-9, 5, 10}, DeadBreaker{20, 5, 10}
	assert.InEpsilon(t, dead.PassedPerSecond(), flaky.PassedPerSecond(), 1e-6)
	full := MMCK{Arrivals: 18, Service: 2, Workers: 12, Room: 12}
	assert.InEpsilon(t, full.RefusedShare(), Bulkhead{18, 0.5, 12}.RefusedShare(), 1e-9)
	th := Throttle{Requests: 100, Accepts: 60, K: 2}
	assert.Equal(t, []float64{100, 60, 0}, []float64{th.Sent(), th.Accepted(), th.RefusedShare()}, "below K times what is accepted nothing is refused")
}

// The storm call by call: one server, first come first served.
func TestStormCallByCall(t *testing.T) {
	for _, load := range []float64{20, 24, 40} {
		s := Storm{Arrivals: load, Capacity: 100, Retries: 3, Timeout: 1, Outage: 10}
		first, failed, served := storm(s, 300)
		if s.Growth() > 0 {
			assert.True(t, math.IsInf(s.FirstSuccess(), 1))
			assert.Zero(t, served)
			continue
		}
		assert.InEpsilon(t, s.FirstSuccess(), first, 0.01, "load %v", load)
		assert.InEpsilon(t, s.Failed(), failed, 0.02, "load %v", load)
	}
}

// storm plays a storm to its end: when the first attempt was sent that
// succeeded, how many requests failed, how many succeeded.
func storm(s Storm, end float64) (first, failed, succeeded float64) {
	type attempt struct {
		at   float64
		left int
	}
	var retries []attempt // in the order of time, for all wait for the same time
	free, next := s.Outage, 0.0
	for {
		a := attempt{next, s.Retries}
		if len(retries) > 0 && retries[0].at <= next {
			a, retries = retries[0], retries[1:]
		} else {
			next += 1 / s.Arrivals
		}
		if a.at > end {
			return first, failed, succeeded
		}
		free = max(free, a.at) + 1/s.Capacity
		switch {
		case free <= a.at+s.Timeout:
			if succeeded++; succeeded == 1 {
				first = a.at
			}
		case a.left == 0:
			failed++
		default:
			retries = append(retries, attempt{a.at + s.Timeout, a.left - 1})
		}
	}
}
