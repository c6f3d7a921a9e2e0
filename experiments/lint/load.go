package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on load: what arrives, against those who work it off.

var workersSuffice = Rule{
	ID:     "workers-suffice",
	Title:  "arrivals × mean run < slots",
	Why:    "The queue grows without end, and no lease or retry setting helps.",
	Source: "queueing theory (utilisation below 1)",

	lasting: true,
	find: func(v *view) (all []found) {
		for _, q := range v.Queues {
			busy, slots, x := 0.0, 0.0, found{severity: Error, paths: []string{"queues." + q.Name}}
			var parts []string
			var groups []*scenario.Group
			for _, d := range v.deliveries {
				run := v.run(d.job)
				if rate := v.rate(d.job); d.queue == q && rate > 0 && run.mean > 0 {
					groups, busy = d.groups, busy+rate*run.mean
					parts = append(parts, fmt.Sprintf("%s/s × %s", number(rate), duration(seconds(run.mean))))
					x.paths = append(x.paths, "jobs."+d.job.Name+".arrivals")
				}
			}
			for _, g := range groups {
				slots += float64(g.Count) * float64(g.Slots)
				x.paths = append(x.paths, "workers."+g.Name+".count")
			}
			if busy == 0 || busy < slots {
				continue
			}
			x.sum = fmt.Sprintf("%s (mean) = %s busy slots ≥ %s slots", strings.Join(parts, " + "), number(busy), number(slots))
			if len(groups) > 0 && !math.IsInf(busy, 1) {
				g := groups[0]
				more := math.Floor((busy-slots)/float64(g.Slots)) + 1
				x.changes = [][]scenario.Assignment{change(set("workers."+g.Name+".count", number(float64(g.Count)+more)))}
			}
			all = append(all, x)
		}
		return all
	},
}

var serversSuffice = Rule{
	ID:     "servers-suffice",
	Title:  "calls × mean service time < servers",
	Why:    "Calls wait longer and longer until every one times out.",
	Source: "queueing theory (utilisation below 1)",

	lasting: true,
	find: func(v *view) (all []found) {
		for _, s := range v.Services {
			capacity, load := v.capacity(s), v.load(s, false)
			if load.rate == 0 || load.rate < capacity {
				continue
			}
			path := "services." + s.Name
			x := found{
				severity: Error,
				paths:    append([]string{path + ".servers", path + ".time"}, load.paths...),
				sum:      fmt.Sprintf("%s calls/s ≥ %s servers / %s (mean) = %s/s", number(load.rate), number(float64(s.Servers)), duration(seconds(v.served(s).mean)), number(capacity)),
			}
			if one := capacity / float64(s.Servers); one > 0 {
				x.changes = [][]scenario.Assignment{change(set(path+".servers", number(math.Floor(load.rate/one)+1)))}
			}
			all = append(all, x)
		}
		return all
	},
}

var lockSuffices = Rule{
	ID:     "lock-suffices",
	Title:  "arrivals at one lock × mean time under it < 1",
	Why:    "Waiters for the lock grow without end; each holds a slot and a lease while it waits.",
	Source: "queueing theory (utilisation below 1)",

	lasting: true,
	find: func(v *view) (all []found) {
		for _, k := range v.Locks {
			busy, x := 0.0, found{severity: Error, paths: []string{"locks." + k.Name}}
			var parts []string
			for _, h := range v.holds {
				rate, work := v.rate(h.job)/keys(h), v.steps(h.steps).mean
				if h.lock != k || rate == 0 || work == 0 {
					continue
				}
				busy += rate * work
				parts = append(parts, fmt.Sprintf("%s/s × %s", number(rate), duration(seconds(work))))
				x.paths = append(x.paths, "jobs."+h.job.Name+".arrivals")
			}
			if busy < 1 {
				continue
			}
			x.sum = fmt.Sprintf("%s (mean) = %s ≥ 1 for one lock", strings.Join(parts, " + "), number(busy))
			all = append(all, x)
		}
		return all
	},
}

// rate is the number of jobs a second that arrive for as long as the run lasts; bursts and loops have none. Jobs that
// publish each other in a circle count once.
func (v *view) rate(j *scenario.Job) (rate float64) {
	if known, ok := v.rates[j]; ok {
		return known
	}
	v.rates[j] = 0
	for _, a := range j.Arrivals {
		if a.Times != scenario.Unlimited || a.Until != forever {
			continue
		}
		batch := max(float64(a.Batch), a.Mean)
		switch a.Kind {
		case scenario.ArrivePoisson:
			rate += a.Rate * batch
		case scenario.ArriveEvery:
			rate += batch / a.Every.Every.Mean()
		}
	}
	for _, g := range v.Workers {
		if g.Name == j.By && !j.PerProc {
			rate *= float64(g.Count)
		}
	}
	for _, from := range v.Jobs {
		for _, s := range repeated(placed(from.Steps, "jobs."+from.Name+".steps"), 1) {
			if s.Verb == scenario.PublishStep && s.To == j.Name {
				rate += v.rate(from) * s.times
			}
		}
	}
	v.rates[j] = rate
	return rate
}

