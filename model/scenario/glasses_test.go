package scenario

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mixed = `
queues: {q: {preset: sqs-standard}, plain: {}}
locks: {l: {lease: {length: 12s, renew: 3s}}}
services: {s: {timeout: 5s, retry: {attempts: 9, delay: 1s}}, t: {retry: aws-sdk-standard}}
presets: {house: {kind: policy, values: {services.*.retry: {attempts: 2}, queues.*.lease.renew: =length / 3, locks.*.lease.believe_for: =length - 2s}}}
workers:
  plain: {count: 2}
  house: {policy: house}
  own: {policy: house, drain: 9s, with: {services.s.retry.attempts: 4, services.t.retry: none, locks.l.lease: 20s, workers.*.drain: 5s}}
jobs: {j: {queue: q, arrivals: poisson 1/s, lease: {length: 50s}, steps: [lock: l, call: s]}}
events: {later: {at: 1m, set: {workers.own.with.services.s.timeout: 1s, services.s.retry.attempts: 7}}}
`

func TestView(t *testing.T) {
	s := parse(t, mixed)
	assert.Same(t, s, s.View(0), "without glasses a group sees the scenario")
	house, own := s.View(1), s.View(2)

	assert.Equal(t, 2, house.Services[0].Retry.Attempts)
	assert.Equal(t, time.Second, house.Services[0].Retry.Delays[0], "a map merges with the service's own keys")
	assert.Equal(t, 2, house.Services[1].Retry.Attempts, "over a preset's")
	assert.Equal(t, "10s", house.Queues[0].Lease.Renew.Every.Every.String(), "* reaches presets; a formula is evaluated where it stands")
	assert.Nil(t, house.Queues[1].Lease, "* makes no lease where there is none")
	assert.Nil(t, s.Queues[0].Lease.Renew, "the scenario stays")
	assert.Equal(t, 10*time.Second, house.Locks[0].Lease.Believe)

	assert.Equal(t, 4, own.Services[0].Retry.Attempts, "its own overrides lie on its policy's")
	assert.Nil(t, own.Services[1].Retry)
	assert.Equal(t, 18*time.Second, own.Locks[0].Lease.Believe)
	assert.Equal(t, "3s", own.Locks[0].Lease.Renew.Every.Every.String(), "other keys of the block stay")
	assert.Equal(t, 5*time.Second, own.Workers[2].Drain)
	assert.Equal(t, 30*time.Second, own.Workers[0].Drain, "of the groups only its own is meant")
	assert.Equal(t, "50s", own.Jobs[0].Lease.Length[0].String())
	assert.Equal(t, "16.666666667s", own.Jobs[0].Lease.Renew.Every.Every.String(), "a type's lease lies on the queue's, as the group sees that")
}

func TestViewDuringARun(t *testing.T) {
	s := parse(t, mixed)
	o, err := s.Overlay(1)
	require.NoError(t, err)
	assert.Equal(t, time.Second, o.View(2).Services[0].Timeout)
	assert.Equal(t, 4, o.View(2).Services[0].Retry.Attempts, "glasses lie above what an event sets")
	assert.Equal(t, 7, o.View(0).Services[0].Retry.Attempts)
	assert.Equal(t, 5*time.Second, o.Services[0].Timeout)
	assert.Same(t, o.View(2), o.View(2))
}

// What a group sees is a setting like others: it can be asked for, it is listed,
// and it is part of what a scenario is.
func TestViewsAreSettings(t *testing.T) {
	s := parse(t, mixed)
	got, err := s.Setting("workers.own.with.services.s.retry.attempts")
	require.NoError(t, err)
	assert.Equal(t, 4.0, got)
	got, err = s.Setting("workers.house.with.services.s.timeout")
	require.NoError(t, err)
	assert.Equal(t, 5.0, got, "also what it sees as everybody does")

	values := map[string]string{}
	for _, x := range s.Settings() {
		values[x.Path] = x.Value
	}
	assert.Equal(t, "2", values["workers.house.with.services.s.retry.attempts"])
	assert.Equal(t, "none", values["workers.own.with.services.t.retry.attempts"])
	assert.NotContains(t, values, "workers.house.with.services.s.timeout")

	other := parse(t, mixed, Assignment{"workers.own.with.services.s.retry.attempts", "5"})
	assert.NotEqual(t, s.Hash(), other.Hash())
	assert.Equal(t, 5, other.View(2).Services[0].Retry.Attempts, "one override replaced, the others left")
	assert.Nil(t, other.View(2).Services[1].Retry)
}

// A bundle can be put on any group of any scenario of the library.
func TestBundlesFitEveryScenario(t *testing.T) {
	tried := 0
	err := filepath.WalkDir("../../experiments/scenarios", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		files, err := LoadAll(path)
		if err != nil {
			return err
		}
		for _, f := range files {
			s, err := f.Resolve("base")
			require.NoError(t, err)
			for _, policy := range []string{"simple", "medium", "critical"} {
				var sets []Assignment
				for _, g := range s.Workers {
					sets = append(sets, Assignment{"workers." + g.Name + ".policy", policy})
				}
				_, err := f.Resolve("base", sets...)
				assert.NoError(t, err, "%s: %s", path, policy)
				tried++
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, tried, 30)
}

// What a group writes for itself reaches what its policy has made.
func TestOverridesStandOnThePolicy(t *testing.T) {
	f, err := Parse("a.yaml", []byte(`queues: {q: {lease: 20s}}
workers: {w: {policy: medium, with: {queues.*.lease.renew.every: 3s}}}
jobs: {j: {queue: q, steps: [work: 1s]}}
`))
	require.NoError(t, err)
	s, err := f.Resolve("base")
	require.NoError(t, err)
	assert.Equal(t, 3*time.Second, s.View(0).Queues[0].Lease.Renew.Every.Every.MeanDuration())
	assert.Nil(t, s.Queues[0].Lease.Renew, "the queue itself has none")
}
