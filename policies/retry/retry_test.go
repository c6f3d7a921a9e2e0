package retry

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
)

func TestWait(t *testing.T) {
	const ms, s, longest = time.Millisecond, time.Second, time.Duration(math.MaxInt64)
	for _, c := range []struct {
		rule     Rule
		k        int
		previous time.Duration
		u        float64
		want     time.Duration
	}{
		{Rule{}, 1, 0, 0.5, 0},
		{Rule{}, 1_000_000, 0, 0.5, 0},
		{Rule{Jitter: Additive(s)}, 1, 0, 0.25, 250 * ms},
		{Rule{Delays: []time.Duration{s, 3 * s}}, 2, 0, 0.9, 3 * s},
		{Rule{Delays: []time.Duration{s, 3 * s}}, 9, 0, 0.9, 3 * s},
		{Rule{Delays: []time.Duration{s}, Growth: 2}, 4, 0, 0, 8 * s},
		{Rule{Delays: []time.Duration{s}, Growth: 1.5}, 3, 0, 0, 2250 * ms},
		{Rule{Delays: []time.Duration{s}, Growth: 2, Cap: 5 * s}, 4, 0, 0, 5 * s},
		{Rule{Delays: []time.Duration{s}, Growth: 2}, 1_000_000, 0, 0, longest},
		{Rule{Delays: []time.Duration{0}, Growth: 2}, 1_000_000, 0, 0, 0},
		{Rule{Delays: []time.Duration{s}, Growth: 2, Cap: 5 * s}, math.MaxInt, 0, 0, 5 * s},
		{Rule{Delays: []time.Duration{longest}, Jitter: Spread(0.5)}, 1, 0, 0.75, longest},
		{Rule{Delays: []time.Duration{s}, Jitter: Spread(0.2)}, 1, 0, 0.5, s},
		{Rule{Delays: []time.Duration{s}, Jitter: Less(0.2)}, 1, 0, 0.25, 850 * ms},
		{Rule{Delays: []time.Duration{s}, Jitter: Decorrelated}, 1, 0, 0.5, 2 * s},
		{Rule{Delays: []time.Duration{s}, Jitter: Decorrelated}, 2, 4 * s, 0.5, 6500 * ms},
		{Rule{Delays: []time.Duration{s}, Jitter: Decorrelated}, 2, longest, 0.5, longest},
	} {
		if err := c.rule.Check(); err != nil {
			t.Errorf("%+v: %v", c.rule, err)
		}
		if got := c.rule.Wait(c.k, c.previous, exact.Given(c.u)); got != c.want {
			t.Errorf("%+v: Wait(%d, %v) at u=%v is %v, want %v", c.rule, c.k, c.previous, c.u, got, c.want)
		}
	}
}

