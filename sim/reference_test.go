package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// kernel is what a model needs of a simulation.
type kernel interface {
	Now() Time
	At(Time, Rank, Event)
	NewTimer(Rank, Event) Timer
	Arm(Timer, Time)
	Stop(Timer)
	Due(Timer) Time
	FreeTimer(Timer)
	Run(Time) error
	Pending() int
}

// reference is the slow and obvious kernel: a list, searched from end to end.
type reference struct {
	handler Handler
	now     Time
	seq     int
	list    []refEvent
	timers  []refEvent // what each timer brings; at and seq are unused
	free    []Timer
}

type refEvent struct {
	at    Time
	rank  Rank
	seq   int
	timer Timer
	ev    Event
}

func newReference(start Time) *reference {
	return &reference{now: start, timers: make([]refEvent, 1)}
}

func (r *reference) Now() Time    { return r.now }
func (r *reference) Pending() int { return len(r.list) }

func (r *reference) At(t Time, rank Rank, ev Event) {
	r.seq++
	r.list = append(r.list, refEvent{at: t, rank: rank, seq: r.seq, ev: ev})
}

func (r *reference) NewTimer(rank Rank, ev Event) Timer {
	if n := len(r.free); n > 0 {
		tm := r.free[n-1]
		r.free = r.free[:n-1]
		r.timers[tm] = refEvent{rank: rank, ev: ev}
		return tm
	}
	r.timers = append(r.timers, refEvent{rank: rank, ev: ev})
	return Timer(len(r.timers) - 1)
}

func (r *reference) Arm(tm Timer, at Time) {
	r.Stop(tm)
	if at == Never {
		return
	}
	r.seq++
	e := r.timers[tm]
	e.at, e.seq, e.timer = at, r.seq, tm
	r.list = append(r.list, e)
}

func (r *reference) Stop(tm Timer) {
	r.list = slices.DeleteFunc(r.list, func(e refEvent) bool { return e.timer == tm })
}

func (r *reference) Due(tm Timer) Time {
	for _, e := range r.list {
		if e.timer == tm {
			return e.at
		}
	}
	return Never
}

func (r *reference) FreeTimer(tm Timer) {
	r.Stop(tm)
	r.free = append(r.free, tm)
}

func (r *reference) Run(until Time) error {
	for {
		first := -1
		for i, e := range r.list {
			if e.at < until && (first < 0 || e.before(r.list[first])) {
				first = i
			}
		}
		if first < 0 {
			r.now = until
			return nil
		}
		e := r.list[first]
		r.list = slices.Delete(r.list, first, first+1)
		r.now = e.at
		r.handler.Handle(e.ev)
	}
}

func (e refEvent) before(f refEvent) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	if e.rank != f.rank {
		return e.rank < f.rank
	}
	return e.seq < f.seq
}

// program is a random model full of ties: at every event it schedules, arms
// earlier and later, stops, frees and makes timers, and writes down what it
// sees. Its luck depends only on the events that it was handed so far.
type program struct {
	k      kernel
	rng    *rand.Rand
	timers []Timer
	serial int64
	log    []string
}

func startProgram(k kernel, seed uint64) *program {
	p := &program{k: k, rng: rand.New(rand.NewPCG(seed, 1))}
	for range 20 {
		p.timers = append(p.timers, k.NewTimer(p.rank(), p.event()))
	}
	for range 20 {
		k.At(p.soon(), p.rank(), p.event())
	}
	return p
}

func (p *program) Handle(ev Event) {
	p.log = append(p.log, fmt.Sprint(p.k.Now(), ev, p.k.Pending()))
	for range p.rng.IntN(4) {
		i := p.rng.IntN(len(p.timers))
		switch p.rng.IntN(6) {
		case 0, 1:
			p.k.Arm(p.timers[i], p.soon())
		case 2:
			p.k.Arm(p.timers[i], Never)
		case 3:
			p.k.Stop(p.timers[i])
		case 4:
			p.k.FreeTimer(p.timers[i])
			p.timers[i] = p.k.NewTimer(p.rank(), p.event())
		case 5:
			p.log = append(p.log, fmt.Sprint(p.k.Due(p.timers[i])))
		}
	}
	for n := p.k.Pending(); n < 10+p.rng.IntN(40); n++ {
		p.k.At(p.soon(), p.rank(), p.event())
	}
}

