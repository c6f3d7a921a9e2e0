package experiments

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// fakeEvidence is one replication whose facts a test writes down by hand.
type fakeEvidence struct {
	values map[string]float64
	facts  map[history.Kind][]int64 // ns
	waits  *stat.Histogram
}

// row are the values in the order of testColumns.
func (f fakeEvidence) row() []float64 {
	row := make([]float64, len(testColumns))
	for i, c := range testColumns {
		row[i] = math.NaN()
		if v, ok := f.values[c.Name]; ok {
			row[i] = v
		}
	}
	return row
}

func (f fakeEvidence) Distribution(name string) *stat.Histogram {
	if name != "wait_s" {
		return nil
	}
	return f.waits
}

// At knows the labels of one process: its facts are the odd ones.
func (f fakeEvidence) At(kind history.Kind, labels ...string) []int64 {
	times := f.facts[kind]
	if !slices.Contains(labels, "workers.w/2") {
		return times
	}
	var odd []int64
	for i := 1; i < len(times); i += 2 {
		odd = append(odd, times[i])
	}
	return odd
}

func (f fakeEvidence) ByJob(kind history.Kind) []int64 {
	times := slices.Clone(f.facts[kind])
	slices.Reverse(times)
	return times
}

const second = int64(time.Second)

var testScenario = &scenario.Scenario{
	Workers: []*scenario.Group{{Name: "w", Count: 3}},
	Jobs:    []*scenario.Job{{Name: "pay"}},
	Locks:   []*scenario.Lock{{Name: "leader"}},
}

func columns(names ...string) []metric.Column {
	list := make([]metric.Column, len(names))
	for i, name := range names {
		list[i] = metric.Column{Name: name}
	}
	return list
}

var testColumns = columns("starts", "acks", "lost_jobs", "overlap_s", "in_system", "in_system.max", "drain_s", "never",
	"wait_s.mean", "wait_s.p50", "wait_s.p95", "wait_s.p99", "wait_s.p999", "wait_s.max", "jobs.pay.starts", "workers.w.utilisation")

func testReplication(starts float64) fakeEvidence {
	waits := &stat.Histogram{}
	for range 3 {
		waits.Add(second)
	}
	waits.Add(100 * second)
	return fakeEvidence{
		values: map[string]float64{"starts": starts, "acks": 2, "overlap_s": 7.85, "in_system": 2.5, "in_system.max": 9,
			"wait_s.mean": 0.5 + starts/100, "wait_s.p99": 3, "jobs.pay.starts": starts, "workers.w.utilisation": 0.8},
		facts: map[history.Kind][]int64{
			history.Start: {0, 90 * second, 90*second + 1, 26_500_000_000 * 10},
			history.Beat:  {second, 3 * second, 5 * second},
			history.Ack:   {7 * second},
		},
		waits: waits,
	}
}

// verdictOf compiles and judges one expectation over replications.
func verdictOf(t *testing.T, text string, replications ...fakeEvidence) Verdict {
	t.Helper()
	e, err := Compile(testScenario, testColumns, []scenario.Expect{{Variant: "base", Text: text, Line: 3, Column: 9}})
	require.NoError(t, err, text)
	runs := make([]map[string]any, len(replications))
	for r, one := range replications {
		runs[r] = e.language.replication(one.row(), one, windowValues{e.Want.Windows, []float64{8000, 8600}})
	}
	return e.judge(runs)[0]
}

