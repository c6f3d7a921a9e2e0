package model

import (
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// buildComponents makes queues, locks, services, monitors and caches, each on a node of
// its own.
func (w *world) buildComponents() {
	place := func(noun history.Noun, i int, c scenario.Clock) (history.Place, int32) {
		p := history.Place{Noun: noun, Index: int16(i)}
		n := w.newNode(c, i)
		w.places = append(w.places, p)
		return p, n
	}
	for i, c := range w.sc.Queues {
		q := &broker{cfg: c, terms: make([]terms, len(w.sc.Jobs)), turn: -1, keys: keyOrder{out: map[uint64]bool{}, behind: map[uint64][]int32{}}}
		if c.Partitions != nil {
			q.parts = newPartitions(c.Partitions)
		}
		q.place, q.node = place(history.Queue, i, c.Clock)
		if c.Lease != nil {
			q.phase = w.phaseOf(&c.Lease.Check, history.Queue, i)
		}
		w.queues = append(w.queues, q)
	}
	for i, c := range w.sc.Locks {
		s := &lockStore{cfg: c, rule: c.GrantRule(), byName: map[uint64]int32{}, wrote: c.Serves == scenario.ServesAll}
		if c.Members != nil {
			s.place = history.Place{Noun: history.Lock, Index: int16(i)}
			w.newCluster(s, c.Members)
		} else {
			s.place, s.node = place(history.Lock, i, c.Clock)
		}
		if c.Lease != nil {
			s.phase = w.phaseOf(&c.Lease.Check, history.Lock, i)
		}
		w.locks = append(w.locks, s)
	}
	for i, c := range w.sc.Services {
		s := &service{cfg: c, rows: map[uint64]row{}}
		s.place, s.node = place(history.Service, i, c.Clock)
		s.rule = c.KeyRule()
		s.accept()
		s.keys.Reset(&s.rule)
		w.services = append(w.services, s)
	}
	for _, s := range w.services {
		s.ops = w.compile(w.sc, s.cfg.Steps, nil, nil)
	}
	for i, c := range w.sc.Monitors {
		m := &monitor{cfg: c, rule: c.Rule()}
		m.place, m.node = place(history.Monitor, i, c.Clock)
		m.phase = w.phaseOf(&c.Check, history.Monitor, i)
		w.monitors = append(w.monitors, m)
	}
	for i, c := range w.sc.Caches {
		s := &cache{newest: map[uint64]int32{}, flights: map[uint64]int32{}}
		s.place, s.node = place(history.Cache, i, c.Clock)
		s.configure(c)
		s.keys.Reset(&s.rule)
		if c.OfLock {
			s.source = w.lockStoreNamed(c.Source)
		} else {
			s.source = w.serviceNamed(c.Source)
		}
		w.caches = append(w.caches, s)
	}
}

// buildTypes makes the job types.
func (w *world) buildTypes() {
	for i, c := range w.sc.Jobs {
		t := &jobType{cfg: c, index: int16(i), ops: w.compile(w.sc, c.Steps, c.Fields, nil)}
		n, _ := countWrites(c.Steps)
		t.own, t.writes = ownKey(c, w.sc.Jobs), n > 0
		if c.Queue != "" {
			t.queue = w.queueNamed(c.Queue)
		} else {
			t.group = w.groupNamed(c.By)
			t.group.starts = append(t.group.starts, t)
		}
		w.types = append(w.types, t)
	}
	for _, q := range w.queues {
		w.agree(q)
		w.identify(q)
		q.ids.table.Reset(&q.ids.rule)
	}
}

// ownKey says that no other job can have the key of a job of this type, nor this
// type's effects be counted at more than one place: then the job's record can
// count them, and the ledger need not remember the key for ever. The key must
// hold a number that no two jobs of the type share, and begin as no other
// type's key and no key given by a publish does; the steps may write once, under
// the job's key.
func ownKey(c *scenario.Job, all []*scenario.Job) bool {
	unique, sent := false, publishes(all)
	published := slices.ContainsFunc(sent, func(s *scenario.Step) bool { return s.To == c.Name })
	named := slices.ContainsFunc(sent, func(s *scenario.Step) bool { return s.To == c.Name && s.Key != nil })
	for i := range c.Key.Parts {
		switch p := &c.Key.Parts[i]; p.Hole {
		case scenario.HoleJob:
			unique = true
		case scenario.HoleField:
			f := &c.Fields[p.Field]
			unique = unique || f.Kind == scenario.Serial && f.N == 0 && !published // a publish may hand the field on
		}
	}
	steps, plain := countWrites(c.Steps)
	if !unique || named || steps > 1 || !plain {
		return false
	}
	for _, other := range all {
		if other != c && mayMeet(&c.Key, &other.Key) {
			return false
		}
	}
	return !slices.ContainsFunc(sent, func(s *scenario.Step) bool { return s.Key != nil && mayMeet(&c.Key, s.Key) })
}

// mayMeet says that two keys may have the same text.
func mayMeet(x, y *scenario.Template) bool {
	a, b := beginning(x), beginning(y)
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// publishes is every publish among the steps of all jobs.
func publishes(all []*scenario.Job) (list []*scenario.Step) {
	var collect func(steps []scenario.Step)
	collect = func(steps []scenario.Step) {
		for i := range steps {
			if steps[i].Verb == scenario.PublishStep {
				list = append(list, &steps[i])
			}
			collect(steps[i].Steps)
		}
	}
	for _, j := range all {
		collect(j.Steps)
	}
	return list
}

// beginning is the text of a key before its first hole.
func beginning(t *scenario.Template) string {
	if len(t.Parts) == 0 {
		return ""
	}
	return t.Parts[0].Literal
}

// countWrites counts the steps that write, a repeated one as many; plain says
// that each writes under the job's key.
func countWrites(steps []scenario.Step) (n int, plain bool) {
	plain = true
	for i := range steps {
		s := &steps[i]
		inner, innerPlain := countWrites(s.Steps)
		n += inner * max(1, s.Times)
		plain = plain && innerPlain
		if s.Verb == scenario.Write {
			n++
			plain = plain && s.Key == nil
		}
	}
	return n, plain
}

// fates are those of the policy, by those of a file.
var fates = [...]worker.Fate{scenario.FateRetry: worker.Retry, scenario.FateReturn: worker.Return, scenario.FateHold: worker.Hold,
	scenario.FateDrop: worker.Drop, scenario.FateDeadLetter: worker.DeadLetter, scenario.FateDrain: worker.Drain}

func fatesOf(c *scenario.Job) (of [4]worker.Fate) {
	for class := policies.Transient; class <= policies.Coordination; class++ {
		of[class] = fates[c.Fates[class]]
	}
	return of
}

// buildGroup makes a group's processes.
func (w *world) buildGroup(g *group) {
	for _, q := range w.queues {
		if g.takes(q.cfg.Name) {
			g.queues = append(g.queues, q)
		}
	}
	slices.SortStableFunc(g.queues, func(a, b *broker) int { // the most urgent first
		return slices.Index(g.cfg.Takes, a.cfg.Name) - slices.Index(g.cfg.Takes, b.cfg.Name)
	})
	w.see(g)
	w.groupRule(g)
	g.lookout()
	g.asked, g.pauses = g.cfg.Count, pauseRule(g.cfg.PauseWhen)
	for g.count < g.cfg.Count {
		w.newProcess(g)
	}
}

// takes says whether a group takes from a queue: from those that it names; if
// it names none from all, unless it starts jobs itself.
func (g *group) takes(queue string) bool {
	if g.cfg.Takes == nil {
		return len(g.starts) == 0
	}
	return slices.Contains(g.cfg.Takes, queue)
}

// newProcess adds a process to a group; it is not up yet.
func (w *world) newProcess(g *group) *process {
	p := &process{id: int32(len(w.procs)), group: g, member: int32(g.count), queues: g.queues, probeNode: -1, probeBy: scenario.Probe}
	p.node = w.newNode(g.cfg.Clock, g.count)
	w.places = append(w.places, history.Place{})
	w.nodes[p.node].up = false
	switch {
	case len(g.queues) > 0:
		p.probeNode = g.queues[0].node
	case len(w.locks) > 0:
		p.probeNode = w.locks[0].node
	}
	p.machine = worker.New(&g.rule)
	p.deadline = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evDeadline, To: p.id})
	p.idle = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evIdle, To: p.id})
	if c := g.cfg.Concurrency; c != nil {
		p.slotLimit = w.newLimiter(c, p.node, history.Place{}, g.index)
	}
	w.procs = append(w.procs, p)
	g.procs = append(g.procs, p.id)
	g.count++
	for _, q := range g.queues {
		q.takers = append(q.takers, p.id)
	}
	for _, m := range w.monitors {
		for _, t := range m.cfg.Watches {
			if t.Noun == "workers" && t.Name == g.cfg.Name && (t.Index != scenario.Members || int(p.member)+1 >= t.Lo && int(p.member)+1 <= t.Hi) {
				*grown(&m.watched, int(p.id)) = true
			}
		}
	}
	return p
}

