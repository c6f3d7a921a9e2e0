package backpressure

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Any sequence of calls and ends, on a clock that also runs backwards.
func TestBreakerPromises(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		rule := BreakerRule{
			Consecutive: r.IntN(4), Share: float64(r.IntN(5)) / 4, Of: r.IntN(5), Within: time.Duration(r.IntN(2)) * time.Second,
			Opens: []time.Duration{1e9, 3e9}, Probes: r.IntN(4), ProbeLimit: time.Duration(r.IntN(2)) * 2 * time.Second,
			CountOld: r.IntN(2) == 0,
		}
		rule.ReopenRatio = rule.Share > 0 && r.IntN(2) == 0
		if rule.Consecutive == 0 && rule.Share == 0 {
			rule.Consecutive = 1
		}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var b Breaker
		b.Reset(&rule)
		now := policies.Instant(r.Int64N(1e12))
		epoch, probes := uint32(0), 0
		var open, waited time.Duration // the open period; forward time spent in it
		for range 300 {
			step := time.Duration(r.Int64N(1e9) - 2e8)
			now += policies.Instant(step)
			waited += max(step, 0)
			in := Input{Kind: InputKind(r.IntN(3)), Epoch: epoch - uint32(r.IntN(2)), Class: policies.Class(r.IntN(4))}
			before := b.State()
			out := b.Step(now, in, nil)
			answers := 0
			for i, c := range out {
				switch c.Kind {
				case Allow, Refuse:
					if answers++; i != len(out)-1 {
						t.Fatalf("seed %d: %v is followed by %v", seed, c, out[i+1:])
					}
				default:
					if epoch++; c.Epoch != epoch {
						t.Fatalf("seed %d: epoch %d, want %d", seed, c.Epoch, epoch)
					}
				}
				switch c.Kind {
				case Allow:
					if b.State() == StateOpen || c.Epoch != epoch {
						t.Fatalf("seed %d: %v while %v in epoch %d", seed, c, b.State(), epoch)
					}
					if b.State() == StateHalfOpen {
						if probes++; probes > orElse(rule.Probes, 1) {
							t.Fatalf("seed %d: probe %d of %d", seed, probes, rule.Probes)
						}
					}
				case Refuse:
					if b.State() == StateClosed {
						t.Fatalf("seed %d: refuses while closed", seed)
					}
				case Opened:
					open, waited = c.Until.Sub(now), 0
				case HalfOpened:
					if probes = 0; waited < open {
						t.Fatalf("seed %d: half-open after %v of %v", seed, waited, open)
					}
				}
			}
			if want := in.Kind == Ask; (answers == 1) != want {
				t.Fatalf("seed %d: input %v got %v", seed, in, out)
			}
			if before == StateOpen && in.Kind != Ask && b.State() != StateOpen {
				t.Fatalf("seed %d: left open by %v", seed, in)
			}
			if b.State() == StateOpen && b.until().Sub(now) > open {
				t.Fatalf("seed %d: open for another %v of %v", seed, b.until().Sub(now), open)
			}
		}
	}
}

// The window equals one that keeps every result and counts them anew.
func TestWindowIsExact(t *testing.T) {
	type result struct {
		at     policies.Instant
		failed bool
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		of, within := 1+r.IntN(20), time.Duration(r.IntN(2))*10*time.Second
		var w window
		w.reset(of, within)
		var all []result
		now := policies.Instant(r.Int64N(1e11) - 5e10)
		for range 300 {
			now += policies.Instant(r.Int64N(int64(3 * time.Second)))
			all = append(all, result{now, r.IntN(2) == 0})
			w.add(now, all[len(all)-1].failed)
			var want tally
			for i, x := range all {
				recent := i >= len(all)-of
				if within > 0 {
					second := int64(within / buckets)
					recent = floorDiv(int64(x.at), second) > floorDiv(int64(now), second)-buckets
				}
				if recent {
					want.ended++
					if x.failed {
						want.failed++
					}
				}
			}
			if w.total != want {
				t.Fatalf("seed %d: counts %v, want %v", seed, w.total, want)
			}
		}
	}
}

