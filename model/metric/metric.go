package metric

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim/stat"
)

// Want says what a replication must keep beyond its metrics.
type Want struct {
	Facts   []history.Kind // kinds whose instants are kept, for At and ByJob
	Windows []Span         // values of Result.Windows
}

// Span asks for one metric on [From, To), from the scenario's zero. Metrics
// that are made of counts and levels have a value on every span, the name of a
// level standing for its mean; distributions, extremes, and first and last
// instants have none there, and give NaN.
type Span struct {
	Metric   string
	From, To time.Duration
}

// Window is the time that a run covers, [From, To), and the part of it that is
// measured, [Warm, To).
type Window struct{ From, Warm, To time.Duration }

// Meter turns the facts of one run into a Result. Make one with New.
type Meter struct {
	*layout
	from     int64 // start of the run, ns
	warm     int64 // start of the measured window, ns
	spans    []Span
	counters [counters][]stat.Counter
	dists    [dists][]*distribution // nil where the scope has no such column
	gauges   [gauges][]gauge
	marks    marks
	record   recorder

	labels    [5]int32 // scopes of the present fact
	processes [][]process
	slots     []slots   // of groups
	servers   []int64   // of services, without those that were taken away and are busy
	breakers  []breaker // of services that have one for all callers
	watches   [][][]watch
	callers   map[caller]uint64 // services that a live job has called
	dead      map[int64]int64   // when a live job was dead-lettered
	hands     [][]int64         // per scope: deliveries with number k+1 of their job
	holders   holders
	held      held
	retries   []retries // per scope
	longest   [gaps][]int64
	drains    drains
	ages      []age // of the oldest message of all queues, and of each
	trouble   trouble
}

// New returns a meter for one run of a scenario with these names.
func New(names history.Names, w Window, want Want) *Meter {
	m := &Meter{layout: layoutOf(names), from: int64(w.From), warm: int64(w.Warm), spans: want.Windows}
	for c := range m.counters {
		m.counters[c] = make([]stat.Counter, m.size)
	}
	for g := range m.gauges {
		m.gauges[g] = make([]gauge, m.size)
		for s := range m.gauges[g] {
			m.gauges[g][s].Reset(int64(w.From))
		}
	}
	for i := range m.cells {
		if c := &m.cells[i]; c.entry.dist != noDist && m.dists[c.entry.dist] == nil {
			m.dists[c.entry.dist] = make([]*distribution, m.size)
		}
		if c := &m.cells[i]; c.entry.dist != noDist && m.dists[c.entry.dist][c.scope] == nil {
			m.dists[c.entry.dist][c.scope] = new(distribution)
		}
	}
	for g := range m.longest {
		m.longest[g] = make([]int64, m.size)
	}
	m.processes = make([][]process, len(names.Groups))
	m.newCapacity()
	m.breakers = make([]breaker, len(names.Services))
	m.watches = make([][][]watch, len(names.Monitors))
	for i := range m.watches {
		m.watches[i] = make([][]watch, len(names.Groups)+1) // the last one: of a component
	}
	m.callers, m.dead = map[caller]uint64{}, map[int64]int64{}
	m.hands = make([][]int64, m.size)
	m.holders = holders{most: make([]int64, m.size), now: int64(w.From)}
	m.held = held{names: map[resource]*heldName{}, longest: make([]int64, len(names.Locks))}
	m.retries = make([]retries, m.size)
	m.drains = newDrains(names, int64(w.From))
	m.ages = newAges(len(names.Queues), int64(w.From))
	m.trouble = trouble{active: make([]bool, len(names.Events)), since: never, ended: never}
	m.marks = newMarks(w, want.Windows, len(m.drains.queues) > 0)
	m.record = newRecorder(want.Facts)
	return m
}

// Observe takes one fact.
func (m *Meter) Observe(f *history.Fact) {
	if f.At >= m.marks.next {
		m.pass(f.At)
	}
	if m.record.wants[f.Kind] {
		m.record.keep(f)
	}
	if f.Kind == history.Level {
		m.level(f)
		return
	}
	labels := m.label(f)
	if c := plain[f.Kind]; c != noCounter {
		m.count(c, labels, f.At)
	}
	if d := timed[f.Kind]; d != noDist {
		m.add(d, labels, f.At, f.Value)
	}
	m.details(f, labels)
}

