package experiments

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// Levels are how many jobs waited and ran over the time of one replication, as
// time-weighted means over buckets of equal length; the last one may be cut
// short by the end of the run.
type Levels struct {
	From, To, Width time.Duration
	Names           []string    // "in_system", "queues.q.queue_depth", "workers.w.running"
	Means           [][]float64 // of level i in bucket k: Means[i][k]
	Faults          []Fault     // when the scenario's events were on
}

// Fault is a stretch of time in which an event was on at least once.
type Fault struct {
	Event    string
	From, To time.Duration
}

// levelMeter is the observer that keeps Levels.
type levelMeter struct {
	result *Levels
	tracks []track
	queues int     // the first queue's track; groups follow the queues
	groups int     // the first group's track
	events []int64 // since when each event has been on; off: not
	names  []string
}

const off = int64(-1 << 62)

// track is one level and its time integral in every bucket, in ns. A long run
// with a long queue has integrals beyond an int64.
type track struct {
	level, since int64
	areas        []float64
}

// mostBuckets bounds the length of the series.
const mostBuckets = 240

// bucketWidths are the widths that a reader can name; from a day on, whole days.
var bucketWidths = []time.Duration{
	1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 500e6, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second,
	15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

func newLevelMeter(sc *scenario.Scenario) *levelMeter {
	least := 1 + (sc.Run.Duration-1)/mostBuckets
	const day = 24 * time.Hour
	width := (least + day - 1) / day * day
	if i := slices.IndexFunc(bucketWidths, func(w time.Duration) bool { return w >= least }); i >= 0 {
		width = bucketWidths[i]
	}
	l := &Levels{From: sc.Run.From, To: sc.Run.From + sc.Run.Duration, Width: width, Names: []string{"in_system"}}
	m := &levelMeter{result: l, queues: 1, groups: 1 + len(sc.Queues)}
	for _, q := range sc.Queues {
		l.Names = append(l.Names, "queues."+q.Name+".queue_depth")
	}
	for _, g := range sc.Workers {
		l.Names = append(l.Names, "workers."+g.Name+".running")
	}
	for _, e := range sc.Events {
		m.names, m.events = append(m.names, e.Name), append(m.events, off)
	}
	buckets := 1 + (sc.Run.Duration-1)/width
	for range l.Names {
		m.tracks = append(m.tracks, track{since: int64(l.From), areas: make([]float64, buckets)})
	}
	return m
}

// Observe takes one fact.
func (m *levelMeter) Observe(f *history.Fact) {
	switch f.Kind {
	case history.Level:
		switch f.Attempt {
		case history.LevelInSystem:
			m.set(0, f.At, m.tracks[0].level+f.Value)
		case history.LevelWaiting:
			m.set(m.queues+int(f.Place.Index), f.At, f.Value)
		case history.LevelRunning:
			m.set(m.groups+int(f.Group), f.At, f.Value)
		}
	case history.EventBegin:
		if m.events[f.Place.Index] == off {
			m.events[f.Place.Index] = f.At
		}
	case history.EventEnd:
		if f.Value == 0 {
			m.ended(int(f.Place.Index), f.At)
		}
	}
}

func (m *levelMeter) ended(event int, now int64) {
	if from := m.events[event]; from != off {
		m.result.Faults = append(m.result.Faults, Fault{m.names[event], time.Duration(from), time.Duration(now)})
		m.events[event] = off
	}
}

// set gives a track a new level after the old one has been added to the
// buckets that it lasted through.
func (m *levelMeter) set(i int, now, level int64) {
	t, from, width := &m.tracks[i], int64(m.result.From), int64(m.result.Width)
	for t.since < now {
		k := (t.since - from) / width
		until := min(now, from+(k+1)*width)
		t.areas[k] += float64(float64(t.level) * float64(until-t.since))
		t.since = until
	}
	t.level = level
}

// finish ends the run and returns what was kept.
func (m *levelMeter) finish() *Levels {
	l := m.result
	for event := range m.events {
		m.ended(event, int64(l.To))
	}
	for i, t := range m.tracks {
		m.set(i, int64(l.To), t.level)
		means := make([]float64, len(t.areas))
		for k, area := range m.tracks[i].areas {
			start, end := l.bucket(k)
			means[k] = area / float64(end-start)
		}
		l.Means = append(l.Means, means)
	}
	return l
}

// bucket is the time of bucket k.
func (l *Levels) bucket(k int) (from, to time.Duration) {
	from = l.From + time.Duration(k)*l.Width
	return from, min(l.To, from+l.Width)
}

// Series are the levels of replication 0 as one row per variant, metric and
// bucket; none where they were not kept.
func (s *Study) Series(points []*Point) report.Table {
	t := report.Table{Head: []string{"variant", "metric", "from_s", "to_s", "mean"}}
	for _, p := range points {
		if p == nil || p.Levels == nil {
			continue
		}
		for i, name := range p.Levels.Names {
			for k, mean := range p.Levels.Means[i] {
				from, to := p.Levels.bucket(k)
				t.Add(report.Text("%s", p.Variant), report.Text("%s", name),
					report.Number(from.Seconds()), report.Number(to.Seconds()), report.Number(mean))
			}
		}
	}
	return t
}

// What a figure over time can show at once.
const (
	mostVariants = 8
	mostFaults   = 24 // of one event
)

// timelines is the figure of the jobs in the system over time, a line for each
// variant, with the events of the first one.
func (s *Study) timelines(points []*Point) []Figure {
	points = slices.DeleteFunc(slices.Clone(points), func(p *Point) bool { return p == nil || p.Levels == nil })
	if len(points) == 0 {
		return nil
	}
	first := points[0].Levels
	t := figure.Table{
		Title: s.File.Name, Kind: figure.Timeline,
		X:  figure.Axis{Name: "time", Unit: figure.Seconds},
		Y:  figure.Axis{Name: "jobs that wait or run"},
		By: figure.Axis{Name: "variant"},
	}
	for _, p := range points[:min(len(points), mostVariants)] {
		by := p.Variant
		if len(points) == 1 {
			by = ""
		}
		for k, mean := range p.Levels.Means[0] {
			from, to := p.Levels.bucket(k)
			t.Points = append(t.Points, figure.Point{X: figure.Exact((from + to).Seconds() / 2), Y: figure.Exact(mean), By: by})
		}
	}
	notes := []string{fmt.Sprintf("replication 0, means over %s", short(first.Width))}
	if len(points) > mostVariants {
		notes = append(notes, fmt.Sprintf("the first %d of %d variants", mostVariants, len(points)))
	}
	windows, crowded := first.windows()
	t.Windows = windows
	notes = append(notes, crowded...)
	if len(windows) > 0 && len(points) > 1 {
		notes = append(notes, "shaded: events of "+points[0].Variant)
	}
	t.Note = strings.Join(notes, "; ")
	return []Figure{{Name: "01-in_system", Table: t}}
}

// windows are the events to shade. Where one was on too often, shades would
// cover everything, and a note counts it instead.
func (l *Levels) windows() (windows []figure.Window, notes []string) {
	times := map[string]int{}
	for _, f := range l.Faults {
		times[f.Event]++
	}
	for _, f := range l.Faults {
		if n := times[f.Event]; n > mostFaults {
			notes = append(notes, fmt.Sprintf("not shaded: %s, on %d times", f.Event, n))
			times[f.Event] = 0
		} else if n > 0 {
			windows = append(windows, figure.Window{Name: f.Event, From: f.From.Seconds(), To: f.To.Seconds()})
		}
	}
	return windows, notes
}

// short is a duration without the zero parts at its end: 1m, not 1m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
