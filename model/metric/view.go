package metric

import (
	"math"
	"slices"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// view is what happened between two instants: the measured window, the whole
// run, or a Span. Every metric that is made of counts and levels is a function
// of a view.
type view struct {
	m        *Meter
	from, to *snapshot
}

// snapshot holds all counts and areas up to an instant, facts at the instant
// itself not included.
type snapshot struct {
	at     int64
	counts []int64
	areas  []exact.Wide
	ages   []exact.Wide // see Meter.ages
}

func (m *Meter) snapshot(now int64) *snapshot {
	s := &snapshot{at: now, counts: make([]int64, 0, int(counters)*m.size), areas: make([]exact.Wide, 0, int(gauges)*m.size)}
	for c := range m.counters {
		for i := range m.counters[c] {
			s.counts = append(s.counts, m.counters[c][i].N)
		}
	}
	for g := range m.gauges {
		for i := range m.gauges[g] {
			s.areas = append(s.areas, m.gauges[g][i].total(now))
		}
	}
	for i := range m.ages {
		m.ages[i].settle(now)
		s.ages = append(s.ages, m.ages[i].area)
	}
	return s
}

// count is how many facts of c there were.
func (v *view) count(c counter, scope int32) float64 {
	i := int(c)*v.m.size + int(scope)
	return float64(v.to.counts[i] - v.from.counts[i])
}

// before and sinceStart are how many there were from the start of the run to
// the start, and to the end, of the view.
func (v *view) before(c counter, scope int32) float64 {
	return float64(v.from.counts[int(c)*v.m.size+int(scope)])
}

func (v *view) sinceStart(c counter, scope int32) float64 {
	return float64(v.to.counts[int(c)*v.m.size+int(scope)])
}

// area is the time integral of a level, in units of ns.
func (v *view) area(g gaugeID, scope int32) float64 {
	i := int(g)*v.m.size + int(scope)
	return v.to.areas[i].Minus(v.from.areas[i]).Float()
}

func (v *view) length() float64 { return float64(v.to.at - v.from.at) }

// mean is the time-weighted mean of a level.
func (v *view) mean(g gaugeID, scope int32) float64 { return over(v.area(g, scope), v.length()) }

// rate is per second.
func (v *view) rate(count float64) float64 { return over(count, v.length()/1e9) }

// over is a quotient that does not exist when its divisor is 0.
func over(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// marks are the instants that a run passes at which something must be done
// before the facts there are counted.
type marks struct {
	next      int64 // the earliest one ahead
	spots     []int64
	snapshots []*snapshot // of the spots passed
	warm      int64       // math.MaxInt64 once passed
	minute    int64       // the next full minute; math.MaxInt64 without minutes
}

const minute = int64(time.Minute)

func newMarks(w Window, spans []Span, minutes bool) marks {
	k := marks{warm: int64(w.Warm), minute: math.MaxInt64}
	k.spots = []int64{int64(w.From), int64(w.Warm)}
	for _, s := range spans {
		k.spots = append(k.spots, int64(max(s.From, w.From)), int64(max(s.To, w.From)))
	}
	slices.Sort(k.spots)
	k.spots = slices.Compact(k.spots)
	if minutes {
		k.minute = (int64(w.Warm) + minute - 1) / minute * minute
	}
	k.ahead()
	return k
}

// ahead finds the earliest mark that is not passed.
func (k *marks) ahead() {
	k.next = min(k.warm, k.minute)
	if n := len(k.snapshots); n < len(k.spots) {
		k.next = min(k.next, k.spots[n])
	}
}

// at is the snapshot of an instant that is a spot, or lies outside the run.
func (k *marks) at(instant int64) *snapshot {
	i, _ := slices.BinarySearch(k.spots, instant)
	return k.snapshots[i]
}

// pass does what is due up to now.
func (m *Meter) pass(now int64) {
	k := &m.marks
	for k.next <= now {
		at := k.next
		if n := len(k.snapshots); n < len(k.spots) && k.spots[n] == at {
			k.snapshots = append(k.snapshots, m.snapshot(at))
		}
		if k.warm == at {
			k.warm = math.MaxInt64
			for g := range m.gauges {
				for s := range m.gauges[g] {
					m.gauges[g][s].measure(at)
				}
			}
			for i := range m.ages {
				m.ages[i].settle(at)
				m.ages[i].most = 0
			}
			m.drains.measure(at)
		}
		if k.minute == at {
			k.minute += minute
			m.drains.minute(m, at)
		}
		k.ahead()
	}
}
