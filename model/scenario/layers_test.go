package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `
queues: {q: {lease: {length: 30s, renew: 10s, scope: channel}}}
services: {s: {checks: [key, token], steps: [work: 1s, call: d]}, d: {}}
workers: {w: {}}
jobs: {j: {queue: q, arrivals: at 0s, steps: [work: 1s, call: s, work: 2s, repeat: {times: 2, steps: [work: 3s]}]}}
events: {gc: {at: 1s, for: 2s, pause: workers.w}}
`

// What an assignment leaves, and what it replaces.
func TestLayerRules(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []Assignment
		path string
		want any
	}{
		{"a plain value sets the main key", []Assignment{{"queues.q.lease", "5s"}}, "queues.q.lease.length", 5.0},
		{"and leaves the block's other keys", []Assignment{{"queues.q.lease", "5s"}}, "queues.q.lease.renew.every", 10.0},
		{"and those below", []Assignment{{"queues.q.lease", "5s"}}, "queues.q.lease.scope", "channel"},
		{"a map merges", []Assignment{{"queues.q.lease", "{scope: process}"}}, "queues.q.lease.length", 30.0},
		{"key by key", []Assignment{{"queues.q.lease", "{renew: {by: 7s}}"}}, "queues.q.lease.renew.every", 10.0},
		{"a list replaces the list", []Assignment{{"services.s.checks", "[sequence]"}}, "services.s.checks", "[sequence]"},
		{"none switches a block off", []Assignment{{"queues.q.lease.renew", "none"}}, "queues.q.lease.renew", "none"},
		{"none, then a key, is a block again", []Assignment{{"queues.q.lease", "none"}, {"queues.q.lease.renew", "3s"}}, "queues.q.lease.length", 30.0},
		{"none returns a key to its default", []Assignment{{"queues.q.lease.scope", "none"}}, "queues.q.lease.scope", "message"},
		{"a later assignment wins", []Assignment{{"queues.q.lease", "5s"}, {"queues.q.lease", "6s"}}, "queues.q.lease", 6.0},
		{"a path may make a block", []Assignment{{"workers.w.clock.offset", "3s"}}, "workers.w.clock.offset", 3.0},
		{"a path may name a new thing", []Assignment{{"events.death", "{at: 9s, crash: workers.w}"}}, "events.death.at", 9.0},
		{"a step goes by its verb", []Assignment{{"jobs.j.steps.work", "7s"}}, "jobs.j.steps.work", 7.0},
		{"the second by its number", []Assignment{{"jobs.j.steps.work.2", "7s"}}, "jobs.j.steps.work.2", 7.0},
		{"and not the first", []Assignment{{"jobs.j.steps.work.2", "7s"}}, "jobs.j.steps.work", 1.0},
		{"inside a repeat too", []Assignment{{"jobs.j.steps.repeat.steps.work", "7s"}}, "jobs.j.steps.repeat.steps.work", 7.0},
		{"none takes a step out, and the second is the first", []Assignment{{"jobs.j.steps.work", "none"}}, "jobs.j.steps.work", 2.0},
		{"a plain step grows keys", []Assignment{{"jobs.j.steps.call.timeout", "7s"}}, "jobs.j.steps.call.to", "s"},
		{"a service's step", []Assignment{{"services.s.steps.work", "7s"}}, "services.s.steps.work", 7.0},
		{"a field", []Assignment{{"jobs.j.fields.order", "serial"}}, "jobs.j.fields", "{order: serial}"},
		{"a retry preset below own keys", []Assignment{{"services.d.retry", "aws-sdk-standard"}, {"services.d.retry.attempts", "7"}}, "services.d.retry.cap", 20.0},
	} {
		got, err := parse(t, small, c.sets...).Setting(c.path)
		assert.NoError(t, err, c.name)
		assert.Equal(t, c.want, got, c.name)
	}
	gone := parse(t, small, Assignment{"events.gc", "none"})
	assert.Empty(t, gone.Events)
}

