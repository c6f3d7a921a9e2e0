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
			for int(n) >= len(set) {
				set = append(set, false)
			}
			set[n] = true
		}
	}
	return set
}

func (w *world) queueNamed(name string) *broker {
	for _, q := range w.queues {
		if q.cfg.Name == name {
			return q
		}
	}
	return nil
}

func (w *world) groupNamed(name string) *group {
	for _, g := range w.groups {
		if g.cfg.Name == name {
			return g
		}
	}
	panic(fmt.Sprintf("model: no group %q", name))
}

func (w *world) monitorNamed(name string) *monitor {
	for _, m := range w.monitors {
		if m.cfg.Name == name {
			return m
		}
	}
	panic(fmt.Sprintf("model: no monitor %q", name))
}

func (w *world) jobNamed(name string) int16 {
	for i, j := range w.sc.Jobs {
		if j.Name == name {
			return int16(i)
		}
	}
	panic(fmt.Sprintf("model: no job %q", name))
}

func (w *world) serviceNamed(name string) int16 {
	for i, s := range w.sc.Services {
		if s.Name == name {
			return int16(i)
		}
	}
	panic(fmt.Sprintf("model: no service %q", name))
}

func (w *world) lockStoreNamed(name string) int16 {
	for i, s := range w.sc.Locks {
		if s.Name == name {
			return int16(i)
		}
	}
	panic(fmt.Sprintf("model: no lock %q", name))
}

// cacheNamed is the index of a cache, -1 if there is none of this name.
func (w *world) cacheNamed(name string) int16 {
	return int16(slices.IndexFunc(w.sc.Caches, func(c *scenario.Cache) bool { return c.Name == name }))
}
