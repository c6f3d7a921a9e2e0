package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

var changesNothing = Rule{
	ID:     "changes-nothing",
	Title:  "a setting that somebody wrote has an effect, in some variant, under some event or for some group",
	Why:    "The settings beside it leave it nothing to decide: the run is the same without it, and its author expects otherwise.",
	Source: "rules without a run (settings without effect)",

	lasting: true, everywhere: true,
	find: func(v *view) (all []found) {
		all = v.idle()
		for _, other := range v.elsewhere(len(all) > 0) {
			there := newView(other).idle()
			all = slices.DeleteFunc(all, func(x found) bool {
				return !slices.ContainsFunc(there, func(y found) bool { return x.paths[0] == y.paths[0] })
			})
		}
		return all
	},
}

// elsewhere is the scenario under each event, and as each group sees it.
func (v *view) elsewhere(wanted bool) (all []*scenario.Scenario) {
	for i, e := range v.Events {
		if wanted && e.Act == scenario.ActSet && i < 64 {
			if during, err := v.Overlay(1 << i); err == nil {
				all = append(all, during)
			}
		}
	}
	for i := range v.Workers {
		if seen := v.View(i); wanted && seen != v.Scenario {
			all = append(all, seen)
		}
	}
	return all
}

// idle are the settings that were written, and decide nothing.
func (v *view) idle() (all []found) {
	add := func(idle bool, path, because string, others ...string) {
		if from := v.settings[path].From; !idle || from == "" || from == "default" || v.ofPreset(path) {
			return
		}
		without := set(path, "none")
		if strings.HasSuffix(path, ".prefetch") { // without one it would be the slots; as many as partitions is the same as more
			without.Value = v.settings[others[0]].Value
		} else if block, is := strings.CutSuffix(path, ".dedup.window"); is { // there is no such block without a window
			without.Path = block + ".dedup"
		}
		all = append(all, found{
			severity: Hint,
			paths:    append([]string{path}, others...),
			sum:      because,
			changes:  [][]scenario.Assignment{change(without)},
		})
	}
	for _, s := range v.Services {
		v.idleOfService(s, "services."+s.Name, add)
	}
	for _, q := range v.Queues {
		v.idleOfQueue(q, "queues."+q.Name, add)
	}
	for _, k := range v.Locks {
		path := "locks." + k.Name
		add(k.Once, path+".wait.for", "wait none: one try, and no wait to bound", path+".wait.poll")
		if k.Lease != nil {
			add(k.Lease.From != scenario.FromReceive, path+".lease.from", "the lease of a lock begins with its grant")
		}
	}
	for _, c := range v.Caches {
		path := "caches." + c.Name
		add(c.TTL == forever && c.Jitter > 0, path+".jitter", fmt.Sprintf("%s of ttl forever: no copy ends", percent(c.Jitter)), path+".ttl")
	}
	for _, m := range v.Monitors {
		path, every := v.monitorPath(m)+".heartbeat", duration(distSpan(&m.Heartbeat.Every.Every).high)
		add(m.Heartbeat.OnError != scenario.NextBeat, path+".on_error", "no heartbeat is sent again: the next one comes after "+every, path+".every")
		asked := slices.ContainsFunc(m.Watches, func(t scenario.Target) bool { return t.Noun != "workers" }) // and must answer
		add(!v.doubts(m) && !asked, path+".timeout", "nobody waits for an answer: no group doubts its heartbeat", path+".every")
	}
	for _, d := range v.deliveries {
		path := "jobs." + d.job.Name
		add(d.queue.Order != scenario.ByPriority, path+".priority", "order of "+d.queue.Name+" is not priority", "queues."+d.queue.Name+".order")
	}
	return all
}

