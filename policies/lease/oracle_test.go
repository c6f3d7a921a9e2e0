package lease_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/fence"
	"github.com/tenggat/tenggat/policies/lease"
)

// The values are those of the oracles C01, C02, C05, C07, C08 and C09; a relative
// tolerance is about four standard errors of the run that is made here.

func within(t *testing.T, name string, got, want, rel float64) {
	t.Helper()
	if math.Abs(got-want) > rel*want {
		t.Errorf("%s is %.6g, want %.6g within %g of it", name, got, want, rel)
	}
}

func at(seconds float64) policies.Instant { return policies.Instant(math.Round(seconds * 1e9)) }

// hold lets a holder live from a grant at 0 until it loses the lease; answered
// says whether and how long after its send instant a renewal is answered.
func hold(rule *lease.HolderRule, answered func() (time.Duration, bool)) policies.Instant {
	var k lease.Keeper
	k.Reset(rule)
	k.Begin(0, 1)
	out := k.Step(0, lease.Input{Kind: lease.Granted, Request: 1}, nil)
	type reply struct {
		at      policies.Instant
		request int32
	}
	var replies []reply // few are on their way at once
	for {
		next, first := k.Deadline(), -1
		for i, r := range replies {
			if r.at <= next {
				next, first = r.at, i
			}
		}
		in := lease.Input{Kind: lease.Tick}
		if first >= 0 {
			in = lease.Input{Kind: lease.Renewed, Request: replies[first].request}
			replies = append(replies[:first], replies[first+1:]...)
		}
		out = k.Step(next, in, out[:0])
		for _, c := range out {
			if c.Kind == lease.Lost {
				return next
			}
			if after, ok := answered(); ok {
				replies = append(replies, reply{next.Add(after), c.Request})
			}
		}
	}
}

// TestC01 holds leases of 15 s, renewed every 4 s, of which one in ten is lost.
func TestC01(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	rule := &lease.HolderRule{Length: 15 * time.Second, Every: 4 * time.Second}
	const leases = 5000
	sum, lost := 0.0, 0
	for range leases {
		end := hold(rule, func() (time.Duration, bool) { return 0, rng.Float64() >= 0.1 })
		sum += time.Duration(end).Seconds()
		if end < at(3600) {
			lost++
		}
	}
	within(t, "mean time to loss", sum/leases, 4443, 0.058)
	within(t, "share lost during the job", float64(lost)/leases, 0.5551199, 0.051)
}

// TestC02 keeps leases by calls that are lost or late; beyond the time-out an
// answer is void.
func TestC02(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	rule := &lease.HolderRule{Length: 10 * time.Second, Every: 4 * time.Second, Timeout: 1500 * time.Millisecond}
	const leases = 5000
	sum, sent, failed := 0.0, 0, 0
	for range leases {
		end := hold(rule, func() (time.Duration, bool) {
			sent++
			request, reply := rng.Float64() >= 0.03, rng.Float64() >= 0.03
			trip := time.Duration(0.2 * math.Exp(rng.NormFloat64()) * float64(time.Second))
			if !request || !reply || trip > rule.Timeout {
				failed++
			}
			return trip, request && reply
		})
		sum += time.Duration(end).Seconds()
	}
	within(t, "share of failed renewals", float64(failed)/float64(sent), 0.07975972, 0.05)
	within(t, "mean time to give up", sum/leases, 680.9219, 0.056)
}

// TestC05 lets holders crash at a random phase, and a standby poll.
func TestC05(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	const crashes, length, every, poll = 20_000, 15.0, 5.0, 2.0
	sum, squares := 0.0, 0.0
	for range crashes {
		var g lease.Grant
		g.Reset(&lease.GrantRule{Rising: true})
		g.Step(0, lease.Ask{Kind: lease.Acquire, Owner: 1, Until: at(length)}, nil)
		g.Step(at(every), lease.Ask{Kind: lease.Renew, Owner: 1, Serial: 1, Until: at(every + length)}, nil)
		crash := every + every*rng.Float64()
		for try := poll * rng.Float64(); ; try += poll {
			g.Step(at(try), lease.Ask{Kind: lease.Lapse}, nil)
			if a := g.Step(at(try), lease.Ask{Kind: lease.Acquire, Owner: 2, Until: at(try + length)}, nil); a[0].Kind == lease.Granted {
				took := try - crash
				if took >= 17 {
					t.Fatalf("a fail-over took %g s", took)
				}
				sum += took
				squares += took * took
				break
			}
		}
	}
	mean := sum / crashes
	within(t, "mean fail-over", mean, 13.5, 0.0033)
	within(t, "its standard deviation", math.Sqrt(squares/crashes-mean*mean), 1.554563, 0.02)
}

