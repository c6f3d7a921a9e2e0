package detect

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*want) {
		t.Errorf("%s = %.9g, want %.9g within %.2g", what, got, want, rel)
	}
}

// quality measures a detector whose sender is alive.
type quality struct {
	detector                    *Detector
	begun, trusted              policies.Instant // of the present mistake; the last end of one
	first, recurrence, duration mean
	suspected                   time.Duration
}

type mean struct {
	sum time.Duration
	n   int
}

func (m *mean) add(d time.Duration) { m.sum += d; m.n++ }
func (m *mean) seconds() float64    { return m.sum.Seconds() / float64(m.n) }

// beat hands over a beat, after the deadlines before it: at one instant a
// message comes first.
func (q *quality) beat(now policies.Instant, in Input) {
	q.pass(now)
	for range q.detector.Step(now, in, nil) {
		q.duration.add(now.Sub(q.begun))
		q.suspected += now.Sub(q.begun)
		q.trusted = now
	}
}

func (q *quality) pass(now policies.Instant) {
	at := q.detector.Deadline()
	if at >= now {
		return
	}
	q.detector.Step(at, Input{Kind: Tick}, nil)
	if q.duration.n > 0 {
		q.recurrence.add(at.Sub(q.begun))
		q.first.add(at.Sub(q.trusted))
	}
	q.begun = at
}

const beats = 200_000