func TestAShorterPathComesBeforeItsExtensions(t *testing.T) {
	f, err := Parse("a.yaml", []byte(small+`
variants:
  v: {queues.q.lease.renew: 19s, queues.q.lease: none}
  w: {queues.q.lease: none, queues.q.lease.renew: 19s}
`))
	require.NoError(t, err)
	for _, variant := range []string{"v", "w"} {
		s, err := f.Resolve(variant)
		require.NoError(t, err)
		require.NotNil(t, s.Queues[0].Lease)
		assert.Equal(t, "19s", s.Queues[0].Lease.Renew.Every.Every.String())
	}
	base, err := f.Resolve("base")
	require.NoError(t, err)
	assert.Equal(t, "10s", base.Queues[0].Lease.Renew.Every.Every.String(), "a variant leaves the base alone")
}

func TestAJobsLeaseAndRetryLieOnItsQueues(t *testing.T) {
	s := parse(t, `
queues: {q: {preset: bullmq}}
workers: {w: {}}
jobs:
  plain: {queue: q, arrivals: at 0s}
  own: {queue: q, arrivals: at 0s, lease: 60s, retry: {attempts: 3, delay: 1s}}
`)
	assert.Nil(t, s.Jobs[0].Lease)
	own := s.Jobs[1]
	assert.Equal(t, "30s", own.Lease.Renew.Every.Every.String(), "half of its own length")
	assert.Equal(t, SettleReject, own.Lease.Late[2])
	assert.Equal(t, 3, own.Retry.Attempts)
	assert.Equal(t, 1, s.Queues[0].Retry.Attempts)
	assert.Equal(t, RetryFailure, s.Queues[0].RetryOn)
}

func TestFileContents(t *testing.T) {
	f, err := Parse("dir/some-case.yaml", []byte(small+`
about: {en: 'What?', id: 'Apa?'}
source: a book
seed: 12
variants: {v: {queues.q.lease: 3s}}
expect: {base: [a == 1], v: b > 2, always: ['c("x") == [0, 1]']}
sweep:
  variants: [base, v]
  axes:
    - queues.q.lease: [1s, 2s]
    - {workers.w.count: [1, 2], workers.w.slots: =count * 2}
    - services.s.checks: [[key, token], none]
  plot: {x: queues.q.lease, y: [a, b], by: workers.w.count, log: xy}
`))
	require.NoError(t, err)
	assert.Equal(t, "some-case", f.Name)
	assert.Equal(t, "What?", f.About)
	assert.Equal(t, map[string]string{"en": "What?", "id": "Apa?"}, f.Abouts)
	assert.Equal(t, uint64(12), f.Seed)
	assert.Equal(t, []string{"base", "v"}, f.Variants)
	assert.Equal(t, []Expect{{"base", "a == 1", 12, 17}, {"v", "b > 2", 12, 29}, {"always", `c("x") == [0, 1]`, 12, 45}}, f.Expects)
	assert.Equal(t, []string{"base", "v"}, f.Sweep.Variants)
	assert.Equal(t, []Axis{
		{[]string{"queues.q.lease"}, [][]string{{"1s"}, {"2s"}}},
		{[]string{"workers.w.count", "workers.w.slots"}, [][]string{{"1", "=count * 2"}, {"2", "=count * 2"}}},
		{[]string{"services.s.checks"}, [][]string{{"[key, token]"}, {"none"}}},
	}, f.Sweep.Axes)
	wrong := f.Sweep.Plots[0].Wrong("y", "b", "unknown")
	assert.Equal(t, [2]int{19, 36}, [2]int{wrong.Line, wrong.Column})
	f.Sweep.Plots[0].named = nil
	assert.Equal(t, []Plot{{X: "queues.q.lease", Y: []string{"a", "b"}, By: "workers.w.count", Kind: "line", Log: "xy"}}, f.Sweep.Plots)

	s, err := f.Resolve("v", Assignment{"workers.w.count", "3"}, Assignment{"workers.w.slots", "=count * 2"}, Assignment{"services.s.checks", "[key, token]"})
	require.NoError(t, err)
	assert.Equal(t, 6, s.Workers[0].Slots)
	assert.Equal(t, "v", s.Variant)

	_, err = f.Resolve("u")
	assert.ErrorContains(t, err, `no variant "u"`)
	_, err = f.Resolve("v", Assignment{"workers.w.cuont", "3"})
	assert.EqualError(t, err, `--set: workers.w.cuont: unknown key "cuont" in worker group; did you mean "count"?`)
	_, err = f.Resolve("v", Assignment{"workers.w.count", "[3"})
	assert.ErrorContains(t, err, "--set")
}
