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
// Dead entries are dropped when they come up, or all at once when they are
// most of the queue.
type timers struct {
	slots []slot
	free  []Timer
	dead  int // entries in the queue that stand for nothing
}

// slot is one timer.
type slot struct {
	ev    Event
	due   Time   // Never when not armed
	key   uint64 // place of the event: rank and sequence of the latest Arm
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
		tm = Timer(len(s.timers.slots))
		s.timers.slots = append(s.timers.slots, slot{})
	}
	s.timers.slots[tm] = slot{ev: ev, due: Never, rank: r, inUse: true}
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
	t.due = Never
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
func (s *Sim) ring(tm Timer, key uint64) (Event, bool) {
	t := &s.timers.slots[tm]
	if t.entry != key {
		s.timers.dead--
		return Event{}, false
	}
	t.entry = 0
	if t.due == Never {
		s.timers.dead--
		return Event{}, false
	}
	if t.key != key {
		s.enterTimer(tm, t)
		return Event{}, false
	}
	t.due = Never
	return t.ev, true
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
		s.queue.filter(s.alive)
		s.timers.dead = 0
	}
}

// alive says whether an entry stands for an event to come. The timer of a dead
// entry forgets it, since the entry is about to be swept.
func (s *Sim) alive(e *entry) bool {
	if e.key&timerBit == 0 {
		return true
	}
	t := &s.timers.slots[e.ev.To]
	if t.entry != e.key {
		return false
	}
	if t.due == Never {
		t.entry = 0
		return false
	}
	return true
}

func (s *Sim) slot(tm Timer) *slot {
	if tm <= 0 || int(tm) >= len(s.timers.slots) || !s.timers.slots[tm].inUse {
		panic(fmt.Sprintf("sim: timer %d is not in use", tm))
	}
	return &s.timers.slots[tm]
}