func TestCheckNamesTheSetting(t *testing.T) {
	one := []time.Duration{time.Second}
	for want, rule := range map[string]Rule{
		"Attempts":        {Attempts: -1},
		"Growth is 0.5":   {Delays: one, Growth: 0.5},
		"Growth is NaN":   {Delays: one, Growth: math.NaN()},
		"exactly one":     {Delays: []time.Duration{1, 2}, Growth: 2},
		"Cap":             {Cap: -1},
		"Elapsed":         {Elapsed: -1},
		"never retried":   {Only: policies.Classes(policies.OK)},
		"its least wait":  {Jitter: Decorrelated},
		"delay 1":         {Delays: []time.Duration{-1}},
		"jitter from":     {Delays: one, Jitter: Less(1.5)},
		"jitter adds":     {Delays: one, Jitter: Additive(-1)},
		"leave Low, High": {Delays: one, Jitter: Jitter{Low: 1, High: 1, Decorrelated: true}},
	} {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
	for want, rule := range map[string]BudgetRule{
		"Ratio is -1":      {Ratio: -1},
		"Floor is NaN":     {Floor: math.NaN()},
		"give Ratio alone": {Ratio: 0.1, Cost: 1},
	} {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
}

func randomRule(r *rand.Rand) Rule {
	rule := Rule{
		Attempts: r.IntN(5), Delays: []time.Duration{time.Duration(r.Int64N(1e9))},
		Growth: 1 + r.Float64(), Cap: time.Duration(r.Int64N(3e9)),
		Jitter: [...]Jitter{None, Full, Equal, Decorrelated, Less(0.3)}[r.IntN(5)],
		Only:   policies.ClassSet(r.IntN(8)) << 1,
	}
	if r.IntN(2) == 0 {
		rule.Elapsed = time.Duration(r.Int64N(5e9))
	}
	return rule
}

// Any sequence of inputs, on a clock that also runs backwards, keeps what
// doc.go promises.
func TestPromises(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		rule := randomRule(r)
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var m Machine
		m.Reset(&rule, nil)
		now, deadline := policies.Instant(r.Int64N(1e10)), policies.Never
		var waited time.Duration // on the clock, forward steps only
		var announced time.Duration
		attempts := int32(0)
		for range 40 {
			step := time.Duration(r.Int64N(4e9) - 1e9)
			if r.IntN(3) == 0 && deadline != policies.Never {
				step = deadline.Sub(now) // exactly on the deadline
			}
			now += policies.Instant(step)
			waited += max(step, 0)
			in := Input{
				Kind: InputKind(r.IntN(4)), Class: policies.Class(1 + r.IntN(3)),
				Chance: exact.NewChance(seed, r.Uint64()),
			}
			for _, c := range m.Step(now, in, nil) {
				switch c.Kind {
				case Attempt:
					attempts++
					if c.Attempt != attempts || int(attempts) != m.Attempt() {
						t.Fatalf("seed %d: attempt %d is numbered %d", seed, attempts, c.Attempt)
					}
					if rule.Attempts > 0 && int(attempts) > rule.Attempts {
						t.Fatalf("seed %d: attempt %d of %d", seed, attempts, rule.Attempts)
					}
					if attempts > 1 && waited < announced {
						t.Fatalf("seed %d: attempt %d after %v of a wait of %v", seed, attempts, waited, announced)
					}
					announced = 0
				case Retry:
					waited, announced = 0, c.Wait
					if c.Wait < 0 || rule.Cap > 0 && c.Wait > rule.Cap {
						t.Fatalf("seed %d: waits %v under cap %v", seed, c.Wait, rule.Cap)
					}
					if m.Deadline() != now.Add(c.Wait) {
						t.Fatalf("seed %d: deadline %d, want %d", seed, m.Deadline(), now.Add(c.Wait))
					}
				}
			}
			if deadline = m.Deadline(); deadline != policies.Never && deadline.Sub(now) > announced {
				t.Fatalf("seed %d: deadline %v away in a wait of %v", seed, deadline.Sub(now), announced)
			}
		}
	}
}

// However requests begin, fail and succeed, retries stay within what the
// bucket earned and the floor allowed.
func TestBudgetIsNeverOverdrawn(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		rule := BudgetRule{Ratio: float64(r.IntN(5)) / 10, Tokens: 1 + float64(r.IntN(20))}
		if r.IntN(2) == 0 {
			rule.Floor = 0.1 + 10*r.Float64()
		}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var b Budget
		b.Reset(&rule)
		now := policies.Instant(0)
		firsts, paid, free := 0, 0.0, 0
		granted := b.Held()
		for range 2000 {
			now += policies.Instant(r.Int64N(1e8))
			if r.IntN(2) == 0 {
				b.Begin()
				firsts++
				continue
			}
			if p, ok := b.Withdraw(now); ok && p > 0 {
				paid += float64(p) / token
			} else if ok {
				free++
			}
			if b.Held() < 0 || b.Held() > rule.Tokens {
				t.Fatalf("seed %d: holds %v of %v", seed, b.Held(), rule.Tokens)
			}
		}
		if most := granted + rule.Ratio*float64(firsts); paid > most+1e-6 {
			t.Errorf("seed %d: %v retries of %v earned", seed, paid, most)
		}
		if most := rule.Floor*time.Duration(now).Seconds() + max(1, rule.Floor); float64(free) > most+1e-6 {
			t.Errorf("seed %d: floor of %v/s let %d through in %v", seed, rule.Floor, free, time.Duration(now))
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	rule := Rule{Delays: []time.Duration{time.Millisecond}, Growth: 2, Cap: time.Second, Jitter: Full}
	var b Budget
	b.Reset(&BudgetRule{Ratio: 1, Floor: 10})
	var m Machine
	out := make([]Command, 0, 4)
	now := policies.Instant(0)
	if n := testing.AllocsPerRun(1000, func() {
		m.Reset(&rule, &b)
		out = m.Step(now, Input{Kind: Begin}, out[:0])
		out = m.Step(now, Input{Kind: Failed, Class: policies.Transient, Chance: exact.NewChance(1, uint64(now))}, out[:0])
		now = min(m.Deadline(), now+1e9)
		out = m.Step(now, Input{Kind: Due}, out[:0])
		out = m.Step(now, Input{Kind: Succeeded}, out[:0])
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}
