package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/scenario"
)

// keyOrder lets one message of a business key out of a queue at a time, in the
// order in which they came (order: key). A message whose key is out steps
// behind; when the one that is out has ended, the first behind it comes
// forward. One that comes back waits like any other, and is the oldest of its
// key.
type keyOrder struct {
	out    map[uint64]bool    // keys of which a message is held, or will be tried again later
	behind map[uint64][]int32 // messages that have stepped behind, in their order
	count  int                // of those
}

// keyOf is the business key of a message.
func (w *world) keyOf(m *message) uint64 { return w.jobs.at(m.job).key }

// stepsBack puts a message behind its key, if that is out.
func (w *world) stepsBack(q *broker, i int32, m *message) bool {
	if q.cfg.Order != scenario.ByKey || !q.keys.out[w.keyOf(m)] {
		return false
	}
	key := w.keyOf(m)
	q.keys.behind[key] = append(q.keys.behind[key], i)
	q.keys.count++
	return true
}

// leavesLine takes a message out of those that have stepped behind; false says
// that it is not among them.
func (w *world) leavesLine(q *broker, i int32) bool {
	if t := q.parts; t != nil {
		line := &t.lines[w.partition(t, w.messages.at(i))]
		if k := slices.Index(*line, i); k >= 0 {
			*line = slices.Delete(*line, k, k+1)
			t.waiting--
			return true
		}
		return false
	}
	key := w.keyOf(w.messages.at(i))
	k := slices.Index(q.keys.behind[key], i)
	if k < 0 {
		return false
	}
	q.keys.behind[key] = slices.Delete(q.keys.behind[key], k, k+1)
	q.keys.count--
	return true
}

// goesOut notes that a message of its key is out, comesBack that it is not.
func (w *world) goesOut(q *broker, m *message) {
	switch {
	case q.parts != nil:
		q.parts.out[w.partition(q.parts, m)], m.out = true, true
	case q.cfg.Order == scenario.ByKey:
		q.keys.out[w.keyOf(m)], m.out = true, true
	}
}

func (w *world) comesBack(q *broker, m *message) {
	if !m.out {
		return
	}
	m.out = false
	if q.parts != nil {
		q.parts.out[w.partition(q.parts, m)] = false
		return
	}
	delete(q.keys.out, w.keyOf(m))
}

// comesForward lets the first of those behind a message that has ended wait
// for its turn again.
func (w *world) comesForward(q *broker, m *message) {
	w.comesBack(q, m)
	key := w.keyOf(m)
	line := q.keys.behind[key]
	if len(line) == 0 || q.keys.out[key] {
		return
	}
	q.keys.behind[key] = line[1:]
	if len(line) == 1 {
		delete(q.keys.behind, key)
	}
	q.keys.count--
	q.wait(line[0], w.messages.at(line[0]))
}

// depth is how many messages wait.
func (q *broker) depth() int {
	n := q.waiting.len() + q.keys.count
	if q.parts != nil {
		n += q.parts.waiting
	}
	return n
}
