package lint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// findings are those of a text, a line each, without hints.
func findings(t *testing.T, text string) (lines []string) {
	t.Helper()
	report, err := File("a.yaml", []byte(text))
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Severity != Hint {
			lines = append(lines, fmt.Sprintf("%s: %s %s: %s; change %s", f.At[0].Place, f.Severity, f.Rule.ID, f.judged(), Changes(f.Change)))
		}
	}
	return lines
}

const slowService = `
queues: {q: {lease: 30s, prefetch: 10}}
services: {api: {time: 100ms, timeout: 10s, servers: 40, checks: key}}
workers: {w: {count: 40}}
jobs: {j: {queue: q, arrivals: poisson 20/s, time_limit: 9s, fields: {id: serial}, key: 'j:{id}', steps: [write: api]}}
`

func TestRulesAreJudgedUnderWhatEventsSet(t *testing.T) {
	assert.Equal(t, []string{
		"a.yaml:2:21: warning call-within-lease: call of api: time-out 10s, + the rest 0s = 9s, after 9 messages × 9s (mean) / 1 slot of w = 1m30s > lease 30s; change queues.q.prefetch: 3",
	}, findings(t, slowService), "calm")
	slow := findings(t, slowService+"events: {slow: {at: 1m, for: 5m, set: {services.api.time: 4s}}}\n")
	assert.Contains(t, slow, "a.yaml:2:36: warning lease-covers-buffer: under events.slow, 10 messages × 4s (mean) / 1 slot of w = 40s ≥ lease 30s; change queues.q.prefetch: 7")
	assert.Len(t, slow, 2, "the overload ends with the event, and what is found when calm is not told again")
	stays := findings(t, slowService+"events: {slow: {at: 1m, set: {services.api.time: 4s}}}\n")
	assert.Contains(t, stays, "a.yaml:3:54: warning servers-suffice: under events.slow, 20 calls/s ≥ 40 servers / 4s (mean) = 10/s; change services.api.servers: 81")
}

func TestAChangeThatAnEventUndoesIsNotProposed(t *testing.T) {
	const text = `
queues: {q: {lease: 30s}}
workers: {w: {count: 2}}
jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 9s, steps: [work: 8s]}}
events: {short: {at: 1m, for: 5m, set: {queues.q.lease: 5s}}}
`
	assert.Contains(t, findings(t, text), "a.yaml:5:57: warning lease-covers-run: under events.short, run 8s > lease 5s; change queues.q.lease.renew: =length / 3")
}

func TestRulesAreJudgedAsAGroupSeesThem(t *testing.T) {
	const text = `
queues: {q: {lease: {length: 30s, renew: 10s}}}
workers:
  old: {count: 2, with: {queues.q.lease.length: 12s}}
  new: {count: 2}
jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 9s, steps: [work: 8s]}}
`
	assert.Equal(t, []string{
		"a.yaml:2:42: warning renew-third: under workers.old, renew every 10s × 3 = 30s > lease 12s; change workers.old.with.queues.q.lease.renew: =length / 3",
	}, findings(t, text))
}

func TestBufferOfPartitions(t *testing.T) {
	const text = `
queues: {q: {lease: 30s, prefetch: 500, partitions: 12}}
workers: {w: {count: 4}}
jobs: {j: {queue: q, arrivals: poisson 1/s, time_limit: 20s, fields: {id: serial}, key: '{id}', steps: [work: 2s]}}
`
	assert.Empty(t, findings(t, text), "3 × 2s")
	report, err := File("a.yaml", []byte(text), set("queues.q.partitions", "none"))
	require.NoError(t, err)
	worst, _ := report.Worst()
	assert.Equal(t, Error, worst)
}
