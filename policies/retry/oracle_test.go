package retry

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
)

// outcome is how one request ended.
type outcome struct {
	attempts int
	success  bool
	waits    []time.Duration
}

// request runs one request whose attempts take no time; fails says how attempt
// k ends, luck is the chance of the wait before retry k.
func request(m *Machine, now policies.Instant, fails func(k int) bool, luck func(k int) policies.Chance) outcome {
	var o outcome
	out := m.Step(now, Input{Kind: Begin}, nil)
	for {
		switch c := out[0]; c.Kind {
		case Attempt:
			o.attempts++
			if !fails(o.attempts) {
				m.Step(now, Input{Kind: Succeeded}, nil)
				o.success = true
				return o
			}
			out = m.Step(now, Input{Kind: Failed, Class: policies.Transient, Chance: luck(o.attempts)}, out[:0])
		case Retry:
			o.waits = append(o.waits, c.Wait)
			now = m.Deadline()
			out = m.Step(now, Input{Kind: Due}, out[:0])
		case GiveUp:
			return o
		}
	}
}

// bernoulli fails each attempt with probability p; luck is independent of it.
func bernoulli(root policies.Chance, id int, p float64) (func(int) bool, func(int) policies.Chance) {
	own := root.With(uint64(id))
	fails := func(k int) bool {
		c := own.With(1).With(uint64(k))
		return c.U01() < p
	}
	return fails, func(k int) policies.Chance { return own.With(2).With(uint64(k)) }
}

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*want) {
		t.Errorf("%s = %.6g, want %.6g within %.2g", what, got, want, rel)
	}
}

// Oracle E01: at most five attempts, each failing with probability 0.7.
func TestOracleAttempts(t *testing.T) {
	const requests = 200_000
	rule := Rule{Attempts: 5}
	var m Machine
	var attempts, successes, attemptsOfSuccesses float64
	for id := range requests {
		m.Reset(&rule, nil)
		fails, luck := bernoulli(exact.NewChance(1, 0), id, 0.7)
		o := request(&m, 0, fails, luck)
		attempts += float64(o.attempts)
		if o.success {
			successes++
			attemptsOfSuccesses += float64(o.attempts)
		}
	}
	near(t, "mean attempts", attempts/requests, 2.7731, 0.0051)
	near(t, "share of successes", successes/requests, 0.83193, 0.0041)
	near(t, "mean attempts of successes", attemptsOfSuccesses/successes, 2.323212, 0.0056)
}

// Oracle E03: exponential backoff with a cap under four kinds of jitter.
func TestOracleBackoff(t *testing.T) {
	const requests = 200_000
	for _, kind := range []struct {
		name   string
		jitter Jitter
		growth float64
		total  float64
		rel    float64
	}{
		{"none", None, 2, 1.166199, 0.017},
		{"full", Full, 2, 0.5830993, 0.017},
		{"equal", Equal, 2, 0.8746489, 0.017},
		{"decorrelated", Decorrelated, 1, 1.10327, 0.016},
	} {
		rule := Rule{
			Attempts: 8, Delays: []time.Duration{100 * time.Millisecond}, Growth: kind.growth,
			Cap: 2 * time.Second, Jitter: kind.jitter,
		}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var m Machine
		var total float64
		var sums, counts [7]float64
		for id := range requests {
			m.Reset(&rule, nil)
			fails, luck := bernoulli(exact.NewChance(3, 0), id, 0.7)
			for k, w := range request(&m, 0, fails, luck).waits {
				total += w.Seconds()
				sums[k] += w.Seconds()
				counts[k]++
			}
		}
		near(t, kind.name+": mean total wait", total/requests, kind.total, kind.rel)
		if kind.jitter == Decorrelated {
			for k, want := range []float64{0.2, 0.349997, 0.573937, 0.820316, 1.0007, 1.1182, 1.19255} {
				near(t, fmt.Sprintf("decorrelated: mean wait %d", k+1), sums[k]/counts[k], want, 0.01)
			}
		}
	}
}

// Oracle E04: the retry quota of the AWS SDKs, drained and full.
func TestOracleQuota(t *testing.T) {
	const warmup, requests = 20_000, 200_000
	quota := BudgetRule{Tokens: 500, Cost: 5, Earn: 1, Refund: RefundLast}
	rule := Rule{Attempts: 3}
	for _, c := range []struct {
		fails, amplification, rel float64
		success, successRel       float64
	}{
		{0.5, 1.2, 0.0036, 0.6, 0.012},
		{0.1, 1.11, 0.0033, 1 - 0.1*0.1*0.1, 0.012},
	} {
		var b Budget
		b.Reset(&quota)
		var m Machine
		var attempts, successes float64
		for id := range warmup + requests {
			m.Reset(&rule, &b)
			fails, luck := bernoulli(exact.NewChance(4, 0), id, c.fails)
			o := request(&m, 0, fails, luck)
			if id < warmup {
				continue
			}
			attempts += float64(o.attempts)
			if o.success {
				successes++
			}
		}
		near(t, fmt.Sprintf("amplification at %v", c.fails), attempts/requests, c.amplification, c.rel)
		near(t, fmt.Sprintf("share of successes at %v", c.fails), successes/requests, c.success, c.successRel)
	}
}

// Oracle E07: a published run, with CPython's random.Random(7) as its luck.
func TestOracleSeedRun(t *testing.T) {
	python := prng.NewMT19937()
	python.SeedFromKeys([]uint32{7})
	random := func() float64 {
		a, b := python.Uint32()>>5, python.Uint32()>>6
		return (float64(float64(a)*67108864) + float64(b)) / 9007199254740992
	}
	rule := Rule{
		Attempts: 5, Delays: []time.Duration{50 * time.Millisecond}, Growth: 2,
		Cap: 400 * time.Millisecond, Jitter: Additive(50 * time.Millisecond),
	}
	if err := rule.Check(); err != nil {
		t.Fatal(err)
	}
	var m Machine
	m.Reset(&rule, nil)
	o := request(&m, 0,
		func(int) bool { return random() >= 0.3 },
		func(int) policies.Chance { return exact.Given(random()) })
	if o.attempts != 4 || !o.success {
		t.Errorf("%d attempts, success %v; want 4, true", o.attempts, o.success)
	}
	want := []float64{0.0575424586962251, 0.103621814333377, 0.218284445845629}
	for k, w := range want {
		if got := o.waits[k].Seconds(); math.Abs(got-w) > 5.1e-10 {
			t.Errorf("wait %d = %.10f, want %.10f", k+1, got, w)
		}
		if got, printed := fmt.Sprintf("%.3f", o.waits[k].Seconds()), []string{"0.058", "0.104", "0.218"}[k]; got != printed {
			t.Errorf("wait %d prints as %s, want %s", k+1, got, printed)
		}
	}
}
