package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"
)

// The hold model (Jones, "An empirical comparison of priority-queue and
// event-set implementations", CACM 29(4), 1986): a fixed number of events
// pending; take the first, put it in again some delay later.

var peers = []struct {
	name string
	make func() peer
}{
	{"radix64", func() peer { return &radix64Peer{} }},
	{"radix2", func() peer { return new(binaryRadixPeer) }},
	{"heap2", func() peer { return new(heapPeer) }},
	{"heap4", func() peer { return new(quadPeer) }},
	{"container", func() peer { return new(boxedPeer) }},
}

// BenchmarkHold gives ns per event. Delays are exponential with a mean of
// 100 ms.
func BenchmarkHold(b *testing.B) {
	for _, p := range peers {
		for n := 10; n <= 1_000_000; n *= 10 {
			b.Run(fmt.Sprintf("%s/%d", p.name, n), func(b *testing.B) { hold(b, p.make(), n, exponential()) })
		}
	}
}

// BenchmarkHoldDelays is the hold model with the delays that break other
// queues: eight distinct values, so that thousands are due at one instant; and
// microseconds mixed with seconds.
func BenchmarkHoldDelays(b *testing.B) {
	exp := exponential()
	delays := map[string]func(uint64) Time{
		"ties":  func(r uint64) Time { return Time(r>>61+1) * 1e6 },
		"mixed": func(r uint64) Time { return exp(r) >> (r % 8 * 2) },
	}
	for _, name := range []string{"ties", "mixed"} {
		for _, p := range peers {
			b.Run(name+"/"+p.name+"/100000", func(b *testing.B) { hold(b, p.make(), 100_000, delays[name]) })
		}
	}
}

func hold(b *testing.B, q peer, n int, delay func(uint64) Time) {
	h := holder{q: q, delay: delay, rng: rand.NewPCG(1, 2)}
	h.fill(n)
	b.ReportAllocs()
	b.ResetTimer()
	h.turn(b.N)
}

type holder struct {
	q     peer
	delay func(uint64) Time
	rng   *rand.PCG
	seq   uint64
}

func (h *holder) fill(n int) {
	for range n {
		h.seq++
		h.q.push(entry{at: h.delay(h.rng.Uint64()), key: eventKey(Deadline, h.seq)})
	}
	h.turn(3 * n) // the pending set forgets how it began
}

func (h *holder) turn(n int) {
	for range n {
		e, _ := h.q.popBefore(Never)
		h.seq++
		e.at += h.delay(h.rng.Uint64())
		e.key = eventKey(Deadline, h.seq)
		h.q.push(e)
	}
}

// exponential maps random bits to delays with a mean of 100 ms, by a table,
// since a logarithm would cost as much as a queue.
func exponential() func(uint64) Time {
	var table [1025]float64
	for i := range table {
		table[i] = -1e8 * math.Log((float64(i)+0.5)/1025.5)
	}
	return func(r uint64) Time {
		i, part := r>>54, float64(r<<10>>11)*0x1p-53
		return Time(table[i] + (table[i+1]-table[i])*part)
	}
}

// BenchmarkHoldCancel is the hold model on timers of which half are cancelled.
// Each entity has two, work and its time-out; whichever comes first stops the
// other, and both are armed anew. The number counts timers. An event names the
// two, so that no table of the model's, but only the kernel, misses the cache.
func BenchmarkHoldCancel(b *testing.B) {
	for n := 10; n <= 1_000_000; n *= 10 {
		b.Run(fmt.Sprintf("timers/%d", n), func(b *testing.B) { holdTimers(b, n) })
	}
	for n := 10; n <= 1_000_000; n *= 10 {
		b.Run(fmt.Sprintf("tombstones/%d", n), func(b *testing.B) { holdTombstones(b, n) })
	}
}

