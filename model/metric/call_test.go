package metric

import (
	"math"
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// call is a fact of job j's attempt number n at service s, from process 0.
func call(s float64, kind history.Kind, j int64, n int32, value float64) history.Fact {
	f := by(s, kind, j, value, 0, n)
	f.Place = atService
	return f
}

// Job 0 calls three times, job 1 once; one call times out, one is served with
// an error. Sleeps of 1 s and 3 s precede the retries of the first request.
func TestCalls(t *testing.T) {
	served := call(2, history.Served, 0, 1, 1)
	served.Attempt = 1 // class transient
	good := call(8, history.Served, 0, 0, 0.5)
	late := call(6, history.Served, 0, 1, 1)
	facts := []history.Fact{
		of(0, history.Publish, 0, 0), of(0, history.Publish, 1, 0),
		call(1, history.Call, 0, 1, 0), call(1, history.Serve, 0, 1, 0), served, call(2, history.Retry, 0, 1, 1),
		call(3, history.Call, 0, 2, 0), call(6, history.TimeOut, 0, 2, 3), late, call(6, history.Retry, 0, 2, 3),
		call(9, history.Call, 0, 3, 0), call(9, history.Call, 1, 1, 0), good, good,
		of(9.5, history.Done, 0, 9.5), of(9.5, history.Done, 1, 9.5),
	}
	facts[12].At, facts[13].At = ns(9.25), ns(9.25)
	r := run(t, 0, 10, Want{}, facts...)
	expect(t, r, map[string]float64{
		"services.s.calls": 4, "services.s.calls_served": 1, "services.s.calls_ended": 4, "services.s.call_errors": 2,
		"services.s.error_share": 0.5, "error_share": nan, "dependency_timeouts": 1, "services.s.dependency_timeouts": 1, "timeout_rate": 0.5,
		"amplification": 2, "services.s.amplification": 2, "jobs.pay.amplification": 2,
		"retries": 2, "retry_rate": 1, "retry_delay_s.k1": 1, "retry_delay_s.k2": 3, "retry_delay_s.k3": nan, "retry_delay_s.mean": 2,
		"services.s.retry_delay_s.sum": 2, // 4 s for two requests
		"jobs.pay.retry_delay_s.sum":   2, // 4 s for two jobs
	})
	// From 5 s on, one request is new and job 0 has called before.
	expect(t, run(t, 5, 10, Want{}, facts...), map[string]float64{"services.s.calls": 2, "services.s.amplification": 2, "services.s.retry_delay_s.sum": 3})
}

// The table of who has called forgets a job when it is done, and does not mix
// up services that share a word of it.
func TestAmplificationWithManyServices(t *testing.T) {
	names := world()
	for range 70 {
		names.Services = append(names.Services, history.ServiceName{Name: "more"})
	}
	m := New(names, Window{0, 0, 10e9}, Want{})
	for _, place := range []int16{0, 1, 64, 65, 64, 0} {
		f := call(1, history.Call, 0, 1, 0)
		f.Place.Index = place
		m.Observe(&f)
	}
	if len(m.callers) != 2 {
		t.Errorf("%d records of a job that called services 0, 1, 64 and 65; want 2", len(m.callers))
	}
	done := of(2, history.Done, 0, 2)
	m.Observe(&done)
	if len(m.callers) != 0 {
		t.Errorf("%d records after the job is done", len(m.callers))
	}
	if got := m.counters[jobsCalling][0].N; got != 4 {
		t.Errorf("%d services needed by the job, want 4", got)
	}
}

// The breaker of process 0 is open in [1, 4) s and [5, 7) s, that of process 1
// in [2, 3) s, when it dies with it. Four calls pass while a breaker is half
// open, once one and once three.
func TestBreakers(t *testing.T) {
	at := func(s float64, kind history.Kind, p int32) history.Fact {
		f := call(s, kind, 0, 1, 0)
		f.Process = p
		return f
	}
	r := run(t, 0, 10, Want{},
		at(0.5, history.Call, 0), at(1, history.Open, 0), at(2, history.Open, 1), in(3, history.Crash, history.Place{}, 1, 0),
		at(4, history.HalfOpen, 0), at(4, history.Call, 0), at(4.5, history.Call, 1), at(5, history.Open, 0),
		at(6, history.Refuse, 0), at(7, history.HalfOpen, 0), at(7, history.Call, 0), at(7, history.Call, 0), at(7, history.Call, 0), at(8, history.Close, 0), at(9, history.Call, 0))
	expect(t, r, map[string]float64{"breaker_opens": 3, "services.s.breaker_half_opens": 2, "breaker_closes": 1, "refused": 1, "services.s.refused": 1,
		"lock_acquire_failures": 0, "breaker_open_s": 6, "services.s.breaker_open_s": 6, "probes_per_half_open": 2, "services.s.probes_per_half_open": 2})
}

// A breaker that all callers of a service share is named by facts without a
// process.
func TestSharedBreaker(t *testing.T) {
	shared := func(s float64, kind history.Kind) history.Fact {
		f := call(s, kind, 0, 1, 0)
		f.Group, f.Process = -1, -1
		return f
	}
	r := run(t, 0, 10, Want{}, shared(1, history.Open), shared(3, history.HalfOpen), call(4, history.Call, 0, 1, 0), shared(5, history.Close), call(6, history.Call, 0, 1, 0))
	expect(t, r, map[string]float64{"breaker_open_s": 2, "probes_per_half_open": 1})
}

func TestLockRefusalsAndTimeOuts(t *testing.T) {
	r := run(t, 0, 10, Want{}, in(1, history.Refuse, atLock, 0, 0), in(2, history.Refuse, atLock, 1, 0), in(3, history.LockTimeout, atLock, 1, ns(2)),
		in(4, history.TimeOut, atLock, 0, 0), in(5, history.Release, atLock, 0, 0), in(6, history.Revoke, atLock, 0, 0))
	expect(t, r, map[string]float64{"lock_acquire_failures": 2, "locks.l.lock_acquire_failures": 2, "refused": 0, "lock_timeouts": 1,
		"dependency_timeouts": 0, "releases": 1, "revocations": 1, "last_lock_acquire_failure_s": 2, "first_lock_timeout_s": 3})
}

func TestWrites(t *testing.T) {
	stale := func(s float64, accepted int64) history.Fact {
		f := call(s, history.StaleWrite, 0, 1, 0)
		f.Value = accepted
		return f
	}
	r := run(t, 0, 10, Want{}, call(1, history.WriteReached, 0, 1, 0), call(1, history.IdempotencyHit, 0, 1, 0),
		call(2, history.WriteReached, 0, 1, 0), stale(2, 1), call(3, history.WriteReached, 0, 1, 0), stale(3, 0), call(3, history.WriteRefused, 0, 1, 0),
		call(4, history.WriteReached, 0, 1, 0), call(4, history.StaleIgnored, 0, 1, 0))
	expect(t, r, map[string]float64{"writes": 4, "services.s.writes": 4, "idempotency_hits": 1, "writes_refused": 1, "stale_events_ignored": 1,
		"stale_writes_attempted": 2, "stale_writes_accepted": 1, "stale_writes_refused": 1, "last_stale_write_refused_s": 3, "last_write_s": 4})
}

// Ten sleeps of 100 years are beyond the 292 years that 64 bits hold. One that
// never ends has no mean, and is not heard of where it was not slept.
func TestSleepsOfCenturies(t *testing.T) {
	const century = 36500 * 24 * 3600.0
	facts := []history.Fact{of(0, history.Publish, 0, 0), of(0, history.Publish, 1, 0)}
	for n := range 10 {
		f := of(1, history.Retry, 0, century)
		f.Attempt = int32(1 + n%2)
		facts = append(facts, f)
	}
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{"retry_delay_s.mean": century, "retry_delay_s.sum": 5 * century,
		"retry_delay_s.k1": century, "jobs.pay.retry_delay_s.k2": century, "retry_delay_s.k3": nan})
	never := of(2, history.Retry, 1, 0)
	never.Attempt, never.Value = 3, math.MaxInt64
	expect(t, run(t, 0, 10, Want{}, append(facts, never)...), map[string]float64{"retry_delay_s.mean": inf, "jobs.pay.retry_delay_s.sum": inf,
		"retry_delay_s.k1": century, "retry_delay_s.k3": inf, "jobs.tick.retry_delay_s.mean": nan})
}
