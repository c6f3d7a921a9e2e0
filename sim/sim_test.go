package sim

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

type handlerFunc func(Event)

func (f handlerFunc) Handle(ev Event) { f(ev) }

func TestOrderWithinOneInstant(t *testing.T) {
	var got []int64
	var s *Sim
	s = New(handlerFunc(func(ev Event) {
		got = append(got, ev.A)
		if ev.A == 3 { // a message at the current instant overtakes the arrival that waits
			s.At(s.Now(), Message, Event{A: 4})
		}
	}), Options{})
	s.At(10, Arrival, Event{A: 5})
	s.At(10, Deadline, Event{A: 3})
	s.At(10, Message, Event{A: 1})
	s.At(10, Message, Event{A: 2})
	s.At(20, Message, Event{A: 9})
	mustRun(t, s, 20)
	if want := []int64{1, 2, 3, 4, 5}; !slices.Equal(got, want) || s.Now() != 20 || s.Pending() != 1 {
		t.Fatalf("handled %v by %v with %d pending, want %v by 20ns with 1", got, s.Now(), s.Pending(), want)
	}
}

// Equal ranks run in the order of the latest Arm, not of the first.
func TestOrderOfArming(t *testing.T) {
	var got []int64
	s := New(handlerFunc(func(ev Event) { got = append(got, ev.A) }), Options{})
	a := s.NewTimer(Deadline, Event{A: 1})
	b := s.NewTimer(Deadline, Event{A: 2})
	s.Arm(a, 5)
	s.Arm(b, 10)
	s.At(10, Deadline, Event{A: 3})
	s.Arm(a, 10)
	if s.Due(a) != 10 || s.Pending() != 3 {
		t.Fatalf("due %v with %d pending, want 10ns with 3", s.Due(a), s.Pending())
	}
	mustRun(t, s, 11)
	if want := []int64{2, 3, 1}; !slices.Equal(got, want) || s.Due(a) != Never || s.Events() != 3 {
		t.Fatalf("handled %v, timer due %v, %d events; want %v, never, 3", got, s.Due(a), s.Events(), want)
	}
}

// TestStopAndGo stops one run anywhere, goes on, and wants the same hash.
func TestStopAndGo(t *testing.T) {
	const end = Time(300 * time.Millisecond)
	whole := newWalk(Options{Seed: 4})
	mustRun(t, whole.sim, end)
	for stop := Time(0); stop <= end; stop += end/97 + 1 {
		w := newWalk(Options{Seed: 4})
		mustRun(t, w.sim, stop/2)
		mustRun(t, w.sim, stop)
		mustRun(t, w.sim, stop)
		mustRun(t, w.sim, end)
		if w.sim.Hash() != whole.sim.Hash() || w.sim.Events() != whole.sim.Events() || w.sim.Pending() != whole.sim.Pending() {
			t.Fatalf("stopped at %v and %v: hash %x after %d events, want %x after %d",
				stop/2, stop, w.sim.Hash(), w.sim.Events(), whole.sim.Hash(), whole.sim.Events())
		}
	}
}

// TestGoldenHash is the same on every CPU. If it changes, every trace hash that
// was ever printed is void: say so in the change.
func TestGoldenHash(t *testing.T) {
	w := newWalk(Options{Start: -Time(50 * time.Millisecond), Seed: 42, Replication: 7})
	mustRun(t, w.sim, Time(50*time.Millisecond))
	const hash, events = 0xf56fb04046344509, 20369
	if w.sim.Hash() != hash || w.sim.Events() != events {
		t.Errorf("hash %#x after %d events, want %#x after %d", w.sim.Hash(), w.sim.Events(), uint64(hash), events)
	}
}