func TestExpectationOfOneReplication(t *testing.T) {
	for text, want := range map[string]Outcome{
		`starts == 12 and acks == 2`:                             Held,
		`starts == 13`:                                           Failed,
		`not (starts == 13)`:                                     Held,
		`jobs.pay.starts == starts`:                              Held,
		`between(overlap_s, 7.84, 7.86)`:                         Held,
		`between(overlap_s, 7, 7.84)`:                            Failed,
		`between(starts, 12, 12)`:                                Held,
		`near(workers.w.utilisation, 0.79, 0.02)`:                Held,
		`near(workers.w.utilisation, 0.7, 0.02)`:                 Failed,
		`at("ack") == [7]`:                                       Held,
		`at("ack") != [7]`:                                       Failed,
		`[7] == at("ack")`:                                       Held,
		`at("ack") == [7, 8]`:                                    Failed,
		`at("ack") == [6 + 1]`:                                   Held,
		`at("start") == [0, 90, 90.000000001, 265]`:              Held,
		`at("start") == [0, 90, 90, 265]`:                        Failed, // one nanosecond off
		`at("start")[0:2] == [0, 90]`:                            Held,
		`at("start")[-1] == 265 and at("start")[1] == 60 + 30`:   Held,
		`at("start", "workers.w/2") == [90, 265]`:                Held,
		`at("start", "jobs.pay", "workers.w/1")[0] == 0`:         Held,
		`at("crash") == []`:                                      Held,
		`at("start")[7] == 1`:                                    Failed, // there is no such start
		`len(at("crash")) == 0 and len(at("start")) == 4`:        Held,
		`by_job("heartbeat") == [5, 3, 1]`:                       Held,
		`gaps("heartbeat") == [2, 2]`:                            Held,
		`between(gaps("heartbeat"), 2, 2)`:                       Held,
		`near(gaps("heartbeat"), 2.1, 0.1)`:                      Held,
		`inside(at("start"), 90, 90) == 1`:                       Held,
		`inside(at("start"), 0, 2 * minute) == 3`:                Held,
		`inside(at("start"), 60 + len(at("ack")), 265) == 3`:     Held,
		`peak("start", 10) == 2`:                                 Held,
		`during("starts", minute, 2 * minute) == 8000`:           Held,
		`near(during("starts", 60, 120), 8001, 0.01)`:            Held,
		`growth("starts", 60, 180) == 10`:                        Held, // 8000 before the middle, 8600 after it
		`wait_s.share_over(10) == 0.25`:                          Held,
		`in_system.mean == 2.5 and in_system.max == 9`:           Held,
		`500 * ms == 0.5 and hour == 60 * minute and day > hour`: Held,
		`drain_s <= 5`:                                           Failed, // undefined: no comparison holds
		`drain_s > 5`:                                            Failed,
		`starts > 1 ? acks == 2 : acks == 3`:                     Held,
		`any([1, 2], # > 1)`:                                     Held,
		`1 / 0 > 0`:                                              Failed,
		`not (1 / (starts - 12) < 1)`:                            Failed,
		`0 / 0 != 1`:                                             Failed,
		`acks == 2 or 1 / (acks - 2) > 1`:                        Held,
		`starts / acks == 6 and 3 / 2 == 1.5`:                    Held,
		`near(sum(at("heartbeat")), 9, 0)`:                       Held,
	} {
		assert.Equal(t, want, verdictOf(t, text, testReplication(12)).Outcome, text)
	}
}

func TestExpectationMustHoldInEveryReplication(t *testing.T) {
	v := verdictOf(t, `starts <= 12 and acks == 2`, testReplication(11), testReplication(12), testReplication(13), testReplication(14))
	assert.Equal(t, Verdict{Variant: "base", Text: `starts <= 12 and acks == 2`, Line: 3, Outcome: Failed, Of: 4, Not: 2, First: 2,
		Why: "starts = 13, acks = 2"}, v)
}

func TestVerdictShowsWhatItSpeaksOf(t *testing.T) {
	for text, want := range map[string]string{
		`at("start")[0:2] == [0, 91]`:                  `at("start") = [0, 90, 90.000000001, 265]`,
		`at("start")[7] == 1`:                          `at("start") = [0, 90, 90.000000001, 265], index out of range: 7 (array length is 4) (1:12)`,
		`between(wait_s.p99, 4, 5) and starts == 12`:   `wait_s.p99 = 3, starts = 12`,
		`inside(at("ack"), 0, hour) == 2`:              `at("ack") = [7]`,
		`wait_s.share_over(10) > 0.3`:                  `wait_s.share_over(10) = 0.25`,
		`count(runs, .starts > 1) == 3`:                `count(runs, .starts > 1) = 1`,
		`sum(runs, .starts) / sum(runs, .acks) == 5`:   `sum(runs, .starts) = 12, sum(runs, .acks) = 2`,
		`starts / (acks - 2) > 1`:                      `starts = 12, acks = 2, divides by 0 (1:8)`,
		`count(runs, 1 / (.acks - 2) > 0) == 1`:        `divides by 0 (1:15)`,
		`near(mean(map(runs, .wait_s.p99)), 4, 0.001)`: `mean(map(runs, .wait_s.p99)) = 3 [-Inf, +Inf]`,
	} {
		assert.Equal(t, want, verdictOf(t, text, testReplication(12)).Why, text)
	}
}

