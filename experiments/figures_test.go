package experiments

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

func TestFiguresShowWhatThePlotsAskFor(t *testing.T) {
	s := fakeWorld(t, Grid)
	figures := s.Figures(runFake(t, s))
	require.Len(t, figures, 3)
	line := figures[0].Table
	assert.Equal(t, figure.Axis{Name: "queues.q.lease", Unit: "s"}, line.X)
	assert.Equal(t, figure.Axis{Name: "duplicate rate"}, line.Y)
	assert.Len(t, line.Points, 6)
	assert.Equal(t, 2.0, line.Points[0].X.Mean)
	assert.Equal(t, "key", line.Points[0].By)
	assert.Equal(t, "bands: 95 % interval over 4 replications", line.Note)
	pareto := figures[2].Table
	assert.Equal(t, figure.Pareto, pareto.Kind)
	assert.Equal(t, figure.Axis{Name: "mean takeover time", Unit: "s"}, pareto.X)
	assert.Len(t, pareto.Points, 3, "one axis varies, the other stands at its first value")
	assert.Equal(t, "4s", pareto.Points[1].Label)
	assert.Equal(t, "bars: 95 % interval over 4 replications; beside the points: queues.q.lease, bold where no other point is better in both; "+
		"services.ledger.checks at key, the first of 2 (with it as by: all are shown)", pareto.Note)

	s.File.Sweep.Plots[1].By = "services.ledger.checks"
	pareto = s.Figures(runFake(t, s))[2].Table
	assert.Len(t, pareto.Points, 6)
	assert.Equal(t, "none", pareto.Points[1].By)
	assert.Equal(t, "2s", pareto.Points[1].Label)
}

func TestFamiliesOfAnOnlyAxisAreTheSeries(t *testing.T) {
	for value, want := range map[string][2]string{
		"fixed 3s": {"fixed", "3s"}, "phi_normal 12": {"phi_normal", "12"}, "10s": {"", "10s"}, "none": {"none", ""},
		"lognormal median 1s p99 20s": {"lognormal median 1s p99", "20s"},
	} {
		name, rest := family(value)
		assert.Equal(t, want, [2]string{name, rest})
	}
	table := figure.Table{By: figure.Axis{Name: "suspect"}, Points: []figure.Point{{By: "fixed 3s"}, {By: "chen 1s"}, {By: "fixed 6s"}}}
	families(&table)
	assert.Equal(t, []figure.Point{{By: "fixed", Label: "3s"}, {By: "chen", Label: "1s"}, {By: "fixed", Label: "6s"}}, table.Points)
}

func TestIntervalsAreCutAtWhatAMetricCanBe(t *testing.T) {
	p := &Point{
		Columns: []metric.Column{{Name: "detection_s.mean", Unit: "s"}, {Name: "utilisation", Unit: "share"}, {Name: "first_ack_s", Unit: "s"}},
		Values:  [][]float64{{1, 9}, {0.7, 0.9}, {-3, 5}},
	}
	for c, want := range []figure.Estimate{{Mean: 5, Low: 0, High: 55.82}, {Mean: 0.8, Low: 0, High: 1}, {Mean: 1, Low: -49.82, High: 51.82}} {
		var small caption
		got := small.estimate(p, c)
		assert.InDelta(t, want.Low, got.Low, 0.01)
		assert.InDelta(t, want.High, got.High, 0.01)
		assert.Equal(t, c < 2, small.cut)
	}
}

