package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

// alerting runs one replication of a scenario with alerts and gives a reader of
// its metrics.
func alerting(t *testing.T, yaml string) (value func(string) float64, point *Point) {
	t.Helper()
	f, err := scenario.Parse("alerts", []byte(yaml))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{Workers: 1})
	require.NoError(t, err)
	return func(name string) float64 {
		c := points[0].Column(name)
		require.GreaterOrEqual(t, c, 0, name)
		return points[0].Values[c][0]
	}, points[0]
}

const busy = `
run: 10m
queues: {q: {lease: 5m}}
workers: {w: {count: 1}}
jobs: {j: {queue: q, arrivals: every 2s, steps: [work: 1s]}}
events: {stall: {at: 200s, for: 100s, set: {workers.w.paused: keep}}}
`

// The worker starts nothing from 200 s on, when the job of 198 s has ended; those
// of 200, 202, … wait. At the look of 219 s there are ten (200 to 218), and ten
// from then on for 5 s: 224 s. The last one came at 199 s; 30 s later is 229 s.
func TestAlertsFireWhenTheirConditionHasHeld(t *testing.T) {
	value, _ := alerting(t, busy+`
alerts:
  deep: {when: queues.q.queue_depth >= 10, for: 5s}
  silent: idle("complete") >= 30
  old: {when: oldest_job_age_s > 60}
  never: queue_depth > 1000
  always: queue_depth >= 0
`)
	assert.Equal(t, 224.0, value("alerts.deep.first_s"))
	assert.Equal(t, 24.0, value("alerts.deep.delay_s.mean"))
	assert.Equal(t, 229.0, value("alerts.silent.first_s"))
	assert.Equal(t, 261.0, value("alerts.old.first_s"), "the message of 200 s is older than 60 s at the look of 261 s")
	assert.Equal(t, []float64{1, 0, 1, 0, 0, 1, 1}, []float64{value("alerts.deep.fired"), value("alerts.deep.false"), value("alerts.silent.fired"),
		value("alerts.silent.false"), value("alerts.never.fired"), value("alerts.always.fired"), value("alerts.always.false")})
	assert.Equal(t, 1.0, value("alerts.always.first_s"), "the first look is one period after the start")
}

// Completions come at 3, 5, 7, …, 199 s: 0.5 a second. In the stall there are
// none; after it one a second, from 301 s on.
func TestRatesOfAlerts(t *testing.T) {
	value, _ := alerting(t, busy+`
alerts:
  slow: rate("complete", 20) < 0.25 and rate("publish", 20, "queues.q", "jobs.j") == 0.5
  fast: rate("complete", 20, "workers.w/1") == 1
  falls: rise("complete", 20) <= 0.5
  rises: rise("queue_depth", 20) > 2
  starts: rise("complete", 20) > 1.5
`)
	assert.Equal(t, 212.0, value("alerts.slow.first_s"), "193, 195, 197 and 199 s: four from 192 s on")
	assert.Equal(t, 321.0, value("alerts.fast.first_s"), "301, 302, … 320 s")
	assert.Equal(t, 210.0, value("alerts.falls.first_s"))
	assert.Greater(t, value("alerts.rises.first_s"), 200.0)
	assert.Greater(t, value("alerts.starts.first_s"), 300.0)
}

// What alerts see and say changes nothing of the run.
func TestAlertsDoNotChangeTheRun(t *testing.T) {
	_, without := alerting(t, busy)
	_, with := alerting(t, busy+"alerts: {deep: queue_depth > 3, silent: 'idle(\"ack\") > 10'}")
	assert.Equal(t, without.Trace, with.Trace)
	for i, c := range without.Columns {
		k := with.Column(c.Name)
		require.GreaterOrEqual(t, k, 0)
		for r, v := range without.Values[i] {
			if w := with.Values[k][r]; v != w && (v == v || w == w) {
				t.Errorf("%s is %v without alerts and %v with", c.Name, v, w)
			}
		}
	}
}

// Two processes run one job from 10 s on, when its lease has run out, to 20 s.
func TestAlertOnOverlap(t *testing.T) {
	value, _ := alerting(t, `
run: 1m
queues: {q: {lease: 10s}}
workers: {w: {count: 2}}
jobs: {j: {queue: q, arrivals: at 0.5s, steps: [work: 15s]}}
alerts: {twice: overlap > 0, twice_of_job: {when: jobs.j.overlap > 0, for: 3s}, up: workers.w.up == 2 and up == 2 and running <= 2}
`)
	assert.Equal(t, 11.0, value("alerts.twice.first_s"))
	assert.Equal(t, 14.0, value("alerts.twice_of_job.first_s"))
	assert.Equal(t, 1.0, value("alerts.up.fired"))
}