// TestHashSeesEverything changes one thing at a time.
func TestHashSeesEverything(t *testing.T) {
	type step struct {
		at   Time
		rank Rank
		ev   Event
		note uint64
	}
	base := []step{
		{1, Message, Event{1, 1, 1, 1}, 5},
		{1, Message, Event{2, 1, 1, 1}, 6},
		{2, Message, Event{1, 2, 3, 4}, 7},
	}
	seen := map[uint64]string{}
	try := func(name string, change func([]step)) {
		steps := slices.Clone(base)
		change(steps)
		var s *Sim
		s = New(handlerFunc(func(ev Event) {
			s.Note(steps[0].note)
			steps = steps[1:]
		}), Options{})
		for _, st := range steps {
			s.At(st.at, st.rank, st.ev)
		}
		mustRun(t, s, 10)
		if other, ok := seen[s.Hash()]; ok {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[s.Hash()] = name
	}
	try("the base", func([]step) {})
	try("a later time", func(s []step) { s[2].at++ })
	try("another rank", func(s []step) { s[2].rank++ })
	try("another kind", func(s []step) { s[2].ev.Kind++ })
	try("another entity", func(s []step) { s[2].ev.To++ })
	try("a negative entity", func(s []step) { s[2].ev.To = -1 })
	try("another A", func(s []step) { s[2].ev.A++ })
	try("another B", func(s []step) { s[2].ev.B++ })
	try("A and B exchanged", func(s []step) { s[2].ev.A, s[2].ev.B = s[2].ev.B, s[2].ev.A })
	try("another note", func(s []step) { s[2].note++ })
	try("notes exchanged", func(s []step) { s[0].note, s[1].note = s[1].note, s[0].note })
	try("events exchanged", func(s []step) { s[0].ev, s[1].ev = s[1].ev, s[0].ev })
}

// TestCut wants the hash that the whole run had after as many events.
func TestCut(t *testing.T) {
	const end = Time(20 * time.Millisecond)
	var after []uint64
	whole := newWalk(Options{Seed: 9})
	whole.after = func() { after = append(after, whole.sim.Hash()) }
	mustRun(t, whole.sim, end)
	for cut := uint64(1); cut <= whole.sim.Events(); cut += 7 {
		w := newWalk(Options{Seed: 9, Cut: cut})
		mustRun(t, w.sim, end)
		at := w.sim.Now()
		mustRun(t, w.sim, 2*end)
		if !w.sim.Halted() || w.sim.Events() != cut || w.sim.Hash() != after[cut-1] || w.sim.Now() != at || at >= end {
			t.Fatalf("cut at %d: %d events, hash %x, now %v; want hash %x", cut, w.sim.Events(), w.sim.Hash(), w.sim.Now(), after[cut-1])
		}
	}
	if whole.sim.Halted() {
		t.Error("a run without a cut is halted")
	}
}

func TestBounds(t *testing.T) {
	kinds := []string{"start", "poll"}
	var s *Sim
	flood := handlerFunc(func(ev Event) {
		s.At(s.Now()+1, Deadline, Event{Kind: 1})
		s.At(s.Now()+1, Deadline, Event{Kind: 1})
	})
	armer := handlerFunc(func(ev Event) {
		for kind := range Kind(3) {
			for range 3 - kind {
				s.Arm(s.NewTimer(Deadline, Event{Kind: kind}), s.Now()+5)
			}
		}
		s.Stop(1)
		s.At(s.Now()+2, Message, Event{Kind: 1})
	})
	loop := handlerFunc(func(ev Event) { s.At(s.Now(), Message, Event{Kind: 1}) })
	for _, c := range []struct {
		name    string
		handler Handler
		options Options
		want    BoundError
		text    string
	}{
		{"events", loop, Options{MaxEvents: 10, Kinds: kinds},
			BoundError{"events", 10, 3, "poll", 0.9},
			`sim: more than 10 events handled by 3ns, 90% of them "poll": a model that feeds itself does this; otherwise shorten the run or raise the limit on events`},
		{"pending", flood, Options{MaxPending: 5},
			BoundError{"pending", 5, 5, "kind 1", 1},
			`sim: more than 5 events pending at 5ns, 100% of them "kind 1": work may come in faster than it is done; otherwise raise the limit on pending events`},
		{"armed timers", armer, Options{MaxPending: 5, Kinds: kinds},
			BoundError{"pending", 5, 3, "poll", 0.5},
			`sim: more than 5 events pending at 3ns, 50% of them "poll": work may come in faster than it is done; otherwise raise the limit on pending events`},
	} {
		s = New(c.handler, c.options)
		s.At(3, Message, Event{})
		err := s.Run(100)
		var bound *BoundError
		if !errors.As(err, &bound) || *bound != c.want || err.Error() != c.text {
			t.Errorf("%s: %v (%+v), want %s", c.name, err, bound, c.text)
		}
		if again := s.Run(200); again != err {
			t.Errorf("%s: went on with %v after it had failed", c.name, again)
		}
	}

	// A run that needs exactly its limits is within them.
	s = New(loop, Options{MaxEvents: 10, MaxPending: 1, Cut: 10})
	s.At(0, Message, Event{})
	mustRun(t, s, 1)
}

func TestPanics(t *testing.T) {
	for _, c := range []struct {
		want string
		do   func(s *Sim, tm Timer)
	}{
		{`sim: "tick" ({Kind:1 To:2 A:3 B:4}) scheduled at 9ns, but it is 10ns already`,
			func(s *Sim, _ Timer) { s.At(9, Message, Event{1, 2, 3, 4}) }},
		{`sim: "beat" ({Kind:0 To:5 A:0 B:0}) scheduled at -1ns, but it is 10ns already`,
			func(s *Sim, tm Timer) { s.Arm(tm, -1) }},
		{"sim: Run until 9ns, but it is 10ns already", func(s *Sim, _ Timer) { s.Run(9) }},
		{"sim: timer 0 is not in use", func(s *Sim, _ Timer) { s.Arm(0, 20) }},
		{"sim: timer 2 is not in use", func(s *Sim, _ Timer) { s.Stop(2) }},
		{"sim: timer 1 is not in use", func(s *Sim, tm Timer) { s.FreeTimer(tm); s.FreeTimer(tm) }},
		{"sim: New needs a handler", func(*Sim, Timer) { New(nil, Options{}) }},
		{"sim: MaxPending is -1, want 0 or more", func(s *Sim, _ Timer) { New(handlerFunc(nil), Options{MaxPending: -1}) }},
	} {
		s := New(handlerFunc(func(Event) {}), Options{Kinds: []string{"beat", "tick"}})
		tm := s.NewTimer(Deadline, Event{To: 5})
		mustRun(t, s, 10)
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("panicked with %v, want %s", got, c.want)
				}
			}()
			c.do(s, tm)
		}()
	}
}