func (v *view) idleOfService(s *scenario.Service, path string, add func(idle bool, path, because string, others ...string)) {
	if s.Servers == scenario.Unlimited {
		add(s.Capacity != scenario.Unlimited, path+".capacity", fmt.Sprintf("%d places to wait for one of unlimited servers: no call waits", s.Capacity), path+".servers")
		add(s.LIFO, path+".order", "servers unlimited: no call waits for its turn", path+".servers")
		add(s.Drop, path+".abandoned", "servers unlimited: no call waits until its caller has gone", path+".servers")
	}
	add(v.served(s).high == 0 && s.Speed != 1 && s.Speed > 0, path+".speed", fmt.Sprintf("time 0s / speed %s = 0s", number(s.Speed)), path+".time")
	add(s.Errors == 0, path+".error", "errors 0: no call fails", path+".errors")
	guards := slices.ContainsFunc(v.Jobs, func(j *scenario.Job) bool {
		return slices.ContainsFunc(jobSteps(j), func(g placedStep) bool { return g.Verb == scenario.Once && g.To == s.Name })
	})
	add(!guards && s.Checks&scenario.CheckKey == 0, path+".remembers", "checks no key, and no job is guarded there: nothing to remember", path+".checks")
	add(!guards, path+".in_progress", "no step once: no mark is made there")
	if r := s.Retry; r != nil {
		v.idleOfRetry(r, path+".retry", r.Attempts == 1, add)
	}
	if b := s.Breaker; b != nil && b.Consecutive > 0 {
		add(b.Of > 1, path+".breaker.trip.of", fmt.Sprintf("it trips at %d failures in a row, however many calls there were", b.Consecutive), path+".breaker.trip.consecutive")
		add(b.Within != forever, path+".breaker.trip.within", fmt.Sprintf("it trips at %d failures in a row, however old they are", b.Consecutive), path+".breaker.trip.consecutive")
	}
}

func (v *view) idleOfQueue(q *scenario.Queue, path string, add func(idle bool, path, because string, others ...string)) {
	if p := q.Partitions; p != nil && q.Prefetch > p.Count {
		add(true, path+".prefetch", fmt.Sprintf("prefetch %d > %s, of each of which one message is out at a time", q.Prefetch, plural(p.Count, "partition")), path+".partitions.count")
	}
	if q.Attempts.Limit == scenario.Unlimited {
		add(q.Attempts.Within != forever, path+".attempts.within", "attempts unlimited: nothing is counted", path+".attempts.limit")
	}
	add(q.Capacity == scenario.Unlimited, path+".overflow", "capacity unlimited: nothing overflows", path+".capacity")
	if l := q.Lease; l != nil {
		add(l.Delay > 0, path+".lease.delay", "only a lock is closed after an unclean end")
		add(l.AtLeast > 0, path+".lease.at_least", "only a lock has a shortest hold")
		add(l.Forever && l.Renew != nil, path+".lease.renew.every", "lease none: nothing to renew", path+".lease.length")
	}
	alike := slices.ContainsFunc(v.deliveries, func(d delivery) bool { return d.queue == q && (!d.ownID() || len(v.publishers(d.job)) > 0) })
	add(q.Dedup != nil && !alike, path+".dedup.window", "the id of each job is its own, {job}: none is known already", path+".dedup.id")
	if r := q.Retry; r != nil {
		v.idleOfRetry(r, path+".retry", r.Attempts == 1, add)
	}
}

// idleOfRetry finds what shapes waits of no length, or waits that never come.
func (v *view) idleOfRetry(r *scenario.Retry, path string, never bool, add func(idle bool, path, because string, others ...string)) {
	if never {
		add(true, path+".delay", "attempts 1: no retry, no wait", path+".attempts")
	} else if wait(r, 1) == 0 && wait(r, manyTries) == 0 {
		add(r.Growth != 1, path+".growth", "growth of delay 0s: no wait", path+".delay")
		add(r.Cap > 0, path+".cap", "cap of delay 0s: no wait", path+".delay")
		add(r.Low != r.High || r.Decorrelate, path+".jitter", "jitter of delay 0s: no wait", path+".delay")
	}
}

// ownID reports whether no two jobs of a delivery have the same id in a queue that knows ids.
func (d delivery) ownID() bool {
	return d.queue.Dedup != nil && slices.ContainsFunc(d.id().Parts, func(p scenario.Part) bool { return p.Hole == scenario.HoleJob })
}