// soon is an instant not before now, often this very one, at scales from one
// nanosecond to minutes.
func (p *program) soon() Time {
	scales := []int64{0, 0, 1, 3, 64, 65, 5000, 1 << 20, 1 << 36}
	return p.k.Now().Add(time.Duration(p.rng.Int64N(3) * scales[p.rng.IntN(len(scales))]))
}

func (p *program) rank() Rank { return Rank(p.rng.IntN(4)) }

func (p *program) event() Event {
	p.serial++
	return Event{Kind: Kind(p.rng.IntN(5)), To: int32(p.rng.IntN(100) - 50), A: p.serial, B: p.rng.Int64() - 1<<62}
}

// TestAgainstReference runs the same programs on the Sim and on the reference.
// They start before zero, so that the sign of time changes on the way.
func TestAgainstReference(t *testing.T) {
	const start = -100_000
	for seed := range uint64(60) {
		ref := newReference(start)
		want := startProgram(ref, seed)
		ref.handler = want

		var got *program
		s := New(handlerFunc(func(ev Event) { got.Handle(ev) }), Options{Start: start})
		got = startProgram(s, seed)

		horizons := rand.New(rand.NewPCG(seed, 2))
		for until := Time(start); len(want.log) < 2000; {
			until += Time(horizons.Int64N(1 << horizons.IntN(37)))
			if err := s.Run(until); err != nil {
				t.Fatal(err)
			}
			ref.Run(until)
			if s.Now() != ref.Now() || s.Pending() != ref.Pending() {
				t.Fatalf("seed %d: at %v with %d pending, want %v with %d", seed, s.Now(), s.Pending(), ref.Now(), ref.Pending())
			}
			if until%2 == 0 { // the outside may schedule at the horizon as well
				at, rank, ev := got.soon(), got.rank(), got.event()
				s.At(at, rank, ev)
				at, rank, ev = want.soon(), want.rank(), want.event()
				ref.At(at, rank, ev)
			}
		}
		for i := range want.log {
			if i >= len(got.log) || got.log[i] != want.log[i] {
				t.Fatalf("seed %d: line %d of %d differs from %q", seed, i, len(got.log), want.log[i])
			}
		}
		if len(got.log) != len(want.log) {
			t.Fatalf("seed %d: %d lines, want %d", seed, len(got.log), len(want.log))
		}
	}
}

// TestQueueAgainstHeap runs the radix heap against the binary heap, with
// pending sets from none to thousands and horizons that stop pops short.
func TestQueueAgainstHeap(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var q radix64Peer
		var want heapPeer
		now, seq := Time(-1<<40), uint64(0)
		for round := range 300 {
			for range rng.IntN(1 << rng.IntN(9)) {
				seq++
				e := entry{
					at:  now + Time(rng.Int64N(1<<rng.IntN(45))),
					key: eventKey(Rank(rng.IntN(4)), seq),
					ev:  Event{A: int64(seq)},
				}
				q.push(e)
				want.push(e)
			}
			until := now + Time(rng.Int64N(1<<rng.IntN(45)))
			for range rng.IntN(1 << rng.IntN(9)) {
				e, ok := q.popBefore(until)
				f, okWant := want.popBefore(until)
				if e != f || ok != okWant || q.len() != want.len() {
					t.Fatalf("seed %d round %d: popped %v %v, want %v %v", seed, round, e, ok, f, okWant)
				}
				if !ok {
					now = until
					break
				}
				now = e.at
			}
			if rng.IntN(8) == 0 {
				dropped := func(e entry) bool { return e.ev.A%3 == 0 }
				q.filter(func(some []entry) []entry { return slices.DeleteFunc(some, dropped) })
				want.filter(func(e *entry) bool { return !dropped(*e) })
			}
		}
	}
}
