package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/experiments/report"
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
		{Name: "drain_s", Unit: "s"}, {Name: "jobs.job.starts", Whole: true}, {Name: "stale_writes", Whole: true},
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
			Trace:   o.Replication, Hash: uint64(lease.(float64)), Events: 10,
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

func TestSweepTable(t *testing.T) {
	s := fakeWorld(t, Grid)
	var b strings.Builder
	require.NoError(t, report.Write(&b, s.Summary(runFake(t, s))[0], report.Aligned))
	assert.Equal(t, `queues.q.lease  services.ledger.checks  duplicate_rate   takeover_s.mean (s)
2s              key                     0.208 ± 0.010    2.15 ± 0.21
2s              none                    0.208 ± 0.010    2.15 ± 0.21
4s              key                     0.1038 ± 0.0051  4.15 ± 0.21
4s              none                    0.1038 ± 0.0051  4.15 ± 0.21
8s              key                     0.0519 ± 0.0026  8.15 ± 0.21
8s              none                    0.0519 ± 0.0026  8.15 ± 0.21
± and [ ]: 95 % interval over 4 replications; (< x): none seen, and the 95 % upper bound.
`, b.String())
}

func TestVariantsSideBySideWithPairedDifferences(t *testing.T) {
	s := fakeWorld(t, Variants)
	points := runFake(t, s)
	var b strings.Builder
	for _, table := range s.Summary(points) {
		require.NoError(t, report.Write(&b, table, report.Aligned))
	}
	assert.Equal(t, `metric             unit  base                          unsafe
duplicate_rate           0.01383 ± 0.00068             0.01383 ± 0.00068
duplicate_effects        0 (< 0.75)                    4.5 ± 2.1
takeover_s.mean    s     30.15 ± 0.21                  30.15 ± 0.21
drain_s            s     median 31.5, never in 1 of 4  31.5 ± 2.1
± and [ ]: 95 % interval over 4 replications; (< x): none seen, and the 95 % upper bound.
Metrics in all: 6; points.csv and --format csv have the others.
difference from base, replication by replication
metric             unit  unsafe
duplicate_effects        4.5 ± 2.1
drain_s            s     -7 ± 21
`, b.String())
	assert.Contains(t, s.Conclusion(points), "Best of 2: base, with duplicate_rate 0.01383 ± 0.00068; first to break is duplicate_effects, 4.5 ± 2.1 at unsafe.")
}

func TestConclusionOfASweep(t *testing.T) {
	s := fakeWorld(t, Grid)
	assert.Equal(t, "Best of 6: queues.q.lease=8s services.ledger.checks=key, with duplicate_rate 0.0519 ± 0.0026; "+
		"it costs takeover_s.mean 8.15 ± 0.21, where queues.q.lease=2s services.ledger.checks=key has 2.15 ± 0.21; "+
		"first to break is duplicate_effects, 4.5 ± 2.1 at queues.q.lease=8s services.ledger.checks=none.",
		s.Conclusion(runFake(t, s)))
}

func TestTidyHasARowForEveryPointAndMetric(t *testing.T) {
	s := fakeWorld(t, Grid)
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, s.Tidy(runFake(t, s)), report.CSV))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	assert.Len(t, lines, 1+6*5, "stale_writes never happened")
	assert.Equal(t, "variant,queues.q.lease,services.ledger.checks,metric,unit,mean,low,high,median,n", lines[0])
	assert.Equal(t, "base,2s,key,duplicate_effects,,0,0,0.75,0,4", lines[3])
	assert.Equal(t, "base,2s,key,drain_s,s,inf,-inf,inf,31.5,4", lines[4])
	assert.Equal(t, "base,2s,key,jobs.job.starts,,100,100,100,100,4", lines[5])
}

