package backpressure_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/policytest"
)

// limiterPlayer plays scripts of
//
//	rule kind=… start=… min=… max=… add=… num=… den=… window=… slack=… k=… probe=…
//	want [times=N]                      how many of N are admitted
//	ended latency=D [times=N] [bad]     each admitted call once
//	withdrawn
type limiterPlayer struct {
	limiter backpressure.Limiter
	asked   uint64
	rate    bool
}

func (p *limiterPlayer) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	times := 1
	if args.Has("times") {
		times = int(args.Int("times"))
	}
	switch words[0] {
	case "rule":
		rule := backpressure.LimiterRule{
			Kind: backpressure.LimiterKind(args.Choice("kind", "fixed", "aimd", "gradient", "vegas", "throttle", "rate")),
			LimitRule: backpressure.LimitRule{Start: args.Int("start"), Min: args.Int("min"), Max: args.Int("max"), Add: args.Int("add"),
				Num: args.Int("num"), Den: args.Int("den")},
			Window: args.Duration("window"), Slack: args.Int("slack"), K: args.Float("k"), Probe: args.Duration("probe"),
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.rate = rule.Kind == backpressure.Rate
		p.limiter.Reset(&rule)
		return nil, args.Err()
	case "want":
		admitted := 0
		for range times {
			p.asked++
			in := backpressure.LimiterInput{Kind: backpressure.Want, Chance: exact.NewChance(3, p.asked)}
			if p.limiter.Step(now, in, nil)[0] == backpressure.Admit {
				admitted++
			}
		}
		text := fmt.Sprintf("admit %d, deny %d", admitted, times-admitted)
		if p.rate && admitted < times {
			text += ", next at " + policytest.Text(p.limiter.Deadline(now))
		}
		return []string{text}, args.Err()
	case "ended":
		in := backpressure.LimiterInput{Kind: backpressure.Ended, Latency: args.Duration("latency")}
		if args.Has("bad") {
			in.Class = policies.Transient
		}
		for range times {
			p.limiter.Step(now, in, nil)
		}
		return []string{fmt.Sprintf("limit %d", p.limiter.Limit())}, args.Err()
	case "withdrawn":
		p.limiter.Step(now, backpressure.LimiterInput{Kind: backpressure.Withdrawn}, nil)
		return nil, args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *limiterPlayer) Tick(policies.Instant) []string { return nil }

func (p *limiterPlayer) Deadline() policies.Instant { return policies.Never }

// Whatever happens, on a clock that also runs backwards: the limit stays within
// its bounds, no more is in flight than the limit says, an overload never lets
// it grow, and two limiters with equal inputs decide equally.
func TestLimiterPromises(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 4))
		rule := backpressure.LimiterRule{
			Kind:      backpressure.LimiterKind(seed % 6),
			LimitRule: backpressure.LimitRule{Min: 1 + r.Int64N(5), Add: 1 + r.Int64N(3), Num: 1 + r.Int64N(9), Den: 10},
			Window:    time.Duration(1+r.Int64N(10)) * time.Second, Slack: r.Int64N(6), K: []float64{0, 1, 3}[r.IntN(3)], Probe: time.Duration(r.Int64N(1e10)),
		}
		rule.Max = rule.Min + r.Int64N(50)
		rule.Start = rule.Min + r.Int64N(rule.Max-rule.Min+1)
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var l, twin backpressure.Limiter
		l.Reset(&rule)
		twin.Reset(&rule)
		now, inFlight := policies.Instant(r.Int64N(1e12)), int64(0)
		for n := range uint64(500) {
			now += policies.Instant(r.Int64N(1e9) - 2e8)
			in := backpressure.LimiterInput{Kind: backpressure.LimiterInputKind(r.IntN(3)), Class: policies.Class(r.IntN(4)),
				Latency: time.Duration(r.Int64N(1e9)), Chance: exact.NewChance(seed, n)}
			if in.Kind != backpressure.Want && inFlight == 0 {
				continue
			}
			before := l.Limit()
			out := l.Step(now, in, nil)
			if other := twin.Step(now, in, nil); fmt.Sprint(out) != fmt.Sprint(other) || twin.Limit() != l.Limit() {
				t.Fatalf("seed %d: %v and %v after equal inputs", seed, out, other)
			}
			if (len(out) == 1) != (in.Kind == backpressure.Want) {
				t.Fatalf("seed %d: %v got %v", seed, in, out)
			}
			switch {
			case in.Kind != backpressure.Want:
				inFlight--
			case out[0] == backpressure.Admit:
				if inFlight++; rule.Kind < backpressure.Throttle && inFlight > l.Limit() {
					t.Fatalf("seed %d: %v admits %d of %d", seed, rule.Kind, inFlight, l.Limit())
				}
			}
			if after := l.Limit(); after < rule.Min || after > rule.Max {
				t.Fatalf("seed %d: %v has the limit %d outside %d..%d", seed, rule.Kind, after, rule.Min, rule.Max)
			} else if after > before && in.Class == policies.Transient && rule.Kind != backpressure.Gradient {
				t.Fatalf("seed %d: %v grows from %d to %d on an overload", seed, rule.Kind, before, after)
			}
			if room := l.Room(); room != max(0, l.Limit()-inFlight) {
				t.Fatalf("seed %d: room for %d with %d of %d in flight", seed, room, inFlight, l.Limit())
			}
		}
	}
}