func holdTimers(b *testing.B, n int) {
	delay, rng := exponential(), rand.NewPCG(1, 2)
	var s *Sim
	arm := func(tm Timer) { s.Arm(tm, s.now+delay(rng.Uint64())) }
	s = New(handlerFunc(func(ev Event) {
		own, other := Timer(ev.To), Timer(ev.A)
		s.Stop(other)
		arm(own)
		arm(other)
	}), Options{MaxEvents: math.MaxUint64})
	for i := range n {
		own, other := Timer(i)+1, Timer(i^1)+1
		if tm := s.NewTimer(Deadline, Event{To: int32(own), A: int64(other)}); tm != own {
			b.Fatalf("timer %d is called %d", own, tm)
		}
		arm(own)
	}
	run := func(events int) {
		s.cut = s.events + uint64(events)
		if err := s.Run(Never); err != nil {
			b.Fatal(err)
		}
	}
	run(3 * n)
	b.ReportAllocs()
	b.ResetTimer()
	run(b.N)
}

// holdTombstones is the other usual way: a binary heap where a cancelled entry
// stays until it comes up, and is known by a serial number that is out of date.
func holdTombstones(b *testing.B, n int) {
	delay, rng := exponential(), rand.NewPCG(1, 2)
	valid := make([]int64, n)
	var q heapPeer
	var seq uint64
	arm := func(i int32, now Time) {
		seq++
		valid[i] = int64(seq)
		q.push(entry{at: now + delay(rng.Uint64()), key: eventKey(Deadline, seq), ev: Event{To: i, A: int64(seq)}})
	}
	for i := range valid {
		arm(int32(i), 0)
	}
	run := func(events int) {
		for events > 0 {
			e, _ := q.popBefore(Never)
			if valid[e.ev.To] != e.ev.A {
				continue
			}
			arm(e.ev.To, e.at)
			arm(e.ev.To^1, e.at)
			events--
		}
	}
	run(3 * n)
	b.ReportAllocs()
	b.ResetTimer()
	run(b.N)
}

// BenchmarkRenew is 10,000 holders that renew a lease of 10 s every 3 s: one
// event and one deadline moved per renewal, and no deadline ever comes.
func BenchmarkRenew(b *testing.B) {
	const holders = 10_000
	tms := make([]Timer, holders)
	var s *Sim
	s = New(handlerFunc(func(ev Event) {
		if ev.Kind != 0 {
			b.Fatal("a lease ended")
		}
		s.Arm(tms[ev.To], s.Now().Add(10*time.Second))
		s.At(s.Now().Add(3*time.Second), Deadline, ev)
	}), Options{MaxEvents: math.MaxUint64, Cut: 10*holders + uint64(b.N)})
	for i := range tms {
		tms[i] = s.NewTimer(Deadline, Event{Kind: 1, To: int32(i)})
		s.At(Time(i)*300*1000, Deadline, Event{To: int32(i)})
	}
	if err := s.Run(Time(30 * time.Second)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if err := s.Run(Never - 1); err != nil {
		b.Fatal(err)
	}
}

// TestQueueMemory holds 100,000 events and wants little more memory than they
// fill: a last chunk that is part empty for each bucket in use, at most.
func TestQueueMemory(t *testing.T) {
	const n = 100_000
	q := new(radix64Peer)
	h := holder{q: q, delay: exponential(), rng: rand.NewPCG(1, 2)}
	h.fill(n)
	chunks := 0
	for c := q.spare; c != nil; c = c.next {
		chunks++
	}
	for level := range q.buckets {
		for _, c := range q.buckets[level] {
			for ; c != nil; c = c.next {
				chunks++
			}
		}
	}
	share := float64(chunks) * float64(unsafe.Sizeof(chunk{})) / (n * float64(unsafe.Sizeof(entry{})))
	t.Logf("%d chunks, %.2f times the entries", chunks, share)
	if share > 1.25 {
		t.Errorf("the queue takes %.2f times the memory of its entries", share)
	}
}