// groupRule is the worker policy's rule for a group, with the table of the
// leases that its jobs may hold: those of deliveries, then those of locks.
func (w *world) groupRule(g *group) {
	r := worker.Rule{Drain: g.cfg.Drain, Doubt: g.cfg.Doubt, Dependency: w.sc.Network.Timeout, Poll: g.pollTimeout(), Leases: []worker.LeaseRule{{}}}
	r.Needs = w.needed(g)
	if g.cfg.Slots < scenario.Unlimited {
		r.Slots = int32(g.cfg.Slots)
	}
	g.prefetch = 0
	for _, q := range g.queues {
		g.prefetch = max(g.prefetch, g.queue(q).Prefetch)
	}
	g.keeping = g.keeping[:0]
	for _, q := range w.queues { // an entry for each, so that a change of settings moves none
		for i := range w.types {
			l := g.deliveryLease(q, i)
			k := keeping{l, int32(len(r.Leases))}
			if l == nil || l.Forever || l.Renew == nil && l.OnLoss == scenario.LossIgnore {
				k.rule = 0 // nothing to renew, and nothing that its loss would change
				l = &noLease
			}
			g.keeping = append(g.keeping, k)
			r.Leases = append(r.Leases, l.HolderRule())
		}
	}
	for _, s := range w.locks {
		s.leaseRule = int32(len(r.Leases))
		l := g.lock(s).Lease
		if l == nil {
			r.Leases = append(r.Leases, worker.LeaseRule{HolderRule: lease.HolderRule{Anchor: lease.Told}})
			continue
		}
		r.Leases = append(r.Leases, l.HolderRule())
	}
	g.rule = r
}

