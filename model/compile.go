package model

import (
	"cmp"
	"slices"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/retry"
)

// op is a step in the order of running. A repeat is an opening and a closing.
type op struct {
	step    *scenario.Step
	closes  bool
	jump    int32               // the other end of a repeat
	index   int16               // of the service or lock; of a read through a cache, of its source
	cache   int16               // of a read or a once: the cache, -1: none
	ofLock  bool                // of a read: the source is a lock store
	rule    *retry.Rule         // of a call
	budget  *scenario.Budget    // of its retries
	token   int16               // lock whose token a write carries, -1
	names   []scenario.Template // of the locks to take, their holes pointing at the job's fields
	guard   int8                // of a once: which of the job's guards
	outbox  int32               // of a write: the publish that it brings along, 0 if none
	nth     int16               // of a publish: which of the job's
	relayed bool                // a write brings this publish along
}

// compile flattens the steps of a job with these fields, or of a service, for
// those who see the scenario as sc.
func (w *world) compile(sc *scenario.Scenario, steps []scenario.Step, fields []scenario.Field, ops []op) []op {
	outbox := -1 // write that waits for its publish
	for i := range steps {
		s := &steps[i]
		o := op{step: s, index: -1, cache: -1, token: -1}
		switch s.Verb {
		case scenario.Read:
			w.compileRead(sc, &o, fields)
		case scenario.CallService, scenario.Write, scenario.Once:
			if o.cache = w.cacheNamed(s.To); o.cache < 0 {
				o.index = w.serviceNamed(s.To)
				w.compileRetry(sc, &o)
			}
		case scenario.LockStep, scenario.Unlock:
			o.index = w.lockStoreNamed(s.To)
			o.names = bind(sc.Locks[o.index].Names, fields)
		}
		if s.Token != "" {
			o.token = w.lockStoreNamed(s.Token)
		}
		if s.Verb == scenario.PublishStep {
			o.index, o.nth, o.relayed = w.jobNamed(s.To), published(ops), outbox >= 0
			if o.relayed {
				ops[outbox].outbox, outbox = int32(len(ops)), -1
			}
		}
		if s.Outbox {
			outbox = len(ops)
		}
		ops = append(ops, o)
		if s.Verb == scenario.Repeat {
			open := int32(len(ops) - 1)
			ops = w.compile(sc, s.Steps, fields, ops)
			ops = append(ops, op{step: s, closes: true, jump: open})
			ops[open].jump = int32(len(ops) - 1)
		}
	}
	return ops
}

// compileRetry finds how the call of a step is tried again.
func (w *world) compileRetry(sc *scenario.Scenario, o *op) {
	r := cmp.Or(o.step.Retry, sc.Services[o.index].Retry, &onceOnly)
	o.rule, o.budget = w.ruleOf(r), r.Budget
}

// bind points the holes of lock names at the fields of the job that takes them.
func bind(names []scenario.Template, fields []scenario.Field) []scenario.Template {
	bound := make([]scenario.Template, len(names))
	for i, t := range names {
		bound[i] = scenario.Template{Text: t.Text, Parts: slices.Clone(t.Parts)}
		for k := range t.Parts {
			if part := &bound[i].Parts[k]; part.Hole == scenario.HoleField {
				part.Field = slices.IndexFunc(fields, func(f scenario.Field) bool { return f.Name == part.Name })
			}
		}
	}
	return bound
}
