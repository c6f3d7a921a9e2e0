package metric

import "github.com/tenggat/tenggat/model/history"

// process is what is known of one process of a group.
type process struct {
	running  int32 // its handlers
	since    int64 // its latest progress: a handler ended, or the first of several began
	breakers []breaker
}

// breaker is the state of a circuit breaker.
type breaker uint8

const (
	closed breaker = iota
	open
	halfOpen
)

// process finds the record of a fact's process; groups may grow in a run.
func (m *Meter) process(f *history.Fact) *process {
	list := &m.processes[f.Group]
	for int(f.Process) >= len(*list) {
		*list = append(*list, process{})
	}
	return &(*list)[f.Process]
}

// ran notes that a process runs one handler more or less.
func (m *Meter) ran(f *history.Fact) {
	if f.Group < 0 {
		return
	}
	p := m.process(f)
	if p.running == 0 {
		p.since = f.At
	}
	m.occupies(f.Group, p.running, p.running+int32(f.Value), f.At)
	p.running += int32(f.Value)
}

// progress notes that a handler has ended.
func (m *Meter) progress(f *history.Fact) {
	if f.Group >= 0 {
		m.process(f).since = f.At
	}
}

// beat looks at the silence that a heartbeat ended, and at how long its sender
// has finished nothing although it has something to do.
func (m *Meter) beat(f *history.Fact, labels []int32) {
	m.watch(f)
	if f.At < m.warm {
		return
	}
	stuck := int64(0)
	if p := m.process(f); p.running > 0 {
		stuck = f.At - p.since
	}
	for _, s := range labels {
		m.longest[heartbeatGap][s] = max(m.longest[heartbeatGap][s], f.Value)
		m.longest[progressGap][s] = max(m.longest[progressGap][s], stuck)
	}
}

// lifeChanged forgets what does not outlive a process, or what a new one does
// not have: open breakers, and suspicions that were wrong until then.
func (m *Meter) lifeChanged(f *history.Fact) {
	p := m.process(f)
	for s := range p.breakers {
		m.breakerTo(&p.breakers[s], closed, int32(s), f.At)
	}
	for monitor := range m.watches {
		if list := m.watches[monitor][f.Group]; int(f.Process) < len(list) {
			m.rightAgain(&list[f.Process], int32(monitor), f.At)
		}
	}
}

// breakerOf is the breaker that a fact speaks of: its process's, or the one of
// all callers of the service when the fact names no process.
func (m *Meter) breakerOf(f *history.Fact) *breaker {
	if f.Group < 0 {
		return &m.breakers[f.Place.Index]
	}
	p := m.process(f)
	if p.breakers == nil {
		p.breakers = make([]breaker, len(m.names.Services))
	}
	return &p.breakers[f.Place.Index]
}

func (m *Meter) breakerChanged(f *history.Fact) {
	to := [...]breaker{history.Open: open, history.HalfOpen: halfOpen, history.Close: closed}[f.Kind]
	m.breakerTo(m.breakerOf(f), to, int32(f.Place.Index), f.At)
}

func (m *Meter) breakerTo(b *breaker, to breaker, service int32, now int64) {
	delta := int64(0)
	if to == open {
		delta++
	}
	if *b == open {
		delta--
	}
	*b = to
	m.gauges[openBreaker][0].Add(now, delta)
	m.gauges[openBreaker][m.place[history.Service]+service].Add(now, delta)
}

// probing says that a call goes through a half-open breaker.
func (m *Meter) probing(f *history.Fact) bool {
	if m.breakers[f.Place.Index] == halfOpen {
		return true
	}
	return f.Group >= 0 && m.process(f).breakers != nil && *m.breakerOf(f) == halfOpen
}
