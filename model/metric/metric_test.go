package metric

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/history"
)

// world has one component of each noun. Group w has two processes with one
// slot each, service s has two servers.
func world() history.Names {
	return history.Names{
		Queues:      []history.QueueName{{Name: "q", DrainTo: -1, Split: true}},
		Locks:       []string{"l"},
		Services:    []history.ServiceName{{Name: "s", Limited: true, Servers: 2}},
		Monitors:    []string{"m"},
		Events:      []string{"e"},
		Caches:      []string{"c"},
		Alerts:      []string{"a"},
		Reconcilers: []string{"r"},
		Jobs:        []history.JobName{{Name: "pay", Queue: 0}, {Name: "tick", Queue: -1}},
		Groups:      []history.Group{{Name: "w", Count: 2, Slots: 1, Limited: true}},
	}
}

var (
	atQueue      = history.Place{Noun: history.Queue}
	atLock       = history.Place{Noun: history.Lock}
	atService    = history.Place{Noun: history.Service}
	atMonitor    = history.Place{Noun: history.Monitor}
	atEvent      = history.Place{Noun: history.Event}
	atCache      = history.Place{Noun: history.Cache}
	atAlarm      = history.Place{Noun: history.Alarm}
	atReconciler = history.Place{Noun: history.Reconciler}
)

// bare is a fact that names nothing.
func bare(s float64, kind history.Kind) history.Fact {
	return history.Fact{At: ns(s), Kind: kind, Job: -1, Type: -1, Group: -1, Process: -1}
}

// of is a fact of job number j of type pay at the queue.
func of(s float64, kind history.Kind, j int64, value float64) history.Fact {
	f := bare(s, kind)
	f.Place, f.Job, f.Type, f.Value = atQueue, j, 0, ns(value)
	return f
}

// by is of, in process p of group w, its handler's start number n.
func by(s float64, kind history.Kind, j int64, value float64, p, n int32) history.Fact {
	f := of(s, kind, j, value)
	f.Group, f.Process, f.Attempt, f.Delivery = 0, p, n, n
	return f
}

// in is a fact about process p of group w.
func in(s float64, kind history.Kind, place history.Place, p int32, value int64) history.Fact {
	f := bare(s, kind)
	f.Place, f.Group, f.Process, f.Value = place, 0, p, value
	return f
}

// level is a Level fact.
func level(s float64, which int32, place history.Place, value int64) history.Fact {
	f := bare(s, history.Level)
	f.Attempt, f.Place, f.Value = which, place, value
	switch which {
	case history.LevelRunning, history.LevelUp, history.LevelSlots:
		f.Group = 0
	case history.LevelInSystem:
		f.Type = 0
	}
	return f
}

func ns(s float64) int64 { return int64(math.Round(s * 1e9)) }

// run measures facts in the window [warm, end), in s, of a run that begins at 0.
func run(t *testing.T, warm, end float64, want Want, facts ...history.Fact) *Result {
	t.Helper()
	m := New(world(), Window{0, time.Duration(ns(warm)), time.Duration(ns(end))}, want)
	for i := range facts {
		m.Observe(&facts[i])
	}
	return m.Result(ns(end))
}

// expect compares metrics with values worked out by hand.
func expect(t *testing.T, r *Result, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		got, ok := r.Value(name)
		if !ok {
			t.Errorf("there is no %s", name)
		}
		if !(got == w || math.IsNaN(got) && math.IsNaN(w) || math.Abs(got-w) <= 1e-12*math.Abs(w)) {
			t.Errorf("%s = %v, want %v", name, got, w)
		}
	}
}

var nan, inf = math.NaN(), math.Inf(1)

// Facts at 1, 5, 5.5 and 9 s; the first is warm-up.
func TestCounterColumns(t *testing.T) {
	r := run(t, 4, 10, Want{},
		by(1, history.Start, 0, 1, 0, 1), by(5, history.Start, 1, 1, 0, 1),
		by(5.5, history.Start, 2, 1, 1, 1), by(9, history.Start, 3, 1, 0, 1))
	for _, prefix := range []string{"", "queues.q.", "jobs.pay.", "workers.w."} {
		expect(t, r, map[string]float64{
			prefix + "starts": 3, prefix + "starts_per_s": 0.5, prefix + "starts_max_per_s": 2,
			prefix + "first_start_s": 5, prefix + "last_start_s": 9,
		})
	}
	expect(t, r, map[string]float64{"jobs.tick.starts": 0, "jobs.tick.first_start_s": nan, "jobs.tick.starts_per_s": 0})
	if _, ok := r.Value("locks.l.starts"); ok {
		t.Error("a lock has no starts")
	}
}

