package backpressure

import (
	"math"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*want) {
		t.Errorf("%s = %.6g, want %.6g within %.2g", what, got, want, rel)
	}
}

// traffic is a Poisson process of calls that take no time, through a breaker.
type traffic struct {
	breaker   Breaker
	rate      float64 // calls per second
	fails     float64 // chance that a call which reaches the dependency fails
	chance    policies.Chance
	now       policies.Instant
	firstOpen policies.Instant // 0 before
	begun     policies.Instant // of the present open period
	asked, reached, succeeded, refused,
	closedCalls, trips int64
	open time.Duration // inside ended open periods
	out  []Command
}

func (f *traffic) call() {
	f.now += policies.Instant(-1e9 / f.rate * exact.Log(f.chance.Open01()))
	f.asked++
	f.out = f.breaker.Step(f.now, Input{Kind: Ask}, f.out[:0])
	for _, c := range f.out {
		switch c.Kind {
		case Refuse:
			f.refused++
		case Allow:
			f.end(c.Epoch)
			return
		}
	}
}

// end carries out an allowed call and tells the breaker how it ended.
func (f *traffic) end(epoch uint32) {
	f.reached++
	closed := f.breaker.State() == StateClosed
	if closed {
		f.closedCalls++
	}
	in := Input{Kind: Done, Epoch: epoch}
	if f.chance.U01() < f.fails {
		in.Class = policies.Transient
	} else {
		f.succeeded++
	}
	for _, c := range f.breaker.Step(f.now, in, nil) {
		if c.Kind != Opened {
			continue
		}
		if closed {
			f.trips++
		}
		if f.firstOpen == 0 {
			f.firstOpen = f.now
		}
		f.open += c.Until.Sub(f.now)
	}
}

// Oracle F01: every call fails.
func TestOracleDeadDependency(t *testing.T) {
	rule := BreakerRule{Consecutive: 5, Opens: []time.Duration{10 * time.Second}}
	start := func(id uint64) *traffic {
		f := &traffic{rate: 20, fails: 1, chance: exact.NewChance(11, id)}
		f.breaker.Reset(&rule)
		for f.firstOpen == 0 {
			f.call()
		}
		return f
	}

	var untilOpen float64
	for id := range uint64(2000) {
		untilOpen += time.Duration(start(id).firstOpen).Seconds()
	}
	near(t, "mean time to first open", untilOpen/2000, 0.25, 0.1)

	var perSecond, refused, firstHour float64
	for id := range uint64(20) {
		f := start(id)
		reached, asked := f.reached, f.asked
		for range 100_000 {
			f.call()
		}
		perSecond += float64(f.reached-reached) / f.now.Sub(f.firstOpen).Seconds() / 20
		refused += float64(f.refused) / float64(f.asked-asked) / 20

		hour := start(100 + id)
		for {
			before := hour.reached
			if hour.call(); hour.now >= policies.Instant(time.Hour) {
				firstHour += float64(before) / 20
				break
			}
		}
	}
	near(t, "calls that reach the dependency per second", perSecond, 0.09950249, 0.01)
	near(t, "share refused", refused, 0.9950249, 0.005)
	if math.Abs(firstHour-363.1841) > 8 {
		t.Errorf("calls in the first hour = %v, want 363.18 within 8", firstHour)
	}
}

// Oracle F02: half of the calls fail.
func TestOracleFlakyDependency(t *testing.T) {
	rule := BreakerRule{Consecutive: 5, Opens: []time.Duration{5 * time.Second}}
	var closedCalls, trips, perSecond, open, successes float64
	for id := range uint64(20) {
		f := &traffic{rate: 10, fails: 0.5, chance: exact.NewChance(12, id)}
		f.breaker.Reset(&rule)
		for range 200_000 {
			f.call()
		}
		span := time.Duration(f.now).Seconds()
		closedCalls += float64(f.closedCalls)
		trips += float64(f.trips)
		perSecond += float64(f.reached) / span / 20
		open += f.open.Seconds() / span / 20
		successes += float64(f.succeeded) / span / 20
	}
	near(t, "calls in a closed period", closedCalls/trips, 62, 0.03)
	near(t, "calls that reach the dependency per second", perSecond, 3.902439, 0.016)
	near(t, "share of time open", open, 0.6097561, 0.0093)
	near(t, "successes per second", successes, 1.95122, 0.016)
}

// Oracle F03: the sawtooth of a limit in front of a fixed capacity.
func TestOracleSawtooth(t *testing.T) {
	const capacity = 100
	var l Limit
	l.Reset(&LimitRule{Start: 10, Add: 1, Num: 9, Den: 10})
	var limits []int64
	first := -1
	for round := range 1000 {
		limits = append(limits, l.Limit())
		overloaded := l.Limit() > capacity
		if overloaded && first < 0 {
			first = round
		}
		l.Round(overloaded)
	}
	if first != 91 {
		t.Errorf("first overloaded round is %d, want 91", first)
	}
	cycle := limits[first+1 : first+1+12]
	var sum, least, most int64 = 0, cycle[0], cycle[0]
	for i, limit := range cycle {
		sum, least, most = sum+limit, min(least, limit), max(most, limit)
		if limit != limits[first+1+i+12] {
			t.Errorf("round %d of the cycle: %d, then %d", i, limit, limits[first+1+i+12])
		}
		if (limit > capacity) != (i == 11) {
			t.Errorf("round %d of the cycle, limit %d: overloaded in another round than its last", i, limit)
		}
	}
	if mean := float64(sum) / 12; least != 90 || most != 101 || mean != 95.5 {
		t.Errorf("cycle from %d to %d with mean %v, want 90, 101, 95.5", least, most, mean)
	}
}
