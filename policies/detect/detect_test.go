package detect

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
)

var phiKinds = []Kind{PhiNormal, PhiLogistic, PhiExponential}

// The deadline is the first nanosecond that convicts, whatever was learnt.
func TestDeadlineIsExact(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		for _, kind := range phiKinds {
			rule := Rule{
				Kind: kind, Level: 0.1 + 20*r.Float64(), Every: time.Duration(1 + r.Int64N(1e10)),
				MinSD: time.Duration(1 + r.Int64N(1e9)), Window: 1 + r.IntN(5), Allowance: time.Duration(r.Int64N(1e9)),
			}
			if err := rule.Check(); err != nil {
				t.Fatal(err)
			}
			d := New(&rule)
			now := policies.Instant(r.Int64N(1e12) - 5e11)
			d.Reset(now)
			for range 20 {
				at := d.Deadline()
				if d.Phi(at) < rule.Level || at > now && d.Phi(at-1) >= rule.Level {
					t.Fatalf("seed %d, %v: phi %v at the deadline, %v before, level %v", seed, kind, d.Phi(at), d.Phi(at-1), rule.Level)
				}
				now += policies.Instant(r.Int64N(int64(2 * rule.Every)))
				d.Step(now, Input{Kind: Beat}, nil)
			}
		}
	}
}

func TestCrossingAtTheEnds(t *testing.T) {
	for _, kind := range phiKinds {
		// A mean far in the past of silence zero: already convicted.
		if got := Crossing(PhiNormal, 1e-9, Fit{Mean: 1, SD: 1e9}); got != 0 {
			t.Errorf("%v: crossing at %v, want 0", kind, got)
		}
		// A deviation so large that no duration reaches the level.
		if got := Crossing(kind, 300, Fit{Mean: 1e18, SD: 1e18}); got != math.MaxInt64 {
			t.Errorf("%v: crossing at %v, want the longest duration", kind, got)
		}
	}
}

// The running sums equal those of a window computed afresh with big integers.
func TestHistoryIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var h history
	h.reset(100)
	var all []time.Duration
	for range 1000 {
		x := time.Duration(r.Int64N(1 << r.IntN(51)))
		h.add(x)
		all = append(all, x)
		window := all[max(0, len(all)-100):]
		sum, squares := new(big.Int), new(big.Int)
		for i, x := range h.list(nil) {
			if x != window[i] {
				t.Fatalf("interval %d is %v, want %v", i, x, window[i])
			}
			b := big.NewInt(int64(x))
			sum.Add(sum, b)
			squares.Add(squares, new(big.Int).Mul(b, b))
		}
		n := big.NewInt(int64(len(window)))
		spread := new(big.Int).Mul(n, squares)
		spread.Sub(spread, new(big.Int).Mul(sum, sum))
		variance, _ := new(big.Rat).SetFrac(spread, new(big.Int).Mul(n, n)).Float64()
		fit := h.fit()
		if mean, _ := new(big.Rat).SetFrac(sum, n).Float64(); fit.Mean != mean {
			t.Fatalf("mean %v, want %v", fit.Mean, mean)
		}
		if want := math.Sqrt(variance); math.Abs(fit.SD-want) > 1e-14*want {
			t.Fatalf("sd %v, want %v", fit.SD, want)
		}
	}
}

// Beats and looks in any order, on a clock that also runs backwards.
func TestPromises(t *testing.T) {
	rules := []Rule{
		{Kind: Fixed, Timeout: 3 * time.Second},
		{Kind: Missed, Missed: 2, Every: time.Second},
		{Kind: PhiNormal, Level: 8, Every: time.Second},
		{Kind: PhiLogistic, Level: 2, Every: time.Second, Window: 3},
		{Kind: PhiExponential, Level: 1, Every: time.Second, Window: 10},
		{Kind: Chen, Timeout: time.Second, Every: time.Second},
	}
	for seed := range uint64(300) {
		for i := range rules {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			rule := &rules[i]
			d := New(rule)
			now := policies.Instant(r.Int64N(1e10))
			d.Reset(now)
			for number := range int64(100) {
				now += policies.Instant(r.Int64N(3e9) - 5e8)
				if r.IntN(4) == 0 && d.Deadline() != policies.Never {
					now = d.Deadline() - policies.Instant(r.Int64N(2))
				}
				was, deadline := d.Suspecting(), d.Deadline()
				in := Input{Kind: InputKind(r.IntN(2)), Number: number, Sent: now - policies.Instant(r.Int64N(3e9))}
				out := d.Step(now, in, nil)
				if len(out) > 1 {
					t.Fatalf("seed %d, %v: %v in one step", seed, rule.Kind, out)
				}
				for _, c := range out {
					if (c.Kind == Suspect) == was {
						t.Fatalf("seed %d, %v: %v while suspecting is %v", seed, rule.Kind, c.Kind, was)
					}
					if c.Kind == Suspect && (in.Kind != Tick || now < deadline) {
						t.Fatalf("seed %d, %v: suspects at %d, deadline %d", seed, rule.Kind, now, deadline)
					}
				}
				if in.Kind == Tick && now >= deadline && !d.Suspecting() {
					t.Fatalf("seed %d, %v: trusts at %d, deadline %d", seed, rule.Kind, now, deadline)
				}
				if d.Suspecting() != (d.Deadline() == policies.Never) {
					t.Fatalf("seed %d, %v: suspecting %v with deadline %d", seed, rule.Kind, d.Suspecting(), d.Deadline())
				}
				if in.Kind == Beat && rule.Kind != Chen && (d.Suspecting() || d.Deadline() < now) {
					t.Fatalf("seed %d, %v: a beat at %d left deadline %d", seed, rule.Kind, now, d.Deadline())
				}
			}
		}
	}
}

