package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

// close tells what can be said only at the end of a run.
func (w *world) close() {
	for _, i := range w.missing {
		w.dropJob(i)
	}
	w.missing = w.missing[:0]
	w.closeOrphans()
	for _, q := range w.queues {
		w.all(q, func(_ int32, m *message) {
			if j := w.jobs.at(m.job); !j.landed && w.stranded(q, m) {
				w.recordJob(history.Strand, q.place, j, 0)
			}
		})
	}
}

// stranded says that nobody can ever run a message: it is held by nobody that
// works on it under a claim that nothing will end, or it waits and no process
// that takes from its queue is up or will boot again.
func (w *world) stranded(q *broker, m *message) bool {
	if m.state != held {
		return !slices.ContainsFunc(q.takers, func(id int32) bool { return !w.procs[id].ended && !w.procs[id].retired })
	}
	if m.refs > 1 || m.grant.Until() != policies.Never { // a delivery of it is about
		return false
	}
	p := w.procs[m.holder]
	return len(q.cfg.Session) == 0 || p.up && p.life == m.life
}