// Every kind that is counted as such lands in its counter, and nowhere else.
func TestEveryPlainKind(t *testing.T) {
	for _, row := range []struct {
		kind history.Kind
		name string
	}{
		{history.Publish, "offered"}, {history.Replay, "replayed"},
		{history.Deliver, "deliveries"}, {history.Complete, "completions"}, {history.Fail, "failures"}, {history.Ack, "acks"},
		{history.AckRefused, "acks_refused"}, {history.Return, "returns"}, {history.Expire, "expiries"}, {history.Retry, "retries"},
		{history.DeadLetter, "dead_lettered"}, {history.Drop, "drops"}, {history.Done, "finished"},
		{history.Renew, "lease_renewals"}, {history.RenewFail, "lease_renew_failures"}, {history.LostAlive, "leases_lost_alive"},
		{history.TakeOver, "takeovers"},
	} {
		f := by(3, row.kind, 0, 0, 0, 1)
		if row.kind == history.Done {
			f.Delivery = 0 // not lost
		}
		r := run(t, 0, 10, Want{}, f)
		expect(t, r, map[string]float64{row.name: 1, "jobs.pay." + row.name: 1, "queues.q." + row.name: 1, row.name + "_per_s": 0.1})
		for _, e := range entries {
			if v, ok := r.Value(e.Name); ok && e.Shape == Count && e.Name != row.name && v != 0 {
				t.Errorf("%s: also counted as %s", row.kind.Word(), e.Name)
			}
		}
	}
}

// A fact of a job at a service counts for the job's queue; what happens at
// another queue does not.
func TestAJobsFactsCountForItsQueue(t *testing.T) {
	names := world()
	names.Queues = append(names.Queues, history.QueueName{Name: "dead"})
	m := New(names, Window{0, 0, time.Second}, Want{})
	call := by(0.1, history.Call, 0, 0, 0, 1)
	call.Place = atService
	elsewhere := by(0.2, history.Deliver, 0, 0, 0, 1)
	elsewhere.Place.Index = 1
	m.Observe(&call)
	m.Observe(&elsewhere)
	expect(t, m.Result(1e9), map[string]float64{
		"queues.q.calls": 1, "services.s.calls": 1, "jobs.pay.calls": 1, "workers.w.calls": 1, "queues.dead.calls": 0,
		"queues.q.deliveries": 0, "queues.dead.deliveries": 1,
	})
}

func TestSafetyCountsCoverTheWholeRun(t *testing.T) {
	effect := func(s float64, n int64) history.Fact {
		f := of(s, history.Effect, 0, 0)
		f.Place, f.Value = atService, n
		return f
	}
	lost := of(2, history.Done, 1, 2)
	lost.Attempt, lost.Delivery = 1, 1
	violation := of(3, history.FenceViolation, 0, 0)
	violation.Place = atService
	r := run(t, 5, 10, Want{}, effect(1, 1), lost, effect(3, 2), violation, effect(6, 3), effect(7, 1))
	expect(t, r, map[string]float64{
		"effects": 2, "duplicate_effects": 2, "services.s.duplicate_effects": 2, "queues.q.duplicate_effects": 2,
		"first_duplicate_effect_s": 3, "duplicate_effects_per_s": 0.2,
		"lost_jobs": 1, "jobs.pay.lost_jobs": 1, "fence_violations": 1, "finished": 0,
		"goodput_per_s": 1.0 / 5, "services.s.goodput_per_s": 1.0 / 5, // one of two in the window
	})
}

func TestPublishing(t *testing.T) {
	r := run(t, 0, 10, Want{}, of(1, history.Publish, 0, 0), of(2, history.PublishRefused, 1, 0), of(2, history.Suppress, 2, 0),
		of(3, history.Publish, 3, 0), of(4, history.Publish, 4, 0))
	expect(t, r, map[string]float64{"offered": 5, "publish_refused": 1, "suppressed": 1, "published": 3, "published_per_s": 0.3, "offered_per_s": 0.5,
		"queues.q.published": 3, "jobs.pay.published": 3})
}

