package sim

import "fmt"

// Timer names a re-armable deadline of the simulation that made it: one per
// entity and purpose, made once and armed many times. The zero Timer is no
// timer.
type Timer int32

// Most deadlines never come: a lease is renewed, a reply arrives. A timer
// therefore owns at most one live entry in the queue, and touches the queue as
// seldom as it can:
//
//   - armed later than its entry, the entry stays, and is put in again at the
//     timer's own place when it comes up (a renewal costs two stores);
//   - armed earlier, a new entry is made and the old one is dead;
//   - stopped, the entry is dead, unless the timer is armed again before it
//     comes up.
//
// Dead entries are dropped, and early ones put off, when the queue moves them
// or when they come up; and all at once when the dead are most of the queue.
type timers struct {
	slots []slot // of Timer 1 and on
	free  []Timer
	dead  int // entries in the queue that stand for nothing
}

// slot is one timer.
type slot struct {
	ev    Event
	due   Time   // Never when not armed
	key   uint64 // place of the event: rank and sequence of the latest Arm; 0 when not armed
	entry uint64 // key of its entry in the queue, 0 when there is none
	at    Time   // time of that entry, never later than due
	rank  Rank
	inUse bool
}

// sweepFloor is the number of dead entries that are not worth a sweep.
const sweepFloor = 64

// NewTimer is a timer that brings ev with rank r, not armed yet.
func (s *Sim) NewTimer(r Rank, ev Event) Timer {
	var tm Timer
	if n := len(s.timers.free); n > 0 {
		tm = s.timers.free[n-1]
		s.timers.free = s.timers.free[:n-1]
	} else {
		s.timers.slots = append(s.timers.slots, slot{})
		tm = Timer(len(s.timers.slots))
	}
	s.timers.slots[tm-1] = slot{ev: ev, due: Never, rank: r, inUse: true}
	return tm
}

// Arm makes tm due at the given time, whatever it was before. Among events of
// the same time and rank it runs in the order of arming. Arming at Never is
// stopping. It panics if the time is in the past.
func (s *Sim) Arm(tm Timer, at Time) {
	t := s.slot(tm)
	if at < s.now {
		s.panicPast(at, t.ev)
	}
	if at == Never {
		s.Stop(tm)
		return
	}
	idle := t.due == Never
	s.seq++
	t.due, t.key = at, eventKey(t.rank, s.seq)|timerBit
	if t.entry != 0 && t.at <= at {
		if idle {
			s.timers.dead--
		}
		return
	}
	orphan := t.entry != 0 && !idle
	s.enterTimer(tm, t)
	if orphan {
		s.bury()
	}
}

// Stop disarms tm. It does nothing if tm is not armed.
func (s *Sim) Stop(tm Timer) {
	t := s.slot(tm)
	if t.due == Never {
		return
	}
	t.disarm()
	s.bury()
}

// Due is the time at which tm will come, or Never when it is not armed.
func (s *Sim) Due(tm Timer) Time { return s.slot(tm).due }

// FreeTimer stops tm and gives its slot back. Using tm afterwards panics until
// NewTimer hands the same slot out again.
func (s *Sim) FreeTimer(tm Timer) {
	s.Stop(tm)
	s.slot(tm).inUse = false
	s.timers.free = append(s.timers.free, tm)
}

// ring decides what the popped entry of a timer is: the timer's event, which it
// returns with true; or dead; or early, and then it goes in again at the later
// place where the timer is due.
func (s *Sim) ring(e *entry) (Event, bool) {
	t := &s.timers.slots[e.ev.To-1]
	if t.key == e.key {
		t.entry = 0
		t.disarm()
		return t.ev, true
	}
	if again := *e; s.timers.update(&again) {
		*s.queue.push(again.at, again.key) = again
	}
	return Event{}, false
}

// enterTimer puts tm into the queue at the place where it is due.
func (s *Sim) enterTimer(tm Timer, t *slot) {
	t.entry, t.at = t.key, t.due
	e := s.queue.push(t.at, t.entry)
	e.at, e.key, e.ev.To = t.at, t.entry, int32(tm)
}

// bury counts one more dead entry, and sweeps when they are most of the queue.
func (s *Sim) bury() {
	s.timers.dead++
	if s.timers.dead > sweepFloor && s.timers.dead > s.queue.len()/2 {
		s.queue.filter(s.timers.settle)
	}
}

// settle brings entries up to date: it drops the dead, puts off the early, and
// returns those that are left.
//
// Among many timers each slot is a cache miss. The first loop looks at all of
// them without a branch on what it finds, so that the misses are waited for
// together; and the slots are near when, soon after, the events come up.
func (ts *timers) settle(entries []entry) []entry {
	var stale uint64
	for i := range entries {
		if e := &entries[i]; e.key&timerBit != 0 {
			stale |= e.key ^ ts.slots[e.ev.To-1].key
		}
	}
	if stale == 0 {
		return entries
	}
	n := 0
	for i := range entries {
		e := &entries[i]
		if e.key&timerBit != 0 && !ts.update(e) {
			continue
		}
		if n < i {
			entries[n] = *e
		}
		n++
	}
	return entries[:n]
}

// update moves a timer's entry to the place where the timer is due. It reports
// false when the entry is dead; then it is counted no more, and its timer
// forgets it.
func (ts *timers) update(e *entry) bool {
	t := &ts.slots[e.ev.To-1]
	switch {
	case t.key == e.key:
		return true
	case t.entry == e.key && t.due != Never:
		t.entry, t.at = t.key, t.due
		e.key, e.at = t.key, t.due
		return true
	case t.entry == e.key:
		t.entry = 0
	}
	ts.dead--
	return false
}

func (s *Sim) slot(tm Timer) *slot {
	if i := uint(tm) - 1; i < uint(len(s.timers.slots)) && s.timers.slots[i].inUse {
		return &s.timers.slots[i]
	}
	panic(fmt.Sprintf("sim: timer %d is not in use", tm))
}

func (t *slot) disarm() { t.due, t.key = Never, 0 }