// An axis under a preset's own name has numbers with the unit of the setting.
func TestOwnNamesAreAxes(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(`
queues: {q: {preset: bullmq}}
workers: {w: {}}
jobs: {j: {queue: q, arrivals: at 0s, steps: [work: 1s]}}
sweep:
  axes: [{queues.q.own.lockDuration: [10_000, 30_000]}]
  plot: [{x: queues.q.own.lockDuration, y: starts}]
`))
	require.NoError(t, err)
	s, err := Grid(file, nil)
	require.NoError(t, err)
	points, err := s.Run(context.Background(), Options{})
	require.NoError(t, err)
	table := s.Figures(points)[0].Table
	assert.Equal(t, figure.Axis{Name: "queues.q.own.lockDuration", Unit: figure.Seconds}, table.X)
	assert.Equal(t, []float64{10, 30}, []float64{table.Points[0].X.Mean, table.Points[1].X.Mean})

	// Wherever such a value stands in a figure it reads as on an axis.
	s.File.Sweep.Plots = []scenario.Plot{
		{X: "queues.q.own.lockDuration", Y: []string{"starts"}, Kind: "heat"},
		{X: "starts", Y: []string{"acks"}, Kind: pareto},
		{X: "starts", Y: []string{"acks"}, Kind: pareto, By: "queues.q.own.lockDuration"},
	}
	figures := s.Figures(points)
	assert.Equal(t, "10s", figures[0].Table.Points[0].XText)
	assert.Equal(t, "10s", figures[1].Table.Points[0].Label)
	assert.Equal(t, "10s", figures[2].Table.Points[0].Label)
	assert.Contains(t, figures[2].Table.Note, "; beside the points: queues.q.own.lockDuration, bold")
}

// The bound for what was never seen would be the tallest bar of a figure.
func TestWhatWasNeverSeenHasNoBar(t *testing.T) {
	s := fakeWorld(t, Grid)
	s.File.Sweep.Plots = []scenario.Plot{{X: "queues.q.lease", Y: []string{"duplicate_effects"}}}
	table := s.Figures(runFake(t, s))[0].Table
	assert.Equal(t, figure.Exact(0), table.Points[0].Y)
	assert.Contains(t, table.Note, "; 0: none seen, up to 3 in so many replications are possible")
}

func TestMetricsInWords(t *testing.T) {
	for column, want := range map[metric.Column]string{
		{Name: "locks.account.leases_lost_alive", Unit: "1"}: "leases lost alive, locks.account | per run",
		{Name: "locks.account.takeover_s.mean", Unit: "s"}:   "mean takeover time, locks.account | s",
		{Name: "wait_s.p99", Unit: "s"}:                      "p99 wait time | s",
		{Name: "events.partition.drain_s", Unit: "s"}:        "drain time, events.partition | s",
		{Name: "starts_per_s", Unit: "1/s"}:                  "starts | per second",
		{Name: "false_failover_per_day", Unit: "1/day"}:      "false failover | per day",
		{Name: "queues.q.first_start_s", Unit: "s"}:          "first start, queues.q | s",
		{Name: "duplicate_rate", Unit: "share"}:              "duplicate rate | share",
	} {
		axis := say(column).axis()
		assert.Equal(t, want, axis.Name+" | "+axis.Unit)
	}
}

func TestAxisThatIsNotPlottedStandsAtItsFirstValue(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	s.File.Sweep.Plots = []scenario.Plot{{X: "queues.q.lease", Y: []string{"duplicate_effects"}}}
	table := s.Figures(points)[0].Table
	require.Len(t, table.Points, 3)
	for _, p := range table.Points {
		assert.Zero(t, p.Y.Mean, "services.ledger.checks stands at key")
	}
}

// A number that a detector's setting has as well does not take its name away.
func TestKindsOfDetectorAreSeries(t *testing.T) {
	f, err := scenario.Load("scenarios/heartbeat-timeout.yaml")
	require.NoError(t, err)
	s, err := Grid(f, nil)
	require.NoError(t, err)
	plot := f.Sweep.Plots[0]
	table := s.figure(plot, plot.Y[0], s.standIns()).Table
	var series []string
	for _, p := range table.Points {
		if !slices.Contains(series, p.By) {
			series = append(series, p.By)
		}
	}
	assert.Equal(t, []string{"fixed", "chen", "phi_normal", "phi_exponential"}, series)
	assert.Equal(t, "3s", table.Points[0].Label)
}
