package metric

import (
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim/stat"
)

// gauge is a level whose maximum is of the measured window and whose area is
// of the whole run.
type gauge struct {
	stat.Level
	before exact.Wide // the area up to the start of the window
}

// total is the area up to now: value times nanoseconds.
func (g *gauge) total(now int64) exact.Wide {
	hi, lo := g.Integral(now)
	return g.before.Plus(exact.Wide{Hi: hi, Lo: lo})
}

// measure begins the measured window.
func (g *gauge) measure(now int64) {
	g.before = g.total(now)
	g.Reset(now)
}

// level takes a Level fact.
func (m *Meter) level(f *history.Fact) {
	switch f.Attempt {
	case history.LevelWaiting:
		m.set(waiting, m.place[history.Queue]+int32(f.Place.Index), f.At, f.Value)
	case history.LevelRunning:
		m.set(running, m.groups+int32(f.Group), f.At, f.Value)
	case history.LevelUp:
		m.set(up, m.groups+int32(f.Group), f.At, f.Value)
		m.slotsAre(f.Group, f.At)
	case history.LevelSlots:
		m.resized(f)
	case history.LevelBusy:
		m.set(busy, m.place[history.Service]+int32(f.Place.Index), f.At, f.Value)
		m.serversAre(f.Place.Index, f.At)
	case history.LevelServers:
		m.servers[f.Place.Index] = f.Value
		m.serversAre(f.Place.Index, f.At)
	case history.LevelCalls:
		m.set(waitingCall, m.place[history.Service]+int32(f.Place.Index), f.At, f.Value)
	case history.LevelLimit:
		m.shift(limits, m.label(f), f.At, f.Value)
	case history.LevelOldest:
		m.oldest(f)
	case history.LevelInSystem:
		m.shift(inSystem, m.label(f), f.At, f.Value)
		if f.Place.Noun == history.Queue {
			m.gauges[backlog][0].Add(f.At, f.Value)
			m.drains.change(f.Place.Index, f.At, f.Value)
		}
	}
}

// set makes v the level of a component; the global level is their sum.
func (m *Meter) set(g gaugeID, scope int32, now, v int64) {
	row := m.gauges[g]
	delta := v - row[scope].Value()
	row[scope].Set(now, v)
	row[0].Add(now, delta)
}

// shift changes a level in several scopes.
func (m *Meter) shift(g gaugeID, labels []int32, now, delta int64) {
	for _, s := range labels {
		m.gauges[g][s].Add(now, delta)
	}
}