// Oracle D01: NFD-S with loss and exponential delay. 20 replications.
func TestOracleChen(t *testing.T) {
	const eta, delta = policies.Instant(time.Second), policies.Instant(1200 * time.Millisecond)
	rule := Rule{Kind: Chen, Every: time.Duration(eta), Timeout: time.Duration(delta)}
	var total quality
	var span time.Duration
	type arrival struct{ at, number policies.Instant }
	var arrivals []arrival
	q := quality{detector: New(&rule)}
	// live hands over beats 1 to n, in the order in which they arrive.
	live := func(root policies.Chance, n policies.Instant) {
		arrivals = arrivals[:0]
		for i := policies.Instant(1); i <= n; i++ {
			c := root.With(uint64(i))
			if c.U01() < 0.05 {
				continue
			}
			delay := policies.Instant(-3e8 * exact.Log(c.Open01()))
			arrivals = append(arrivals, arrival{i*eta + delay, i})
		}
		slices.SortFunc(arrivals, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
		q = quality{detector: q.detector}
		q.detector.Reset(0)
		for _, a := range arrivals {
			q.beat(a.at, Input{Kind: Beat, Number: int64(a.number), Sent: a.number * eta})
		}
	}
	for replication := range uint64(20) {
		live(exact.NewChance(1, replication), beats)
		total.recurrence.sum += q.recurrence.sum
		total.recurrence.n += q.recurrence.n
		total.duration.sum += q.duration.sum
		total.duration.n += q.duration.n
		total.suspected += q.suspected
		span += time.Duration(beats * eta)
	}
	near(t, "mean mistake recurrence", total.recurrence.seconds(), 29.06189, 0.012)
	near(t, "mean mistake duration", total.duration.seconds(), 0.3164787, 0.012)
	near(t, "share wrongly suspected", total.suspected.Seconds()/span.Seconds(), 0.01088982, 0.016)

	// Crashes between beats 10 and 11, with beats still under way.
	for id := range uint64(20_000) {
		c := exact.NewChance(2, id)
		crash := 10*eta + policies.Instant(float64(eta)*c.U01())
		live(c, 10)
		detected := q.detector.Deadline()
		if q.detector.Suspecting() {
			detected = q.begun
		}
		if took := detected.Sub(crash); took > 2200*time.Millisecond {
			t.Fatalf("crash %d is detected after %v, bound 2.2 s", id, took)
		}
	}
}

// Oracle D05: a fixed time-out with message loss. 20 replications, 20,000 crashes.
func TestOracleFixed(t *testing.T) {
	const eta = policies.Instant(time.Second)
	rule := Rule{Kind: Fixed, Timeout: 3500 * time.Millisecond}
	var first, recurrence, duration mean
	var suspected, span time.Duration
	for replication := range uint64(20) {
		root := exact.NewChance(5, replication)
		q := quality{detector: New(&rule)}
		q.detector.Reset(0)
		q.detector.Step(0, Input{Kind: Beat}, nil)
		for i := policies.Instant(1); i < beats; i++ {
			if c := root.With(uint64(i)); c.U01() >= 0.2 {
				q.beat(i*eta, Input{Kind: Beat})
			}
		}
		first.sum, first.n = first.sum+q.first.sum, first.n+q.first.n
		recurrence.sum, recurrence.n = recurrence.sum+q.recurrence.sum, recurrence.n+q.recurrence.n
		duration.sum, duration.n = duration.sum+q.duration.sum, duration.n+q.duration.n
		suspected += q.suspected
		span += time.Duration(beats * eta)
	}
	near(t, "mean time to first suspicion", first.seconds(), 155.5, 0.025)
	near(t, "mean mistake recurrence", recurrence.seconds(), 156.25, 0.024)
	near(t, "mean mistake duration", duration.seconds(), 0.75, 0.018)
	near(t, "share wrongly suspected", suspected.Seconds()/span.Seconds(), 0.0048, 0.031)

	var detection mean
	d := New(&rule)
	for id := range uint64(20_000) {
		c := exact.NewChance(6, id)
		d.Reset(0)
		for i := policies.Instant(0); i <= 60; i++ {
			if lost := c.U01() < 0.2; !lost || i == 0 {
				d.Step(i*eta, Input{Kind: Beat}, nil)
			}
		}
		crash := 60*eta + policies.Instant(float64(eta)*c.U01())
		took := max(0, d.Deadline().Sub(crash))
		if took > rule.Timeout {
			t.Fatalf("crash %d is detected after %v, bound %v", id, took, rule.Timeout)
		}
		detection.add(took)
	}
	near(t, "mean detection time", detection.seconds(), 2.7528, 0.0064)
}

// Oracle D06: phi values and where they reach the level.
func TestOraclePhi(t *testing.T) {
	fit := Fit{Mean: 1e9, SD: 2e8}
	for kind, want := range map[Kind]struct {
		phi      [4]float64
		crossing float64 // ms
	}{
		PhiNormal:   {[4]float64{0.16023139, 0.30103, 2.2069318, 6.5426457}, 2122.40025},
		PhiLogistic: {[4]float64{0.16014359, 0.30103, 2.2160713, 7.2999474}, 2045.19733},
	} {
		for i, ms := range []int{900, 1000, 1500, 2000} {
			near(t, kind.String(), Phi(kind, time.Duration(at(ms)), fit), want.phi[i], 1e-6)
		}
		crossing := Crossing(kind, 8, fit)
		near(t, kind.String()+" crossing", float64(crossing)/1e6, want.crossing, 1e-6)
		if kind == PhiNormal {
			near(t, "chance of a false suspicion", math.Pow(10, -Phi(kind, crossing, fit)), 1e-8, 1e-6)
		}
	}
}

// Oracle D07: what phi learns from six beats. testdata/phi_history.txt is its log.
func TestOracleHistory(t *testing.T) {
	rule := Rule{Kind: PhiLogistic, Level: 8, Every: time.Second}
	d := New(&rule)
	d.Reset(0)
	for _, ms := range []int{0, 1000, 2000, 3100, 4000, 5050} {
		d.Step(at(ms), Input{Kind: Beat}, nil)
	}
	want := []int{750, 1250, 1000, 1000, 1100, 900, 1050}
	for i, got := range d.History(nil) {
		if got != time.Duration(want[i])*time.Millisecond {
			t.Errorf("interval %d is %v, want %d ms", i, got, want[i])
		}
	}
	if n := len(d.History(nil)); n != len(want) {
		t.Errorf("%d intervals, want %d", n, len(want))
	}
	near(t, "mean", d.Fit().Mean/1e6, 1007.142857, 1e-9)
	near(t, "sd", d.Fit().SD/1e6, 144.9841652, 1e-9)
	near(t, "phi", d.Phi(at(7000)), 12.94069585, 1e-6)
}

// Oracle D08: three nodes report in rounds; one falls silent from round 3 on.
func TestOracleRounds(t *testing.T) {
	nodes := [3]Rounds{{Allowed: 2}, {Allowed: 2}, {Allowed: 2}}
	markedAt := [3]int64{}
	for round := int64(1); round <= 8; round++ {
		for i := range nodes {
			if i != 2 || round < 3 {
				nodes[i].Report(round)
			}
		}
		for i := range nodes {
			if nodes[i].Suspects(round) && markedAt[i] == 0 {
				markedAt[i] = round
			}
		}
	}
	if markedAt != [3]int64{0, 0, 5} {
		t.Errorf("marked in rounds %v, want none, none and 5", markedAt)
	}
}

func at(ms int) policies.Instant { return policies.Instant(ms) * policies.Instant(time.Millisecond) }