// Jobs 0 to 3 start; 1 twice, 2 three times. Job 3 is pending with two starts
// at the end. So 3 of 4 ran more than once, by 4 starts beyond the first.
func TestDuplicates(t *testing.T) {
	done := func(s float64, j int64, starts int32) history.Fact {
		f := of(s, history.Done, j, 1)
		f.Attempt = starts
		return f
	}
	facts := []history.Fact{
		by(1, history.Start, 0, 0, 0, 1), done(1.5, 0, 1),
		by(2, history.Start, 1, 0.5, 0, 1), by(3, history.Start, 1, 0, 1, 2), done(4, 1, 2),
		by(5, history.Start, 2, 0.25, 0, 1), by(6, history.Start, 2, 0, 1, 2), by(7, history.Start, 2, 0, 0, 3), done(8, 2, 3),
		by(8, history.Start, 3, 0, 0, 1), by(9, history.Start, 3, 0, 1, 2),
	}
	for i := range facts {
		if f := &facts[i]; f.Kind == history.Start && f.Attempt > 1 {
			f.Value = -1
		}
	}
	r := run(t, 0, 10, Want{}, facts...)
	expect(t, r, map[string]float64{"starts": 8, "duplicate_starts": 4, "duplicate_rate": 0.75, "jobs.pay.duplicate_rate": 0.75,
		"waited_share": 0.5, "wait_s.mean": 0.1875, "wait_s.max": 0.5, "jobs.tick.duplicate_rate": nan})

	// From 3.5 s on, jobs 1 and 2 are done and 3 is pending: all three twice.
	r = run(t, 3.5, 10, Want{}, facts...)
	expect(t, r, map[string]float64{"starts": 5, "duplicate_starts": 3, "duplicate_rate": 1})
}

// Of six jobs offered one is refused and one suppressed; of the four taken, job 0
// starts twice and job 1 in the end. What was taken in the warm-up counts.
func TestUnstarted(t *testing.T) {
	facts := []history.Fact{
		of(1, history.Publish, 0, 0), of(1, history.PublishRefused, 10, 0), of(1, history.Suppress, 11, 0),
		of(2, history.Publish, 1, 0), of(2, history.Publish, 2, 0), by(3, history.Start, 0, 2, 0, 1), by(4, history.Start, 0, -1, 0, 2),
		of(5, history.Publish, 3, 0), by(6, history.Start, 1, 4, 0, 1),
	}
	for _, warm := range []float64{0, 4.5} {
		r := run(t, warm, 10, Want{Windows: []Span{{"unstarted_share", 0, 3.5e9}}}, facts...)
		expect(t, r, map[string]float64{"unstarted_share": 2.0 / 4, "jobs.pay.unstarted_share": 2.0 / 4, "queues.q.unstarted_share": 2.0 / 4, "jobs.tick.unstarted_share": nan})
		if got := r.Windows[0]; got != 2.0/3 {
			t.Errorf("until 3.5 s: %v, want two of three", got)
		}
	}
}

// Three messages: delivered once, once and three times.
func TestDeliveriesPerJob(t *testing.T) {
	r := run(t, 0, 10, Want{}, by(1, history.Deliver, 0, 0, 0, 1), by(2, history.Deliver, 1, 0, 0, 1), by(3, history.Deliver, 2, 0, 0, 1),
		by(4, history.Deliver, 2, 0, 0, 2), by(5, history.Deliver, 2, 0, 0, 3))
	expect(t, r, map[string]float64{"deliveries_per_job.mean": 5.0 / 3, "deliveries_per_job.p50": 1, "deliveries_per_job.p95": 3,
		"queues.q.deliveries_per_job.max": 3, "jobs.tick.deliveries_per_job.mean": nan})
	if got := r.Distribution("deliveries_per_job").ShareOver(1e9); got != 1.0/3 {
		t.Errorf("share over one delivery: %v, want a third", got)
	}
}

func TestDurations(t *testing.T) {
	tick := bare(9, history.Done) // started by a process: its end is its end to end
	tick.Type, tick.Job, tick.Value, tick.Attempt = 1, 7, ns(4), 1
	grant := in(5, history.Grant, atLock, 0, ns(1.5))
	orphan := in(6, history.OrphanEnd, atLock, 0, ns(2.5))
	takeover := in(6, history.TakeOver, atLock, 1, ns(3))
	r := run(t, 0, 10, Want{},
		by(1, history.Start, 0, 0.5, 0, 1), by(3, history.Complete, 0, 2, 0, 1), by(4, history.Ack, 0, 3.5, 0, 1),
		grant, orphan, takeover, in(7, history.Pause, history.Place{}, 0, 0), in(8, history.Resume, history.Place{}, 0, ns(1)), tick)
	expect(t, r, map[string]float64{
		"wait_s.mean": 0.5, "service_s.mean": 2, "service_s.p99": 2, "workers.w.service_s.max": 2,
		"jobs.pay.end_to_end_s.mean": 3.5, "jobs.tick.end_to_end_s.mean": 4, "end_to_end_s.mean": 3.75, "queues.q.end_to_end_s.mean": 3.5,
		"locks.l.lock_wait_s.mean": 1.5, "orphan_locks": 0, "orphan_locks_left": 0, "orphan_s.max": 2.5, "locks.l.takeover_s.mean": 3, "takeovers": 1,
		"pauses": 1, "resumes": 1, "pause_s.mean": 1, "workers.w.pause_s.mean": 1, "grants": 1, "locks.l.grants": 1,
	})
	if h := r.Distribution("wait_s"); h == nil || h.Count() != 1 {
		t.Error("wait_s has no histogram with one value")
	}
	if r.Distribution("starts") != nil || r.Distribution("nothing") != nil {
		t.Error("a counter has a histogram")
	}
}

