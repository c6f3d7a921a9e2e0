package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

// nightly is a job under a lock that nothing renews, whose holder is paused in the middle.
const nightly = `name: nightly
locks: {nightly: {lease: {length: 2m, on_loss: ignore}, token: rising, wait: {poll: none, refused: skip}}}
services: {ledger: {time: 20ms}}
workers: {w: {count: 3, drain: 2m}, other: {count: 1}}
jobs:
  night:
    by: w
    arrivals: [at 0s, at 60s, at 125s]
    fields: {night: serial}
    key: 'night:{night}'
    steps: [lock: nightly, read: ledger, work: 100s, write: {to: ledger, token: nightly}]
events: {migration: {at: 20s, pause: locks.nightly/holder, for: 45s}}
`

// late is what the rules on late writes find, each as "severity rule: sum | change", sorted.
func late(t *testing.T, text string, sets ...scenario.Assignment) (lines []string) {
	t.Helper()
	report, err := File("a.yaml", []byte(text), sets...)
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Rule.ID == "pause-within-lease" || f.Rule.ID == "lock-fenced" {
			lines = append(lines, f.Severity.String()+" "+f.Rule.ID+": "+f.Sum+" | "+Changes(f.Change))
		}
	}
	slices.Sort(lines)
	return lines
}

// A pause counts beside the work under a lease that nothing renews, until every late write is refused from the next
// grant on, not only from the next holder's write.
func TestPauseOfAHolder(t *testing.T) {
	const sums, longer = "warning pause-within-lease: work 1m40.04s + pause 45s = 2m25.04s > lease 2m, and ", " | locks.nightly.lease: 2m26s"
	assert.Equal(t, []string{
		"warning lock-fenced: write to ledger: token nightly, checks none | services.ledger.checks: token_granted",
		sums + "no write after it is refused" + longer,
	}, late(t, nightly))
	seen := []string{
		"hint lock-fenced: writes to ledger: checks token goes by the newest token seen, and lets a late write pass until the next holder has written | services.ledger.checks: token_granted",
		sums + "a write after it passes until the next holder has written" + longer,
	}
	checks := func(check string) scenario.Assignment { return set("services.ledger.checks", check) }
	assert.Equal(t, seen, late(t, nightly, checks("token")))
	assert.Equal(t, seen, late(t, nightly, checks("token"), set("events.migration.pause", "workers.w")))
	assert.Equal(t, seen[:1], late(t, nightly, checks("token"), set("events.migration.pause", "workers.other")))
	assert.Equal(t, seen[:1], late(t, nightly, checks("token"), set("events.migration.for", "19s")))
	assert.Equal(t, seen[:1], late(t, nightly, checks("token"), set("locks.nightly.lease.on_loss", "stop")), "the holder wakes and stops")
	assert.Equal(t, seen[:1], late(t, nightly, checks("token"), set("locks.nightly.lease.renew", "30s")), "the renewed lease outlives the pause")
	assert.Empty(t, late(t, nightly, checks("token_granted")))
	assert.Empty(t, late(t, nightly, checks("token"), set("locks.nightly.register", "true")))
	both := late(t, nightly, checks("[key, token]"))
	assert.True(t, strings.HasSuffix(both[0], " | services.ledger.checks: [key, token_granted]"), both[0])
}

// Where a lock has no tokens to rise, a change is proposed all the same if there is one.
func TestFenceWithoutTokens(t *testing.T) {
	redis := strings.Replace(nightly, "{length: 2m, on_loss: ignore}, token: rising", "{length: 2m}, preset: redis-set-nx-px", 1)
	change := func(text string) string {
		_, after, _ := strings.Cut(late(t, text)[0], " | ")
		return after
	}
	assert.Equal(t, "services.ledger.checks: version", change(redis))
	assert.Equal(t, "services.ledger.checks: key", change(strings.Replace(redis, "'night:{night}'", "night", 1)), "a late write is a repeat")
	assert.Empty(t, change(strings.Replace(redis, "read: ledger, ", "", 1)))
}

// What several variants have with numbers of their own, and one change for all, is said once.
func TestFindingsOfOneChangeAreOne(t *testing.T) {
	report, err := File("a.yaml", []byte(nightly+"variants: {long: {locks.nightly.lease.length: 5m}, other: {locks.nightly.lease.on_loss: finish, locks.nightly.lease.believe_for: 3m}}\n"))
	require.NoError(t, err)
	var all []string
	for _, f := range report.Findings {
		if f.Rule.ID == "holder-stops-first" {
			all = append(all, f.Sum+" | "+f.variants())
		}
	}
	assert.Equal(t, []string{
		"lease 2m, on_loss = ignore: the work goes on | base, long; the sum is that of base",
		"believe_for 3m > lease 2m: two holders for up to 1m | other",
	}, all)
}

// A run whose parts all end within the lease needs no time limit: its cap, and calls that fail to the end.
func TestCapEndsARun(t *testing.T) {
	const text = `queues: {q: {preset: rabbitmq-quorum, own: {prefetch_count: 1, consumer_timeout: 1800000}}}
services: {mailer: {time: exp 200ms, timeout: 10s}}
workers: {w: {count: 2}}
jobs: {j: {queue: q, arrivals: poisson 1/m, steps: [work: lognormal median 40s p99 10m cap 25m, write: mailer]}}
`
	sums := func(sets ...scenario.Assignment) (all []string) {
		report, err := File("a.yaml", []byte(text), sets...)
		require.NoError(t, err)
		for _, f := range report.Findings {
			if f.Rule.ID == "lease-covers-limit" {
				all = append(all, f.Sum)
			}
			if f.At[0].Path == "queues.q.lease.length" {
				assert.Equal(t, Place{"a.yaml", 1, 82}, f.At[0].Place, "of the value under the system's own name")
			}
		}
		return all
	}
	assert.Empty(t, sums())
	assert.Equal(t, []string{"run 10m0.921s (p99) may take up to 30m9s and has no time limit, lease 30m"}, sums(set("jobs.j.steps.work", "lognormal median 40s p99 10m cap 29m59s")))
	assert.Equal(t, []string{"run 10m0.921s (p99) has no upper end and no time limit, lease 30m"}, sums(set("jobs.j.steps.work", "lognormal median 40s p99 10m")))
	assert.Equal(t, []string{"run 10m0.921s (p99) has no upper end and no time limit, lease 30m"}, sums(set("services.mailer.retry", "{attempts: unlimited, delay: 1s}")))
}
