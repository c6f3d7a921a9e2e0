package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on what a queue or a guard remembers of a job: long enough for its repeats, and not longer than they come.

var dedupWindow = Rule{
	ID:     "dedup-window",
	Title:  "deduplication window > last repeat − first send; where the job's start or end frees the id, window ≥ time in the queue (+ longest run), and a job that is lost gives its id back",
	Why:    "A repeat that comes after the window is taken for a new job and runs again; an id that nobody frees refuses wanted jobs too.",
	Source: "C63, rules without a run (unique locks)",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			dedup := d.queue.Dedup
			if dedup == nil {
				continue
			}
			window := "queues." + d.queue.Name + ".dedup.window"
			switch {
			case dedup.Frees != scenario.FreesNever:
				all = append(all, v.uniqueLock(d, window)...)
			case !dedup.Refresh && dedup.Window != forever:
				all = append(all, v.lateRepeats(d, window)...)
			}
		}
		return once(all)
	},
}

// uniqueLock judges a window that the job's start or end cuts short: longer than the job needs to get there, and not all
// that ends the block of a job which never gets there. How long a job waits in a queue without bound takes a run; what
// is counted is its planned start, and a full queue where there is such a thing.
func (v *view) uniqueLock(d delivery, window string) (all []found) {
	path, have := "queues."+d.queue.Name, d.queue.Dedup.Window
	need, text := v.planned(d.job), ""
	paths := []string{window, path + ".dedup.frees"}
	if need > 0 {
		text, paths = "start after "+duration(need)+" + ", append(paths, "jobs."+d.job.Name+".start")
	}
	if slots := v.slots(d); d.queue.Capacity != scenario.Unlimited && slots > 0 {
		ahead := seconds(float64(d.queue.Capacity) * v.run(d.job).mean / slots)
		need, paths = sum(need, ahead), append(paths, path+".capacity")
		text += fmt.Sprintf("%s × %s (mean) / %s + ", plural(d.queue.Capacity, "message"), duration(seconds(v.run(d.job).mean)), plural(int(slots), "slot"))
	}
	if run := v.run(d.job); d.queue.Dedup.Frees == scenario.FreesAtEnd {
		need, text, paths = sum(need, run.high), text+"run "+run.text(), append(paths, run.paths...)
	}
	if need > have {
		text = strings.TrimSuffix(text, " + ")
		if strings.Contains(text, " + ") {
			text += " = " + duration(need)
		}
		all = append(all, found{
			severity: Warning,
			paths:    paths,
			sum:      fmt.Sprintf("window %s < %s", duration(have), text),
			changes:  [][]scenario.Assignment{change(set(window, duration(above(need))))},
		})
	}
	if (d.lease == nil || d.lease.Forever) && len(d.queue.Session) == 0 && d.queue.Ack == scenario.AckEnd {
		all = append(all, found{
			severity: Warning,
			paths:    []string{path, window},
			sum:      fmt.Sprintf("lease none, session none: the id of a job that dies with its worker is refused for %s", duration(have)),
			changes:  renewedLease(path+".lease", v.run(d.job).high),
		})
	}
	return all
}

// planned is the time between the arrival of a job and its planned start.
func (v *view) planned(j *scenario.Job) time.Duration {
	switch {
	case j.StartIn != nil:
		return *j.StartIn
	case j.StartAt == nil:
		return 0
	}
	return max(0, *j.StartAt-v.firstArrival(j))
}

// firstArrival is when the first job of a type comes.
func (v *view) firstArrival(j *scenario.Job) time.Duration {
	first := forever
	for _, a := range j.Arrivals {
		switch {
		case a.Kind == scenario.ArriveAt:
			for _, at := range a.At {
				first = min(first, at)
			}
		case a.Kind == scenario.ArriveEvery && a.Every.From != nil:
			first = min(first, *a.Every.From)
		default:
			first = min(first, v.Run.From)
		}
	}
	return first
}

