package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on effects: what a second execution, or one that has lost its lock, may still do.

var lockFenced = Rule{
	ID:     "lock-fenced",
	Title:  "a write under a lock carries its token and the service checks it against the newest grant, or the service checks the order of writes; a key does only where all writes under one lock have the same",
	Why:    "A holder that paused past its lease writes after the next holder has begun; a key finds the repeat of one job, not the late write of another.",
	Source: "C35 C39, text on failover (a lock without a fencing token)",
	find: func(v *view) (all []found) {
		var seen []found
		for _, h := range v.holds {
			for _, s := range every(h.steps) {
				if s.Verb != scenario.Write || v.shutsOut(s, h) {
					if s.Verb == scenario.Write && v.waits(s, h) {
						seen = append(seen, v.seenOnly(s, h))
					}
					continue
				}
				checks := "services." + s.To + ".checks"
				token := s.Token
				if token == "" {
					token = "none"
				}
				x := found{
					severity: Warning,
					paths:    []string{s.path + ".to", checks, h.path + ".token"},
					sum:      fmt.Sprintf("write to %s: token %s, checks %s", s.To, token, v.settings[checks].Value),
				}
				fence := change(set(checks, "token_granted"))
				if s.Token != h.lock.Name {
					fence = append(fence, set(s.path+".token", h.lock.Name))
				}
				if v.service(s.To).Checks != 0 {
					key, _ := s.key(h.job)
					x.sum += fmt.Sprintf("; '%s' is one of many keys under '%s'", key.Text, h.lock.Names[0].Text)
					fence[0].Value = "[key, token_granted]"
				}
				if !h.lock.Rising {
					fence = append(fence, set(h.path+".token", "rising"))
				}
				if h.lock.Rising || !v.ofPreset(h.path+".token") { // a system without tokens cannot be told to have them
					x.changes = append(x.changes, fence)
				}
				x.changes = append(x.changes, change(set(checks, "key"))) // enough where a late write is a repeat
				if slices.ContainsFunc(every(h.steps), func(r placedStep) bool { return r.Verb == scenario.Read && r.To == s.To }) {
					x.changes = append(x.changes, change(set(checks, "version"))) // a late one finds changed what it has read
				}
				all = append(all, x)
			}
		}
		return append(all, once(seen)...)
	},
}

// waits reports whether a token shuts a late write out only once the next holder has written: the service goes by the
// newest that it has seen, and nobody shows it one before.
func (v *view) waits(s placedStep, h hold) bool {
	checks := v.service(s.To).Checks
	first := h.steps[0]
	shown := v.registers(h) || first.Verb == scenario.Write && first.To == s.To && first.Token == s.Token
	return v.fenced(s, h.lock) && !shown && checks&(scenario.CheckTokenGranted|checksOrder) == 0 && (checks&scenario.CheckKey == 0 || !v.oneKey(s, h))
}

// registers reports whether every group that takes a lock for a job shows its token before anything else.
func (v *view) registers(h hold) bool {
	for i, g := range v.Workers {
		shows := func(k *scenario.Lock) bool { return k.Name == h.lock.Name && k.Register }
		if v.takes(g, h.job) && !slices.ContainsFunc(v.View(i).Locks, shows) {
			return false
		}
	}
	return true
}

// seenOnly is the finding on such a write.
func (v *view) seenOnly(s placedStep, h hold) found {
	checks := "services." + s.To + ".checks"
	granted := strings.Replace(v.settings[checks].Value, "token", "token_granted", 1)
	return found{
		severity: Hint,
		paths:    []string{checks, h.path + ".register"},
		sum:      fmt.Sprintf("writes to %s: checks %s goes by the newest token seen, and lets a late write pass until the next holder has written", s.To, v.settings[checks].Value),
		changes:  [][]scenario.Assignment{change(set(checks, granted)), change(set(h.path+".register", "true"))},
	}
}

// checksOrder are the checks by which a service finds a late write from the order of writes alone.
const checksOrder = scenario.CheckSequence | scenario.CheckVersion | scenario.CheckStatus

