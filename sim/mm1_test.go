package sim

import (
	"container/heap"
	"math"
	"math/bits"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// M/M/1 with a load of 0.9, two events per customer, written three times: on
// the kernel, as a switch over a heap of its own, and with container/heap and
// closures. All draw the same luck and fill the same histogram; only the kernel
// also hashes, counts by kind and watches its bounds.

const (
	mm1Arrive Kind = iota
	mm1Depart

	meanGap     = 1_000_000 // ns
	meanService = 900_000
)

// mm1 is what the three have in common: the waiting line and the numbers.
type mm1 struct {
	luck, work exact.Chance
	line       [1 << 12]Time // arrival times, a ring
	head, tail int64         // next to depart, next to arrive
	sojourn    [64 * 16]int64
}

func newMM1(root exact.Chance) mm1 {
	return mm1{luck: root.With(1), work: root.With(2)}
}

func exponentialOf(mean float64, c exact.Chance) Time {
	return Time(-mean * exact.Log(c.Open01()))
}

func (m *mm1) gap() Time { return exponentialOf(meanGap, m.luck.With(uint64(m.tail))) }

func (m *mm1) service() Time { return exponentialOf(meanService, m.work.With(uint64(m.head))) }

// arrive reports whether service begins at once.
func (m *mm1) arrive(now Time) bool {
	m.line[m.tail%int64(len(m.line))] = now
	m.tail++
	return m.tail-m.head == 1
}

// depart reports whether another service begins.
func (m *mm1) depart(now Time) bool {
	d := uint64(now - m.line[m.head%int64(len(m.line))])
	octave := bits.Len64(d | 15)
	m.sojourn[octave*16+int(d>>(octave-4)&15)]++ // sixteen bins; the top ones of each octave are in use
	m.head++
	return m.head != m.tail
}

// mm1Kernel is the model on the kernel.
type mm1Kernel struct {
	mm1
	sim *Sim
}

func newMM1Kernel(o Options) *mm1Kernel {
	k := &mm1Kernel{}
	o.MaxEvents = math.MaxUint64
	k.sim = New(k, o)
	k.mm1 = newMM1(k.sim.root)
	k.sim.At(k.gap(), Arrival, Event{Kind: mm1Arrive})
	return k
}

func (k *mm1Kernel) Handle(ev Event) {
	now := k.sim.Now()
	begins := false
	switch ev.Kind {
	case mm1Arrive:
		begins = k.arrive(now)
		k.sim.At(now+k.gap(), Arrival, Event{Kind: mm1Arrive, A: k.tail})
	case mm1Depart:
		begins = k.depart(now)
	}
	if begins {
		k.sim.At(now+k.service(), Message, Event{Kind: mm1Depart, A: k.head})
	}
}

func runMM1Kernel(seed uint64, events int) *mm1 {
	k := newMM1Kernel(Options{Seed: seed, Cut: uint64(events)})
	if err := k.sim.Run(Never); err != nil {
		panic(err)
	}
	return &k.mm1
}

// runMM1Switch is the least that can be written by hand.
func runMM1Switch(seed uint64, events int) *mm1 {
	m := newMM1(exact.NewChance(seed, 0))
	var h bareHeap
	h.push(bareEvent{m.gap(), mm1Arrive})
	for range events {
		e := h.pop()
		begins := false
		switch e.kind {
		case mm1Arrive:
			begins = m.arrive(e.at)
			h.push(bareEvent{e.at + m.gap(), mm1Arrive})
		case mm1Depart:
			begins = m.depart(e.at)
		}
		if begins {
			h.push(bareEvent{e.at + m.service(), mm1Depart})
		}
	}
	return &m
}

type bareEvent struct {
	at   Time
	kind Kind
}

type bareHeap []bareEvent

func (e bareEvent) before(f bareEvent) bool {
	return e.at < f.at || e.at == f.at && e.kind > f.kind // who departs goes first
}

func (q *bareHeap) push(e bareEvent) {
	*q = append(*q, e)
	h := *q
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (q *bareHeap) pop() bareEvent {
	h := *q
	n := len(h) - 1
	top, last := h[0], h[n]
	*q = h[:n]
	i := 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top
}

// runMM1ContainerHeap is what a first version in Go often looks like.
func runMM1ContainerHeap(seed uint64, events int) *mm1 {
	m := newMM1(exact.NewChance(seed, 0))
	var h closureHeap
	var now Time
	schedule := func(at Time, rank Rank, do func()) { heap.Push(&h, &closureEvent{at, rank, do}) }
	var arrive, depart func()
	serve := func() { schedule(now+m.service(), Message, func() { depart() }) }
	arrive = func() {
		begins := m.arrive(now)
		schedule(now+m.gap(), Arrival, func() { arrive() })
		if begins {
			serve()
		}
	}
	depart = func() {
		if m.depart(now) {
			serve()
		}
	}
	schedule(m.gap(), Arrival, func() { arrive() })
	for range events {
		e := heap.Pop(&h).(*closureEvent)
		now = e.at
		e.do()
	}
	return &m
}

type closureEvent struct {
	at   Time
	rank Rank
	do   func()
}

type closureHeap []*closureEvent

func (h closureHeap) Len() int { return len(h) }
func (h closureHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].rank < h[j].rank
}
func (h closureHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *closureHeap) Push(x any)   { *h = append(*h, x.(*closureEvent)) }
func (h *closureHeap) Pop() any {
	old := *h
	n := len(old) - 1
	e := old[n]
	*h = old[:n]
	return e
}

func TestMM1VariantsAgree(t *testing.T) {
	const events = 200_000
	want := runMM1Kernel(1, events)
	if want.head < 0.49*events {
		t.Fatalf("%d customers served in %d events", want.head, events)
	}
	if got := runMM1Switch(1, events); *got != *want {
		t.Error("the switch differs from the kernel")
	}
	if got := runMM1ContainerHeap(1, events); *got != *want {
		t.Error("container/heap differs from the kernel")
	}
}

// One operation is one event.
func BenchmarkMM1Kernel(b *testing.B)        { benchMM1(b, runMM1Kernel) }
func BenchmarkMM1Switch(b *testing.B)        { benchMM1(b, runMM1Switch) }
func BenchmarkMM1ContainerHeap(b *testing.B) { benchMM1(b, runMM1ContainerHeap) }

func benchMM1(b *testing.B, run func(seed uint64, events int) *mm1) {
	b.ReportAllocs()
	run(1, b.N)
}

// BenchmarkMM1Two runs two replications of b.N events, one after the other and
// side by side. On two idle processors, side by side takes half the time: they
// share nothing.
func BenchmarkMM1Two(b *testing.B) {
	b.Run("OneAfterTheOther", func(b *testing.B) {
		runMM1Kernel(1, b.N)
		runMM1Kernel(2, b.N)
	})
	b.Run("SideBySide", func(b *testing.B) {
		done := make(chan *mm1)
		for seed := range uint64(2) {
			go func() { done <- runMM1Kernel(seed+1, b.N) }()
		}
		<-done
		<-done
	})
}
