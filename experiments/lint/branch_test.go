package lint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

// Each case is a scenario and all that is found in it. What the examples of testdata/rules.yaml do not reach is here.
func TestBranches(t *testing.T) {
	const twoWorkers = "\nworkers: {w: {count: 2}}\n"
	const briefJob = "\njobs: {j: {queue: q, arrivals: poisson 1/s, time_limit: 10s, steps: [work: 1s]}}\n"
	const lockJob = "\nworkers: {w: {count: 2}}\njobs: {j: {by: w, arrivals: every 1m, steps: [lock: k, work: 1s]}}\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing to say": {"queues: {q: {lease: 30s}}" + twoWorkers + briefJob, ""},
		"a renewal as late as the end": {
			"queues: {q: {lease: {length: 10s, renew: 10s}}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/s, time_limit: 5s, steps: [work: 1s]}}",
			"error renew-third: renew every 10s ≥ lease 10s",
		},
		"slack of the grantor counts": {"locks: {k: {lease: {length: 15s, slack: 15s, renew: 10s}}}" + lockJob, ""},
		"an early grantor": {
			"queues: {q: {lease: {length: 12s, slack: -4s}}}" + twoWorkers + briefJob,
			"warning lease-covers-limit: time limit 10s > lease 12s − slack 4s",
		},
		"a third, rounded": {"locks: {k: {lease: {length: 20s, renew: =length / 3}}}" + lockJob, ""},
		"a job's own lease": {
			"queues: {q: {lease: 60s}}" + twoWorkers + "jobs: {j: {queue: q, lease: 2s, arrivals: poisson 1/m, time_limit: 30s, steps: [work: 3s]}}",
			"error lease-covers-run: run 3s > lease 2s",
		},
		"a lease that shrinks": {
			"queues: {q: {lease: [60s, 2s]}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 30s, steps: [work: 3s]}}",
			"error lease-covers-run: run 3s > lease 2s (shortest, p1)",
		},
		"a run with a tail": {
			"queues: {q: {lease: 20s}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 1h, steps: [work: exp 5s]}}\n",
			"error lease-covers-run: run 23.026s (p99) > lease 20s\nhint drain-covers-run: drain 30s < time limit 1h",
		},
		"a sum without quantiles": {
			"queues: {q: {lease: 20s}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 1m, steps: [work: exp 10s + exp 20s]}}\n",
			"error lease-covers-run: run 30s (mean) > lease 20s\nhint drain-covers-run: drain 30s < time limit 1m",
		},
		"renewed only while it runs": {
			"queues: {q: {schedule: worker, lease: {length: 30s, renew: {every: 10s, covers: running}}}}" + twoWorkers +
				"jobs: {j: {queue: q, arrivals: poisson 1/m, start: after 5m, time_limit: 30s, steps: [work: 3s]}}",
			"error lease-covers-run: hold 5m ≥ lease 30s",
		},
		"the clock starts with the run": {
			"queues: {q: {schedule: worker, prefetch: 9, lease: {length: 30s, from: start}}}" + twoWorkers +
				"jobs: {j: {queue: q, arrivals: poisson 1/m, start: after 5m, time_limit: 20s, steps: [work: 3s]}}", "",
		},
		"acknowledged early": {"queues: {q: {lease: 30s}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 30s, steps: [ack: now, work: 29s]}}", ""},
		"a clamped length": {
			"locks: {k: {lease: {length: 1s, range: 2s..60s, outside: clamp, renew: 300ms}}}" + lockJob,
			"warning lease-in-range: 1s lies outside 2s..1m: 2s is granted\nhint renew-retry-fits: every 300ms + time-out 5s = 5.3s > lease 2s",
		},
		"a refused length": {
			"locks: {k: {lease: {length: 90s, range: 2s..60s, renew: 10s}}}" + lockJob,
			"error lease-in-range: 1m30s lies outside 2s..1m: is refused",
		},
		"a renewal beyond the range": {
			"locks: {k: {lease: {length: 30s, range: 2s..60s, renew: {every: 10s, by: 90s}}}}" + lockJob,
			"error lease-in-range: 1m30s lies outside 2s..1m: is refused",
		},
		"one lost beat": {
			"queues: {q: {lease: none, session: {heartbeat: 16s, suspect: 30s}}}" + twoWorkers + briefJob,
			"warning suspect-margin: heartbeat 16s × 2 + delay 0s = 32s ≥ suspicion after 30s",
		},
		"one missed beat is enough": {
			"queues: {q: {lease: none, session: {heartbeat: 5s, suspect: missed 1}}}" + twoWorkers + briefJob,
			"error suspect-margin: heartbeat 5s + delay 0s = 5s ≥ suspicion after 5s",
		},
		"a shift shorter than the way": {
			"network: {links: {beats: {from: workers.w, to: monitors.m, latency: 3s}}}\nqueues: {q: {lease: none, session: m}}\nmonitors: {m: {watches: workers.w, heartbeat: 5s, suspect: chen 2s}}" + twoWorkers + briefJob,
			"error suspect-margin: heartbeat 5s + delay 3s = 8s ≥ suspicion after 7s",
		},
		"phi asks the detector": {
			"queues: {q: {lease: none, session: {heartbeat: 1s, suspect: phi_exponential 0.5}}}" + twoWorkers + briefJob,
			"warning suspect-margin: heartbeat 1s × 2 + delay 0s = 2s ≥ suspicion after 1.151s",
		},
		"a holder that is never told": {
			"locks: {k: {lease: {length: 30s, renew: 10s, believe_for: told}}}" + lockJob,
			"warning holder-stops-first: lease 30s, believe_for = told: a holder that hears nothing never stops",
		},
		"a belief from the reply": {
			"network: {latency: 20ms}\nlocks: {k: {lease: {length: 30s, renew: 10s, believe_for: 30s from reply}}}" + lockJob,
			"hint holder-stops-first: believe_for 30s from the reply, which is under way for 20ms > lease 30s",
		},
		"a holder that works on": {
			"locks: {k: {lease: {length: 30s, renew: 10s, on_loss: ignore}}}" + lockJob,
			"warning holder-stops-first: lease 30s, on_loss = ignore: the work goes on",
		},
		"fencing makes belief harmless": {
			"locks: {k: {lease: {length: 30s, renew: 10s, believe_for: told}}}\nservices: {s: {checks: token_granted}}\nworkers: {w: {count: 2}}\n" +
				"jobs: {j: {by: w, arrivals: every 1m, steps: [lock: k, work: 1s, write: {to: s, token: k}]}}", "",
		},
		"two holders by the store's word": {
			"locks: {k: {lease: {length: 30s, renew: 10s, late_settle: {taken: accept}}}}" + lockJob,
			"error late-settle: late_settle taken = accept: two holders at once",
		},
		"work given back unfinished": {"locks: {k: {lease: 2s}}\nworkers: {w: {count: 2}}\njobs: {j: {by: w, arrivals: every 1m, steps: [lock: k, work: 1s, unlock: k, work: 20s]}}", ""},
		"services that call services": {
			"queues: {q: {lease: 30s}}\nservices: {front: {time: 1ms, steps: [repeat: {times: 3, steps: [call: back]}]}, back: {servers: 1, time: 400ms, timeout: 8s}}\nworkers: {w: {count: 9}}\n" +
				"jobs: {j: {queue: q, arrivals: poisson 1/s, time_limit: 20s, steps: [call: {to: front, timeout: 9s}]}}",
			"error servers-suffice: 3 calls/s ≥ 1 servers / 400ms (mean) = 2.5/s",
		},
		"layers of retries": {
			"queues: {q: {lease: 60s, attempts: 5}}\nservices: {s: {servers: 4, time: 100ms, timeout: 1s, breaker: {trip: 5, open: 10s}, retry: {attempts: 3, delay: 100ms, jitter: full}}}\nworkers: {w: {count: 9}}\n" +
				"jobs: {j: {queue: q, arrivals: poisson 4/s, time_limit: 20s, steps: [call: s]}}",
			"hint retry-product: 4 calls/s, with all retries (5 per job × 3 per call) 60/s ≥ 4 servers / 100ms (mean) = 40/s; a breaker stands before it",
		},
		"retries at once": {
			"services: {s: {time: 100ms, retry: {attempts: 3}}}\nworkers: {w: {count: 2}}\njobs: {j: {by: w, arrivals: every 1m, steps: [call: s]}}",
			"warning retry-jitter: 2 clients, delay 0s: every retry at once",
		},
		"a limit without a spare": {
			"queues: {q: {lease: 30s, attempts: 1}}" + twoWorkers + briefJob,
			"hint receive-limit: limit 1, counted at the receive: one death of a worker, or one lost acknowledgement, uses it up",
		},
		"a key that is forgotten for sure": {
			"queues: {q: {lease: 30s}}\nservices: {s: {checks: key, remembers: 1h}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [write: s]}}",
			"warning key-outlives-retries: remembers 1h, attempts unlimited: the last delivery has no bound",
		},
		"a publisher that is delivered again": {
			"queues: {a: {lease: 30s, attempts: 5}, b: {lease: 30s, dedup: 1m}}" + twoWorkers +
				"jobs: {first: {queue: a, arrivals: poisson 1/m, time_limit: 20s, fields: {order: serial}, steps: [work: 1s, publish: {job: second, key: 'second:{order}'}]},\n" +
				"  second: {queue: b, time_limit: 20s, steps: [work: 1s]}}",
			"warning dedup-window: window 1m ≤ 4 × lease 30s = 2m until the last delivery of first",
		},
		"published jobs are load": {
			"queues: {a: {lease: 30s}, b: {lease: 30s}}\nworkers: {w: {count: 1, takes: a}, x: {count: 1, takes: b}}\n" +
				"jobs: {first: {queue: a, arrivals: poisson 1/s, time_limit: 20s, steps: [work: 500ms, publish: second, publish: second]}, second: {queue: b, time_limit: 20s, steps: [work: 600ms]}}",
			"error workers-suffice: 2/s × 600ms (mean) = 1.2 busy slots ≥ 1 slots",
		},
		"a unique lock that ends first": {
			"queues: {q: {lease: 30s, dedup: {window: 5s, frees: end}}}" + twoWorkers + "jobs: {j: {queue: q, key: report, arrivals: poisson 1/m, time_limit: 20s, steps: [work: 8s]}}",
			"warning dedup-window: window 5s < run 8s",
		},
		"a unique lock and a full queue": {
			"queues: {q: {lease: 30s, capacity: 100, dedup: {window: 2m, frees: end}}}" + twoWorkers + "jobs: {j: {queue: q, key: report, start: after 1m, arrivals: poisson 1/m, time_limit: 20s, steps: [work: 2s]}}",
			"warning dedup-window: window 2m < start after 1m + 100 messages × 2s (mean) / 2 slots + run 2s = 2m42s",
		},
		"a unique lock that a death leaves behind": {
			"queues: {q: {dedup: {window: 1d, frees: end}}}" + twoWorkers + "jobs: {j: {queue: q, key: report, arrivals: every 1h, time_limit: 20s, steps: [work: 2s]}}",
			"warning delivery-ends: lease none, session none: no bound\nwarning dedup-window: lease none, session none: the id of a job that dies with its worker is refused for 24h",
		},
		"a window for ids that are all different": {
			"queues: {q: {lease: 30s, dedup: 1h}}" + twoWorkers + briefJob,
			"hint changes-nothing: the id of each job is its own, {job}: none is known already",
		},
		"a mark without end": {
			"queues: {q: {lease: 30s}}\nservices: {ledger: {checks: key}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [once: ledger, work: 8s, write: ledger]}}",
			"warning once-in-progress: in progress forever, attempts unlimited: after a death in the middle every delivery is refused",
		},
		"a release after one time-out": {
			"locks: {k: {lease: {length: 30s, renew: {every: 10s, timeout: 30s, on_error: release}}}}" + lockJob,
			"warning renew-retry-fits: every 10s + 2 × time-out 30s = 1m10s > lease 30s\nhint renew-one-error: on_error = release: 1 failed renewal ends it",
		},
		"one key under one lock": {
			"locks: {k: {names: ['order:{order}'], lease: {length: 10s, renew: 3s}}}\nservices: {s: {checks: key}}\nworkers: {w: {count: 2}}\n" +
				"jobs: {j: {by: w, key: 'pay:{order}', fields: {order: uniform 9}, arrivals: every 1m, steps: [lock: k, work: 1s, write: s]}}", "",
		},
		"one time-out for a lock too": {
			"network: {timeout: 1m}\nlocks: {k: {lease: {length: 1m, renew: 20s}, wait: {for: 1m}}}" + lockJob,
			"hint renew-retry-fits: every 20s + time-out 1m = 1m20s > lease 1m\nwarning one-timeout: 3 kinds of time-out are 1m",
		},
		"a time-out that nobody has": {
			"network: {timeout: 1m}\nlocks: {k: {timeout: 2s, lease: {length: 1m, renew: {every: 20s, timeout: 5s}}, wait: {for: 1m}}}" + lockJob, "",
		},
		"settings that change nothing": {
			"queues: {q: {lease: {length: 30s, at_least: 5s}, overflow: drop_oldest}}\nlocks: {k: {lease: {length: 10s, renew: 3s}, wait: {poll: none, for: 5s}}}\n" +
				"services: {s: {order: lifo, abandoned: drop, speed: 0.5, remembers: 1h, retry: {attempts: 2, jitter: full, cap: 5s}, breaker: {trip: {consecutive: 5, of: 20}, open: 5s}}, t: {retry: {delay: 1s}}}\nworkers: {w: {count: 1}}\n" +
				"jobs: {j: {queue: q, priority: 2, arrivals: poisson 1/m, time_limit: 20s, steps: [lock: k, work: 2s, call: s, call: t]}}",
			strings.ReplaceAll(`X servers unlimited: no call waits for its turn
X servers unlimited: no call waits until its caller has gone
X time 0s / speed 0.5 = 0s
X checks no key, and no job is guarded there: nothing to remember
X cap of delay 0s: no wait
X jitter of delay 0s: no wait
X it trips at 5 failures in a row, however many calls there were
X attempts 1: no retry, no wait
X capacity unlimited: nothing overflows
X only a lock has a shortest hold
X wait none: one try, and no wait to bound
X order of q is not priority`, "X", "hint changes-nothing:"),
		},
		"a mark that ends first": {
			"queues: {q: {lease: 30s}}\nservices: {records: {in_progress: 5s}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [once: records, work: 8s]}}",
			"error once-in-progress: in progress 5s < run 8s",
		},
		"marks that a cache forgets": {
			"queues: {q: {lease: 30s, attempts: 5}}\nservices: {db: {time: 1ms}, ledger: {time: 1ms, checks: key}}\ncaches: {marks: {source: db, ttl: 1m}}" + twoWorkers +
				"jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [once: marks, work: 8s, write: ledger]}}",
			"warning key-outlives-retries: 4 × lease 30s + run 8.001s = 2m8.001s ≥ remembers 1m",
		},
		"a guard is no key": {
			"queues: {q: {lease: 30s}}\nservices: {records: {in_progress: 20s}, ledger: {time: 1ms}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [once: records, work: 8s, write: ledger]}}",
			"hint write-repeatable: delivered at least once, write to ledger, checks none; the guard cannot tell a death before the write from one after it",
		},
		"a flush of a warm cache": {
			"services: {db: {servers: 2, time: 10ms}}\ncaches: {c: {source: db, warm: true}}\nworkers: {w: {count: 10}}\n" +
				"jobs: {j: {by: w, arrivals: poisson 50/s, fields: {user: uniform 9}, steps: [read: {from: c, key: '{user}'}]}}\nevents: {flush: {at: 1m, flush: caches.c}}",
			"warning cache-wiped: 100% of 500 reads/s = 500/s ≥ 200/s of db",
		},
		"work without end": {
			"queues: {q: {lease: none, session: {heartbeat: 5s, suspect: 30s}}}" + twoWorkers + "jobs: {j: {queue: q, arrivals: poisson 1/s, steps: [work: forever]}}",
			"error workers-suffice: 1/s × forever (mean) = unlimited busy slots ≥ 2 slots",
		},
	} {
		f, err := scenario.Parse("a.yaml", []byte(c.text))
		require.NoError(t, err, name)
		s, err := f.Resolve("base")
		require.NoError(t, err, name)
		var got []string
		for _, x := range Check(s) {
			got = append(got, x.Severity.String()+" "+x.Rule.ID+": "+x.Sum)
		}
		assert.Equal(t, c.want, strings.Join(got, "\n"), name)
	}
}