// noLease is the lease of deliveries that have none, and need no keeping.
var noLease = scenario.Lease{Forever: true}

// bindSessions tells monitors whose sessions they are.
func (w *world) bindSessions() {
	for _, q := range w.queues {
		for _, name := range q.cfg.Session {
			m := w.monitorNamed(name)
			m.queues = append(m.queues, q)
		}
	}
	for _, s := range w.locks {
		for _, name := range s.cfg.Session {
			m := w.monitorNamed(name)
			m.stores = append(m.stores, s)
		}
	}
}

// buildFaults makes the scenario's events.
func (w *world) buildFaults() {
	w.faults = make([]fault, len(w.sc.Events))
	for i, e := range w.sc.Events {
		f := &w.faults[i]
		f.cfg, f.index = e, int16(i)
		for _, t := range e.On {
			f.targets = append(f.targets, w.targetProcs(t)...)
		}
		if e.Act == scenario.ActReplay {
			for _, t := range e.On {
				w.queueNamed(t.Name).replays = true
			}
		}
		if e.Act == scenario.ActCut {
			f.cut = cut{from: w.nodesOf(e.On), to: w.nodesOf(e.To), both: e.Both, how: e.How, only: e.Only}
		}
	}
}

// mayLose says that a message of this scenario may vanish.
func (n *network) mayLose(sc *scenario.Scenario) bool {
	if sc.Network.Loss > 0 || len(sc.Network.Links) > 0 {
		return true
	}
	for _, e := range sc.Events {
		if e.Act == scenario.ActCut || e.Act == scenario.ActSet {
			return true
		}
	}
	return false
}
