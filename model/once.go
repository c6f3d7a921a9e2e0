package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/idempotency"
)

// memory is what a component knows of keys. Its unique constraint, its inbox and
// the marks of its guards are one table, so a write under the key of a guard
// completes the guard's mark in the same transaction.
type memory struct {
	keys idempotency.Table
	rule idempotency.Rule
}

// mark is a guard's mark that an execution has set and not yet completed.
type mark struct {
	key   uint64
	claim idempotency.Claim // 0: none
}

const maxOnce = 2

// guarded appends to a job's steps the completion of its guards: the last thing
// that a successful execution does.
func guarded(ops []op) []op {
	end := int32(len(ops))
	for i := range ops[:end] {
		if o := &ops[i]; o.step.Verb == scenario.Once {
			o.jump, o.guard = end, int8(int32(len(ops))-end)
			ops = append(ops, op{step: o.step, closes: true, index: o.index, cache: o.cache, rule: o.rule, budget: o.budget, token: -1, guard: o.guard})
		}
	}
	return ops
}

// beginOnce asks the guard, or tells it that the job is done. What the job is
// for must be there before its key is called done.
func (w *world) beginOnce(i int32, x *execution, o *op) bool {
	if o.closes {
		if x.marks[o.guard].claim == 0 {
			return true
		}
		w.conclude(x)
	}
	if o.cache >= 0 {
		w.askCache(i, x, o)
	} else {
		w.beginCall(i, x)
	}
	return false
}

// askCache asks a guard that a cache keeps; once, for a cache has no retries.
func (w *world) askCache(i int32, x *execution, o *op) {
	s := w.caches[o.cache]
	n, c := w.cacheCall(askMark, i, x, s)
	c.step = o.step
	w.addMark(c, o, w.jobs.at(x.job), x)
	x.call = n
	w.place(n, w.guardPatience(x.proc, o))
}

// addMark puts on a guard's call the key that it is about.
func (w *world) addMark(c *call, o *op, j *job, x *execution) {
	c.key, c.closes = stepKey(o.step, j, x), o.closes
	if o.closes {
		c.key = x.marks[o.guard].key
	}
}

// takeMark is the arrival of a guard's call at a cache.
func (w *world) takeMark(i int32, c *call) {
	if w.serves(c.place) == scenario.ServesAll {
		w.guard(&w.caches[c.place.Index].memory, w.now(c.to), c)
	} else {
		c.class = policies.Transient
	}
	w.reply(i, c)
}

// markAnswered is a cache's answer to a guard's call, or its absence.
func (w *world) markAnswered(n int32, c *call) {
	x := w.resumed(n, c)
	if x == nil {
		return
	}
	if c.class != policies.OK {
		w.finish(c.exec, x, c.class)
		return
	}
	x.guardAnswered(&x.ops[x.pc], c)
	x.pc++
	w.advance(c.exec, x)
}

// memoryOf is what a service or a cache knows of keys.
func (w *world) memoryOf(p history.Place) *memory {
	if p.Noun == history.Cache {
		return &w.caches[p.Index].memory
	}
	return &w.services[p.Index].memory
}

// conclude lands the effect of a job that has no write, once.
func (w *world) conclude(x *execution) {
	j := w.jobs.at(x.job)
	if t := w.types[j.kind]; !t.writes && !x.concluded {
		w.land(t.place(), j, j.key, t.own)
	}
	x.concluded = true
}

// guard is a guard's decision about a call that reached it.
func (w *world) guard(m *memory, now policies.Instant, c *call) {
	if c.closes {
		m.keys.Complete(now, c.key)
		return
	}
	switch state, claim := m.keys.Begin(now, c.key); state {
	case idempotency.Absent:
		c.claim = claim
	case idempotency.InProgress:
		c.class = policies.Transient
		w.record(w.callFact(history.Refuse, c, 0))
	case idempotency.Done:
		c.repeated = true
		w.jobs.at(c.job).landed = true
		w.record(w.callFact(history.IdempotencyHit, c, 0))
	}
}

// takeUnmark is the arrival of a mark that is given back.
func (w *world) takeUnmark(i int32, c *call) {
	if w.serves(c.place) == scenario.ServesAll {
		w.memoryOf(c.place).keys.Abandon(c.key, c.claim)
	}
	w.reply(i, c)
}

// guardAnswered notes the guard's answer; a key that is done ends the job.
func (x *execution) guardAnswered(o *op, c *call) {
	switch {
	case c.closes:
		x.marks[o.guard].claim = 0
	case c.repeated:
		x.concluded = true
		x.pc = o.jump - 1
	default:
		x.marks[o.guard] = mark{c.key, c.claim}
	}
}

// unmark gives the marks of an execution back that ends with an error, so that
// another may try at once. When the effect is there and only the completion
// failed, the marks stay.
func (w *world) unmark(x *execution) {
	if int(x.pc) < len(x.ops) && x.ops[x.pc].closes && x.ops[x.pc].step.Verb == scenario.Once {
		return
	}
	for k := range x.ops {
		o := &x.ops[k]
		if !o.closes || o.step.Verb != scenario.Once || x.marks[o.guard].claim == 0 {
			continue
		}
		at, node := w.guardOf(o)
		j := w.jobs.at(x.job)
		n, c := w.newCall(askUnmark, scenario.Call, x.proc, node, w.luck[luckCall].With(j.luck).With(uint64(x.startNo)<<32|uint64(k)<<20).With(1<<15))
		w.holdJob(x.job)
		c.job, c.place, c.key, c.claim = x.job, at, x.marks[o.guard].key, x.marks[o.guard].claim
		x.marks[o.guard].claim = 0
		w.place(n, w.guardPatience(x.proc, o))
	}
}

// guardOf is where the marks of a guard are.
func (w *world) guardOf(o *op) (history.Place, int32) {
	if o.cache >= 0 {
		s := w.caches[o.cache]
		return s.place, s.node
	}
	s := w.services[o.index]
	return s.place, s.node
}