// In any span a bucket lets through no more than it holds and what flows in; and
// it lets a call go at the instant that it names.
func TestBucketPromises(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		rule := backpressure.BucketRule{Rate: float64(1 + r.IntN(50)), Burst: 1 + r.Int64N(20)}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var b backpressure.Bucket
		b.Reset(&rule)
		every := time.Duration(1e9/rule.Rate + 0.5)
		start := policies.Instant(r.Int64N(1e12))
		now, taken := start, int64(0)
		for range 500 {
			now += policies.Instant(r.Int64N(3e8))
			if b.Take(now) {
				taken++
			} else {
				next := b.Next(now)
				if copied := b; copied.Take(next - 1) {
					t.Fatalf("seed %d: a token 1ns before %d", seed, next)
				}
				if copied := b; !copied.Take(next) {
					t.Fatalf("seed %d: no token at %d", seed, next)
				}
			}
			if most := rule.Burst + int64(now.Sub(start)/every); taken > most {
				t.Fatalf("seed %d: %d calls within %v, at most %d may go", seed, taken, now.Sub(start), most)
			}
		}
		if b.Take(start - 1e11); b.Next(start-1e11).Sub(start-1e11) > every*time.Duration(rule.Burst) {
			t.Fatalf("seed %d: a clock set back empties the bucket for longer than it takes to fill", seed)
		}
	}
}

// Oracle F04: a client that asks 300 times a second for what accepts 60.
func TestOracleThrottle(t *testing.T) {
	const rate, k = 300.0, 2.0
	rule := backpressure.LimiterRule{Kind: backpressure.Throttle, K: k, Window: 2 * time.Minute}
	var l backpressure.Limiter
	l.Reset(&rule)
	var server backpressure.Bucket
	server.Reset(&backpressure.BucketRule{Rate: 60, Burst: 10})
	luck := exact.NewChance(21, 0)
	now, warm, end := policies.Instant(0), policies.Instant(800*time.Second), policies.Instant(4000*time.Second)
	var asked, sent, accepted float64
	for n := uint64(0); now < end; n++ {
		now += policies.Instant(-1e9 / rate * exact.Log(luck.Open01()))
		counts := 0.0
		if now >= warm {
			counts = 1
		}
		asked += counts
		if l.Step(now, backpressure.LimiterInput{Chance: exact.NewChance(22, n)}, nil)[0] == backpressure.Deny {
			continue
		}
		sent += counts
		in := backpressure.LimiterInput{Kind: backpressure.Ended, Class: policies.Transient}
		if server.Take(now) {
			in.Class = policies.OK
			accepted += counts
		}
		l.Step(now, in, nil)
	}
	span := end.Sub(warm).Seconds()
	for _, q := range []struct {
		name           string
		got, want, rel float64
	}{{"sent per second", sent / span, 120, 0.02}, {"accepted per second", accepted / span, 60, 0.01}, {"share refused", 1 - sent/asked, 0.6, 0.02}} {
		if off := q.got - q.want; off > q.rel*q.want || off < -q.rel*q.want {
			t.Errorf("%s = %.4g, want %.4g within %v", q.name, q.got, q.want, q.rel)
		}
	}
}

