package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// flight is one reader's fetch for others, whose questions wait at the cache.
// It belongs to one record at a time: to the question of the reader that leads
// it, then to that reader, then to the copy on its way to the cache. When that
// record ends before the copy is there, the next who waits leads.
type flight struct {
	cache   int16
	slot    uint64
	waiting []int32 // calls
}

// join makes the asker of a missing key wait for the fetch that is under way;
// false says that it is to fetch, for others too if the cache wants that.
func (w *world) join(s *cache, i int32, c *call) bool {
	if s.cfg.Flight == scenario.FlightNone || !c.waiting {
		return false
	}
	slot := slotOf(c.key, w.keysOf(c).reads[0])
	if s.cfg.Flight == scenario.FlightProcess {
		slot = slotOf(slot, uint64(ownerOf(c.proc, c.life)))
	}
	if n, ok := s.flights[slot]; ok {
		f := w.flights.at(n)
		f.waiting = append(f.waiting, i)
		return true
	}
	c.flight = w.flights.take()
	f := w.flights.at(c.flight)
	*f = flight{cache: s.place.Index, slot: slot, waiting: f.waiting[:0]}
	s.flights[slot] = c.flight
	return false
}

// landed answers all who wait with what was fetched.
func (w *world) landed(n int32, value uint64, born sim.Time) {
	f := w.flights.at(n)
	for _, i := range f.waiting {
		c := w.calls.at(i)
		c.found, c.version, c.since = anothers, value, born
		w.reply(i, c)
	}
	w.endFlight(n, f)
}

// aborted hands a flight to the next who waits.
func (w *world) aborted(n int32) {
	f := w.flights.at(n)
	for k, i := range f.waiting {
		c := w.calls.at(i)
		if !c.waiting { // it has given up
			c.legs--
			w.retireCall(i, c)
			continue
		}
		f.waiting = f.waiting[:copy(f.waiting, f.waiting[k+1:])]
		c.flight = n
		w.reply(i, c)
		return
	}
	w.endFlight(n, f)
}

func (w *world) endFlight(n int32, f *flight) {
	f.waiting = f.waiting[:0]
	delete(w.caches[f.cache].flights, f.slot)
	w.flights.give(n)
}
