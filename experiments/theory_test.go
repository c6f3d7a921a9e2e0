package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

const plainFile = `
name: plain
run: {duration: 1h, warmup: 10m, replications: 4}
queues: {q: {}}
workers: {w: {count: 5}}
jobs: {job: {queue: q, arrivals: poisson 4/s, steps: [work: exp 1s]}}
`

func theoryIn(t *testing.T, text string) *closedForm {
	t.Helper()
	file, err := scenario.Parse("plain.yaml", []byte(text))
	require.NoError(t, err)
	sc, err := file.Resolve(baseVariant)
	require.NoError(t, err)
	return theoryOf(sc)
}

func TestTheoryOfAPlainQueue(t *testing.T) {
	form := theoryIn(t, plainFile)
	require.NotNil(t, form)
	// Erlang's C of 4 Erlang on 5 servers is 0.554113, and there the wait is C/(cμ−λ) = C.
	assert.InDelta(t, 0.5541126, form.values["wait_s.mean"], 1e-6)
	assert.InDelta(t, 0.5541126, form.values["waited_share"], 1e-6)
	assert.InDelta(t, 0.8, form.values["workers.w.utilisation"], 1e-12)
	assert.Contains(t, form.source, "M/M/5")

	slots := theoryIn(t, strings.Replace(plainFile, "count: 5", "count: 1, slots: 5", 1))
	require.NotNil(t, slots)
	assert.Equal(t, form.values, slots.values)
}

func TestNoTheoryWhereMoreIsAtWork(t *testing.T) {
	for from, to := range map[string]string{
		"queues: {q: {}}":      "queues: {q: {lease: 30s}}",
		"poisson 4/s":          "every 250ms",
		"exp 1s":               "lognormal mean 1s p99 8s",
		"arrivals":             "priority: 3, arrivals",
		"count: 5":             "count: 4", // grows for ever
		"workers: {w":          "workers: {other: {count: 1}, w",
		"[work: exp 1s]":       "[work: exp 1s, work: exp 1s]",
		"q: {}}":               "q: {capacity: 9}}",
		"jobs: {job":           "events: {gc: {rate: 1/h, pause: workers.w, for: 1s}}\njobs: {job",
		"run: {duration: 1h, ": "network: {latency: 1ms}\nrun: {duration: 1h, ",
	} {
		assert.Nil(t, theoryIn(t, strings.Replace(plainFile, from, to, 1)), to)
	}
}