func TestExpectationOverRuns(t *testing.T) {
	var runs []fakeEvidence // wait_s.mean 0.51 … 0.60: mean 0.555, t interval ± 0.0217
	for i := range 10 {
		runs = append(runs, testReplication(float64(i+1)))
	}
	for text, want := range map[string]Outcome{
		`count(runs, .starts > 5) / len(runs) == 0.5`:                                Held,
		`len(runs) == 10 and sum(runs, .starts) == 55`:                               Held,
		`mean(map(runs, .wait_s.mean)) < 0.6`:                                        Held,
		`mean(map(runs, .wait_s.mean)) > 0.6`:                                        Failed,
		`mean(map(runs, .wait_s.mean)) < 0.56`:                                       Inconclusive,
		`0.56 > mean(map(runs, .wait_s.mean))`:                                       Inconclusive,
		`0.5 <= mean(map(runs, .wait_s.mean))`:                                       Held,
		`not (mean(map(runs, .wait_s.mean)) < 0.56)`:                                 Inconclusive,
		`mean(map(runs, .wait_s.mean)) < 0.56 or true`:                               Held,
		`mean(map(runs, .wait_s.mean)) < 0.56 or 1 < mean(map(runs, .starts))`:       Held,
		`mean(map(runs, .wait_s.mean)) < 0.56 and 100 < mean(map(runs, .starts))`:    Failed,
		`mean(map(runs, .wait_s.mean)) < 0.56 or not (mean(map(runs, .starts)) < 6)`: Inconclusive,
		`near(mean(map(runs, .wait_s.mean)), 0.555, 1e-9)`:                           Held,
		`between(mean(map(runs, .wait_s.mean)).low, 0.533, 0.534)`:                   Held,
		`median(map(runs, .starts)) > 0.5`:                                           Held,
		`quantile(map(runs, .starts), 0.5).mean == 5.5`:                              Held,
		`share(map(runs, .starts > 0)) > 0.7`:                                        Held,
		`share(map(runs, .starts > 0)) > 0.9`:                                        Inconclusive, // 10 of 10 may be 0.8
		`mean(map(runs, .never)) < 0.1`:                                              Failed,       // undefined
		`all(runs, .acks == 2)`:                                                      Held,
		`map(runs, .at("ack"))[0] == [7]`:                                            Held,
	} {
		assert.Equal(t, want, verdictOf(t, text, runs...).Outcome, text)
	}
	v := verdictOf(t, `mean(map(runs, .wait_s.mean)) < 0.56`, runs...)
	assert.Greater(t, v.Needed, 10, "replications that would decide")
	assert.Equal(t, stat.NeededToDecide(stat.MeanT([]float64{.51, .52, .53, .54, .55, .56, .57, .58, .59, .60}, 0.95), 0.56), v.Needed)
}

func TestMeanOfZerosIsABound(t *testing.T) {
	var runs []fakeEvidence
	for range 20 {
		runs = append(runs, fakeEvidence{values: map[string]float64{"lost_jobs": 0}})
	}
	assert.Equal(t, Held, verdictOf(t, `mean(map(runs, .lost_jobs)) < 0.2`, runs...).Outcome)
	assert.Equal(t, Inconclusive, verdictOf(t, `mean(map(runs, .lost_jobs)) < 0.1`, runs...).Outcome, "3/20 = 0.15 is above")
}

