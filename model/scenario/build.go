package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// build turns a complete tree into a Scenario. The Scenario is only meant to
// be used when there are no problems.
func build(root *node) (*Scenario, Problems) {
	b := &builder{s: &Scenario{}, root: root, groups: mostProcesses(root)}
	top, ok := b.enter(root, settingsBlock, "")
	if !ok {
		return b.s, b.problems
	}
	s := b.s
	s.Seed = get(top, "seed", seedValue)
	if r, ok := top.sub("run", runBlock); ok {
		s.Run = r.run()
	}
	if n, ok := top.sub("network", networkBlock); ok {
		s.Network = n.network()
	}
	top.each("workers", groupBlock, func(name string, v view) { s.Workers = append(s.Workers, v.group(name)) })
	top.each("queues", queueBlock, func(name string, v view) { s.Queues = append(s.Queues, v.queue(name)) })
	top.each("locks", lockBlock, func(name string, v view) { s.Locks = append(s.Locks, v.lock(name)) })
	top.each("monitors", monitorBlock, func(name string, v view) { s.Monitors = append(s.Monitors, v.monitor(name)) })
	top.each("services", serviceBlock, func(name string, v view) { s.Services = append(s.Services, v.service(name)) })
	top.each("caches", cacheBlock, func(name string, v view) { s.Caches = append(s.Caches, v.cache(name)) })
	top.each("jobs", jobBlock, func(name string, v view) { s.Jobs = append(s.Jobs, v.job(name)) })
	top.each("events", eventBlock, func(name string, v view) { s.Events = append(s.Events, v.event(name)) })
	top.each("reconcilers", reconcilerBlock, func(name string, v view) { s.Reconcilers = append(s.Reconcilers, v.reconciler(name)) })
	top.each("alerts", alertBlock, func(name string, v view) { s.Alerts = append(s.Alerts, v.alert(name)) })
	b.consequences()
	b.sessions()
	b.ids()
	b.across()
	return s, b.problems
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a seed: write a whole number, at most %d", text, uint64(math.MaxUint64))
	}
	return seed, nil
}

// mostProcesses is the largest size that each group ever has, events included.
func mostProcesses(root *node) map[string]int {
	most := map[string]int{}
	raise := func(group string, count *node) {
		if count != nil && count.kind == scalar {
			n, err := parseCount(count.text)
			if err != nil {
				n = Unlimited // a formula, or a mistake that is reported elsewhere
			}
			most[group] = max(most[group], n)
		}
	}
	for _, g := range root.get("workers").entries() {
		raise(g.key, g.value.get("count"))
		if r, err := parseCountRange(rangeOf(g.value.get("scale"))); err == nil {
			most[g.key] = max(most[g.key], r.high)
		}
	}
	happenings := root.get("events").entries()
	for _, m := range root.get("monitors").entries() {
		if then := m.value.get("then"); then != nil {
			for _, item := range then.items {
				happenings = append(happenings, pair{value: item})
			}
		}
	}
	for _, e := range happenings {
		for _, set := range e.value.get("set").entries() {
			if group, ok := strings.CutPrefix(set.key, "workers."); ok {
				name, key, nested := strings.Cut(group, ".")
				if !nested {
					raise(name, set.value.get("count"))
				} else if key == "count" {
					raise(name, set.value)
				}
			}
		}
	}
	return most
}

// rangeOf is the range of a scale block as written.
func rangeOf(scale *node) string {
	if r := scale.get("range"); r != nil && r.kind == scalar {
		return r.text
	}
	return ""
}

// sessions gives each session's own monitor the groups that it watches: those
// that take from the queue, or that run a job which takes the lock.
func (b *builder) sessions() {
	for _, m := range b.implicit {
		owner := strings.TrimSuffix(m.Name, "_session")
		for _, g := range b.s.Workers {
			if slices.ContainsFunc(b.s.Queues, func(q *Queue) bool { return q.Name == owner && slices.Contains(q.Session, m.Name) && g.takes(owner) }) ||
				slices.ContainsFunc(b.s.Locks, func(l *Lock) bool { return l.Name == owner && slices.Contains(l.Session, m.Name) && b.locks(g, owner) }) {
				m.Watches = append(m.Watches, Target{Noun: "workers", Name: g.Name})
			}
		}
	}
	b.s.Monitors = append(b.s.Monitors, b.implicit...)
}

func (g *Group) takes(queue string) bool {
	return len(g.Takes) == 0 || slices.Contains(g.Takes, queue)
}

// locks reports whether processes of g need the lock, or run a job that takes it.
func (b *builder) locks(g *Group, lock string) bool {
	return slices.Contains(g.Needs, lock) || slices.ContainsFunc(b.s.Jobs, func(j *Job) bool {
		return (j.By == g.Name || j.Queue != "" && g.takes(j.Queue)) && takesLock(j.Steps, lock)
	})
}

func takesLock(steps []Step, lock string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		return s.Verb == LockStep && s.To == lock || takesLock(s.Steps, lock)
	})
}

// across checks what no single block can see.
func (b *builder) across() {
	if cycle := callCycle(b.s.Services); cycle != nil {
		at := b.root.get("services").get(cycle[0])
		b.problem(at, "services."+cycle[0]+".steps", "services call each other in a circle: %s", strings.Join(cycle, " → "))
	}
	for i, e := range b.s.Events {
		if e.Act == ActSet && i >= 64 {
			b.problem(b.root.get("events").get(e.Name), "events."+e.Name, "events with set must be among the first 64 of a file; move it up")
		}
	}
	for _, g := range b.s.Workers {
		for _, l := range b.s.Locks {
			if slices.Contains(g.Needs, l.Name) {
				b.needed(g, l)
			}
		}
	}
	for _, j := range b.s.Jobs {
		if j.Queue != "" && len(b.s.Workers) > 0 && !slices.ContainsFunc(b.s.Workers, func(g *Group) bool { return g.takes(j.Queue) }) {
			b.problem(b.root.get("jobs").get(j.Name), "jobs."+j.Name+".queue", "no group of workers takes from queue %q", j.Queue)
		}
	}
}

// needed checks that a process can name the lock that it is to hold.
func (b *builder) needed(g *Group, l *Lock) {
	for _, name := range l.Names {
		for _, p := range name.Parts {
			if p.Hole != NoHole && p.Hole != HoleWorker {
				b.problem(b.root.get("workers").get(g.Name), "workers."+g.Name+".needs", "lock %s: %q speaks of a job; a process can only fill in {worker}", l.Name, name.Text)
			}
		}
	}
}
