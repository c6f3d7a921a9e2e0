package metric

import (
	"math"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/history"
)

func TestSpans(t *testing.T) {
	const s = time.Second
	var facts []history.Fact
	for i := range 10 { // starts at 0, 1, … 9 s; from 5 s on they fail
		at := float64(i)
		facts = append(facts, by(at, history.Start, int64(i), 0, 0, 1))
		if i < 5 {
			facts = append(facts, level(at, history.LevelWaiting, atQueue, int64(i)), by(at, history.Complete, int64(i), 0, 0, 1))
		} else {
			facts = append(facts, by(at, history.Fail, int64(i), 0, 0, 1))
		}
	}
	spans := []struct {
		span Span
		want float64
	}{
		{Span{"starts", 2 * s, 5 * s}, 3}, // [2, 5): the fact at 5 s is not in it
		{Span{"starts_per_s", 0, 4 * s}, 1},
		{Span{"queues.q.starts", 2500 * time.Millisecond, 5 * s}, 2},
		{Span{"error_share", 4 * s, 8 * s}, 0.75},
		{Span{"queue_depth", 1 * s, 4 * s}, 2},             // 1, 2, 3
		{Span{"queue_depth.mean", 3 * s, 9 * s}, 23.0 / 6}, // 3, then 4
		{Span{"lost_jobs", 0, 9 * s}, 0},
		{Span{"starts", -5 * s, 20 * s}, 10}, // no more than the run
		{Span{"starts", 30 * s, 40 * s}, 0},
		{Span{"starts_per_s", 3 * s, 3 * s}, math.NaN()},
		{Span{"starts_max_per_s", 0, 4 * s}, math.NaN()},
		{Span{"wait_s.mean", 0, 4 * s}, math.NaN()},
		{Span{"queue_depth.max", 0, 4 * s}, math.NaN()},
		{Span{"nonsense", 0, 4 * s}, math.NaN()},
	}
	var want Want
	for _, x := range spans {
		want.Windows = append(want.Windows, x.span)
	}
	r := run(t, 6, 10, want, facts...)
	for i, x := range spans {
		if got := r.Windows[i]; got != x.want && !(math.IsNaN(got) && math.IsNaN(x.want)) {
			t.Errorf("%s on [%v, %v) = %v, want %v", x.span.Metric, x.span.From, x.span.To, got, x.want)
		}
	}
	expect(t, r, map[string]float64{"starts": 4, "queue_depth.mean": 4}) // as without spans
}

// The whole run as a span is what the measured window without a warm-up is.
func TestASpanIsAWindow(t *testing.T) {
	var want Want
	for _, c := range New(world(), Window{}, Want{}).Columns() {
		want.Windows = append(want.Windows, Span{c.Name, 0, 10 * time.Second})
	}
	r := run(t, 0, 10, want, story()...)
	for i, c := range r.Columns {
		if got := r.Windows[i]; !math.IsNaN(got) && got != r.Values[i] {
			t.Errorf("%s on the whole run is %v, and %v as a metric", c.Name, got, r.Values[i])
		}
	}
}

// A run that was cut ends its window there.
func TestRunThatWasCut(t *testing.T) {
	m := New(world(), Window{0, 0, 100e9}, Want{Windows: []Span{{"starts", 1e9, 50e9}, {"starts", 60e9, 70e9}}})
	for _, f := range []history.Fact{by(1, history.Start, 0, 0, 0, 1), by(9, history.Start, 1, 0, 0, 1)} {
		m.Observe(&f)
	}
	r := m.Result(ns(10))
	expect(t, r, map[string]float64{"starts": 2, "starts_per_s": 0.2})
	if r.Windows[0] != 2 || r.Windows[1] != 0 {
		t.Errorf("windows %v, want 2 and 0", r.Windows)
	}
	// Cut before its window began, it has measured nothing.
	m = New(world(), Window{0, 50e9, 100e9}, Want{})
	f := by(1, history.Start, 0, 0, 0, 1)
	m.Observe(&f)
	expect(t, m.Result(ns(10)), map[string]float64{"starts": 0, "starts_per_s": nan, "in_system.mean": nan})
}

// A run may begin before the scenario's zero.
func TestRunFromBeforeZero(t *testing.T) {
	m := New(world(), Window{-100 * time.Second, -10 * time.Second, 100 * time.Second}, Want{Windows: []Span{{"queue_depth", -50 * time.Second, 0}}})
	for _, f := range []history.Fact{level(-80, history.LevelWaiting, atQueue, 2), by(-5, history.Start, 0, 0, 0, 1), believes(-4, atLock, 1, 1, 1),
		believes(-3, atLock, 1, 1, 2), believes(-2, atLock, 1, -1, 1), level(0, history.LevelWaiting, atQueue, 0)} {
		m.Observe(&f)
	}
	r := m.Result(ns(100))
	expect(t, r, map[string]float64{"starts": 1, "first_start_s": -5, "queue_depth.mean": 20.0 / 110, "holders_max": 2, "overlap_s": 1})
	if r.Windows[0] != 2 {
		t.Errorf("mean depth %v, want 2", r.Windows[0])
	}
}