// An observer that did not look believes a beat that comes too late, but does
// not learn its gap.
func TestLateBeatWithoutALook(t *testing.T) {
	rule := Rule{Kind: PhiNormal, Level: 8, Every: time.Second}
	d := New(&rule)
	d.Reset(0)
	d.Step(at(1000), Input{Kind: Beat}, nil)
	late := d.Deadline()
	if out := d.Step(late, Input{Kind: Beat}, nil); len(out) != 0 || d.Suspecting() {
		t.Errorf("a beat without a look before it decides %v", out)
	}
	if n := len(d.History(nil)); n != 2 {
		t.Errorf("%d intervals, want the two of the start", n)
	}
}

func TestRoundsStayMarked(t *testing.T) {
	r := Rounds{Allowed: 1}
	r.Report(1)
	if r.Suspects(2) {
		t.Error("suspected after one round of silence with one allowed")
	}
	if !r.Suspects(3) {
		t.Error("not suspected after two rounds of silence with one allowed")
	}
	if r.Report(4); !r.Suspects(4) {
		t.Error("a report took the mark away")
	}
}

func TestCheckNamesTheSetting(t *testing.T) {
	for want, rule := range map[string]Rule{
		"unknown kind":       {Kind: 9},
		"fixed time-out":     {Kind: Fixed},
		"chen shift":         {Kind: Chen, Timeout: -1, Every: 1},
		"missed 0":           {Kind: Missed, Every: 1},
		"missed with a beat": {Kind: Missed, Missed: 1},
		"level of 0":         {Kind: PhiNormal, Every: 1},
		"level of NaN":       {Kind: PhiNormal, Every: 1, Level: math.NaN()},
		"level of 400":       {Kind: PhiNormal, Every: 1, Level: 400},
		"window of -1":       {Kind: PhiNormal, Every: 1, Level: 8, Window: -1},
		"least deviation":    {Kind: PhiNormal, Every: 1, Level: 8, MinSD: -1},
		"allowance":          {Kind: PhiNormal, Every: 1, Level: 8, Allowance: -1},
		"give at most":       {Kind: PhiNormal, Every: 1 << 60, Level: 8},
	} {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, kind := range []Kind{Fixed, PhiNormal, PhiLogistic, PhiExponential, Chen} {
		rule := Rule{Kind: kind, Timeout: time.Second, Every: time.Second, Level: 8}
		d := New(&rule)
		d.Reset(0)
		out := make([]Command, 0, 4)
		now := policies.Instant(0)
		if n := testing.AllocsPerRun(1000, func() {
			now += 1e9
			out = d.Step(now, Input{Kind: Beat, Number: int64(now), Sent: now}, out[:0])
			out = d.Step(d.Deadline(), Input{Kind: Tick}, out[:0])
		}); n != 0 {
			t.Errorf("%v: %v allocations per beat", kind, n)
		}
	}
}

func BenchmarkBeat(b *testing.B) {
	for _, kind := range []Kind{Fixed, PhiNormal, PhiLogistic, PhiExponential} {
		b.Run(kind.String(), func(b *testing.B) {
			rule := Rule{Kind: kind, Timeout: time.Second, Every: time.Second, Level: 8}
			d := New(&rule)
			d.Reset(0)
			r := rand.New(rand.NewPCG(1, 0))
			now := policies.Instant(0)
			var out []Command
			for b.Loop() {
				now += policies.Instant(9e8 + r.Int64N(2e8))
				out = d.Step(now, Input{Kind: Beat}, out[:0])
			}
		})
	}
}
