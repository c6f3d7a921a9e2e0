package lease

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// seeds is the number of random histories per property; a failure names its
// seed.
const seeds = 300

// TestKeeperNeverBelievesTooLong drives keepers with random news and a clock
// that also goes back, and compares the belief with a plain record of what was
// sent and answered: it never reaches the send instant of the newest success
// plus Believe - Margin.
func TestKeeperNeverBelievesTooLong(t *testing.T) {
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rule := &HolderRule{
			Length: 10 * time.Second, Every: time.Duration(1+rng.IntN(8)) * time.Second, OnError: OnError(rng.IntN(4)),
			Delays: []time.Duration{time.Second, 2 * time.Second}, Margin: time.Duration(rng.IntN(2)) * time.Second,
		}
		if rng.IntN(2) == 0 {
			rule.Timeout = time.Duration(1+rng.IntN(4)) * time.Second
		}
		var k Keeper
		k.Reset(rule)
		var out []Command
		sent := map[int32]policies.Instant{}
		safe := policies.Instant(-1 << 62)
		proved := int32(0)
		now := policies.Instant(0)
		for range 200 {
			now = now.Add(time.Duration(rng.IntN(3000)) * time.Millisecond)
			if rng.IntN(20) == 0 {
				now = now.Add(-time.Duration(rng.IntN(20)) * time.Second)
			}
			if k.phase == idle {
				safe = -1 << 62
				k.Begin(now, k.Last()+1)
				sent[k.Last()], proved = now, 0
			}
			request := k.Last() - int32(rng.IntN(10))
			kind := []Kind{Tick, Tick, Tick, Granted, Renewed, Renewed, Failed, Refused, Woken}[rng.IntN(9)]
			was := k
			out = k.Step(now, Input{Kind: kind, Request: request}, out[:0])
			success := kind == Granted && was.phase == asking && k.phase != asking ||
				kind == Renewed && was.phase == holding && was.open&(1<<(request&7)) != k.open&(1<<(request&7))
			if success && request >= proved {
				proved, safe = request, sent[request].Add(rule.Length-rule.Margin)
			}
			for _, c := range out {
				if c.Kind == Renew {
					sent[c.Request] = now
				}
			}
			for _, at := range []policies.Instant{now, safe - 1, safe, safe + 1} {
				if k.Held(at) && at >= safe {
					t.Fatalf("seed %d: at %d the keeper believes until %d, but the newest success allows %d", seed, at, k.Until(), safe)
				}
			}
			if kind == Tick && k.phase == holding && now >= safe {
				t.Fatalf("seed %d: a tick at %d left a belief that ended at %d", seed, now, safe)
			}
		}
	}
}

// TestKeeperOrderAtATie hands the two inputs of one instant over in both
// orders: the decisions may differ, the belief never exceeds what is safe.
func TestKeeperOrderAtATie(t *testing.T) {
	rule := &HolderRule{Length: 10 * time.Second, Every: 4 * time.Second, Timeout: 3 * time.Second}
	inputs := []Input{{Kind: Tick}, {Kind: Renewed, Request: 2}, {Kind: Renewed, Request: 3}, {Kind: Refused, Request: 2}, {Kind: Failed, Request: 3}, {Kind: Woken}, {Kind: Ended}}
	for _, at := range []time.Duration{7 * time.Second, 8 * time.Second, 10 * time.Second, 11 * time.Second, 18 * time.Second} {
		for _, a := range inputs {
			for _, b := range inputs {
				var k Keeper
				k.Reset(rule)
				k.Begin(0, 1)
				out := k.Step(0, Input{Kind: Granted, Request: 1}, nil)
				out = k.Step(policies.Instant(4*time.Second), Input{Kind: Tick}, out)
				now := policies.Instant(at)
				for _, in := range []Input{a, b} {
					out = k.Step(now, in, out)
				}
				safe := policies.Instant(10 * time.Second)
				if (a.Kind == Renewed || b.Kind == Renewed) && at >= 4*time.Second {
					safe = policies.Instant(14 * time.Second)
					if a.Request == 3 || b.Request == 3 {
						safe = now.Add(10 * time.Second)
					}
				}
				if k.phase == holding && k.Until() > safe {
					t.Errorf("at %v after %v, %v: believes until %d, safe is %d", at, a.Kind, b.Kind, k.Until(), safe)
				}
			}
		}
	}
}