// Of three orphans the first comes about before the measured window and ends in
// it, the third is there still: it counts with what it has lasted.
func TestOrphans(t *testing.T) {
	left := in(10, history.OrphanEnd, atLock, 1, ns(1))
	left.Attempt = 1
	r := run(t, 4, 10, Want{}, in(3, history.Orphaned, atLock, 0, 0), in(5, history.OrphanEnd, atLock, 0, ns(2)), in(6, history.Orphaned, atLock, 0, 1),
		in(9, history.OrphanEnd, atLock, 0, ns(3)), in(9, history.Orphaned, atLock, 1, 0), left)
	expect(t, r, map[string]float64{"orphan_locks": 2, "locks.l.orphan_locks": 2, "first_orphan_s": 6, "orphan_s.mean": 2, "workers.w.orphan_s.max": 3,
		"orphan_locks_left": 1, "locks.l.orphan_locks_left": 1, "jobs.pay.orphan_locks_left": 0})
}

// A job published at 1 s is set aside at 4 s, while another delivery of it runs
// on until 6 s.
func TestEndToEndOfDeadLetters(t *testing.T) {
	dead := of(4, history.DeadLetter, 0, 0)
	dead.Value = 1
	r := run(t, 0, 10, Want{}, dead, of(6, history.Done, 0, 5), of(7, history.Done, 1, 5))
	expect(t, r, map[string]float64{"end_to_end_s.mean": 3, "dead_lettered": 1, "dead_lettered_unstarted": 1, "dead_letter_rate": 0.5,
		"first_dead_letter_unstarted_s": 4})
}

func TestRates(t *testing.T) {
	r := run(t, 0, 10, Want{}, by(1, history.Complete, 0, 1, 0, 1), by(2, history.Complete, 1, 1, 0, 1), by(3, history.Complete, 2, 1, 0, 1),
		by(4, history.Fail, 3, 0, 0, 1), of(4, history.Retry, 3, 0.5), of(5, history.Retry, 3, 1.5), of(6, history.Done, 0, 1), of(6, history.Done, 1, 1))
	expect(t, r, map[string]float64{"success_rate": 0.75, "failure_rate": 0.25, "error_share": 0.25, "workers.w.error_share": 0.25,
		"retry_rate": 1, "queues.q.retries": 2, "retry_delay_s.mean": 1, "retry_delay_s.k1": nan, "jobs.tick.success_rate": nan})
}

func TestMetricsThatCannotApplyAreNoColumns(t *testing.T) {
	m := New(history.Names{Jobs: []history.JobName{{Name: "tick", Queue: -1}}, Groups: []history.Group{{Name: "w", Slots: 0}}}, Window{0, 0, time.Second}, Want{})
	r := m.Result(1e9)
	for _, name := range []string{"lock_timeouts", "grants", "suspicions", "calls", "deliveries", "queue_depth.mean", "workers.w.utilisation", "overlaps"} {
		if _, ok := r.Value(name); ok {
			t.Errorf("%s is a column", name)
		}
	}
	expect(t, r, map[string]float64{"jobs.tick.starts": 0, "workers.w.running": 0, "holders_max": 0})
}

func TestColumnsAreTheResults(t *testing.T) {
	m := New(world(), Window{0, 0, time.Second}, Want{})
	columns := m.Columns()
	r := m.Result(1e9)
	if len(columns) != len(r.Columns) || len(columns) != len(r.Values) {
		t.Fatalf("%d columns, %d in the result with %d values", len(columns), len(r.Columns), len(r.Values))
	}
	for i, c := range r.Columns {
		if c.Whole && !math.IsNaN(r.Values[i]) && r.Values[i] != math.Trunc(r.Values[i]) {
			t.Errorf("%s is whole, and %v", c.Name, r.Values[i])
		}
		if v, ok := r.Value(c.Name); !ok || v != r.Values[i] && !math.IsNaN(v) {
			t.Errorf("Value(%q) = %v, %v, want %v", c.Name, v, ok, r.Values[i])
		}
		if strings.Count(c.Name, "..") > 0 {
			t.Errorf("%q is no dotted name", c.Name)
		}
	}
}