// TestDeadEntriesDoNotPileUp re-arms timers a million times, mostly so that the
// old entry is of no use any more.
func TestDeadEntriesDoNotPileUp(t *testing.T) {
	const timers = 100
	s := New(handlerFunc(func(Event) {}), Options{})
	var tms [timers]Timer
	for i := range tms {
		tms[i] = s.NewTimer(Deadline, Event{})
	}
	longest := 0
	chance := s.Chance(1)
	for i := range 1_000_000 {
		tm := &tms[chance.IntN(timers)]
		switch i % 4 {
		case 0, 1:
			s.Arm(*tm, Time(2_000_000-i))
		case 2:
			s.Arm(*tm, Time(3_000_000+chance.IntN(1_000_000)))
		case 3:
			s.FreeTimer(*tm)
			*tm = s.NewTimer(Deadline, Event{})
		}
		longest = max(longest, s.queue.len())
		if s.Pending() > timers {
			t.Fatalf("%d pending with %d timers", s.Pending(), timers)
		}
	}
	if limit := 2*timers + sweepFloor; longest > limit {
		t.Errorf("the queue grew to %d entries, want %d at most", longest, limit)
	}
	armed := 0
	for _, tm := range tms {
		if s.Due(tm) != Never {
			armed++
		}
	}
	mustRun(t, s, 5_000_000)
	if s.Events() != uint64(armed) || s.queue.len() != 0 || s.timers.dead != 0 {
		t.Errorf("%d events of %d armed timers, %d entries and %d dead left", s.Events(), armed, s.queue.len(), s.timers.dead)
	}
}