// What removes a setting without effect removes nothing else: a prefetch beyond the partitions is not what a process without
// one has.
func TestChangesOfIdleSettings(t *testing.T) {
	report, err := File("a.yaml", []byte(`
queues: {q: {lease: 30s, prefetch: 500, partitions: 12}, u: {lease: 30s, dedup: 1h}}
services: {s: {retry: {attempts: 2, jitter: full}}}
workers: {w: {count: 1}}
jobs:
  j: {queue: q, arrivals: poisson 1/m, time_limit: 1s, fields: {n: uniform 9}, key: '{n}', steps: [work: 1s]}
  k: {queue: u, arrivals: poisson 1/m, time_limit: 20s, steps: [call: s]}
variants: {prompt: {queues.q.prefetch: 12}}
`))
	require.NoError(t, err)
	var changes []string
	for _, f := range report.Findings {
		if f.Rule.ID == "changes-nothing" {
			changes = append(changes, Changes(f.Change))
		}
	}
	assert.Equal(t, []string{"queues.q.prefetch: 12", "queues.u.dedup: none", "services.s.retry.jitter: none"}, changes)
}

// Sums of many attempts, by hand.
func TestWorstCall(t *testing.T) {
	const s = time.Second
	grows := &scenario.Retry{Attempts: 6, Delays: []time.Duration{s / 2}, Growth: 2, Cap: 20 * s, Low: 1, High: 1}
	assert.Equal(t, "27.5s", duration(worst(2*s, grows)), "6 × 2 + 0.5 + 1 + 2 + 4 + 8")
	assert.Equal(t, "2s", duration(worst(2*s, nil)))
	assert.Equal(t, "forever", duration(worst(2*s, &scenario.Retry{})))
	steps := &scenario.Retry{Attempts: 4, Delays: []time.Duration{0, 10 * s}, Low: 1, High: 1, Growth: 1}
	assert.Equal(t, "24s", duration(worst(s, steps)), "4 × 1 + 0 + 10 + 10")
	within := &scenario.Retry{Delays: []time.Duration{s}, Low: 1, High: 1, Growth: 1, Elapsed: 10 * s}
	assert.Equal(t, "9s", duration(worst(s, within)), "no try begins at 10 s or later")
	many := &scenario.Retry{Attempts: 2_000_000_000, Delays: []time.Duration{0}, Low: 1, High: 1, Growth: 1}
	assert.Equal(t, seconds(2e9), worst(s, many))
	jittered := &scenario.Retry{Attempts: 2, Delays: []time.Duration{10 * s}, Growth: 1, Low: 0.8, High: 1.2, Add: s}
	assert.Equal(t, "15s", duration(worst(s, jittered)), "2 × 1 + 12 + 1")
}
