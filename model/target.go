package model

import (
	"fmt"
	"slices"

	"github.com/tenggat/tenggat/model/scenario"
)

// targetProcs is the processes that a target names, leaving out any and holder;
// of members the complements of their nodes.
func (w *world) targetProcs(t scenario.Target) []int32 {
	if t.Member != "" {
		return []int32{^w.targetNodes(t)[0]}
	}
	if t.Noun != "workers" || t.Index == scenario.AnyOf || t.Index == scenario.HolderOf {
		return nil
	}
	g := w.groupNamed(t.Name)
	if t.Index == scenario.AllOf {
		return g.procs
	}
	return g.procs[min(t.Lo-1, len(g.procs)):min(t.Hi, len(g.procs))]
}

// targetNodes is the nodes that a target names.
func (w *world) targetNodes(t scenario.Target) (nodes []int32) {
	switch t.Noun {
	case "workers":
		for _, id := range w.targetProcs(t) {
			nodes = append(nodes, w.procs[id].node)
		}
	case "queues":
		nodes = append(nodes, w.queueNamed(t.Name).node)
	case "locks":
		switch s := w.locks[w.lockStoreNamed(t.Name)]; {
		case s.cluster == nil:
			nodes = append(nodes, s.node)
		case t.Index == scenario.Members:
			nodes = append(nodes, s.cluster.nodes[t.Lo-1:t.Hi]...)
		default:
			nodes = append(nodes, s.cluster.nodes...)
		}
	case "services":
		nodes = append(nodes, w.services[w.serviceNamed(t.Name)].node)
	case "caches":
		nodes = append(nodes, w.caches[w.cacheNamed(t.Name)].node)
	case "monitors":
		nodes = append(nodes, w.monitorNamed(t.Name).node)
	}
	return nodes
}

// nodesOf is the set of nodes that the targets name; nil targets mean all.
func (w *world) nodesOf(targets []scenario.Target) nodeSet {
	if targets == nil {
		return nil
	}
	set := make(nodeSet, len(w.nodes))
	for _, t := range targets {
		for _, n := range w.targetNodes(t) {
			*grown(&set, int(n)) = true
		}
	}
	return set
}

// queueNamed is the queue with this name, nil if there is none: dead letters may
// go nowhere.
func (w *world) queueNamed(name string) *broker {
	if i := indexOf(w.sc.Queues, name, func(q *scenario.Queue) string { return q.Name }); i >= 0 {
		return w.queues[i]
	}
	return nil
}

// cacheNamed is the index of a cache, -1 if there is none of this name.
func (w *world) cacheNamed(name string) int16 {
	return indexOf(w.sc.Caches, name, func(c *scenario.Cache) string { return c.Name })
}

func (w *world) groupNamed(name string) *group {
	return w.groups[mustIndex("group", w.sc.Workers, name, func(g *scenario.Group) string { return g.Name })]
}

func (w *world) monitorNamed(name string) *monitor {
	return w.monitors[mustIndex("monitor", w.sc.Monitors, name, func(m *scenario.Monitor) string { return m.Name })]
}

func (w *world) jobNamed(name string) int16 {
	return mustIndex("job", w.sc.Jobs, name, func(j *scenario.Job) string { return j.Name })
}

func (w *world) serviceNamed(name string) int16 {
	return mustIndex("service", w.sc.Services, name, func(s *scenario.Service) string { return s.Name })
}

func (w *world) lockStoreNamed(name string) int16 {
	return mustIndex("lock", w.sc.Locks, name, func(s *scenario.Lock) string { return s.Name })
}

// indexOf is where the one with this name stands in a list of the scenario, -1
// if it does not. The world keeps what it makes of the list in the same order.
func indexOf[T any](list []T, name string, nameOf func(T) string) int16 {
	return int16(slices.IndexFunc(list, func(c T) bool { return nameOf(c) == name }))
}

// mustIndex is indexOf for a name that the reader of the scenario has resolved.
func mustIndex[T any](noun string, list []T, name string, nameOf func(T) string) int16 {
	i := indexOf(list, name, nameOf)
	if i < 0 {
		panic(fmt.Sprintf("model: no %s %q", noun, name))
	}
	return i
}
