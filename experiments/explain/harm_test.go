package explain

import (
	"strings"
	"testing"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/scenario"
)

// What explain finds of a harm, as a whole and of every component, is what the
// metric of that name counts.
func TestHarmsAreTheMetrics(t *testing.T) {
	seen := map[string]bool{} // with a value above none
	for _, text := range []string{frozen, silence, believed, unheardOf, contended, orphaned} {
		f, err := scenario.Parse("harms.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		sc, err := f.Resolve("base")
		if err != nil {
			t.Fatal(err)
		}
		result, err := model.Run(sc, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range result.Metrics.Columns {
			asked, err := askedFor(sc, Question{Harm: c.Name})
			if err != nil {
				continue // no metric of harm
			}
			if strings.Contains(c.Name, ".") && asked.Metric != c.Name {
				t.Errorf("%s is taken for %s", c.Name, asked.Metric)
			}
			found := newCounter(sc, asked, subject{})
			if _, err := model.Run(sc, model.Options{Observer: found}); err != nil {
				t.Fatal(err)
			}
			value := result.Metrics.Values[i]
			wrong := float64(found.times[0]) != value
			switch local(c.Name) {
			case "overlap_s":
				wrong = (found.times[0] > 0) != (value > 0)
			case "holders_max":
				wrong = (found.times[0] > 0) != (value > 1)
			}
			if wrong {
				t.Errorf("%s is %v in %s, and explain finds %d", c.Name, value, sc.Name, found.times[0])
			}
			seen[c.Name] = seen[c.Name] || found.times[0] > 0
		}
	}
	for _, name := range []string{"jobs.pay.duplicate_effects", "queues.q.duplicate_starts", "locks.l.overlap_s", "jobs.pay.holders_max",
		"monitors.health.false_failovers", "locks.l.leases_lost_alive", "workers.w.lock_timeouts",
		"locks.l.orphan_locks", "monitors.health.suspicions", "takeovers"} {
		if !seen[name] {
			t.Errorf("no scenario has %s", name)
		}
	}
}

// One waits for a lock and gives up.
const contended = `
name: contended
run: {duration: 20s}
locks: {l: {wait: {for: 2s}}}
workers: {w: {count: 2}}
jobs: {pay: {by: w, arrivals: at 1s, steps: [lock: l, work: 8s]}}
`
