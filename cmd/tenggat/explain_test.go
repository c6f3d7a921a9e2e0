package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/experiments/explain"
	"github.com/tenggat/tenggat/model/scenario"
)

// A worker that freezes under its lease: what lint proposes and what the file
// has are tried, and each says what it leaves of the harm.
func TestExplainNamesWhatWouldHavePrevented(t *testing.T) {
	inFolder(t, map[string]string{"frozen.yaml": `name: frozen
run: {duration: 2m}
queues: {q: {lease: 10s}}
services: {ledger: {}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, key: order-1, steps: [work: 4s, write: ledger]}}
events: {gc: {at: 3s, pause: workers.w/1, for: 20s}}
variants:
  keyed: {services.ledger.checks: key}
  shorter: {queues.q.lease: 5s}
`})
	code, out, _ := tenggat("explain", "frozen.yaml", "--first", "duplicate_effects")
	assert.Equal(t, exitFine, code)
	assert.Contains(t, out, "> its effect lands once more at services.ledger")
	assert.Contains(t, out, "  services.ledger.checks=key (lint write-repeatable, variant keyed): duplicate_effects 0, was 1\n")
	assert.Contains(t, out, "\nSet off by events.gc (without it duplicate_effects 0, was 1).\n")
	assert.NotContains(t, out, "shorter")

	_, out, _ = tenggat("explain", "frozen.yaml", "--first", "duplicate_effects", "--variant", "shorter")
	assert.Contains(t, out, "  services.ledger.checks=key (lint write-repeatable, variant keyed): duplicate_effects 0, was 1\n", "and the lease of keyed adds nothing")
	_, out, _ = tenggat("explain", "frozen.yaml", "--first", "duplicate_effects", "--format", "json")
	for _, key := range []string{`"at_ns": `, `"prevented": [`, `"path": "`, `"metric": "duplicate_effects"`} {
		assert.Contains(t, out, key)
	}
}

// Settings are printed as a shell takes them after --set, and of many the first.
func TestPreventionsCanBePasted(t *testing.T) {
	inFolder(t, map[string]string{"own.yaml": `name: own
run: {duration: 2m}
queues: {q: {preset: sqs-standard, own: {VisibilityTimeout: 10}}}
services: {ledger: {}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, key: order-1, steps: [work: 4s, write: ledger]}}
events: {gc: {at: 3s, pause: workers.w/1, for: 20s}}
variants: {longer: {queues.q.own.VisibilityTimeout: 60}}
`})
	_, out, _ := tenggat("explain", "own.yaml", "--first", "duplicate_effects")
	assert.Contains(t, out, "  queues.q.own='{VisibilityTimeout: 60}' (variant longer): duplicate_effects 0, was 1\n")
	assert.Equal(t, `'=length'`, quoted("=length"))
	assert.Equal(t, `'it'\''s'`, quoted("it's"))
	assert.Equal(t, "''", quoted(""))

	five := explain.Trial{Change: explain.Change{Name: "variant all", Sets: make([]scenario.Assignment, fewSettings+1)}, Counts: []explain.Count{{Metric: "lost_jobs"}}}
	assert.Contains(t, prevention(&explain.Story{Counts: five.Counts}, five), " and 1 more (variant all): lost_jobs 0, was 0")
}

// A story of thousands of lines is shown where it begins, where the harm is, and
// where it ends.
func TestLongStoriesAreCut(t *testing.T) {
	inFolder(t, map[string]string{"poison.yaml": `name: poison
run: {duration: 2m}
queues: {q: {lease: 10s}}
workers: {w: {}}
jobs: {bad: {queue: q, arrivals: at 1s, errors: {permanent: retry}, steps: [work: 100ms, fail: {share: 100%, as: permanent}]}}
`})
	code, out, _ := tenggat("explain", "poison.yaml", "--job", "0")
	assert.Equal(t, exitFine, code)
	assert.Equal(t, 1, strings.Count(out, "lines left out"), out)
	assert.Less(t, strings.Count(out, "\n"), 90)
}
