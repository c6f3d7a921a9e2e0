package scenario

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const changing = `
queues: {q: {preset: bullmq}}
services: {s: {time: 1s}}
workers: {w: {count: 2}}
jobs: {j: {queue: q, arrivals: poisson 1/s, steps: [work: 1s, call: s]}}
events:
  pause: {at: 1s, pause: workers.w}
  longer: {at: 1m, for: 1m, set: {queues.q.lease: 60s}}
  load: {at: 2m, set: {jobs.j.arrivals: poisson 9/s, jobs.j.steps.work: 3s, workers.w: {count: 7}}}
  shorter: {at: 3m, set: {queues.q.lease: 20s, services.s.speed: 0}}
`

func TestOverlay(t *testing.T) {
	s := parse(t, changing)
	overlay := func(active uint64) *Scenario {
		o, err := s.Overlay(active)
		require.NoError(t, err)
		return o
	}
	assert.Same(t, s, overlay(0))
	assert.Same(t, s, overlay(1), "an event that sets nothing changes nothing")

	longer := overlay(1 << 1)
	assert.Equal(t, "1m", longer.Queues[0].Lease.Length[0].String())
	assert.Equal(t, "30s", longer.Queues[0].Lease.Renew.Every.Every.String(), "formulas are evaluated again")
	assert.Equal(t, SettleReject, longer.Queues[0].Lease.Late[0], "the preset stays below")
	assert.Equal(t, "30s", s.Queues[0].Lease.Length[0].String(), "the scenario itself stays")
	assert.Same(t, longer, overlay(1<<1), "equal sets, one result")
	assert.Same(t, longer, overlay(1<<1|1))

	load := overlay(1 << 2)
	assert.Equal(t, 9.0, load.Jobs[0].Arrivals[0].Rate)
	assert.Equal(t, "3s", load.Jobs[0].Steps[0].Work[0].String())
	assert.Equal(t, 7, load.Workers[0].Count)
	assert.Equal(t, "base", load.Variant)

	both := overlay(1<<1 | 1<<3)
	assert.Equal(t, "20s", both.Queues[0].Lease.Length[0].String(), "the later event of the file wins")
	assert.Zero(t, both.Services[0].Speed)

	again, err := both.Overlay(1 << 1)
	require.NoError(t, err)
	assert.Equal(t, "1m", again.Queues[0].Lease.Length[0].String())
}

func TestOverlayFromManyRuns(t *testing.T) {
	s := parse(t, changing)
	var wait sync.WaitGroup
	results := make([]*Scenario, 8)
	for i := range results {
		wait.Go(func() { results[i], _ = s.Overlay(1<<1 | 1<<2) })
	}
	wait.Wait()
	for _, r := range results {
		assert.Same(t, results[0], r)
	}
}

func TestOverlaySkipsEventsThatAVariantTookAway(t *testing.T) {
	f, err := Parse("a.yaml", []byte(changing+"variants: {v: {events.pause: none, events.longer.for: 9m}}\n"))
	require.NoError(t, err)
	s, err := f.Resolve("v")
	require.NoError(t, err)
	require.Equal(t, "longer", s.Events[0].Name)
	o, err := s.Overlay(1)
	require.NoError(t, err)
	assert.Equal(t, "1m", o.Queues[0].Lease.Length[0].String())
}

func TestAScenarioBuiltByHandHasNoPaths(t *testing.T) {
	s := &Scenario{Events: []*Event{{Act: ActSet}, {Act: ActPause}}}
	same, err := s.Overlay(2)
	require.NoError(t, err)
	assert.Same(t, s, same)
	_, err = s.Overlay(1)
	assert.Error(t, err)
	_, err = s.Setting("run.duration")
	assert.Error(t, err)
	assert.Empty(t, s.Settings())
}
