package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

var groupsAgree = Rule{
	ID:     "groups-agree",
	Title:  "groups that take the same lock have a name of it in common, and none believes in it for longer than another waits by its own length",
	Why:    "Old and new workers that name the lock, or its length, differently work side by side: each has what it takes for the lock.",
	Source: "C59, rules without a run (stop time of the leader, every pair of configurations in the fleet)",
	find: func(v *view) (all []found) {
		for _, k := range v.Locks {
			seen := v.seen(k)
			for i, a := range seen {
				for _, b := range seen[i+1:] {
					all = append(all, strangers(a, b)...)
					all = append(all, overlap(a, b)...)
					all = append(all, overlap(b, a)...)
				}
			}
		}
		return all
	},
}

// seenLock is a lock as one group has it.
type seenLock struct {
	*scenario.Lock
	group string
}

func (s seenLock) path() string { return "locks." + s.Name }

// seen is a lock as each group has it that takes it.
func (v *view) seen(k *scenario.Lock) (all []seenLock) {
	for i, g := range v.Workers {
		takes := slices.Contains(g.Needs, k.Name) || slices.ContainsFunc(v.holds, func(h hold) bool { return h.lock == k && v.takes(g, h.job) })
		for _, own := range v.View(i).Locks {
			if takes && own.Name == k.Name {
				all = append(all, seenLock{own, "workers." + g.Name})
			}
		}
	}
	return all
}

// strangers finds two groups whose locks exclude nothing.
func strangers(a, b seenLock) []found {
	if slices.ContainsFunc(a.Names, func(t scenario.Template) bool {
		return slices.ContainsFunc(b.Names, func(u scenario.Template) bool { return t.Text == u.Text })
	}) {
		return nil
	}
	both := append(texts(a.Names), texts(b.Names)...)
	return []found{{
		severity: Error,
		paths:    []string{a.path() + ".names", b.group + ".with", a.group + ".with"},
		sum:      fmt.Sprintf("%s of %s, %s of %s: no name in common", strings.Join(texts(a.Names), " "), a.group, strings.Join(texts(b.Names), " "), b.group),
		changes:  [][]scenario.Assignment{change(set(b.group+".with."+b.path()+".names", "['"+strings.Join(both, "', '")+"']"))},
	}}
}

func texts(names []scenario.Template) (all []string) {
	for _, t := range names {
		all = append(all, t.Text)
	}
	return all
}

// overlap finds a holder that still believes when a waiter of another group takes over by the length that it knows.
func overlap(holder, waiter seenLock) []found {
	h, w := holder.Lease, waiter.Lease
	if h == nil || w == nil || w.Forever || w.ExpiresBy != scenario.ByWaiterOwn || h.Anchor == scenario.UntilTold || h.Anchor == scenario.Always {
		return nil
	}
	belief := h.Believe
	if belief == 0 {
		_, belief = leased{Lease: h}.asked()
	}
	waits, text := leased{Lease: w}.least()
	own, _ := leased{Lease: h}.least()
	if belief <= waits || belief > own { // the latter is so in one group alone: see holder-stops-first
		return nil
	}
	return []found{{
		severity: Error,
		paths:    []string{waiter.path() + ".lease.expires_by", waiter.group + ".with", holder.path() + ".lease.believe_for"},
		sum:      fmt.Sprintf("%s believes for %s > %s by which %s waits: two holders for up to %s", holder.group, duration(belief), text, waiter.group, duration(belief-waits)),
		changes: [][]scenario.Assignment{
			change(set(waiter.path()+".lease.expires_by", "waiter")),
			change(set(waiter.group+".with."+waiter.path()+".lease.length", duration(above(belief)))),
		},
	}}
}
