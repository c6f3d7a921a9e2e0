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
metric              unit  unsafe
duplicate_effects         4.5 ± 2.1
events.cut.drain_s  s      -7 ± 21
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
}

func TestConclusionOfASweep(t *testing.T) {
	s := fakeWorld(t, Grid)
	assert.Equal(t, "4 replications, too few to choose by (take 5 or more); as it stands, best of 6: queues.q.lease 8s, services.ledger.checks key, with the least duplicate effects, and duplicate rate 0.0519 ± 0.0026; "+
		"the price is mean takeover time 8.15 ± 0.21 s, against 2.15 ± 0.21 s at queues.q.lease 2s; "+
		"first to break is duplicate effects, 4.5 ± 2.1 per run at services.ledger.checks none.",
		s.Conclusion(runFake(t, s)))
}

// An expectation that more replications would decide says nothing against a
// choice; one that failed does.
func TestUndecidedIsNotBroken(t *testing.T) {
	s := fakeWorld(t, Variants)
	points := runFake(t, s)
	undecided := []Verdict{{Variant: "base", Text: "mean(map(runs, .duplicate_rate)) < 0.002", Outcome: Inconclusive, Of: 4, Needed: 1500}}
	points[0].Verdicts = undecided
	points[1].Verdicts = nil
	assert.Contains(t, s.Conclusion(points), ": base, with the least duplicate effects")
	assert.Contains(t, undecided[0].String(), "about 1500 replications would decide")
	undecided[0].Outcome, undecided[0].Variant = Failed, always
	assert.Contains(t, s.Conclusion(points), ": unsafe, with duplicate rate")
	undecided[0] = Verdict{Outcome: Inconclusive, Of: 1}
	assert.Contains(t, undecided[0].String(), "one replication has no interval")
}

func TestConclusionDoesNotOverclaim(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	six := func(values ...float64) []float64 { return values }
	for i, p := range points {
		p.Values = make([][]float64, len(p.Columns))
		for c := range p.Values {
			p.Values[c] = six(0, 0, 0, 0, 0, 0)
		}
		wide := float64(i / 2) // Replications differ by far more than the leases do.
		p.Values[p.Column("duplicate_rate")] = six(0.1+wide/100, 0.9+wide/100, 0.2+wide/100, 0.4+wide/100, 0.3+wide/100, 0.5+wide/90)
		p.Values[p.Column("takeover_s.mean")] = six(9-wide, 0.1, 0.3, 0.1, 0.2, 0.1)
	}
	assert.NotContains(t, s.Conclusion(points), "price", "none is known better than itself")
	assert.Contains(t, s.Conclusion(points), "None of 6 is best; among the best: queues.q.lease 2s, services.ledger.checks key")
	assert.Contains(t, s.Conclusion(points), "the first of 4 that cannot be told apart")

	for i, p := range points {
		p.Values[p.Column("duplicate_rate")] = six(0.1, 0.9, 0.2, 0.4, 0.3, 0.5)
		for r := range p.Values[0] {
			p.Values[p.Column("duplicate_rate")][r] += float64(i) / 10
		}
	}
	assert.Contains(t, s.Conclusion(points), "(the intervals of 5 others overlap with it; only the differences within each replication tell them apart)")

	for _, p := range points {
		for c := range p.Values {
			p.Values[c] = p.Values[c][:1]
		}
	}
	assert.Contains(t, s.Conclusion(points), "1 replication, too few to choose by (take 5 or more); as it stands, best of 6")
}

// Of twenty choices that differ by luck alone, one is often below the others in a
// comparison that knows nothing of the twenty.
func TestTheSmallestOfManyIsOnlyLucky(t *testing.T) {
	s := fakeWorld(t, Grid)
	lucky := &choice{points: []*Point{{Columns: []metric.Column{{Name: "x"}}, Values: [][]float64{{1, 1.2, 0.9, 1, 1.1, 0.8}}}}}
	other := &choice{points: []*Point{{Columns: []metric.Column{{Name: "x"}}, Values: [][]float64{{1.1, 1.4, 1.3, 0.98, 1.2, 1.1}}}}}
	for _, c := range []*choice{lucky, other} {
		c.points[0].Variant, c.points[0].Axes = s.Specs[0].Variant, s.Specs[0].Axes
	}
	assert.True(t, s.worse(other, lucky, "x", 1))
	assert.False(t, s.worse(other, lucky, "x", 19))
}

func TestConditionsAreAveragedAndLuckDoesNotDecide(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	for _, p := range points { // The second axis is now how long a pause takes, and nothing is harmed by it.
		p.Axes = []scenario.Assignment{p.Axes[0], {Path: "events.gc.for", Value: p.Axes[1].Value}}
		p.Values[p.Column("duplicate_effects")] = []float64{0, 0, 0, 0}
	}
	for i, spec := range s.Specs {
		spec.Axes = points[i].Axes
	}
	s.Axes[1] = "events.gc.for"
	s.File.Sweep.Axes[1].Paths = []string{"events.gc.for"}
	assert.Equal(t, "4 replications, too few to choose by (take 5 or more); as it stands, best of 3, averaged over events.gc.for: queues.q.lease 8s, with duplicate rate 0.0519 ± 0.0026; "+
		"the price is mean takeover time 8.15 ± 0.21 s, against 2.15 ± 0.21 s at queues.q.lease 2s; "+
		"first to suffer is duplicate rate, 0.1038 ± 0.0051 at queues.q.lease 4s.", s.Conclusion(points))

	for i, p := range points { // A longer lease has the smaller mean, but not beyond luck.
		noise := float64(i) / 100
		p.Values[p.Column("duplicate_rate")] = []float64{0.9 - noise, 0.1 + noise, 0.7, 0.2 - noise}
	}
	assert.Contains(t, s.Conclusion(points), "queues.q.lease 2s, with duplicate rate 0.47 ± 0.61; "+
		"3 cannot be told apart in that, and of them it has the least mean takeover time, 2.15 ± 0.21 s;")
}

