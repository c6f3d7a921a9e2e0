package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// keeps says that a queue's dead letters stay with it.
func (q *broker) keeps() bool { return q.cfg.DeadLetter == "keep" || q.cfg.DeadLetter == "park" }

// shelve puts a dead letter aside where an event may put it back from. Until
// then its job neither waits nor runs.
func (w *world) shelve(q *broker, i int32, m *message) {
	m.state = gone
	w.strikes(q, m)
	w.comesForward(q, m)
	w.sim.Stop(m.timer)
	j := w.jobs.at(m.job)
	w.freeID(q, j, scenario.FreesAtEnd)
	w.inSystem(w.types[j.kind], -1)
	q.shelf = append(q.shelf, i)
}

// replay puts a share of the dead letters of the event's queues back, as the
// newest: with attempts and retries as if they had never been tried.
func (w *world) replay(f *fault, n uint64) {
	for _, t := range f.cfg.On {
		q := w.queueNamed(t.Name)
		shelf := slices.Clone(q.shelf)
		q.shelf = q.shelf[:0]
		for _, i := range shelf {
			m := w.messages.at(i)
			j := w.jobs.at(m.job)
			luck := w.luck[luckReplay].With(uint64(f.index)).With(n).With(j.luck)
			if luck.U01() >= f.cfg.Share {
				q.shelf = append(q.shelf, i)
				continue
			}
			j.dead = false
			w.recordJob(history.Replay, q.place, j, 0)
			w.inSystem(w.types[j.kind], 1)
			q.serial++
			m.order, m.counted, m.failed, m.last = q.serial, 0, 0, 0
			w.enqueue(q, i, m)
		}
	}
}