func TestMistakesInAlerts(t *testing.T) {
	for when, want := range map[string]string{
		`queues.q.queue_dept > 1`:              "did you mean queues.q.queue_depth",
		`rate("complet", minute) > 1`:          "did you mean complete",
		`rate("complete", 1.5) > 1`:            "whole number of looks",
		`rate("complete", up) > 1`:             "whole number of looks",
		`rate("complete", minute, "jobs.x")>1`: "there is no jobs.x",
		`rise("in_sistem", minute) > 1`:        "did you mean in_system",
		`idle("complete")`:                     "bool",
		`wait_s.p99 > 3`:                       `unknown level "wait_s.p99"; an alert sees busy, queue_depth, in_system, oldest_job_age_s, running, up, overlap now`,
		`duplicate_effects > 0`:                "metrics of the whole run belong into expect",
		`rate("complete", 100001) > 1`:         "a width of 27h46m41s is 100001 looks, and may be 100000: give a longer every",
		`raet("complete", minute) > 1`:         `unknown function "raet"; did you mean rate?`,
		`len(repeat("a", 1000000000)) > 1`:     `unknown function "repeat"`,
	} {
		f, err := scenario.Parse("alerts", []byte(busy+"alerts: {a: '"+when+"'}"))
		require.NoError(t, err, when)
		_, err = Variants(f, nil)
		if assert.Error(t, err, when) {
			assert.Contains(t, err.Error(), want, when)
			assert.True(t, strings.Contains(err.Error(), "alerts.a.when"), err.Error())
		}
	}
}

// Looks that would take hours are refused, also where they come of periods that
// share only a short one.
func TestLooksHaveABound(t *testing.T) {
	for alerts, want := range map[string]string{
		"{a: {when: up > 1, every: 1ns}}":                                     "a.every: the looks of all alerts together are 1ns apart, 600000000000 in a run of 10m0s, and there may be 10000000",
		"{a: {when: up > 1, every: 1s}, b: {when: up > 1, every: 1000001us}}": "a.every: the looks of all alerts together are 1µs apart",
		"{a: {when: up > 1, every: 60us}}":                                    "",
	} {
		f, err := scenario.Parse("alerts", []byte(busy+"alerts: "+alerts))
		require.NoError(t, err)
		_, err = Variants(f, nil)
		if want == "" {
			assert.NoError(t, err, alerts)
		} else {
			assert.ErrorContains(t, err, "alerts."+want)
		}
	}
}

// An alert that was silent is told of as one that fired is, though no
// expectation names it and only one variant has it.
func TestEveryAlertIsShown(t *testing.T) {
	f, err := scenario.Parse("alerts", []byte(busy+"alerts: {never: queue_depth > 1000}\nvariants: {more: {alerts.deep: queue_depth > 3}}\n"))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{})
	require.NoError(t, err)
	var table, csv strings.Builder
	require.NoError(t, report.Write(&table, s.Summary(points)[0], report.Markdown))
	require.NoError(t, report.Write(&csv, s.Tidy(points), report.CSV))
	for _, row := range []string{"| alerts.never.fired |  | 0 | 0 |", "| alerts.never.false |  | 0 | 0 |", "| alerts.never.delay_s.mean | s | – | – |", "| alerts.deep.fired |  |  | 1 |"} {
		assert.Contains(t, table.String(), row)
	}
	for _, row := range []string{"base,alerts.never.fired,1,0,", "base,alerts.never.false,1,0,", "base,alerts.never.delay_s.mean,s,,,,,0", "more,alerts.deep.delay_s.mean,s,"} {
		assert.Contains(t, csv.String(), row)
	}
}

// What only the values decide, such as an index, ends the run with its place.
func TestAnAlertThatCannotBeEvaluated(t *testing.T) {
	f, err := scenario.Parse("alerts", []byte(busy+"alerts: {a: '[1, 2][int(queues.q.queue_depth) + 7] > 1'}"))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	_, err = s.Run(t.Context(), Options{})
	require.Error(t, err)
	assert.Regexp(t, `replication 0: alerts:\d+:\d+: alerts\.a\.when: index out of range`, err.Error())
	var bug *BugError
	assert.NotErrorAs(t, err, &bug)
}