func TestFilesAreTheSameEveryTime(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	var files []string
	for _, dir := range []string{first, second} {
		s := fakeWorld(t, Grid)
		var err error
		files, err = s.Write(dir, runFake(t, s))
		require.NoError(t, err)
	}
	assert.Equal(t, []string{
		"01-duplicate_rate.png", "01-duplicate_rate.svg", "02-takeover_s_mean.png", "02-takeover_s_mean.svg",
		"03-duplicate_rate.png", "03-duplicate_rate.svg", "points.csv", "manifest.json",
	}, files)
	for _, name := range files {
		a, err := os.ReadFile(filepath.Join(first, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(second, name))
		require.NoError(t, err)
		assert.Equal(t, a, b, name)
	}
	var m manifest
	content, err := os.ReadFile(filepath.Join(first, "manifest.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &m))
	assert.True(t, m.Complete)
	assert.Equal(t, 4, m.Replications)
	assert.Len(t, m.Points, 6)
	assert.Equal(t, map[string]string{"queues.q.lease": "4s", "services.ledger.checks": "none"}, m.Points[3].Settings)
	assert.Len(t, m.Points[0].Scenario, 64)
	assert.NotEqual(t, m.Points[0].Result, m.Points[2].Result, "another lease")
	assert.Equal(t, m.Points[0].Result, m.Points[1].Result)
}

func TestFiguresShowWhatThePlotsAskFor(t *testing.T) {
	s := fakeWorld(t, Grid)
	figures := s.Figures(runFake(t, s))
	require.Len(t, figures, 3)
	line := figures[0].Table
	assert.Equal(t, figure.Axis{Name: "queues.q.lease", Unit: "s"}, line.X)
	assert.Len(t, line.Points, 6)
	assert.Equal(t, 2.0, line.Points[0].X.Mean)
	assert.Equal(t, "key", line.Points[0].By)
	pareto := figures[2].Table
	assert.Equal(t, figure.Pareto, pareto.Kind)
	assert.Len(t, pareto.Points, 6, "a Pareto figure shows every point")
	assert.Equal(t, "2s none", pareto.Points[1].Label)
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

func TestExpectationsApplyWhereTheFileSays(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(strings.Replace(sweepFile, "always: [lost_jobs == 0]",
		"{always: [true], base: [1 == 1], unsafe: [2 == 2]}", 1)))
	require.NoError(t, err)
	variants, err := Variants(file, nil)
	require.NoError(t, err)
	grid, err := Grid(file, nil)
	require.NoError(t, err)
	texts := func(spec *Spec) (all []string) {
		for _, x := range spec.Expects.list {
			all = append(all, x.source.Text)
		}
		return all
	}
	assert.Equal(t, []string{"true", "1 == 1"}, texts(variants.Specs[0]))
	assert.Equal(t, []string{"true", "2 == 2"}, texts(variants.Specs[1]))
	for _, spec := range grid.Specs {
		assert.Equal(t, []string{"true"}, texts(spec), "a point of a sweep is not the variant")
	}
}

func TestSettingsAreKnownToExpectations(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(sweepFile))
	require.NoError(t, err)
	sc, err := file.Resolve("base")
	require.NoError(t, err)
	for text, want := range map[string]Outcome{
		`setting("queues.q.lease") == 30`:            Held,
		`setting("services.ledger.checks") == "key"`: Held,
		`setting("services.ledger.checks") == "no"`:  Failed,
	} {
		e, err := Compile(sc, testColumns, []scenario.Expect{{Variant: always, Text: text}})
		require.NoError(t, err)
		one := testReplication(1)
		v := e.judge([]map[string]any{e.language.replication(one.row(), one, windowValues{})})
		assert.Equal(t, want, v[0].Outcome, text)
	}
	_, err = Compile(sc, testColumns, []scenario.Expect{{Variant: always, Text: `setting("queues.q.leese") == 30`}})
	require.ErrorContains(t, err, fmt.Sprintf("%q", "queues.q.leese"))
}

func TestUnwritableDirectoryIsFoundFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, Prepare(filepath.Join(file, "results")), "choose another directory with --out")
	dir := filepath.Join(t.TempDir(), "new", "results")
	require.NoError(t, Prepare(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
