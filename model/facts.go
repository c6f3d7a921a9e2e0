package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// record tells the observers what has happened now.
func (w *world) record(f history.Fact) {
	w.fact = f // one home for all facts: a pointer to it does not escape
	w.fact.At = int64(w.sim.Now())
	for _, o := range w.observers {
		o.Observe(&w.fact)
	}
}

func (w *world) jobFact(kind history.Kind, place history.Place, j *job, value int64) history.Fact {
	return history.Fact{Kind: kind, Place: place, Job: j.serial, Type: j.kind, Group: -1, Process: -1, Key: j.key, Value: value}
}

func (w *world) recordJob(kind history.Kind, place history.Place, j *job, value int64) {
	w.record(w.jobFact(kind, place, j, value))
}

// recordDelivery records a fact about a delivery and the process that has it.
func (w *world) recordDelivery(kind history.Kind, place history.Place, v *delivery, value int64) {
	f := w.jobFact(kind, place, w.jobs.at(v.job), value)
	p := w.procs[v.proc]
	f.Group, f.Process, f.Delivery = p.group.index, p.member, v.number
	w.record(f)
}

// fact is a fact about a process itself.
func (p *process) fact(kind history.Kind, value int64) history.Fact {
	return history.Fact{Kind: kind, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: value}
}

// lockFact is a fact about a process and a lock.
func (w *world) lockFact(kind history.Kind, k *lock, p *process, value int64) history.Fact {
	f := p.fact(kind, value)
	f.Place, f.Key = w.locks[k.store].place, k.name
	return f
}

// execFact is a fact about an execution.
func (w *world) execFact(kind history.Kind, x *execution, value int64) history.Fact {
	j := w.jobs.at(x.job)
	f := w.jobFact(kind, w.types[j.kind].place(), j, value)
	f.Delivery = x.number
	if x.proc != nil {
		f.Group, f.Process = x.proc.group.index, x.proc.member
	}
	return f
}

// level records a new level of a component.
func (w *world) level(place history.Place, which int32, value int64) {
	w.record(history.Fact{Kind: history.Level, Place: place, Attempt: which, Job: -1, Type: -1, Group: -1, Process: -1, Value: value})
}

// inSystem counts the jobs of a type that wait or run.
func (w *world) inSystem(t *jobType, delta int32) {
	t.level += delta
	w.record(history.Fact{Kind: history.Level, Place: t.place(), Attempt: history.LevelInSystem, Job: -1, Type: t.index, Group: -1, Process: -1, Value: int64(delta)})
}

// groupLevel counts the processes of a group that are up.
func (w *world) groupLevel(g *group, delta int32) {
	g.up += delta
	w.record(history.Fact{Kind: history.Level, Attempt: history.LevelUp, Job: -1, Type: -1, Group: g.index, Process: -1, Value: int64(g.up)})
}

// deliveryLuck is the chance of what happens to a delivery on the network.
func (w *world) deliveryLuck(v *delivery) chance {
	return w.luck[luckNet].With(w.jobs.at(v.job).luck).With(uint64(v.number))
}

// startOf is the instant before which a job may not start.
func (w *world) startOf(j *job, received sim.Time) (at sim.Time, later bool) {
	cfg := w.types[j.kind].cfg
	switch {
	case j.notBefore > 0:
		at = j.notBefore
	case cfg.StartAt != nil:
		at = sim.Time(*cfg.StartAt)
	case cfg.StartIn == nil:
		return 0, false
	case cfg.Received:
		at = received.Add(*cfg.StartIn)
	default:
		at = j.published.Add(*cfg.StartIn)
	}
	return at, at > w.sim.Now()
}

// readyAt is when a job's wait begins: at its publishing, or at the start that
// it asked for.
func (w *world) readyAt(j *job) sim.Time {
	if at, _ := w.startOf(j, j.published); at > j.published {
		return min(at, w.sim.Now())
	}
	return j.published
}

// leaseStarts sets the deadline of a delivery whose lease runs from its start.
func (w *world) leaseStarts(v *delivery, l *scenario.Lease, j *job) {
	m := w.messages.at(v.msg)
	_, serial, ok := m.grant.Holder()
	if !ok || serial != v.serial {
		return
	}
	q := w.queues[m.queue]
	w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.Renew, Owner: ownerOf(v.proc, v.life), Serial: v.serial,
		Token: v.token, Until: w.now(q.node).Add(w.lengthOf(q.leaseOf(j), l, j, v.number-1))}, w.answers[:0])
	w.watchLapse(q, m, l)
}

// serves is what a component answers now.
func (w *world) serves(p history.Place) scenario.Serves {
	switch p.Noun {
	case history.Service:
		return w.services[p.Index].cfg.Serves
	case history.Lock:
		return w.locks[p.Index].cfg.Serves
	}
	if p.Noun == history.Cache {
		return w.caches[p.Index].cfg.Serves
	}
	return scenario.ServesAll
}

// nodeOf is the node on which an execution runs.
func (w *world) nodeOf(x *execution) int32 {
	if x.proc != nil {
		return x.proc.node
	}
	return w.services[w.calls.at(x.parent).place.Index].node
}

func (w *world) placeOf(node int32) history.Place { return w.places[node] }

func (w *world) groupOf(proc int32) int16 {
	if proc < 0 {
		return -1
	}
	return w.procs[proc].group.index
}

func (w *world) memberOf(proc int32) int32 {
	if proc < 0 {
		return -1
	}
	return w.procs[proc].member
}

// wallInstant is the virtual time at which a process's wall clock shows t.
func (w *world) wallInstant(proc int32, t sim.Time) sim.Time {
	n := w.procs[proc].node
	nd := w.nodes[n]
	return t.Add(-nd.offset)
}
