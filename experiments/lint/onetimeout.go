package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

var oneTimeout = Rule{
	ID:     "one-timeout",
	Title:  "of the time-outs that a job meets (network, dependency, lease of a lock, wait for it, lease of the delivery, job limit, drain) no three kinds are equal",
	Why:    "They end at one instant: the lease is over when the call gives up, and nothing is left to settle the job.",
	Source: "text on failover (one big time-out for everything)",
	find: func(v *view) (all []found) {
		for _, j := range v.Jobs {
			bounds := v.bounds(j)
			for i, b := range bounds {
				if slices.IndexFunc(bounds, b.equals) < i {
					continue
				}
				equal := slices.DeleteFunc(slices.Clone(bounds), func(c bound) bool { return !b.equals(c) })
				if len(equal) < 3 {
					continue
				}
				x := found{severity: Warning, sum: fmt.Sprintf("%d kinds of time-out are %s", len(equal), duration(b.length))}
				for _, c := range equal {
					x.paths = append(x.paths, c.paths...)
				}
				x.changes = [][]scenario.Assignment{v.graded(equal[:len(equal)-2]), v.graded(equal[:len(equal)-1])}
				all = append(all, x)
			}
		}
		return once(all)
	},
}

// bound is a kind of time-out that a job meets.
type bound struct {
	length time.Duration
	paths  []string // of the settings that have this length
}

func (b bound) equals(c bound) bool { return b.length == c.length }

// bounds are the time-outs of a job, one for each kind and length, the kind that should be the shortest first. Equal
// defaults are chance, and what has no end bounds nothing.
func (v *view) bounds(j *scenario.Job) (all []bound) {
	var kind []bound
	add := func(length time.Duration, path string) {
		if length == forever || length == 0 || v.settings[path].From == "default" {
			return
		}
		if i := slices.IndexFunc(kind, bound{length: length}.equals); i < 0 {
			kind = append(kind, bound{length, []string{path}})
		} else if !slices.Contains(kind[i].paths, path) {
			kind[i].paths = append(kind[i].paths, path)
		}
	}
	next := func() { all, kind = append(all, kind...), nil }
	inherits := func(path string) bool { return v.settings[path].From == "default" }
	network := inherits("queues." + j.Queue + ".timeout")
	for _, s := range jobSteps(j) {
		if v.calls(s) {
			to, timeout, _, _ := v.client(s)
			path := "services." + to.Name + ".timeout"
			if s.Timeout > 0 {
				path = s.path + ".timeout"
			}
			add(timeout, path)
			network = network || inherits(path)
		}
	}
	next()
	for _, h := range v.holds {
		network = network || h.job == j && inherits(h.path+".timeout")
	}
	if network {
		add(v.Network.Timeout, "network.timeout")
	}
	next()
	for _, h := range v.holds {
		if h.job == j && h.lock.Lease != nil && !h.lock.Lease.Forever {
			have, _ := leased{Lease: h.lock.Lease}.least()
			add(have, h.path+".lease.length")
		}
	}
	next()
	for _, h := range v.holds {
		if h.job == j && !h.lock.Once {
			add(h.lock.WaitFor, h.path+".wait.for")
		}
	}
	next()
	add(j.Limit, "jobs."+j.Name+".time_limit")
	next()
	for _, g := range v.Workers {
		if v.takes(g, j) {
			add(g.Drain, "workers."+g.Name+".drain")
		}
	}
	next()
	for _, d := range v.expiring() {
		if have, _ := d.least(); d.job == j {
			add(have, d.path+".length")
		}
	}
	next()
	return all
}

// graded proposes for each kind twice what the one before it has, and in the end half of what they all have now.
func (v *view) graded(kinds []bound) (all []scenario.Assignment) {
	for i, b := range kinds {
		length := b.length >> (len(kinds) - i)
		for _, path := range b.paths {
			all = append(all, set(path, duration(above(length))))
			renew := strings.TrimSuffix(path, ".length") + ".renew"
			if _, renewed := v.settings[renew+".every"]; renewed { // in proportion
				all = append(all, set(renew, "=length / 3"))
			}
		}
	}
	return all
}