func TestLimitStaysWithinBounds(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		rule := LimitRule{Min: 1 + r.Int64N(10), Add: 1 + r.Int64N(5), Num: 1 + r.Int64N(9), Den: 10}
		rule.Max = rule.Min + r.Int64N(100)
		rule.Start = rule.Min + r.Int64N(rule.Max-rule.Min+1)
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var l Limit
		l.Reset(&rule)
		for range 200 {
			before, overloaded := l.Limit(), r.IntN(3) == 0
			after := l.Round(overloaded)
			if after < rule.Min || after > rule.Max || overloaded && after > before || !overloaded && after < before {
				t.Fatalf("seed %d: %+v goes from %d to %d, overloaded %v", seed, rule, before, after, overloaded)
			}
		}
	}
}

// Stop and Resume alternate; a pause lasts For of forward time, no less.
func TestPausePromises(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		rule := PauseRule{
			Failures: float64(1+r.IntN(4)) / 4, Of: r.IntN(5),
			Within: time.Duration(r.IntN(2)) * 10 * time.Second, For: time.Duration(1 + r.Int64N(5e9)),
		}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var p Pause
		p.Reset(&rule)
		now, waited, paused := policies.Instant(r.Int64N(1e12)), time.Duration(0), false
		for range 300 {
			step := time.Duration(r.Int64N(1e9) - 2e8)
			now += policies.Instant(step)
			waited += max(step, 0)
			for _, c := range p.Step(now, PauseInput{Kind: PauseInputKind(r.IntN(2)), Failed: r.IntN(2) == 0}, nil) {
				if (c == Stop) == paused {
					t.Fatalf("seed %d: %v while paused is %v", seed, c, paused)
				}
				if c == Resume && waited < rule.For {
					t.Fatalf("seed %d: resumes after %v of %v", seed, waited, rule.For)
				}
				paused, waited = c == Stop, 0
			}
			if paused != p.Paused() || paused != (p.Deadline() != policies.Never) {
				t.Fatalf("seed %d: paused %v, Paused %v, deadline %d", seed, paused, p.Paused(), p.Deadline())
			}
		}
	}
}

func TestCheckNamesTheSetting(t *testing.T) {
	opens := []time.Duration{1}
	checks := map[string]interface{ Check() error }{
		"consecutive failures": &BreakerRule{Consecutive: -1, Opens: opens},
		"never opens":          &BreakerRule{Opens: opens},
		"no open period":       &BreakerRule{Consecutive: 1},
		"open period 2":        &BreakerRule{Consecutive: 1, Opens: []time.Duration{1, 0}},
		"probes":               &BreakerRule{Consecutive: 1, Opens: opens, Probes: -1},
		"half-open":            &BreakerRule{Consecutive: 1, Opens: opens, ProbeLimit: -1},
		"reopens by ratio":     &BreakerRule{Consecutive: 1, Opens: opens, ReopenRatio: true},
		"share of 1.5":         &BreakerRule{Share: 1.5, Opens: opens},
		"share of NaN":         &BreakerRule{Share: math.NaN(), Opens: opens},
		"judges -1 calls":      &BreakerRule{Share: 1, Of: -1, Opens: opens},
		"counts within 5ns":    &BreakerRule{Share: 1, Within: 5, Opens: opens},
		"share of 0 failures":  &PauseRule{For: 1},
		"pause for 0s":         &PauseRule{Failures: 1},
		"1 ≤ Min ≤ Max":        &LimitRule{Min: 5, Max: 4},
		"starts at 3":          &LimitRule{Start: 3, Max: 2},
		"grows by -1":          &LimitRule{Add: -1},
		"shrinks to 10/10":     &LimitRule{Num: 10, Den: 10},
		"at most":              &LimitRule{Max: 1 << 50},
	}
	for want, rule := range checks {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, rule := range []BreakerRule{
		{Consecutive: 3, Opens: []time.Duration{1e9}},
		{Share: 0.5, Of: 10, Opens: []time.Duration{1e9}},
		{Share: 0.5, Of: 10, Within: 10 * time.Second, Opens: []time.Duration{1e9}},
	} {
		var b Breaker
		b.Reset(&rule)
		out := make([]Command, 0, 4)
		now, epoch := policies.Instant(0), uint32(0)
		if n := testing.AllocsPerRun(1000, func() {
			now += 3e8
			out = b.Step(now, Input{Kind: Ask}, out[:0])
			epoch = out[len(out)-1].Epoch
			out = b.Step(now, Input{Kind: Done, Epoch: epoch, Class: policies.Class(now / 3e8 % 2)}, out[:0])
		}); n != 0 {
			t.Errorf("%+v: %v allocations per call", rule, n)
		}
	}
}