// slots is how many jobs all takers of a queue run at once.
func (v *view) slots(d delivery) (n float64) {
	for _, g := range d.groups {
		n += float64(g.Count) * float64(g.Slots)
	}
	return n
}

// lateRepeats finds repeats after the window: arrivals that all have one id, and a publisher that is delivered again.
func (v *view) lateRepeats(d delivery, window string) (all []found) {
	have := d.queue.Dedup.Window
	add := func(sum string, span time.Duration, paths ...string) {
		x := found{
			severity: Warning,
			paths:    append([]string{window}, paths...),
			sum:      fmt.Sprintf("window %s ≤ %s", duration(have), sum),
			changes:  [][]scenario.Assignment{change(set(window, "forever"))},
		}
		if span != forever {
			x.changes = [][]scenario.Assignment{change(set(window, duration(above(span+1))))}
		}
		all = append(all, x)
	}
	if id := d.id(); len(id.Parts) > 0 && v.repeats(d.job) >= have && !varies(id) {
		add(fmt.Sprintf("%s from the first to the last send of '%s'", duration(v.repeats(d.job)), id.Text), v.repeats(d.job), "jobs."+d.job.Name+".arrivals")
	}
	for _, p := range v.publishers(d.job) {
		if p.lease == nil {
			continue
		}
		paths := []string{p.path + ".length", "queues." + p.queue.Name + ".attempts.limit"}
		tries, ok := p.bounded()
		if !ok {
			add(fmt.Sprintf("the time for which %s is delivered: attempts unlimited, no bound", p.job.Name), forever, paths...)
		} else if last, text := p.lastDelivery(tries); last >= have {
			add(fmt.Sprintf("%s = %s until the last delivery of %s", text, duration(last), p.job.Name), last, paths...)
		}
	}
	return all
}

var onceInProgress = Rule{
	ID:     "once-in-progress",
	Title:  "life of a mark in progress ≥ longest run, and < last delivery − first",
	Why:    "A mark that ends early lets the job run twice; one that outlives the last delivery refuses every retry after a death, and the message is dead-lettered.",
	Source: "C62",
	find: func(v *view) (all []found) {
		for _, d := range v.deliveries {
			for _, s := range jobSteps(d.job) {
				if s.Verb != scenario.Once || d.lease == nil || v.service(s.To) == nil { // a cache has one life for all marks
					continue
				}
				path, run, mark := "services."+s.To+".in_progress", v.run(d.job), v.service(s.To).InProgress
				tries, bounded := d.bounded()
				last, text := forever, ""
				if bounded {
					last, text = d.lastDelivery(tries)
				}
				x := found{paths: []string{path, s.path + ".at"}}
				switch {
				case mark < run.high:
					x.severity, x.sum = Error, fmt.Sprintf("in progress %s < run %s", duration(mark), run.text())
				case mark == forever && !bounded:
					x.severity = Warning
					x.sum = "in progress forever, attempts unlimited: after a death in the middle every delivery is refused"
				case mark >= last:
					x.severity = Warning
					x.sum = fmt.Sprintf("in progress %s ≥ %s = %s until the last delivery", duration(mark), text, duration(last))
				default:
					continue
				}
				x.paths = append(x.paths, run.paths...)
				x.changes = [][]scenario.Assignment{change(set(path, duration(above(run.high))))}
				if d.job.Limit != forever {
					x.changes = append([][]scenario.Assignment{change(set(path, duration(d.job.Limit)))}, x.changes...)
				}
				all = append(all, x)
			}
		}
		return all
	},
}

