package idempotency

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Oracle B07: five messages with three keys, remembered for ever.
func TestOracleDuplicates(t *testing.T) {
	var table Table
	table.Reset(&Rule{})
	want := []bool{true, true, false, true, false}
	for i, key := range []uint64{101, 102, 101, 103, 102} {
		if got := table.Apply(policies.Instant(i+1)*1e9, key); got != want[i] {
			t.Errorf("message %d, key %d: applied %v, want %v", i+1, key, got, want[i])
		}
	}
	if table.Len() != 3 {
		t.Errorf("%d keys, want 3", table.Len())
	}
}

// slow is the table as doc.go tells it: every mark kept, none swept.
type slow struct {
	rule  Rule
	marks map[uint64]*mark
	// latest is, per key, the latest instant since its mark was set. When it
	// has reached the mark's end and the clock was set back before that end,
	// the table may have swept the mark or still know it: both are right.
	latest map[uint64]policies.Instant
}

func (s *slow) pass(now policies.Instant) {
	for key := range s.latest {
		s.latest[key] = max(s.latest[key], now)
	}
}

func (s *slow) unsure(now policies.Instant, key uint64) bool {
	m := s.marks[key]
	return m != nil && now < m.until && s.latest[key] >= m.until
}

func (s *slow) state(now policies.Instant, key uint64) State {
	if m := s.marks[key]; m != nil && now < m.until {
		return m.state
	}
	return Absent
}

func (s *slow) set(now policies.Instant, key uint64, m mark, length time.Duration) {
	m.until = policies.Never
	if length > 0 {
		m.until = now.Add(length)
	}
	s.marks[key] = &m
	s.latest[key] = now
}

func (s *slow) repeat(now policies.Instant, key uint64) State {
	state := s.state(now, key)
	if state == Done && s.rule.Refresh {
		s.set(now, key, mark{state: Done, claim: s.marks[key].claim}, s.rule.Remembers)
	}
	return state
}

// Any sequence of calls, on a clock that also runs backwards, gives what the
// slow table gives.
func TestAgainstTheSlowTable(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		rule := Rule{
			Remembers: time.Duration(r.IntN(3)) * 5 * time.Second, Refresh: r.IntN(2) == 0,
			InProgress: time.Duration(r.IntN(3)) * 3 * time.Second,
		}
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var table Table
		table.Reset(&rule)
		s := slow{rule, map[uint64]*mark{}, map[uint64]policies.Instant{}}
		now := policies.Instant(r.Int64N(1e11) - 5e10)
		back := r.IntN(2) == 0
		for range 500 {
			now += policies.Instant(r.Int64N(2e9))
			if back && r.IntN(10) == 0 {
				now -= policies.Instant(r.Int64N(1e10))
			}
			s.pass(now)
			key := r.Uint64N(5)
			if s.unsure(now, key) {
				delete(s.marks, key)
				table.Forget(key)
			}
			switch r.IntN(6) {
			case 0:
				want := s.repeat(now, key) != Done
				if want {
					s.set(now, key, mark{state: Done}, rule.Remembers)
				}
				if got := table.Apply(now, key); got != want {
					t.Fatalf("seed %d: Apply is %v, want %v", seed, got, want)
				}
			case 1:
				want := s.repeat(now, key)
				got, claim := table.Begin(now, key)
				if (claim != 0) != (got == Absent) {
					t.Fatalf("seed %d: Begin found %v and gave claim %d", seed, got, claim)
				}
				if got != want {
					t.Fatalf("seed %d: Begin found %v, want %v", seed, got, want)
				}
				if want == Absent {
					s.set(now, key, mark{state: InProgress, claim: claim}, rule.InProgress)
				}
			case 2:
				s.set(now, key, mark{state: Done}, rule.Remembers)
				table.Complete(now, key)
			case 3:
				claim := table.claims - Claim(r.IntN(2))
				if m := s.marks[key]; m != nil && claim != 0 && m.claim == claim {
					delete(s.marks, key)
				}
				table.Abandon(key, claim)
			case 4:
				delete(s.marks, key)
				table.Forget(key)
			case 5:
				want := s.repeat(now, key) != Done
				claim := table.Take(now, key)
				if want {
					s.set(now, key, mark{state: Done, claim: claim}, rule.Remembers)
				}
				if (claim != 0) != want {
					t.Fatalf("seed %d: Take gave claim %d, want one: %v", seed, claim, want)
				}
			}
			if got, want := table.Seen(now, key), s.state(now, key); got != want {
				t.Fatalf("seed %d: key %d is %v, want %v", seed, key, got, want)
			}
		}
	}
}

// A window of a million keys holds no more than the window.
func TestMemoryIsBoundedByTheWindow(t *testing.T) {
	var table Table
	table.Reset(&Rule{Remembers: time.Second})
	for i := range uint64(1_000_000) {
		table.Apply(policies.Instant(i)*1e6, i)
		if table.Len() > 1001 {
			t.Fatalf("%d marks held after key %d of 1000 per window", table.Len(), i)
		}
	}
	// What a burst left behind goes while others come.
	for i := range uint64(1000) {
		table.Apply(policies.Instant(2000+2*i)*1e9, i)
	}
	if table.Len() > 2 {
		t.Errorf("%d marks held long after a burst", table.Len())
	}
	if n := cap(table.expiry.items); n > 4096 {
		t.Errorf("queue has room for %d marks of 1000 valid ones", n)
	}
}

func TestCheckNamesTheSetting(t *testing.T) {
	for want, rule := range map[string]Rule{
		"remembers for -1ns":   {Remembers: -1},
		"in progress for -1ns": {InProgress: -1},
	} {
		if err := rule.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error with %q", rule, err, want)
		}
	}
}

func TestCallsDoNotAllocate(t *testing.T) {
	var table Table
	table.Reset(&Rule{Remembers: time.Second, InProgress: time.Second})
	now, key := policies.Instant(0), uint64(0)
	step := func() {
		now += 1e7
		key++
		if _, claim := table.Begin(now, key); key%2 == 0 {
			table.Abandon(key, claim)
		}
		table.Apply(now, key)
	}
	for range 10_000 {
		step()
	}
	if n := testing.AllocsPerRun(10_000, step); n != 0 {
		t.Errorf("%v allocations per key", n)
	}
}

// A store in memory loses keys, done and in progress alike; the others stay.
func TestLose(t *testing.T) {
	var table Table
	table.Reset(&Rule{Remembers: 10, InProgress: 10})
	for key := range uint64(6) {
		if key%3 == 0 {
			table.Begin(0, key)
		} else {
			table.Apply(0, key)
		}
	}
	table.Lose(func(key uint64) bool { return key >= 3 })
	for key, want := range []State{InProgress, Done, Done, Absent, Absent, Absent} {
		if got := table.Seen(5, uint64(key)); got != want {
			t.Errorf("key %d is %v, want %v", key, got, want)
		}
	}
	if table.Complete(9, 3); table.Seen(10, 3) != Done {
		t.Error("a lost key that is done anew ends with the mark that was lost")
	}
}