func TestExpectationErrorsAreFoundBeforeTheRun(t *testing.T) {
	for text, want := range map[string]string{
		`wait_s.p9 < 3`:                               "unknown metric \"wait_s.p9\"; did you mean wait_s.p95? (column 8 of `wait_s.p9 < 3`)",
		`acks == 1 and strats == 2`:                   "unknown metric \"strats\"; did you mean starts? (column 15 of",
		`count(runs, .strats > 0) == 1`:               `unknown metric "strats"; did you mean starts? (column 14 of`,
		`near(mean(map(runs, .strats)), 3, 0.1)`:      `unknown metric "strats"; did you mean starts? (column 22 of`,
		`near(mean(map(runs, .wait_s.maen)), 3, 0.1)`: `unknown metric "wait_s.maen"; did you mean wait_s.mean? (column`,
		`between(at("ack") == 3, 1, 2)`:               `mismatched types Instants and int`,
		`at("begin") == [1]`:                          `unknown fact "begin"`,
		`at("strat")[0] == 1`:                         "unknown fact \"strat\"; did you mean start? (column 4 of",
		`at("start", "workers.w/4") == []`:            `label "workers.w/4": w has the processes 1 to 3 (column 13 of`,
		`at("start", "jobs.play") == []`:              `label "jobs.play": there is no jobs.play; did you mean pay?`,
		`at("start", "pods.w") == []`:                 `"pods" is none of queues,`,
		`at("start") == 3`:                            "mismatched types Instants and int",
		`starts`:                                      "expected bool, but got float64",
		`starts + 1`:                                  "expected bool, but got float64",
		`wait_s < 3`:                                  "mismatched types distribution and int); name a part of it, such as .mean or .p99 (column",
		`wait_s.p99 < 1s`:                             "an expression has no units: write seconds as a number, 1 for 1s (column 14 of",
		`wait_s.p99 < 1h30m`:                          "write seconds as a number, 5400 for 1h30m (column 14 of",
		`wait_s.p99 < 500 ms and starts > 0`:          "write seconds as a number, 0.5 for 500 ms (column 14 of",
		`wait_s.p99 < "1_000ms"`:                      "write seconds as a number, 1 for 1_000ms (column 14 of",
		`during("starts", 1m, 2m) > 0`:                "write seconds as a number, 60 for 1m (column 18 of",
		`wait_s.p99 < 2d`:                             "write seconds as a number, 172800 for 2d (column 14 of",
		`starts < 5%`:                                 "an expression has no percentages: write the share 0.05 for 5% (column 10 of",
		`starts > 6/m`:                                "write the rate per second as a number, 0.1 for 6/m (column 10 of",
		`starts = 0`:                                  "write == to compare (column 8 of",
		`between(starts, 1) == true`:                  "not enough arguments to call between (column 1 of",
		`near(at("start"), "x", 1)`:                   "cannot use Instants as argument (type float64) to call near",
		`during("strats", 1, 2) == 3`:                 `unknown metric "strats"; did you mean starts? (column 8 of`,
		`during("starts", at("ack")[0], 2) > 0`:       "during needs instants that are known before the run, in seconds (column",
		`growth(1, 1, 2) > 0`:                         "cannot use",
		`growth("strats", 1, 2) == 3`:                 `unknown metric "strats"; did you mean starts? (column 8 of`,
		`mean(map(runs, .starts)) + 1 > 0`:            "mismatched types Estimate and int",
		`mean(starts) > 0`:                            "cannot use float64 as argument",
		`starts ?? 1`:                                 "?? stands in for what is nil",
		`(starts ?? 1) > 0`:                           "(column 9 of",
		`starts / "a" > 0`:                            "mismatched types float64 and string",
		`starts ==`:                                   "unexpected token EOF (column 9 of",
		`now() == 3`:                                  `unknown function "now"; known: at, gaps, by_job,`,
		`atl("start") == []`:                          `unknown function "atl"; did you mean at? (column 1 of`,
		`sort(at("start")) == []`:                     `unknown function "sort"`,
		`toJSON(starts) == "1"`:                       `unknown function "toJSON"`,
		`len(repeat("a", 1000000000)) > 1`:            `unknown function "repeat"`,
		`starts == nil`:                               "nothing here is nil: a metric that did not occur is no number",
		`peak("start", 0) == 0`:                       "peak needs a width above 0 that is known before the run, in seconds (column 15 of",
		`runs[0].peak("start", starts) == 0`:          "peak needs a width above 0",
		`during("starts", 10, 5) > -3`:                "during needs a window that ends after it begins, and not from 10s to 5s (column 22 of",
		`growth("starts", 10, 10) > 0`:                "growth needs a window that ends after it begins",
		`quantile(map(runs, .starts), 2) > 0`:         "quantile needs a share between 0 and 1 that is known before the run",
		`share(map(runs, .starts)) > 0`:               "share needs a list of what is true or false: write share(map(runs, .metric > 0)) (column 7 of",
		`mean(map(runs, .starts > 1)) > 0`:            "mean needs a list of numbers, such as mean(map(runs, .starts)) (column 6 of",
		`median(map(runs, .at("start"))) > 0`:         "median needs a list of numbers",
		`mean(runs) > 0`:                              "mean needs a list of numbers",
		`min(runs) > 0`:                               "min needs a list of numbers",
		`max(map(runs, .at("start"))) > 0`:            "max needs a list of numbers",
	} {
		_, err := Compile(testScenario, testColumns, []scenario.Expect{{Variant: "base", Text: text, Line: 3, Column: 9}})
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want)
			assert.Contains(t, err.Error(), ":3:9: expect.base: ")
		}
	}
}