// shutsOut reports whether a write of an earlier holder is refused once a later one has written.
func (v *view) shutsOut(s placedStep, h hold) bool {
	checks := v.service(s.To).Checks
	return v.fenced(s, h.lock) || checks&checksOrder != 0 || checks&scenario.CheckKey != 0 && v.oneKey(s, h)
}

// oneKey reports whether all that is written to a service under one lock has the same key: then a late write is a repeat.
func (v *view) oneKey(s placedStep, h hold) bool {
	key, _ := s.key(h.job)
	for _, other := range v.holds {
		for _, w := range every(other.steps) {
			if other.lock == h.lock && w.Verb == scenario.Write && w.To == s.To {
				if k, _ := w.key(other.job); k.Text != key.Text {
					return false
				}
			}
		}
	}
	return slices.ContainsFunc(h.lock.Names, func(name scenario.Template) bool {
		return !slices.ContainsFunc(key.Parts, func(p scenario.Part) bool {
			return p.Hole != scenario.NoHole && !slices.ContainsFunc(name.Parts, func(q scenario.Part) bool { return q.Hole != scenario.NoHole && q.Name == p.Name })
		})
	})
}

var writeRepeatable = Rule{
	ID:     "write-repeatable",
	Title:  "a write of a job that may be delivered twice is checked by key, token, version or order",
	Why:    "A delivery that comes again writes again: the acknowledgement does not make an effect happen once.",
	Source: "text on failover (at least once with idempotency), text on fault tolerance",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			if d.queue.Ack == scenario.AckReceive || d.lease == nil && len(d.queue.Session) == 0 {
				continue
			}
			for _, s := range jobSteps(d.job) {
				if s.Verb != scenario.Write || v.service(s.To).Checks != 0 {
					continue
				}
				checks := "services." + s.To + ".checks"
				x := found{
					severity: Warning,
					paths:    []string{checks, s.path + ".to"},
					sum:      fmt.Sprintf("delivered at least once, write to %s, checks none", s.To),
					changes:  [][]scenario.Assignment{change(set(checks, "key"))},
				}
				if slices.ContainsFunc(jobSteps(d.job), func(g placedStep) bool { return g.Verb == scenario.Once }) {
					x.severity, x.sum = Hint, x.sum+"; the guard cannot tell a death before the write from one after it"
				}
				all = append(all, x)
			}
		}
		return all
	},
}

var keyOfBusiness = Rule{
	ID:     "key-of-business",
	Title:  "an idempotency key has no {attempt}, {delivery}, {publish} or {worker}",
	Why:    "Each attempt then has a key of its own, and the check finds no duplicate.",
	Source: "text on failover (a random id per attempt instead of one per business operation)",
	find: func(v *view) (all []found) {
		for _, j := range v.Jobs {
			for _, s := range jobSteps(j) {
				if !v.keyed(s) {
					continue
				}
				key, path := s.key(j)
				i := slices.IndexFunc(key.Parts, func(p scenario.Part) bool { return slices.Contains(perAttempt, p.Hole) })
				if i < 0 {
					continue
				}
				all = append(all, found{
					severity: Error,
					paths:    []string{path, s.path},
					sum:      fmt.Sprintf("key '%s' changes with {%s}", key.Text, key.Parts[i].Name),
					changes:  [][]scenario.Assignment{change(set(path, "'"+j.Name+":{"+lasting(j)+"}'"))},
				})
			}
		}
		return once(all)
	},
}

