package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

func TestSweepTable(t *testing.T) {
	s := fakeWorld(t, Grid)
	var b strings.Builder
	require.NoError(t, report.Write(&b, s.Summary(runFake(t, s))[0], report.Aligned))
	assert.Equal(t, `queues.q.lease  services.ledger.checks  duplicate_rate   takeover_s.mean (s)
2s              key                      0.208 ± 0.010   2.15 ± 0.21
2s              none                     0.208 ± 0.010   2.15 ± 0.21
4s              key                     0.1038 ± 0.0051  4.15 ± 0.21
4s              none                    0.1038 ± 0.0051  4.15 ± 0.21
8s              key                     0.0519 ± 0.0026  8.15 ± 0.21
8s              none                    0.0519 ± 0.0026  8.15 ± 0.21
± and [ ]: 95 % interval over 4 replications; (< x): none seen, and the 95 % upper bound.
Metrics in all: 6; points.csv has the main ones and those that plots or expectations name, --format csv prints all.
`, b.String())
}

func TestVariantsSideBySideWithPairedDifferences(t *testing.T) {
	s := fakeWorld(t, Variants)
	points := runFake(t, s)
	var b strings.Builder
	for _, table := range s.Summary(points) {
		require.NoError(t, report.Write(&b, table, report.Aligned))
	}
	assert.Equal(t, `metric              unit  base                          unsafe
duplicate_rate            0.01383 ± 0.00068             0.01383 ± 0.00068
duplicate_effects               0 (< 0.75)                  4.5 ± 2.1
takeover_s.mean     s       30.15 ± 0.21                  30.15 ± 0.21
events.cut.drain_s  s     median 31.5, never in 1 of 4     31.5 ± 2.1
± and [ ]: 95 % interval over 4 replications; (< x): none seen, and the 95 % upper bound.
Metrics in all: 6; points.csv and --format csv have the others.
difference from base, replication by replication
metric             unit  unsafe
duplicate_effects        4.5 ± 2.1
`, b.String())
	assert.Contains(t, s.Conclusion(points), "4 replications, too few to choose by (take 5 or more); as it stands, best of 2: base, with the least duplicate effects, and duplicate rate 0.01383 ± 0.00068; "+
		"first to break is duplicate effects, 4.5 ± 2.1 per run at unsafe.")
}

// Claims of the queue and of the lock are lost in the same total.
func TestHeadlinesThatMixCausesAreParted(t *testing.T) {
	columns := []metric.Column{
		{Name: "duplicate_rate"}, {Name: "leases_lost_alive"}, {Name: "queues.q.leases_lost_alive"}, {Name: "queues.q.duplicate_rate"},
		{Name: "locks.l.leases_lost_alive"}, {Name: "locks.m.leases_lost_alive"}, {Name: "jobs.j.duplicate_rate"}, {Name: "jobs.j.leases_lost_alive"},
	}
	points := []*Point{{Columns: columns, Values: [][]float64{{0.1}, {5}, {3}, {0.1}, {2}, {0}, {0.1}, {3}}}}
	s := &Study{File: &scenario.File{}}
	assert.Equal(t, []string{"duplicate_rate", "leases_lost_alive", "queues.q.leases_lost_alive", "locks.l.leases_lost_alive"}, s.headline(points))

	points[0].Columns = append(columns[:7:7], metric.Column{Name: "jobs.k.duplicate_rate"})
	points[0].Values[7][0] = 0.3
	assert.Equal(t, []string{"duplicate_rate", "jobs.j.duplicate_rate", "jobs.k.duplicate_rate", "leases_lost_alive",
		"queues.q.leases_lost_alive", "locks.l.leases_lost_alive"}, s.headline(points))

	points = []*Point{{Values: [][]float64{{4}, {4}, {0}}, Columns: []metric.Column{
		{Name: "duplicate_effects"}, {Name: "jobs.j.duplicate_effects"}, {Name: "jobs.k.duplicate_effects"}}}}
	assert.Equal(t, []string{"duplicate_effects", "jobs.j.duplicate_effects"}, s.headline(points), "of the jobs that did harm")
}
