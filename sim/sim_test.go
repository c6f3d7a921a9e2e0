package sim

import "testing"

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
	if err := s.Run(20); err != nil {
		t.Fatal(err)
	}
	if want := []int64{1, 2, 3, 4, 5}; !equal(got, want) || s.Now() != 20 || s.Pending() != 1 {
		t.Fatalf("handled %v by %v with %d pending, want %v by 20ns with 1", got, s.Now(), s.Pending(), want)
	}
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