func TestTidyHasARowForEveryPointAndMetric(t *testing.T) {
	s := fakeWorld(t, Grid)
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, s.Tidy(runFake(t, s)), report.CSV))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	assert.Len(t, lines, 1+6*5, "stale_writes never happened")
	assert.Equal(t, "variant,queues.q.lease,services.ledger.checks,metric,unit,mean,low,high,median,n", lines[0])
	assert.Equal(t, "base,2s,key,duplicate_effects,,0,0,0.75,0,4", lines[3])
	assert.Equal(t, "base,2s,key,events.cut.drain_s,s,inf,-inf,inf,31.5,4", lines[4])
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
	assert.Equal(t, []manifestExpectation{{Variant: always, Text: "true", Held: 6, Of: 6}}, m.Expectations)
	assert.NotEqual(t, m.Points[0].Result, m.Points[2].Result, "another lease")
	assert.Equal(t, m.Points[0].Result, m.Points[1].Result)
}

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
	assert.Contains(t, pareto.Note, "; services.ledger.checks at key")

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
		var cut, unseen bool
		got := estimateFor(p, c, &cut, &unseen)
		assert.InDelta(t, want.Low, got.Low, 0.01)
		assert.InDelta(t, want.High, got.High, 0.01)
		assert.Equal(t, c < 2, cut)
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

func TestNamesOfPlotsAreCheckedBeforeTheRun(t *testing.T) {
	for from, wrong := range map[string][2]string{
		"y: [duplicate_rate,":        {"y: [duplicate_rat,", `f.yaml:13:31: sweep.plot.y: unknown metric "duplicate_rat"; did you mean duplicate_rate?`},
		"takeover_s.mean], by":       {"takeover_s.maen], by", `f.yaml:13:47: sweep.plot.y: unknown metric "takeover_s.maen"; did you mean takeover_s.mean?`},
		"{x: takeover_s.mean":        {"{x: queues.q.leese", `f.yaml:14:11: sweep.plot.x: "queues.q.leese" is neither a metric nor an axis of this sweep; did you mean queues.q.lease?`},
		"by: services.ledger.checks": {"by: services.ledger.check", `f.yaml:13:69: sweep.plot[0].by: "services.ledger.check" is no axis of this sweep; did you mean "services.ledger.checks"?`},
	} {
		text := strings.Replace(sweepFile, from, wrong[0], 1)
		require.NotEqual(t, sweepFile, text, from)
		file, err := scenario.Parse("f.yaml", []byte(text))
		if err == nil {
			_, err = Grid(file, nil)
		}
		require.EqualError(t, err, wrong[1])
	}
}

func TestPlotsThatCannotBeDrawnAreFoundBeforeTheRun(t *testing.T) {
	var leases []string
	for i := range 17 {
		leases = append(leases, fmt.Sprintf("%ds", i+1))
	}
	axes := "axes: [{queues.q.lease: [" + strings.Join(leases, ", ") + "]}, {services.ledger.errors: [0, 10%]}]"
	for plot, want := range map[string]string{
		"{x: services.ledger.errors, y: starts, by: queues.q.lease}": "17 series of queues.q.lease, at most 16 can be told apart",
		"{x: services.ledger.errors, y: starts, log: x}":             "X is not positive and its axis is logarithmic",
	} {
		text := sweepFile[:strings.Index(sweepFile, "sweep:")] + "sweep:\n  " + axes + "\n  plot: [" + plot + "]\n"
		file, err := scenario.Parse("f.yaml", []byte(text))
		require.NoError(t, err)
		_, err = Grid(file, nil)
		require.ErrorContains(t, err, "f.yaml:12:", plot)
		require.ErrorContains(t, err, want)
	}
}

func TestFilesOfAnEarlierStudyAreRemoved(t *testing.T) {
	dir := t.TempDir()
	s := fakeWorld(t, Grid)
	_, err := s.Write(dir, runFake(t, s))
	require.NoError(t, err)
	for _, name := range []string{"notes.csv", "04-mine.svg"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	s.File.Sweep.Plots = s.File.Sweep.Plots[1:]
	files, err := s.Write(dir, runFake(t, s))
	require.NoError(t, err)
	var left []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	assert.ElementsMatch(t, append(files, "notes.csv", "04-mine.svg"), left, "only what this program wrote")

	elsewhere := filepath.Join(t.TempDir(), "points.csv")
	require.NoError(t, os.WriteFile(elsewhere, nil, 0o600))
	content, err := json.Marshal(manifest{Files: []string{elsewhere, "../points.csv", "manifest.json"}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestFile), content, 0o600))
	assert.Empty(t, filesOf(filepath.Join(dir, manifestFile)), "a path is none of ours")
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
