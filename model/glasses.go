package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
)

// A group sees the world through its own glasses (scenario.View). What a caller,
// a holder or a waiter decides is read here, for the process that acts; what a
// server decides is in the component's own settings, and all groups share it.

// seenType is a job type as the processes of one group run it.
type seenType struct {
	cfg     *scenario.Job
	ops     []op
	fates   [4]worker.Fate
	strange bool // its code does not know the type
}

// keeping is how the processes of one group keep deliveries of one queue and
// type.
type keeping struct {
	lease *scenario.Lease // nil: none
	rule  int32           // in the worker's table, 0 if there is nothing to keep
}

// keyVersions are hashes of the key versions that a group's processes read in a
// cache, and write.
type keyVersions struct{ reads, writes []uint64 }

// see lets a group see the settings that hold from now on.
func (w *world) see(g *group) {
	g.view = w.sc.View(int(g.index))
	g.cfg = g.view.Workers[g.index]
	g.types = g.types[:0]
	for i, t := range w.types {
		c := g.view.Jobs[i]
		ops := w.registering(g.view, w.compile(g.view, t.cfg.Steps, t.cfg.Fields, nil))
		strange := len(g.cfg.Handles) > 0 && !slices.Contains(g.cfg.Handles, c.Name)
		g.types = append(g.types, seenType{c, guarded(ops), fatesOf(c), strange})
	}
	g.keys = g.keys[:0]
	for _, c := range g.view.Caches {
		g.keys = append(g.keys, keyVersions{versionsOf(nil, c.Reads), versionsOf(nil, c.Writes)})
	}
}

// keysOf are those of the reader that calls a cache.
func (w *world) keysOf(c *call) *keyVersions {
	return &w.procs[c.proc].group.keys[c.place.Index]
}

// sees is the scenario for a caller: a process, or with nil a service.
func (w *world) sees(p *process) *scenario.Scenario {
	if p == nil {
		return w.sc
	}
	return p.group.view
}

func (g *group) queue(q *broker) *scenario.Queue  { return g.view.Queues[q.place.Index] }
func (g *group) lock(s *lockStore) *scenario.Lock { return g.view.Locks[s.place.Index] }
func (g *group) cache(s *cache) *scenario.Cache   { return g.view.Caches[s.place.Index] }
func (g *group) keeps(q *broker, j *job) *keeping {
	return &g.keeping[int(q.place.Index)*len(g.types)+int(j.kind)]
}
func (w *world) service(p *process, s *service) *scenario.Service {
	return w.sees(p).Services[s.place.Index]
}

// deliveryLease is the lease of a group's deliveries: the type's own, or the
// queue's.
func (g *group) deliveryLease(q *broker, kind int) *scenario.Lease {
	if l := g.types[kind].cfg.Lease; l != nil {
		return l
	}
	return g.queue(q).Lease
}

// guardPatience is how long a guard's answers are waited for.
func (w *world) guardPatience(p *process, o *op) time.Duration {
	if o.cache >= 0 {
		return w.sees(p).Caches[o.cache].Timeout
	}
	return w.sees(p).Services[o.index].Timeout
}

// withDeadline says that a caller's remaining time goes with its call.
func (w *world) withDeadline(c *call) bool {
	var p *process
	if c.proc >= 0 {
		p = w.procs[c.proc]
	}
	return w.sees(p).Services[c.place.Index].Deadline
}