// load is a stream of calls at a service.
type load struct {
	rate    float64  // per second
	factors []string // of the retries, by layer, of the busiest caller
	paths   []string
}

// load is the stream at a service from all jobs and services. With retries, every call fails at every layer. Services
// that call each other in a circle count once.
func (v *view) load(s *scenario.Service, retries bool) load {
	loads := v.loads[retries]
	if known, ok := loads[s]; ok {
		return known
	}
	loads[s] = load{}
	var all load
	most := 0.0
	add := func(from load, steps []weighted) {
		for _, c := range steps {
			if !v.calls(c.placedStep) || c.To != s.Name {
				continue
			}
			rate, factors := from.rate*c.times, from.factors
			if c.Verb == scenario.CallService {
				rate *= c.Share
			}
			if n := v.tries(c.placedStep); retries && n > 1 {
				rate, factors = rate*n, append(factors[:len(factors):len(factors)], number(n)+" per call")
			}
			if all.rate += rate; rate > most {
				most, all.factors = rate, factors
			}
			all.paths = append(all.paths, from.paths...)
		}
	}
	for _, j := range v.Jobs {
		from := load{rate: v.rate(j), paths: []string{"jobs." + j.Name + ".arrivals"}}
		if n := v.jobTries(j); retries && n > 1 {
			from.rate, from.factors = from.rate*n, []string{number(n) + " per job"}
		}
		add(from, repeated(placed(j.Steps, "jobs."+j.Name+".steps"), 1))
	}
	for _, t := range v.Services {
		if steps := repeated(placed(t.Steps, "services."+t.Name+".steps"), 1); slices.ContainsFunc(steps, func(c weighted) bool { return v.calls(c.placedStep) && c.To == s.Name }) {
			add(v.load(t, retries), steps)
		}
	}
	slices.Sort(all.paths)
	all.paths = slices.Compact(all.paths)
	loads[s] = all
	return all
}

// weighted is a step that happens so often in one execution.
type weighted struct {
	placedStep
	times float64
}

// repeated is the steps with those inside of repeats.
func repeated(steps []placedStep, times float64) (all []weighted) {
	for _, s := range steps {
		all = append(all, weighted{s, times})
		all = append(all, repeated(s.inner(), times*float64(s.Times))...)
	}
	return all
}

// capacity is the calls a second that a service can bear.
func (v *view) capacity(s *scenario.Service) float64 {
	mean := v.served(s).mean
	if s.Servers == scenario.Unlimited || mean == 0 || s.Speed == 0 {
		return math.Inf(1)
	}
	return float64(s.Servers) / mean
}

// tries is the number of attempts that one call can become in the long run.
func (v *view) tries(s placedStep) float64 {
	_, _, r, _ := v.client(s)
	if r == nil {
		return 1
	}
	n := float64(r.Attempts)
	if r.Attempts == 0 {
		n = math.Inf(1)
	}
	if b := r.Budget; b != nil { // a bucket without successes runs dry
		n = min(n, 1+b.Ratio)
	}
	return n
}

// jobTries is the number of executions that one job can become; what has no bound has a delay, and does not multiply.
func (v *view) jobTries(j *scenario.Job) float64 {
	for _, d := range v.deliveries {
		if tries, ok := d.bounded(); ok && d.job == j {
			return float64(tries)
		}
	}
	if j.By != "" && j.Retry != nil && j.Retry.Attempts > 1 {
		return float64(j.Retry.Attempts)
	}
	return 1
}

// keys is the number of locks over which the jobs of a hold are spread evenly.
func keys(h hold) (n float64) {
	n = 1
	for _, name := range h.lock.Names {
		for _, p := range name.Parts {
			if p.Hole == scenario.NoHole {
				continue
			}
			for _, f := range h.job.Fields {
				if f.Name == p.Name && f.Kind != scenario.ListField && f.N > 0 {
					n = max(n, float64(f.N))
				} else if f.Name == p.Name {
					n = math.Inf(1)
				}
			}
			if p.Hole != scenario.HoleField { // {job} and the like: each its own
				n = math.Inf(1)
			}
		}
	}
	return n
}

// clients is the number of jobs that may call a service at once.
func (v *view) clients(s *scenario.Service) (n int) {
	for _, g := range v.Workers {
		for _, j := range v.Jobs {
			calls := false
			for _, c := range jobSteps(j) {
				calls = calls || v.calls(c) && c.To == s.Name
			}
			if calls && v.takes(g, j) {
				n += g.Count * min(g.Slots, 1000)
				break
			}
		}
	}
	return n
}