// A setting is a number or a text, and never equal to what it is not: compared
// so an expectation could never hold, or with != never fail.
func TestASettingIsNotComparedWithWhatItCannotBe(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(sweepFile))
	require.NoError(t, err)
	sc, err := file.Resolve("base")
	require.NoError(t, err)
	for text, want := range map[string]string{
		`setting("queues.q.lease") == "30s"`:            `queues.q.lease is a number here, 30 (durations in seconds), and never the text "30s"`,
		`"30s" != setting("queues.q.lease")`:            `queues.q.lease is a number here, 30`,
		`setting("queues.q.lease") > "a"`:               `queues.q.lease is a number here, 30`,
		`setting("queues.q.lease.cap") > 5`:             `queues.q.lease.cap is a text here, "forever", and no number: compare it with a text (column 33 of`,
		`setting("seed") == 7`:                          `seed is a text here, "7", and no number`,
		`between(setting("queues.q.lease.cap"), 1, 2)`:  `cannot use string as argument (type float64) to call between`,
		`mean(map(runs, setting("seed"))) > 1`:          `mean needs a list of numbers`,
		`setting("queues." + "q.lease") == 30`:          `setting needs the path as plain text`,
		`setting("queues.q.leese") == 30`:               `there is no setting "queues.q.leese"`,
		`setting("queues.q.lease") + setting("seed")>1`: `mismatched types float64 and string`,
	} {
		_, err := Compile(sc, testColumns, []scenario.Expect{{Variant: always, Text: text}})
		assert.ErrorContains(t, err, want, text)
	}
}

func TestExpectationsSayWhatTheRunMustKeep(t *testing.T) {
	e, err := Compile(testScenario, testColumns, []scenario.Expect{
		{Text: `at("start") == [0] and gaps("ack") == []`},
		{Text: `by_job("start") == [1] and during("starts", 1, 2 * minute) == during("starts", 1, 120)`},
		{Text: `map(runs, .peak("crash", 3))[0] == 0`},
	})
	require.NoError(t, err)
	assert.Equal(t, []history.Kind{history.Start, history.Ack, history.Crash}, e.Want.Facts)
	assert.Equal(t, []metric.Span{{Metric: "starts", From: time.Second, To: 2 * time.Minute}}, e.Want.Windows)
}

func TestBusiestWindowIsAligned(t *testing.T) {
	assert.Equal(t, 2, busiest([]int64{-3, -1, 0, 1, 5}, 2), "[0, 2) holds two")
	assert.Equal(t, 1, busiest([]int64{1, 2}, 2), "neighbours on both sides of an edge")
	assert.Equal(t, 0, busiest(nil, 2))
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
	require.ErrorContains(t, err, `"queues.q.leese"`)
}