// TestGrantHasOneHolder drives one resource with random requests of several
// owners and keeps the books by hand: whoever is told Granted is the only one
// until told otherwise, and tokens of grants rise strictly.
func TestGrantHasOneHolder(t *testing.T) {
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 2))
		rule := &GrantRule{
			Rising: true, Delay: time.Duration(rng.IntN(3)) * time.Second, AtLeast: time.Duration(rng.IntN(3)) * time.Second,
			Cap: time.Duration(rng.IntN(2)*30) * time.Second, ReleaseBy: ReleaseBy(rng.IntN(2)),
			Late: [3]Settle{Settle(rng.IntN(4)), Settle(rng.IntN(4)), []Settle{Ignore, Reject, Steal}[rng.IntN(3)]},
		}
		var g Grant
		g.Reset(rule)
		type claim struct {
			owner  int64
			serial uint32
		}
		standing := map[claim]bool{}
		seen := []claim{}
		highest := policies.Token(0)
		now := policies.Instant(0)
		var out []Answer
		for range 300 {
			now = now.Add(time.Duration(rng.IntN(2000)) * time.Millisecond)
			if rng.IntN(20) == 0 {
				now = now.Add(-10 * time.Second)
			}
			ask := Ask{Kind: []Kind{Acquire, Acquire, Take, Renew, Renew, Release, Lapse, Lapse, Revoke, SessionEnd}[rng.IntN(10)],
				Clean: rng.IntN(2) == 0, Owner: int64(rng.IntN(4)), Until: now.Add(5 * time.Second), Version: g.Version() - uint64(rng.IntN(2))}
			if (ask.Kind == Renew || ask.Kind == Release) && len(seen) > 0 {
				c := seen[max(0, len(seen)-1-rng.IntN(3))]
				ask.Owner, ask.Serial, ask.Token = c.owner, c.serial, policies.Token(c.serial)
			}
			out = g.Step(now, ask, out[:0])
			for i := len(out) - 1; i >= 0; i-- { // claims end before the asker has the answer
				a := out[i]
				c := claim{a.Owner, a.Serial}
				switch a.Kind {
				case Granted:
					if a.Token <= highest {
						t.Fatalf("seed %d: token %d after %d", seed, a.Token, highest)
					}
					highest = a.Token
					standing[c] = true
					seen = append(seen, c)
				case Renewed:
					standing[c] = true
				case Released, Expired, Revoked, Stolen:
					delete(standing, c)
				}
			}
			owner, serial, held := g.Holder()
			want := 0
			if held {
				want = 1
			}
			if len(standing) != want || held && !standing[claim{owner, serial}] {
				t.Fatalf("seed %d: claims told %v, holder (%d, %d, %v)", seed, standing, owner, serial, held)
			}
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	var k Keeper
	var g Grant
	k.Reset(&HolderRule{Length: 10, Every: 3, Timeout: 2})
	g.Reset(&GrantRule{Rising: true})
	commands, answers := make([]Command, 0, 8), make([]Answer, 0, 8)
	now := policies.Instant(0)
	n := testing.AllocsPerRun(1000, func() {
		now++
		if k.phase == idle {
			k.Begin(now, k.Last()+1)
			commands = k.Step(now, Input{Kind: Granted, Request: k.Last()}, commands[:0])
		}
		commands = k.Step(now, Input{Kind: Tick}, commands[:0])
		answers = g.Step(now, Ask{Kind: Lapse}, answers[:0])
		answers = g.Step(now, Ask{Kind: Acquire, Owner: 1, Until: now + 3}, answers[:0])
	})
	if n != 0 {
		t.Errorf("%v allocations per step, want 0", n)
	}
}
