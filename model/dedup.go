package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/idempotency"
)

// ids is what a queue knows of the ids of its jobs.
type ids struct {
	table idempotency.Table
	rule  idempotency.Rule
	id    []scenario.Template // by job type, its holes pointing at the type's fields; none: the job's key
}

// idOf is the id of a job, and the queue's claim on it.
type idOf struct {
	id    uint64
	claim idempotency.Claim // 0: none to give back
}

// identify sets how a queue knows its jobs, by what the settings say now.
func (w *world) identify(q *broker) {
	d := q.cfg.Dedup
	if d == nil {
		return
	}
	q.ids.rule = d.Rule()
	if q.ids.id = q.ids.id[:0]; d.ID != nil {
		for _, t := range w.sc.Jobs {
			q.ids.id = append(q.ids.id, bind([]scenario.Template{*d.ID}, t.Fields)...)
		}
	}
}

// takeID says whether a queue does not know a job's id yet, and knows it from
// now on. A window of no length knows nothing.
func (w *world) takeID(q *broker, j *job) bool {
	if q.cfg.Dedup.Window == 0 {
		return true
	}
	j.id.id = j.key
	if len(q.ids.id) > 0 {
		j.id.id = render(&q.ids.id[j.kind], j, nil)
	}
	j.id.claim = q.ids.table.Take(w.now(q.node), j.id.id)
	return j.id.claim != 0
}

// freeID forgets a job's id at its start or its end, when the queue is to.
func (w *world) freeID(q *broker, j *job, at scenario.Frees) {
	if d := q.cfg.Dedup; d == nil || d.Frees == scenario.FreesNever || at < d.Frees {
		return
	}
	q.ids.table.Abandon(j.id.id, j.id.claim)
	j.id.claim = 0
}
