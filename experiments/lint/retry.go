package lint

import (
	"fmt"
	"math"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

// Rules on the retries of calls: how many they can become, and whether all clients come back at once.

var callBound = Rule{
	ID:     "call-bound",
	Title:  "the retries of a call have a bound: attempts, elapsed, or the job's time limit",
	Why:    "While the service is away every slot hangs in a call that cannot give up.",
	Source: "text on failover (retry without bound), text on fault tolerance (the last failure is passed on)",
	find: func(v *view) (all []found) {
		for _, j := range v.Jobs {
			for _, s := range jobSteps(j) {
				if !v.calls(s) || j.Limit != forever {
					continue
				}
				_, _, r, path := v.client(s)
				if r == nil || r.Attempts > 0 || r.Elapsed > 0 {
					continue
				}
				all = append(all, found{
					severity: Warning,
					paths:    []string{path + ".retry.attempts", "jobs." + j.Name + ".time_limit"},
					sum:      "attempts unlimited, elapsed none, time limit forever: no bound",
					changes:  [][]scenario.Assignment{change(set(path+".retry.attempts", "5"))},
				})
			}
		}
		return once(all)
	},
}

var retryProduct = Rule{
	ID:     "retry-product",
	Title:  "offered calls × attempts of every layer < capacity of the service",
	Why:    "After a hiccup the retries alone keep the service full, and the overload outlasts its cause.",
	Source: "C46",

	lasting: true,
	find: func(v *view) (all []found) {
		for _, s := range v.Services {
			capacity, offered, most := v.capacity(s), v.load(s, false), v.load(s, true)
			if math.IsInf(capacity, 1) || offered.rate == 0 || offered.rate >= capacity || most.rate < capacity || most.rate == offered.rate {
				continue
			}
			path := "services." + s.Name
			x := found{
				severity: Warning,
				paths:    append([]string{path + ".retry.attempts", path + ".servers", path + ".time"}, most.paths...),
				sum: fmt.Sprintf("%s calls/s, with all retries (%s) %s/s ≥ %s servers / %s (mean) = %s/s", number(offered.rate), strings.Join(most.factors, " × "),
					number(most.rate), number(float64(s.Servers)), duration(seconds(v.served(s).mean)), number(capacity)),
			}
			switch {
			case s.Breaker != nil:
				x.severity, x.sum = Hint, x.sum+"; a breaker stands before it"
			case s.Drop:
				x.severity, x.sum = Hint, x.sum+"; it drops calls that nobody waits for"
			}
			if spare := math.Floor(90 * (capacity/offered.rate - 1)); spare >= 1 { // a tenth of the room is left
				x.changes = append(x.changes, change(set(path+".retry.budget", "{ratio: "+number(min(spare, 20))+"%}")))
			}
			for _, d := range v.deliveries { // where the layers multiply, fewer deliveries
				if fits := math.Ceil(v.jobTries(d.job)*capacity/most.rate) - 1; fits >= 1 {
					x.changes = append(x.changes, change(set("queues."+d.queue.Name+".attempts", number(fits))))
				}
			}
			all = append(all, x)
		}
		return all
	},
}

var retryJitter = Rule{
	ID:     "retry-jitter",
	Title:  "retries of many clients at one service have a delay and jitter",
	Why:    "Clients that failed together come back together, and the service meets the same wave again.",
	Source: "C46, text on failover (backoff with jitter), text on fault tolerance",
	find: func(v *view) (all []found) {
		for _, s := range v.Services {
			r, clients, path := s.Retry, v.clients(s), "services."+s.Name+".retry"
			if r == nil || r.Attempts == 1 || clients < 2 {
				continue
			}
			if spread := r.Low != r.High || r.Decorrelate || r.Add > 0; spread && wait(r, 1) > 0 { // of no delay nothing is spread
				continue
			}
			x := found{
				severity: Hint,
				paths:    []string{path + ".jitter", path + ".delay"},
				sum:      fmt.Sprintf("%d clients, jitter none: up to %d retries at one instant", clients, clients),
				changes:  [][]scenario.Assignment{change(set(path+".jitter", "full"))},
			}
			if clients >= manyClients {
				x.severity = Warning
			}
			if wait(r, 1) == 0 {
				x.severity = Warning
				x.sum = fmt.Sprintf("%d clients, delay 0s: every retry at once", clients)
				x.changes = [][]scenario.Assignment{change(set(path+".delay", "100ms"), set(path+".jitter", "full"))}
			}
			all = append(all, x)
		}
		return all
	},
}

// manyClients is where retries in step become a wave.
const manyClients = 8

// once leaves out what was found for the same settings before.
func once(all []found) (kept []found) {
	seen := map[string]bool{}
	for _, x := range all {
		if key := strings.Join(x.paths, " "); !seen[key] {
			seen[key] = true
			kept = append(kept, x)
		}
	}
	return kept
}