var cacheWiped = Rule{
	ID:     "cache-wiped",
	Title:  "wiped share × reads < capacity of the service behind the cache",
	Why:    "When the copies are gone at once, all readers fall on a service that was never meant to bear them.",
	Source: "C47 C49, rules without a run (wipe fraction)",
	find: func(v *view) (all []found) {
		for _, c := range v.Caches {
			source := v.service(c.Source)
			if source == nil || c.Flight == scenario.FlightKey {
				continue
			}
			reads, share := 0.0, 1.0
			x := found{severity: Warning, paths: []string{"caches." + c.Name + ".single_flight", "services." + source.Name + ".servers", "services." + source.Name + ".time"}}
			for _, j := range v.Jobs {
				for _, s := range repeated(placed(j.Steps, "jobs."+j.Name+".steps"), 1) {
					if rate := v.rate(j) * s.times; s.Verb == scenario.Read && s.To == c.Name && rate > 0 {
						reads += rate
						x.paths = append(x.paths, "jobs."+j.Name+".arrivals")
					}
				}
			}
			if len(c.Warm) > 0 {
				share = v.flushed(c)
			}
			if capacity := v.capacity(source); reads*share >= capacity {
				x.sum = fmt.Sprintf("%s of %s reads/s = %s/s ≥ %s/s of %s", percent(share), number(reads), number(reads*share), number(capacity), source.Name)
				x.changes = [][]scenario.Assignment{change(set("caches."+c.Name+".single_flight", "key"))}
				all = append(all, x)
			}
		}
		return all
	},
}

var cacheJitter = Rule{
	ID:     "cache-jitter",
	Title:  "copies that are written together have lives with jitter",
	Why:    "Copies of one birth and one life end at one instant, and all of them are fetched again in that second.",
	Source: "C47",
	find: func(v *view) (all []found) {
		for _, c := range v.Caches {
			if len(c.Warm) == 0 || c.WarmAt != nil || c.TTL == forever || c.Jitter > 0 {
				continue
			}
			path := "caches." + c.Name
			all = append(all, found{
				severity: Warning,
				paths:    []string{path + ".jitter", path + ".ttl", path + ".warm"},
				sum:      fmt.Sprintf("warm at the start, ttl %s ± 0: all copies end at %s", duration(c.TTL), duration(sum(v.Run.From, c.TTL))),
				changes:  [][]scenario.Assignment{change(set(path+".jitter", "15%"))},
			})
		}
		return all
	},
}

// flushed is the greatest share of a cache's copies that an event takes away at once.
func (v *view) flushed(c *scenario.Cache) (share float64) {
	for _, e := range v.Events {
		for _, t := range e.On {
			if e.Act == scenario.ActFlush && t.Noun == "caches" && t.Name == c.Name {
				share = max(share, e.Share)
			}
		}
	}
	return share
}

// id is what a queue tells a job's repeats by.
func (d delivery) id() scenario.Template {
	if d.queue.Dedup.ID != nil {
		return *d.queue.Dedup.ID
	}
	return d.job.Key
}

// varies reports whether a template has any hole.
func varies(t scenario.Template) bool {
	for _, p := range t.Parts {
		if p.Hole != scenario.NoHole {
			return true
		}
	}
	return false
}

// publishers are the deliveries of jobs that publish jobs of a type.
func (v *view) publishers(j *scenario.Job) (all []delivery) {
	for _, d := range v.deliveries {
		for _, s := range jobSteps(d.job) {
			if s.Verb == scenario.PublishStep && s.To == j.Name {
				all = append(all, d)
				break
			}
		}
	}
	return all
}

// repeats is the time from the first to the last arrival of a type of job.
func (v *view) repeats(j *scenario.Job) time.Duration {
	first, last := forever, time.Duration(0)
	for _, a := range j.Arrivals {
		from, to := v.Run.From, min(a.Until, sum(v.Run.From, v.Run.Duration))
		switch {
		case a.Kind == scenario.ArriveAt:
			for _, at := range a.At {
				first, last = min(first, at), max(last, at)
			}
			continue
		case a.Kind == scenario.ArriveEvery && a.Times != scenario.Unlimited:
			to = min(to, sum(from, times(distSpan(&a.Every.Every).high, a.Times-1)))
		}
		first, last = min(first, from), max(last, to)
	}
	return max(0, last-first)
}
