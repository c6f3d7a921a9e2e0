package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

func event(s float64, kind history.Kind, active int64) history.Fact {
	f := bare(s, kind)
	f.Place, f.Value = atEvent, active
	return f
}

// jobs are arrivals (n > 0) or ends (n < 0) of n jobs of the queue at s.
func jobs(s float64, n int64) history.Fact { return level(s, history.LevelInSystem, atQueue, n) }

// Before the fault at 100 s one job is there for 90 s and five for 10 s: the
// 95 % quantile is 5, above the two slots. The fault ends at 150 s with eight
// jobs; they are five at 190 s.
func TestDrainToTheUsual(t *testing.T) {
	facts := []history.Fact{jobs(0, 1), by(1, history.Start, 0, 1, 0, 1), jobs(50, 4), jobs(60, -4), event(100, history.EventBegin, 1), jobs(120, 7),
		event(150, history.EventEnd, 0), jobs(170, -1), jobs(180, -1), jobs(190, -1), jobs(200, 9)}
	expect(t, run(t, 0, 300, Want{}, facts...), map[string]float64{"events.e.drain_s": 40, "events.e.drain_max_s": 40, "events.e.undrained": 0, "events.e.count": 1,
		"events.e.first_event_begin_s": 100})
	// Measured from 70 s on only one job was usual: the two slots decide, and
	// the queue never gets there.
	expect(t, run(t, 70, 300, Want{}, facts...), map[string]float64{"events.e.drain_s": inf, "events.e.drain_max_s": inf, "events.e.undrained": 1})
}

// The queue may say itself at how many jobs it is drained.
func TestDrainToTheQueuesOwn(t *testing.T) {
	names := world()
	names.Queues[0].DrainTo = 0
	m := New(names, Window{0, 0, 100e9}, Want{})
	for _, f := range []history.Fact{event(10, history.EventBegin, 1), jobs(15, 2), event(20, history.EventEnd, 0), jobs(30, -1), jobs(45, -1)} {
		m.Observe(&f)
	}
	expect(t, m.Result(100e9), map[string]float64{"events.e.drain_s": 25})
}

// Three occurrences: one leaves nothing to drain, one 10 s, one 20 s. Of two
// overlapping instances of an event only the end of the last counts.
func TestDrainsOfSeveralOccurrences(t *testing.T) {
	r := run(t, 0, 300, Want{}, by(1, history.Start, 0, 1, 0, 1),
		event(10, history.EventBegin, 1), event(15, history.EventEnd, 0),
		event(50, history.EventBegin, 1), event(52, history.EventBegin, 2), jobs(55, 5), event(58, history.EventEnd, 1), event(60, history.EventEnd, 0), jobs(70, -5),
		event(100, history.EventBegin, 1), jobs(105, 5), event(110, history.EventEnd, 0), jobs(130, -5))
	expect(t, r, map[string]float64{"events.e.drain_s": 10, "events.e.drain_max_s": 20, "events.e.count": 4})
}

// An occurrence that ends while the one before is being drained is drained
// with it: 60 - 20 and 60 - 40 s.
func TestDrainsTogether(t *testing.T) {
	r := run(t, 0, 100, Want{}, event(10, history.EventBegin, 1), jobs(15, 9), event(20, history.EventEnd, 0),
		event(30, history.EventBegin, 1), event(40, history.EventEnd, 0), jobs(60, -9))
	expect(t, r, map[string]float64{"events.e.drain_s": 30, "events.e.drain_max_s": 40, "events.e.undrained": 0})
}

func TestNoDrain(t *testing.T) {
	expect(t, run(t, 0, 100, Want{}), map[string]float64{"events.e.drain_s": nan, "events.e.drain_max_s": nan, "events.e.undrained": 0, "events.e.relapses": nan})
	// One that is still going on at the end has not begun to drain.
	expect(t, run(t, 0, 100, Want{}, event(50, history.EventBegin, 1), jobs(55, 5)), map[string]float64{"events.e.drain_s": nan, "events.e.undrained": 0})
}

// Minutes 0 and 1 are calm with a mean depth of 1; the fault is in minute 2
// and drained there. The means of minutes 3 to 6 are 1, 2, 0.5 and 1.5: two
// relapses.
func TestRelapses(t *testing.T) {
	depth := func(s float64, n int64) history.Fact { return level(s, history.LevelWaiting, atQueue, n) }
	r := run(t, 0, 450, Want{}, depth(0, 1), event(130, history.EventBegin, 1), depth(131, 50), event(140, history.EventEnd, 0), depth(150, 1),
		depth(240, 2), depth(300, 0), depth(330, 1), depth(360, 3), depth(390, 0))
	expect(t, r, map[string]float64{"events.e.relapses": 2, "events.e.drain_s": 0})
}

// Five occurrences end in the first minute and are drained together after 90
// years: 450 years of drains, beyond what 64 bits hold.
func TestDrainsOfCenturies(t *testing.T) {
	const years = 90 * 365 * 24 * 3600.0
	facts := []history.Fact{event(9, history.EventBegin, 1), jobs(9, 9)}
	for n := range 5 {
		facts = append(facts, event(10+float64(n), history.EventEnd, 0), event(10+float64(n), history.EventBegin, 1))
	}
	facts = append(facts, jobs(12+years, -9))
	expect(t, run(t, 0, 100+years, Want{}, facts...), map[string]float64{"events.e.drain_s": years, "events.e.drain_max_s": years + 2})
}
