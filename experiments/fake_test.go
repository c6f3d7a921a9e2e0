package experiments

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

const sweepFile = `
name: shortest
run: {duration: 1m, replications: 4}
queues: {q: {lease: 30s}}
services: {ledger: {checks: key}}
workers: {w: {count: 2}}
jobs: {job: {queue: q, arrivals: poisson 1/s, steps: [work: exp 1s, write: ledger]}}
variants:
  unsafe: {services.ledger.checks: none}
sweep:
  axes: [{queues.q.lease: [2s, 4s, 8s]}, {services.ledger.checks: [key, none]}]
  plot:
    - {x: queues.q.lease, y: [duplicate_rate, takeover_s.mean], by: services.ledger.checks}
    - {x: takeover_s.mean, y: duplicate_rate, kind: pareto}
expect:
  always: [lost_jobs == 0]
`

// fakeWorld makes up the metrics of a run of sweepFile: a longer lease means
// fewer duplicates and a longer takeover, and without the check they do harm.
func fakeWorld(t *testing.T, plan func(*scenario.File, []scenario.Assignment) (*Study, error)) *Study {
	t.Helper()
	file, err := scenario.Parse("shortest.yaml", []byte(strings.Replace(sweepFile, "lost_jobs == 0", "true", 1)))
	require.NoError(t, err)
	s, err := plan(file, nil)
	require.NoError(t, err)
	known := []metric.Column{
		{Name: "duplicate_rate"}, {Name: "takeover_s.mean", Unit: "s"}, {Name: "duplicate_effects", Safety: true, Whole: true},
		{Name: "events.cut.drain_s", Unit: "s"}, {Name: "jobs.job.starts", Whole: true}, {Name: "stale_writes", Whole: true},
	}
	for _, spec := range s.Specs {
		spec.Columns = known
		spec.Expects, err = Compile(spec.Scenario, known, []scenario.Expect{{Variant: always, Text: "true"}})
		require.NoError(t, err)
	}
	s.run = func(sc *scenario.Scenario, o model.Options) (*model.Result, error) {
		lease, err := sc.Setting("queues.q.lease")
		require.NoError(t, err)
		checks, err := sc.Setting("services.ledger.checks")
		require.NoError(t, err)
		r, harm := float64(o.Replication), 0.0
		if checks == "none" {
			harm = 3 + r
		}
		drain := 30 + r
		if o.Replication == 3 && checks != "none" {
			drain = math.Inf(1)
		}
		return &model.Result{
			Metrics: &metric.Result{Columns: known, Values: []float64{(0.4 + r/100) / lease.(float64), lease.(float64) + r/10, harm, drain, 100, 0}},
			Trace:   o.Replication, Hash: uint64(lease.(float64) + 100*harm), Events: 10,
		}, nil
	}
	return s
}

func runFake(t *testing.T, s *Study) []*Point {
	t.Helper()
	points, err := s.Run(context.Background(), Options{})
	require.NoError(t, err)
	return points
}
