package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim"
)

// line is the messages of a queue, waiting or held, in the order in which it
// took them. Its head is the oldest job that is not finished.
type line struct {
	first, last int32
	n           int
}

// inLine is a message's place in it.
type inLine struct {
	there         bool
	before, after int32 // neighbours; -1 at the ends
	taken         sim.Time
}

// lists puts a message at the end of the line.
func (w *world) lists(q *broker, i int32, m *message) {
	m.line = inLine{there: true, before: -1, after: -1, taken: w.sim.Now()}
	if q.line.n++; q.line.n == 1 {
		q.line.first, q.line.last = i, i
		w.level(q.place, history.LevelOldest, int64(m.line.taken))
		return
	}
	m.line.before = q.line.last
	w.messages.at(q.line.last).line.after = i
	q.line.last = i
}

// strikes takes a message out of the line.
func (w *world) strikes(q *broker, m *message) {
	if !m.line.there {
		return
	}
	l := m.line
	m.line.there = false
	q.line.n--
	if l.before >= 0 {
		w.messages.at(l.before).line.after = l.after
	} else {
		q.line.first = l.after
	}
	if l.after >= 0 {
		w.messages.at(l.after).line.before = l.before
	} else {
		q.line.last = l.before
	}
	switch {
	case l.before >= 0:
	case q.line.n == 0:
		w.level(q.place, history.LevelOldest, history.NoMessage)
	default:
		w.level(q.place, history.LevelOldest, int64(w.messages.at(q.line.first).line.taken))
	}
}

// all goes through the line; do may take the message out of it.
func (w *world) all(q *broker, do func(i int32, m *message)) {
	for i, n := q.line.first, q.line.n; n > 0; n-- {
		m := w.messages.at(i)
		next := m.line.after
		do(i, m)
		i = next
	}
}