var keyOutlivesRetries = Rule{
	ID:     "key-outlives-retries",
	Title:  "a service remembers a key for longer than from the first to the last delivery",
	Why:    "A late delivery finds its key forgotten, and its effect happens again.",
	Source: "C63, text on upgrades (a marker's time-to-live against retries and backlog)",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			for _, s := range jobSteps(d.job) {
				if !v.keyed(s) || d.lease == nil {
					continue
				}
				path, life := v.memory(s.To)
				if life == forever {
					continue
				}
				x := found{severity: Warning, paths: []string{path, "queues." + d.queue.Name + ".attempts.limit", d.path + ".length"}}
				tries, ok := d.bounded()
				if !ok {
					x.sum = fmt.Sprintf("remembers %s, attempts unlimited: the last delivery has no bound", duration(life))
					x.changes = [][]scenario.Assignment{change(set(path, "forever"))}
					all = append(all, x)
					continue
				}
				last, text := d.lastDelivery(tries)
				need := sum(last, v.run(d.job).high)
				if need < life {
					continue
				}
				x.sum = fmt.Sprintf("%s + run %s = %s ≥ remembers %s", text, v.run(d.job).text(), duration(need), duration(life))
				x.changes = [][]scenario.Assignment{change(set(path, duration(above(need+grain(need)))))}
				all = append(all, x)
			}
		}
		return all
	},
}

var keyDurable = Rule{
	ID:     "key-durable",
	Title:  "a guard whose marks are in a cache stands before writes that are checked themselves",
	Why:    "The marks end with their life and go with a flush, and what they guarded happens again.",
	Source: "text on failover (an idempotency key in a volatile cache only)",
	find: func(v *view) (all []found) {
		for _, j := range v.Jobs {
			steps := jobSteps(j)
			for _, g := range steps {
				if g.Verb != scenario.Once || v.service(g.To) != nil {
					continue
				}
				for _, s := range steps {
					if s.Verb != scenario.Write || v.service(s.To).Checks != 0 {
						continue
					}
					checks := "services." + s.To + ".checks"
					all = append(all, found{
						severity: Warning,
						paths:    []string{g.path + ".at", "caches." + g.To + ".ttl", checks},
						sum:      fmt.Sprintf("once at the cache %s, write to %s, checks none", g.To, s.To),
						changes:  [][]scenario.Assignment{change(set(checks, "key"))},
					})
				}
			}
		}
		return all
	},
}

// memory is how long a service or cache remembers a key, and where that is set.
func (v *view) memory(name string) (path string, life time.Duration) {
	for _, c := range v.Caches {
		if c.Name == name {
			return "caches." + name + ".ttl", c.TTL
		}
	}
	return "services." + name + ".remembers", v.service(name).Remembers
}

// keyed reports whether a step's key decides what happens: a guard, or a write that is checked for it.
func (v *view) keyed(s placedStep) bool {
	return s.Verb == scenario.Once || s.Verb == scenario.Write && v.service(s.To).Checks&scenario.CheckKey != 0
}

// perAttempt are the holes that another delivery fills otherwise.
var perAttempt = []scenario.Hole{scenario.HoleAttempt, scenario.HoleDelivery, scenario.HolePublish, scenario.HoleWorker}

// lasting is a hole that stays the same over all deliveries of a job.
func lasting(j *scenario.Job) string {
	for _, f := range j.Fields {
		if f.Kind == scenario.Serial {
			return f.Name
		}
	}
	return "job"
}

// lastDelivery is the longest time from the first delivery of a message to its last: every lease runs out, every wait
// is its longest.
func (d delivery) lastDelivery(tries int) (time.Duration, string) {
	_, lapse := d.leased().asked()
	if d.lease.Forever {
		lapse = forever
	}
	lapse = sum(lapse, period(d.lease.Check))
	text, total := fmt.Sprintf("%d × lease %s", tries-1, duration(lapse)), times(lapse, tries-1)
	retry := d.job.Retry
	if retry == nil {
		retry = d.queue.Retry
	}
	if retry == nil {
		return total, text
	}
	waits := worst(0, &scenario.Retry{Attempts: tries, Delays: retry.Delays, Growth: retry.Growth, Cap: retry.Cap,
		Low: retry.Low, High: retry.High, Add: retry.Add, Decorrelate: retry.Decorrelate})
	return sum(total, waits), text + " + waits " + duration(waits)
}
