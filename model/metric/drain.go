package metric

import (
	"math"
	"slices"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim/stat"
)

// drains measures how long queues take to return to normal after an event.
//
// An occurrence of an event lasts from the fact that one instance of it is
// active to the fact that none is. Normal is, for each queue, its DrainTo, or
// else the 95 % quantile over time of its jobs in system while it was calm, at
// least the slots of the groups that serve it. Calm is the time in which no
// event is active and none is being drained, from the start of the measured
// window on where that lies before the event. The drain ends when every queue
// that was above its normal has been at or below it.
type drains struct {
	queues    []backlogged // none unless there are events and queues
	events    []occurrences
	calm      bool
	calmSince int64
	minutes   int64 // passed
}

// backlogged is a queue's part.
type backlogged struct {
	drainTo int64 // -1: by the run itself
	level   int64 // jobs in system
	since   int64 // of level
	calm    stat.Histogram
	serves  []bool     // by group: has started jobs of the queue
	waited  exact.Wide // of waiting messages, up to the latest full minute
	peak    int64      // largest area of a calm minute; -1 before the first
}

// occurrences is an event's part. Occurrences that end while an earlier one is
// being drained are drained together with it.
type occurrences struct {
	active bool
	begun  bool
	target []int64 // by queue
	above  []bool  // by queue: has not yet returned
	left   int     // queues above
	peaks  []int64 // by queue: its peak before the first occurrence, or -1

	waiting    int64      // occurrences being drained
	waitingSum exact.Wide // of their ends, ns after the first one's
	first      int64      // end of the first of them

	drained  int64      // occurrences
	sum      exact.Wide // of their drain times, ns
	longest  int64
	back     int64 // when the latest drain ended
	relapses int64
}

func newDrains(names history.Names, from int64) drains {
	d := drains{calm: true, calmSince: math.MinInt64}
	if len(names.Events) == 0 || len(names.Queues) == 0 {
		return d
	}
	for _, q := range names.Queues {
		d.queues = append(d.queues, backlogged{since: from, drainTo: int64(q.DrainTo), serves: make([]bool, len(names.Groups)), peak: -1})
	}
	for range names.Events {
		d.events = append(d.events, occurrences{
			target: make([]int64, len(names.Queues)), above: make([]bool, len(names.Queues)),
			peaks: slices.Repeat([]int64{-1}, len(names.Queues)),
		})
	}
	return d
}

// serves notes which group works for which queue.
func (d *drains) serves(f *history.Fact) {
	if len(d.queues) > 0 && f.Place.Noun == history.Queue && f.Group >= 0 {
		d.queues[f.Place.Index].serves[f.Group] = true
	}
}

// change takes a change of a queue's jobs in system.
func (d *drains) change(queue int16, now, delta int64) {
	if len(d.queues) == 0 {
		return
	}
	q := &d.queues[queue]
	d.settle(q, now)
	q.level += delta
	for i := range d.events {
		if e := &d.events[i]; e.left > 0 && e.above[queue] && q.level <= e.target[queue] {
			e.above[queue] = false
			if e.left--; e.left == 0 {
				e.finish(now)
				d.look(now)
			}
		}
	}
}

// settle carries a queue's calm time up to now.
func (d *drains) settle(q *backlogged, now int64) {
	if d.calm {
		q.calm.AddN(q.level, now-q.since)
	}
	q.since = now
}

// look finds out whether it is calm from now on.
func (d *drains) look(now int64) {
	for q := range d.queues {
		d.settle(&d.queues[q], now)
	}
	before := d.calm
	d.calm = true
	for i := range d.events {
		d.calm = d.calm && !d.events[i].active && d.events[i].left == 0
	}
	if d.calm && !before {
		d.calmSince = now
	}
}

func (d *drains) begin(m *Meter, f *history.Fact) {
	if len(d.queues) == 0 || d.events[f.Place.Index].active {
		return
	}
	e := &d.events[f.Place.Index]
	e.active = true
	d.look(f.At)
	for i := range d.queues {
		q := &d.queues[i]
		if !e.begun {
			e.peaks[i] = q.peak
		}
		if e.left == 0 {
			e.target[i] = q.normal(m)
		}
	}
	e.begun = true
}

func (d *drains) end(m *Meter, f *history.Fact) {
	if len(d.queues) == 0 || f.Value != 0 || !d.events[f.Place.Index].active {
		return
	}
	e := &d.events[f.Place.Index]
	e.active = false
	if f.At >= m.warm {
		if e.waiting == 0 {
			e.first, e.waitingSum = f.At, exact.Wide{}
		}
		e.waiting++
		e.waitingSum = e.waitingSum.Plus(exact.Wide{Lo: uint64(f.At - e.first)})
		for i := range d.queues {
			if !e.above[i] && d.queues[i].level > e.target[i] {
				e.above[i] = true
				e.left++
			}
		}
		if e.left == 0 {
			e.finish(f.At)
		}
	}
	d.look(f.At)
}

// finish ends the drain of all occurrences that wait for it.
func (e *occurrences) finish(now int64) {
	e.drained += e.waiting
	e.sum = e.sum.Plus(exact.Product(uint64(e.waiting), uint64(now-e.first)).Minus(e.waitingSum))
	e.longest = max(e.longest, now-e.first)
	e.waiting, e.back = 0, now
}

// normal is the number of jobs in system at which a drain ends.
func (q *backlogged) normal(m *Meter) int64 {
	if q.drainTo >= 0 {
		return q.drainTo
	}
	slots := int64(0)
	for g, serves := range q.serves {
		if serves {
			group := &m.names.Groups[g]
			slots += int64(group.Slots) * int64(max(group.Count, len(m.processes[g])))
		}
	}
	if q.calm.Count() == 0 {
		return slots
	}
	return max(slots, int64(math.Round(q.calm.Quantile(0.95))))
}

// measure begins the measured window.
func (d *drains) measure(now int64) {
	for i := range d.queues {
		q := &d.queues[i]
		q.calm.Reset()
		q.since = now
	}
}

// minute looks at the mean depth of the minute that has passed: a calm one
// shows what is usual, and one after a drain that is above all usual ones is a
// relapse.
func (d *drains) minute(m *Meter, now int64) {
	start := now - minute
	for i := range d.queues {
		q := &d.queues[i]
		total := m.gauges[waiting][m.place[history.Queue]+int32(i)].total(now)
		depth := int64(total.Minus(q.waited).Lo)
		q.waited = total
		if d.minutes == 0 {
			continue // the run began within it
		}
		if d.calm && d.calmSince <= start {
			q.peak = max(q.peak, depth)
		}
		for k := range d.events {
			e := &d.events[k]
			if e.drained > 0 && !e.active && e.left == 0 && e.back <= start && e.peaks[i] >= 0 && depth > e.peaks[i] {
				e.relapses++
			}
		}
	}
	d.minutes++
}

// meanDrain is the mean over occurrences in s; +Inf if one has not ended.
func (e *occurrences) meanDrain() float64 {
	if e.waiting > 0 {
		return math.Inf(1)
	}
	return over(e.sum.Float()/1e9, float64(e.drained))
}

func (e *occurrences) maxDrain() float64 {
	switch {
	case e.waiting > 0:
		return math.Inf(1)
	case e.drained == 0:
		return math.NaN()
	}
	return float64(e.longest) / 1e9
}

// relapsed is how many minutes were relapses; NaN when nothing is known of the
// time before the event.
func (e *occurrences) relapsed() float64 {
	for _, p := range e.peaks {
		if p >= 0 {
			return float64(e.relapses)
		}
	}
	return math.NaN()
}
