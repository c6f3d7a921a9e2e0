package sim

import (
	"fmt"
	"math"

	"github.com/tenggat/tenggat/internal/exact"
)

// Kind says what an event is. Its meaning belongs to the handler, and
// [Options].Kinds gives it a name for errors.
type Kind uint8

// Event is a plain value that comes back to the handler when its time has
// come. What To, A and B mean belongs to the handler: usually To is an entity's
// index, and A and B are ids or small facts.
type Event struct {
	Kind Kind
	To   int32
	A, B int64
}

// Handler is the model: it is given every event at its time. It reads the time
// from the Sim, and schedules what follows there.
type Handler interface {
	Handle(ev Event)
}

// Options set up one run. The zero value is usable.
type Options struct {
	// Start is the time at which the run begins. Negative for a warm-up that
	// ends at zero. Default 0.
	Start Time

	// Seed and Replication are the root of all chance in the run.
	Seed, Replication uint64

	// MaxEvents bounds the events handled. Default 1e9.
	MaxEvents uint64

	// MaxPending bounds the events that wait after any one event was handled.
	// Default 10e6.
	MaxPending int

	// Kinds names the event kinds, by index, for errors. Default "kind 7".
	Kinds []string

	// Cut stops the run quietly once so many events were handled, to find the
	// first event at which two runs differ. Default 0: no cut.
	Cut uint64
}

// Sim is one simulation: a clock, the events to come, and the hash of those
// that came.
type Sim struct {
	handler Handler
	now     Time
	queue   queue
	seq     uint64 // sequence number of the latest event scheduled or timer armed
	hash    hash
	events  uint64
	byKind  [256]uint64 // events handled

	timers timers

	root       exact.Chance
	maxEvents  uint64
	maxPending int
	cut        uint64
	kinds      []string
	failed     *BoundError
}

// New is a simulation at o.Start with nothing to do.
func New(h Handler, o Options) *Sim {
	if h == nil {
		panic("sim: New needs a handler")
	}
	if o.MaxPending < 0 {
		panic(fmt.Sprintf("sim: MaxPending is %d, want 0 or more", o.MaxPending))
	}
	s := &Sim{
		handler:    h,
		now:        o.Start,
		root:       exact.NewChance(o.Seed, o.Replication),
		maxEvents:  o.MaxEvents,
		maxPending: o.MaxPending,
		cut:        o.Cut,
		kinds:      o.Kinds,
	}
	if s.cut == 0 {
		s.cut = math.MaxUint64
	}
	if s.maxEvents == 0 {
		s.maxEvents = 1e9
	}
	if s.maxPending == 0 {
		s.maxPending = 10e6
	}
	s.queue.settle = s.timers.settle
	return s
}

// Run handles every event before until; then Now is until. Events at until
// itself wait for the next Run, so that stopping anywhere and going on is the
// same as not stopping. It panics if until is in the past.
//
// It returns a *BoundError when a limit of the options is exceeded, and again
// on every later call. When the cut is reached it returns nil with Now at the
// last event handled, and later calls do nothing.
func (s *Sim) Run(until Time) error {
	if until < s.now {
		panic(fmt.Sprintf("sim: Run until %v, but it is %v already", until, s.now))
	}
	if s.failed != nil {
		return s.failed
	}
	for s.events < s.cut {
		e := s.queue.popBefore(until)
		if e == nil {
			s.now = until
			return nil
		}
		at, key, ev := e.at, e.key, e.ev
		if key&timerBit != 0 {
			var due bool
			if ev, due = s.ring(e); !due {
				continue
			}
		}
		s.now = at
		if s.events == s.maxEvents {
			return s.fail(boundEvents, s.maxEvents, &s.byKind)
		}
		s.events++
		s.byKind[ev.Kind]++
		s.hash.event(at, key>>rankShift, ev)
		s.handler.Handle(ev)
		if s.Pending() > s.maxPending {
			return s.fail(boundPending, uint64(s.maxPending), s.pendingByKind())
		}
	}
	return nil
}

// At schedules ev at time t with rank r. It cannot be taken back: use a timer
// for what may not happen. It panics if t is in the past.
func (s *Sim) At(t Time, r Rank, ev Event) {
	if t < s.now {
		s.panicPast(t, ev)
	}
	s.seq++
	key := eventKey(r, s.seq)
	e := s.queue.push(t, key)
	e.at, e.key, e.ev = t, key, ev
}

// Now is the current virtual time: inside Handle, the time of the event.
func (s *Sim) Now() Time { return s.now }

// Chance is the chance of one purpose in this replication. Derive from it with
// With(entity).With(attempt): luck hangs on what it is for, never on the order
// in which it is asked for.
func (s *Sim) Chance(purpose uint64) exact.Chance { return s.root.With(purpose) }

// Note mixes a fact of the model's own into the trace hash.
func (s *Sim) Note(word uint64) { s.hash.note(word) }

// Hash is the trace hash: it depends on the time, rank and content of every
// event handled, on every Note, and on the order of them all.
func (s *Sim) Hash() uint64 { return uint64(s.hash) }

// Events is the number of events handled.
func (s *Sim) Events() uint64 { return s.events }

// Pending is the number of events to come: those scheduled and not handled, and
// the timers armed.
func (s *Sim) Pending() int { return s.queue.len() - s.timers.dead }

// Halted says whether the cut was reached.
func (s *Sim) Halted() bool { return s.events >= s.cut }

func (s *Sim) fail(bound string, limit uint64, byKind *[256]uint64) error {
	var total uint64
	busiest := 0
	for k, n := range byKind {
		total += n
		if n > byKind[busiest] {
			busiest = k
		}
	}
	s.failed = &BoundError{
		Bound: bound, Limit: limit, At: s.now,
		Busiest: s.kindName(Kind(busiest)),
		Share:   float64(byKind[busiest]) / float64(total),
	}
	return s.failed
}

func (s *Sim) pendingByKind() *[256]uint64 {
	n := new([256]uint64)
	s.queue.filter(func(entries []entry) []entry {
		for i := range entries {
			if e := &entries[i]; e.key&timerBit == 0 {
				n[e.ev.Kind]++
			}
		}
		return entries
	})
	for _, t := range s.timers.slots {
		if t.inUse && t.due != Never {
			n[t.ev.Kind]++
		}
	}
	return n
}

func (s *Sim) kindName(k Kind) string {
	if int(k) < len(s.kinds) {
		return s.kinds[k]
	}
	return fmt.Sprintf("kind %d", k)
}

func (s *Sim) panicPast(t Time, ev Event) {
	panic(fmt.Sprintf("sim: %q (%+v) scheduled at %v, but it is %v already", s.kindName(ev.Kind), ev, t, s.now))
}
