package verify

import (
	"math"
	"time"

	"github.com/tenggat/tenggat/experiments/theory"
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/detect"
	"github.com/tenggat/tenggat/policies/retry"
)

// results are what one replication of a policy call gave, by name.
type results map[string][]float64

// calls are the policy calls by name.
var calls = map[string]func(root policies.Chance) results{
	"attempts": attempts,
	"phi":      phi,
	"learnt":   learnt,
	"rounds":   rounds,
	"sawtooth": sawtooth,
	"seed run": seedRun,
}

// request runs one request whose attempts take no time. An attempt succeeds or
// fails as success says; luck is the chance of the wait that follows.
func request(rule *retry.Rule, success func() bool, luck func() policies.Chance) (attempts int, succeeded bool, waits []time.Duration) {
	var m retry.Machine
	m.Reset(rule, nil)
	now := policies.Instant(0)
	out := m.Step(now, retry.Input{Kind: retry.Begin}, nil)
	for {
		switch out[0].Kind {
		case retry.Attempt:
			attempts++
			if success() {
				m.Step(now, retry.Input{Kind: retry.Succeeded}, nil)
				return attempts, true, waits
			}
			out = m.Step(now, retry.Input{Kind: retry.Failed, Class: policies.Transient, Chance: luck()}, out[:0])
		case retry.Retry:
			waits = append(waits, out[0].Wait)
			now = m.Deadline()
			out = m.Step(now, retry.Input{Kind: retry.Due}, out[:0])
		case retry.GiveUp:
			return attempts, false, waits
		}
	}
}

// attempts makes 10,000 requests of at most five attempts, of which seven in
// ten fail.
func attempts(root policies.Chance) results {
	const requests = 10_000
	rule := &retry.Rule{Attempts: 5}
	var all, successes, ofSuccesses float64
	for id := range uint64(requests) {
		luck := root.With(id)
		n, succeeded, _ := request(rule, func() bool { return luck.U01() >= 0.7 }, func() policies.Chance { return 0 })
		all += float64(n)
		if succeeded {
			successes++
			ofSuccesses += float64(n)
		}
	}
	return results{"attempts": {all / requests}, "successes": {successes / requests}, "of_successes": {ofSuccesses / successes}}
}

// seedRun makes the one request of a published program, with its luck.
func seedRun(policies.Chance) results {
	random := theory.PythonRandom(7)
	rule := &retry.Rule{
		Attempts: 5, Delays: []time.Duration{50 * time.Millisecond}, Growth: 2,
		Cap: 400 * time.Millisecond, Jitter: retry.Additive(50 * time.Millisecond),
	}
	n, succeeded, waits := request(rule,
		func() bool { return random() < 0.3 },
		func() policies.Chance { return exact.Given(random()) })
	r := results{"attempts": {float64(n)}, "success": {0}}
	if succeeded {
		r["success"] = []float64{1}
	}
	for _, w := range waits {
		r["delays"] = append(r["delays"], w.Seconds())
		r["delays_ms"] = append(r["delays_ms"], float64(w.Round(time.Millisecond).Milliseconds()))
	}
	given := theory.PythonRandom(7)
	for range 10 {
		c := exact.Given(given())
		r["random"] = append(r["random"], c.U01())
	}
	return r
}

// phi asks the accrual detectors about silences around a mean of 1 s ± 200 ms.
func phi(policies.Chance) results {
	fit := detect.Fit{Mean: 1e9, SD: 2e8}
	r := results{}
	for name, kind := range map[string]detect.Kind{"normal": detect.PhiNormal, "logistic": detect.PhiLogistic} { // order-free: one entry each
		for _, ms := range []time.Duration{900, 1000, 1500, 2000} {
			r[name] = append(r[name], detect.Phi(kind, ms*time.Millisecond, fit))
		}
		r["crossing_"+name] = []float64{float64(detect.Crossing(kind, 8, fit)) / 1e6}
	}
	crossing := detect.Crossing(detect.PhiNormal, 8, fit)
	r["false_suspicion"] = []float64{exact.Exp(-detect.Phi(detect.PhiNormal, crossing, fit) * math.Ln10)}
	return r
}

// learnt lets an accrual detector hear six beats, and asks it at 7 s.
func learnt(policies.Chance) results {
	at := func(ms int64) policies.Instant { return policies.Instant(ms * 1e6) }
	d := detect.New(&detect.Rule{Kind: detect.PhiLogistic, Level: 8, Window: 1000, MinSD: 100 * time.Millisecond, Every: time.Second})
	d.Reset(at(0))
	for n, ms := range []int64{0, 1000, 2000, 3100, 4000, 5050} {
		d.Step(at(ms), detect.Input{Kind: detect.Beat, Number: int64(n)}, nil)
	}
	r := results{"phi": {d.Phi(at(7000))}, "mean": {d.Fit().Mean / 1e6}, "sd": {d.Fit().SD / 1e6}}
	for _, interval := range d.History(nil) {
		r["history"] = append(r["history"], float64(interval)/1e6)
	}
	return r
}

// rounds watches three nodes for eight rounds; the third is silent from the
// third round on.
func rounds(policies.Chance) results {
	nodes := [3]detect.Rounds{{Allowed: 2}, {Allowed: 2}, {Allowed: 2}}
	var markedAt [3]int64
	for round := int64(1); round <= 8; round++ {
		for i := range nodes {
			if i < 2 || round < 3 {
				nodes[i].Report(round)
			}
		}
		for i := range nodes {
			if nodes[i].Suspects(round) && markedAt[i] == 0 {
				markedAt[i] = round
			}
		}
	}
	others := 0.0
	for _, at := range markedAt[:2] {
		if at > 0 {
			others++
		}
	}
	return results{"marked_at": {float64(markedAt[2])}, "others": {others}}
}

// sawtooth runs a limit in front of a capacity of 100, from a limit of 10.
func sawtooth(policies.Chance) results {
	const capacity = 100
	var l backpressure.Limit
	l.Reset(&backpressure.LimitRule{Start: 10, Add: 1, Num: 9, Den: 10})
	var limits, overloads []float64 // rounds in which the limit was too high
	for round := range 1000 {
		limits = append(limits, float64(l.Limit()))
		overloaded := l.Limit() > capacity
		if overloaded {
			overloads = append(overloads, float64(round))
		}
		l.Round(overloaded)
	}
	// The cycles after the first ten overloads are those of the long run.
	begin, end := int(overloads[10])+1, int(overloads[11])+1
	cycle := limits[begin:end]
	least, most, sum, over := cycle[0], cycle[0], 0.0, 0.0
	for _, limit := range cycle {
		least, most, sum = min(least, limit), max(most, limit), sum+limit
		if limit > capacity {
			over++
		}
	}
	n := float64(len(cycle))
	return results{
		"first_overload": {overloads[0]}, "length": {n}, "min": {least}, "max": {most}, "mean": {sum / n}, "overloaded": {over / n},
	}
}
