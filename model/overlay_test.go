package model

import (
	"strings"
	"testing"
)

// The reader tries the settings of each event alone; that two events do not go
// together shows when both are on, and stops the run with a reason.
func TestEventsThatDoNotFitTogether(t *testing.T) {
	sc := resolve(t, "both", `
run: {duration: 2m}
queues: {q: {lease: 30s, retry: {delay: 1s}}}
workers: {w: {count: 2}}
jobs: {j: {queue: q, arrivals: poisson 1/s, steps: [work: 1s]}}
events:
  steep: {at: 10s, for: 1m, set: {queues.q.retry.growth: 2}}
  listed: {at: 20s, for: 1m, set: {queues.q.retry.delay: [1s, 2s]}}
`)
	_, err := Run(sc, Options{})
	const want = "scenario both: at 20s, with steep and listed: "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "queues.q.retry.growth: goes with one delay") {
		t.Errorf("%v, want %s…", err, want)
	}
}
