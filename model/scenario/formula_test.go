package scenario

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Each formula stands in queues.q.lease.cap, beside the settings below.
func TestFormulas(t *testing.T) {
	for formula, want := range map[string]time.Duration{
		"=length / 3":                           3333333333,
		"=length":                               10 * time.Second,
		"=renew.every + 10s":                    14 * time.Second,
		"=renew + 10s":                          14 * time.Second,
		"=6 * jobs.j.time_limit":                12 * time.Minute,
		"=10s - 2 * 3s":                         4 * time.Second,
		"=(10s - 2s) * 3":                       24 * time.Second,
		"=-2s + 10s":                            8 * time.Second,
		"=12s / 2 / 3":                          2 * time.Second,
		"=min(length, 4s, 8s) + max(1s, 2s)":    6 * time.Second,
		"=floor(7.9) * 1s":                      7 * time.Second,
		"=mean(services.s.time)":                80 * time.Millisecond,
		"=p(services.s.time, 0.5)":              55451774, // 80 ms · ln 2
		"=p(jobs.j.steps.work, 50%)":            3 * time.Second,
		"=workers.w.count * 1s":                 5 * time.Second,
		"=services.s.errors * 100s":             25 * time.Second,
		"=1s / workers.w.count":                 200 * time.Millisecond,
		"=monitors.m.suspect * 2":               6 * time.Second,
		"=patience":                             7 * time.Second,
		"=retry.delay":                          3 * time.Second,
		"=1s * jobs.j.steps.work.2 / 1s":        9 * time.Second,
		"=check.every":                          6 * time.Second,
		"=network.timeout + run.duration * 0":   5 * time.Second,
		"=queues.q.patience - 0.5 * 1s - 500ms": 6 * time.Second,
		"=at_least * 1":                         0,
	} {
		s := parse(t, `
queues:
  q:
    patience: 7s
    retry: {delay: 3s}
    lease: {length: 10s, renew: 4s, check: 6s from random, cap: '`+formula+`'}
services: {s: {time: exp 80ms, errors: 25%}}
monitors: {m: {watches: workers.w, suspect: chen 3s}}
workers: {w: {count: 5}}
jobs: {j: {queue: q, arrivals: at 0s, time_limit: 2m, steps: [work: 2s..4s, work: 9s]}}
`)
		assert.Equal(t, want, s.Queues[0].Lease.Cap, formula)
	}
}

func TestFormulasInOtherPlaces(t *testing.T) {
	s := parse(t, `
queues:
  q:
    prefetch: =floor(workers.w.count / 2)
    in_flight: =workers.w.count * prefetch
    lease: {length: exp 10s, slack: =length, renew: {every: =mean(length) / 2 from random}}
    retry: {delay: [1s, =lease.renew.every]}
locks: {l: {lease: {length: 9s, believe_for: =length - 1s from reply}}}
services: {s: {errors: =speed / 4, time: [1s, 2s]}, d: {time: =services.s.time}}
workers: {w: {count: 5}}
jobs: {j: {queue: q, arrivals: at 0s}}
events: {e: {rate: =1 / 4, pause: workers.w, for: =mean(queues.q.lease.length)}}
`)
	q := s.Queues[0]
	assert.Equal(t, 2, q.Prefetch)
	assert.Equal(t, 10, q.InFlight)
	assert.Equal(t, "exp 10s", q.Lease.Slack.String(), "a formula that only names a random setting takes it whole")
	assert.Equal(t, "5s", q.Lease.Renew.Every.Every.String())
	assert.True(t, q.Lease.Renew.Every.Random)
	assert.Equal(t, []time.Duration{time.Second, 5 * time.Second}, q.Retry.Delays)
	assert.Equal(t, time.Duration(0), q.Lease.Believe, "the length of each grant")
	assert.Equal(t, 8*time.Second, s.Locks[0].Lease.Believe)
	assert.Equal(t, SinceReply, s.Locks[0].Lease.Anchor)
	assert.Equal(t, 0.25, s.Services[0].Errors)
	assert.Len(t, s.Services[1].Time, 2)
	assert.Equal(t, 0.25, s.Events[0].Rate)
	assert.Equal(t, "10s", s.Events[0].For.String())
}

// The default of a belief and a formula follow the length through every layer.
func TestFormulasComeLast(t *testing.T) {
	const text = `
locks: {l: {preset: etcd-lease-mutex}}
workers: {w: {}}
jobs: {j: {by: w, arrivals: at 0s, steps: [lock: l]}}
`
	for length, renew := range map[string]string{"60s": "20s", "9s": "3s"} {
		s := parse(t, text, Assignment{"locks.l.lease", length})
		assert.Equal(t, renew, s.Locks[0].Lease.Renew.Every.Every.String())
		d, _ := s.Locks[0].Lease.constant()
		assert.Equal(t, d, s.Locks[0].Lease.Believe)
	}
}