// details counts what a fact means beyond that it happened, and how long
// something took that it ended.
func (m *Meter) details(f *history.Fact, labels []int32) {
	switch f.Kind {
	case history.PublishRefused, history.Suppress:
		m.count(offered, labels, f.At)
	case history.Deliver:
		m.handed(f, labels)
	case history.Start:
		m.started(f, labels)
	case history.Complete, history.Fail:
		m.progress(f)
	case history.DeadLetter:
		if f.Value == 1 {
			m.count(deadLetteredUnstarted, labels, f.At)
		}
		m.deadLettered(f)
	case history.Replay:
		delete(m.dead, f.Job)
	case history.Done:
		m.done(f, labels)
	case history.Effect:
		if f.Value > 1 {
			m.count(duplicateEffects, labels, f.At)
		}
	case history.StaleWrite:
		if f.Value == 1 {
			m.count(staleWritesAccepted, labels, f.At)
		} else {
			m.count(staleWritesRefused, labels, f.At)
		}
	case history.Refuse:
		if f.Place.Noun == history.Lock {
			m.count(lockAcquireFailures, labels, f.At)
		} else {
			m.count(refused, labels, f.At)
		}
	case history.Grant, history.Release, history.Expire, history.Revoke:
		m.holdsLock(f)
	case history.OrphanEnd:
		if f.Attempt == 1 {
			m.count(orphansLeft, labels, f.At)
		}
	case history.Believe:
		m.believe(f)
	case history.Suspect:
		m.suspect(f, labels)
	case history.Trust:
		m.trust(f, labels)
	case history.Beat:
		m.beat(f, labels)
	case history.Boot, history.Crash, history.Stop:
		m.lifeChanged(f)
	case history.Retry:
		m.retried(f, labels)
	case history.Call:
		m.called(f, labels)
	case history.Served:
		if f.Attempt != 0 {
			m.count(callErrors, labels, f.At)
		}
	case history.TimeOut:
		if f.Place.Noun == history.Service {
			m.count(dependencyTimeouts, labels, f.At)
		}
	case history.Hit:
		if f.Attempt == 1 {
			m.count(staleHits, labels, f.At)
		}
	case history.Open, history.HalfOpen, history.Close:
		m.breakerChanged(f)
	case history.Alert:
		m.alerted(f, labels)
	case history.Found:
		m.count(findings[f.Attempt], labels, f.At)
	case history.EventBegin:
		m.eventBegan(f)
		m.drains.begin(m, f)
	case history.EventEnd:
		m.eventEnded(f)
		m.drains.end(m, f)
	}
}

// label finds the scopes for which a fact counts.
func (m *Meter) label(f *history.Fact) []int32 {
	n := 1 // labels[0] is the global scope
	if f.Place.Noun != history.Nowhere {
		m.labels[n] = m.place[f.Place.Noun] + int32(f.Place.Index)
		n++
	}
	if f.Type >= 0 {
		m.labels[n] = m.jobs + int32(f.Type)
		n++
		if q := m.queueOf[f.Type]; q >= 0 && f.Place.Noun != history.Queue {
			m.labels[n] = m.place[history.Queue] + q
			n++
		}
	}
	if f.Group >= 0 {
		m.labels[n] = m.groups + int32(f.Group)
		n++
	}
	return m.labels[:n]
}

func (m *Meter) count(c counter, labels []int32, now int64) {
	row, measured := m.counters[c], now >= m.warm || safety[c]
	for _, s := range labels {
		row[s].Add(now, measured)
	}
}

// add gives a duration to a distribution; one below zero says that the fact
// has none.
func (m *Meter) add(d dist, labels []int32, now, ns int64) {
	if now < m.warm || ns < 0 {
		return
	}
	for _, s := range labels {
		if h := m.dists[d][s]; h != nil {
			h.Add(ns)
			h.sum += uint64(ns)
		}
	}
}

// distribution is a histogram and the sum of its values modulo 2^64, which
// Hash covers.
type distribution struct {
	stat.Histogram
	sum uint64
}