// TestC07 lets the store run fast and the holder slow: with the margin of the
// documentation the holder stops in time, without it both hold for 0.6 s.
func TestC07(t *testing.T) {
	const eps = 0.01
	rule := &lease.HolderRule{Length: 30 * time.Second}
	rule.Margin = time.Duration(float64(rule.Length) * 2 * eps / (1 + eps))
	expires := 30 / (1 + eps)
	stops := func() float64 {
		end := hold(rule, nil)
		return time.Duration(end).Seconds() / (1 - eps)
	}
	if safe := stops() * (1 - eps); math.Abs(safe-29.40594059) > 1e-6 {
		t.Errorf("the holder holds for %.8f s of its own, want 29.40594059", safe)
	}
	if s := stops(); s > expires+1e-8 {
		t.Errorf("with the margin the holder stops at %g, the store at %g", s, expires)
	}
	rule.Margin = 0
	if overlap := stops() - expires; math.Abs(overlap-0.600060006) > 1e-6 {
		t.Errorf("without a margin both hold for %.9f s, want 0.600060006", overlap)
	}
}

// TestC08 cuts the holder off from the lock store only, second by second as in
// the oracle: three ways to write under a lock that is lost.
func TestC08(t *testing.T) {
	const ms = policies.Instant(time.Millisecond)
	const length, every, cut, job, write = 15000 * ms, 5000 * ms, 12000 * ms, 60000 * ms, 1700 * ms
	var g lease.Grant
	g.Reset(&lease.GrantRule{Rising: true})
	g.Raise(32)
	granted := g.Step(0, lease.Ask{Kind: lease.Acquire, Owner: 1, Until: length}, nil)[0]
	var k lease.Keeper
	k.Reset(&lease.HolderRule{Length: time.Duration(length), Every: time.Duration(every)})
	k.Begin(0, 1)
	k.Step(0, lease.Input{Kind: lease.Granted, Request: 1, Token: granted.Token}, nil)
	var gate fence.Gate
	next := lease.Answer{} // the contender's grant
	acquired, lost := policies.Never, policies.Never
	stale, refused, fenced, own, ownStale := 0, 0, 0, 0, 0
	for now := policies.Instant(0); now <= job; now += 100 * ms {
		if now%(every) == 0 && now > 0 && k.Deadline() <= now {
			for _, c := range k.Step(now, lease.Input{Kind: lease.Tick}, nil) {
				if c.Kind == lease.Lost {
					lost = now
				} else if now < cut {
					g.Step(now, lease.Ask{Kind: lease.Renew, Owner: 1, Serial: 1, Token: 33, Until: now + length}, nil)
					k.Step(now, lease.Input{Kind: lease.Renewed, Request: c.Request}, nil)
				}
			}
		}
		g.Step(now, lease.Ask{Kind: lease.Lapse}, nil)
		if now%(2000*ms) == 500*ms && acquired == policies.Never {
			if a := g.Step(now, lease.Ask{Kind: lease.Acquire, Owner: 2, Until: policies.Never}, nil)[0]; a.Kind == lease.Granted {
				next, acquired = a, now
			}
		}
		if now > acquired && (now-acquired)%write == 0 && !gate.Check(next.Token) {
			t.Errorf("the contender's write at %d is refused", now)
		}
		if now == 0 || now%write != 0 {
			continue
		}
		isStale := now >= acquired
		passes := gate.Check(granted.Token)
		switch {
		case isStale && passes:
			fenced++
		case isStale:
			refused++
		}
		if isStale {
			stale++
		}
		if k.Held(now) {
			own++
			if isStale {
				ownStale++
			}
		}
	}
	if acquired != 26500*ms || next.Token != 34 || lost != 25000*ms {
		t.Errorf("acquired at %d with token %d, lost at %d; want 26.5 s, 34, 25 s", acquired, next.Token, lost)
	}
	if got, want := [5]int{stale, fenced, refused, own, ownStale}, [5]int{20, 1, 19, 14, 0}; got != want {
		t.Errorf("stale, with fence, refused, by its own belief, of them stale: %v, want %v", got, want)
	}
}

// TestC09 is Kleppmann's timeline: a client that is paused beyond its lease.
func TestC09(t *testing.T) {
	var g lease.Grant
	g.Reset(&lease.GrantRule{Rising: true})
	g.Raise(32)
	first := g.Step(0, lease.Ask{Kind: lease.Acquire, Owner: 1, Until: at(10)}, nil)[0]
	g.Step(at(10.5), lease.Ask{Kind: lease.Lapse}, nil)
	second := g.Step(at(10.5), lease.Ask{Kind: lease.Acquire, Owner: 2, Until: at(20.5)}, nil)[0]
	if first.Token != 33 || second.Kind != lease.Granted || second.Token != 34 {
		t.Fatalf("grants %v, %v", first, second)
	}
	var gate fence.Gate
	if !gate.Check(second.Token) || gate.Check(first.Token) {
		t.Error("the fence does not refuse 33 after 34")
	}
}
