package metric

import "github.com/tenggat/tenggat/model/history"

// watch is what one monitor thinks of one process, or of its components.
type watch struct {
	wrong     bool  // suspects it, and it has not crashed since
	mistook   bool  // has suspected it wrongly before
	lastWrong int64 // when it began to, last
}

// watch finds the record of a fact's monitor and process.
func (m *Meter) watch(f *history.Fact) *watch {
	lists := m.watches[f.Place.Index]
	list, n := &lists[len(lists)-1], 0
	if f.Group >= 0 {
		list, n = &lists[f.Group], int(f.Process)
	}
	for n >= len(*list) {
		*list = append(*list, watch{})
	}
	return &(*list)[n]
}

// suspect takes a suspicion; that of a dead process is no mistake.
func (m *Meter) suspect(f *history.Fact, labels []int32) {
	w := m.watch(f)
	if f.Value >= 0 {
		return
	}
	m.count(falseFailovers, labels, f.At)
	if w.mistook {
		m.add(mistakeRecurrence, labels, f.At, f.At-w.lastWrong)
	}
	w.mistook, w.lastWrong = true, f.At
	if !w.wrong {
		w.wrong = true
		m.mistake(int32(f.Place.Index), f.At, 1)
	}
}

// trust ends a suspicion; that it was a mistake is known from its beginning.
func (m *Meter) trust(f *history.Fact, labels []int32) {
	w := m.watch(f)
	if w.wrong {
		m.add(mistakeDuration, labels, f.At, f.Value)
	}
	m.rightAgain(w, int32(f.Place.Index), f.At)
}

// rightAgain ends a mistake: by trust, or because the process is dead now.
func (m *Meter) rightAgain(w *watch, monitor int32, now int64) {
	if w.wrong {
		w.wrong = false
		m.mistake(monitor, now, -1)
	}
}

func (m *Meter) mistake(monitor int32, now, delta int64) {
	m.gauges[mistaken][0].Add(now, delta)
	m.gauges[mistaken][m.place[history.Monitor]+monitor].Add(now, delta)
}

// watchedUp is the time for which the processes that a monitor watches were
// up, summed over them, in ns. Which groups these are is known from the
// monitor's facts.
func (v *view) watchedUp(monitor int32) float64 {
	var sum float64
	processes := v.m.watches[monitor][:len(v.m.watches[monitor])-1]
	for g, list := range processes {
		if len(list) > 0 {
			sum += v.area(up, v.m.groups+int32(g))
		}
	}
	return sum
}