// A server of 20 places and 50 ms, behind which calls queue: each adaptive kind
// finds a limit that keeps the places busy and the queue short; a fixed limit of
// 100 makes every call wait five times as long as it is worked on.
func TestLimitersFindTheKnee(t *testing.T) {
	const places, work = 20, 50 * time.Millisecond
	for _, c := range []struct {
		rule      backpressure.LimiterRule
		low, high int64
	}{
		{backpressure.LimiterRule{Kind: backpressure.Fixed, LimitRule: backpressure.LimitRule{Start: 100}}, 100, 100},
		{backpressure.LimiterRule{Kind: backpressure.Gradient, LimitRule: backpressure.LimitRule{Start: 100, Max: 200}, K: 1}, 10, 45},
		{backpressure.LimiterRule{Kind: backpressure.Vegas, LimitRule: backpressure.LimitRule{Start: 10, Max: 200}}, 18, 28},
	} {
		if err := c.rule.Check(); err != nil {
			t.Fatal(err)
		}
		var l backpressure.Limiter
		l.Reset(&c.rule)
		now := policies.Instant(0)
		var busy []policies.Instant // ends of calls, in order
		var sent []policies.Instant
		for range 200_000 {
			for l.Step(now, backpressure.LimiterInput{}, nil)[0] == backpressure.Admit {
				at := now
				if n := len(busy); n >= places {
					at = max(now, busy[n-places])
				}
				busy, sent = append(busy, at.Add(work)), append(sent, now)
			}
			now = busy[0]
			l.Step(now, backpressure.LimiterInput{Kind: backpressure.Ended, Latency: now.Sub(sent[0])}, nil)
			busy, sent = busy[1:], sent[1:]
		}
		if l.Limit() < c.low || l.Limit() > c.high {
			t.Errorf("%v: limit %d, want %d to %d", c.rule.Kind, l.Limit(), c.low, c.high)
		}
	}
}

func TestLimiterChecksNameTheSetting(t *testing.T) {
	checks := map[string]interface{ Check() error }{
		"kind 9":          &backpressure.LimiterRule{Kind: 9},
		"window of -1ns":  &backpressure.LimiterRule{Window: -1},
		"slack of -1":     &backpressure.LimiterRule{Slack: -1},
		"K 0.5":           &backpressure.LimiterRule{K: 0.5},
		"probes every":    &backpressure.LimiterRule{Probe: -1},
		"per window":      &backpressure.LimiterRule{Kind: backpressure.Rate, LimitRule: backpressure.LimitRule{Max: 1e9}},
		"1 ≤ Min ≤ Max":   &backpressure.LimiterRule{LimitRule: backpressure.LimitRule{Min: 5, Max: 4}},
		"tokens per":      &backpressure.BucketRule{},
		"holds -1 tokens": &backpressure.BucketRule{Rate: 1, Burst: -1},
		"fills with -1":   &backpressure.BucketRule{Rate: -1},
	}
	for want, rule := range checks {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
}

func TestLimiterDoesNotAllocate(t *testing.T) {
	for kind := backpressure.Fixed; kind <= backpressure.Rate; kind++ {
		var l backpressure.Limiter
		l.Reset(&backpressure.LimiterRule{Kind: kind})
		out := make([]backpressure.LimiterCommand, 0, 1)
		now := policies.Instant(0)
		if n := testing.AllocsPerRun(1000, func() {
			now += 1e7
			if out = l.Step(now, backpressure.LimiterInput{}, out[:0]); out[0] == backpressure.Admit {
				l.Step(now, backpressure.LimiterInput{Kind: backpressure.Ended, Latency: 1e6}, nil)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations per call", kind, n)
		}
	}
}