func TestRunDoesNotAllocate(t *testing.T) {
	w := newWalk(Options{})
	until := Time(time.Second)
	mustRun(t, w.sim, until)
	before := w.sim.Events()
	allocs := testing.AllocsPerRun(10, func() {
		until = until.Add(20 * time.Millisecond)
		mustRun(t, w.sim, until)
	})
	if events := w.sim.Events() - before; allocs != 0 || events < 10_000 {
		t.Errorf("%v allocations in 10 runs of %d events together, want none", allocs, events)
	}
}

func TestTime(t *testing.T) {
	for _, c := range []struct {
		got, want any
	}{
		{Time(5).Add(-7), Time(-2)},
		{Never.Add(time.Second), Never},
		{(Never - 1).Add(math.MaxInt64), Never},
		{Time(math.MinInt64).Add(-1), Time(math.MinInt64)},
		{Time(3).Sub(10), -7 * time.Nanosecond},
		{Time(1_500_000_000).Seconds(), 1.5},
		{Time(-20_000_000).String(), "-20ms"},
		{Never.String(), "never"},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// walk is a small model with every feature of the kernel in use: jobs that
// come and are done, and holders that renew a lease which mostly does not end.
type walk struct {
	sim    *Sim
	leases [50]Timer
	ends   int64
	after  func() // called after each event, if any
}

const (
	walkJob Kind = iota
	walkDone
	walkRenew
	walkEnd
)

func newWalk(o Options) *walk {
	w := &walk{}
	w.sim = New(w, o)
	for i := range w.leases {
		w.leases[i] = w.sim.NewTimer(Deadline, Event{Kind: walkEnd, To: int32(i)})
		w.sim.At(o.Start, Deadline, Event{Kind: walkRenew, To: int32(i)})
	}
	w.sim.At(o.Start, Arrival, Event{Kind: walkJob})
	return w
}

func (w *walk) Handle(ev Event) {
	s := w.sim
	luck := s.Chance(uint64(ev.Kind)).With(uint64(ev.To)).With(uint64(ev.A))
	pause := time.Duration(luck.IntN(int64(time.Millisecond)))
	next := Event{Kind: ev.Kind, To: ev.To, A: ev.A + 1}
	switch ev.Kind {
	case walkJob:
		s.At(s.Now().Add(pause/20), Arrival, next)
		s.At(s.Now().Add(pause), Message, Event{Kind: walkDone, A: ev.A, B: int64(pause)})
	case walkRenew:
		s.At(s.Now().Add(pause), Deadline, next)
		if luck.IntN(10) == 0 {
			s.Stop(w.leases[ev.To])
		} else {
			s.Arm(w.leases[ev.To], s.Now().Add(time.Duration(luck.IntN(int64(2*time.Millisecond)))))
		}
	case walkEnd:
		w.ends++
		s.Note(uint64(w.ends))
	}
	if w.after != nil {
		w.after()
	}
}

func mustRun(t *testing.T, s *Sim, until Time) {
	t.Helper()
	if err := s.Run(until); err != nil {
		t.Fatal(err)
	}
}

// TestWalkUsesEverything keeps the tests above from testing nothing.
func TestWalkUsesEverything(t *testing.T) {
	w := newWalk(Options{Seed: 4})
	mustRun(t, w.sim, Time(300*time.Millisecond))
	if w.ends < 100 || w.sim.Events() < 10_000 {
		t.Errorf("only %d ends in %d events", w.ends, w.sim.Events())
	}
}
