package scenario

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/policies"
)

// resolved is a variant of a scenario of testdata.
func resolved(t *testing.T, file, name, variant string) *Scenario {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	files, err := ParseAll(file, data)
	require.NoError(t, err)
	i := slices.IndexFunc(files, func(f *File) bool { return f.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	s, err := files[i].Resolve(variant)
	require.NoError(t, err)
	return s
}

// parse resolves the base of a text that has no mistakes.
func parse(t *testing.T, text string, sets ...Assignment) *Scenario {
	t.Helper()
	f, err := Parse("test.yaml", []byte(text))
	require.NoError(t, err)
	s, err := f.Resolve("base", sets...)
	require.NoError(t, err)
	return s
}

func TestSettingsOfTheCases(t *testing.T) {
	for _, c := range []struct {
		name, variant, path string
		want                any
	}{
		{"c01-eta-visibility", "base", "queues.tasks.ack", "start"},
		{"c01-eta-visibility", "base", "queues.tasks.lease", 3600.0},
		{"c01-eta-visibility", "base", "queues.tasks.lease.on_loss", "ignore"},
		{"c01-eta-visibility", "base", "jobs.task.start", "at 19800s"},
		{"c01-eta-visibility", "swept", "queues.tasks.lease.check", 60.0},
		{"c01-eta-visibility", "fixed", "queues.tasks.lease.length", 21600.0},
		{"c03-retry-after", "base", "queues.backups.attempts.limit", 3.0},
		{"c03-retry-after", "base", "queues.backups.attempts.count", "receive"},
		{"c03-retry-after", "repro", "jobs.backup.steps.work", 20.0},
		{"c03-retry-after", "repro", "workers.w.count", 3.0},
		{"c03-retry-after", "repro", "queues.backups.lease.on_loss", "ignore"},
		{"c03-retry-after", "void", "queues.backups.lease.late_settle.free", "ignore"},
		{"c03-retry-after", "void", "queues.backups.lease.late_settle.lapsed", "accept"},
		{"c03-retry-after", "void", "queues.backups.lease.length", 90.0},
		{"c05-consumer-timeout", "fixed", "queues.tasks.lease.scope", "channel"},
		{"c05-consumer-timeout", "fixed", "queues.tasks.lease.length", 7200.0},
		{"c05-consumer-timeout", "prefetch_10", "jobs.task.arrivals", "at 0s times 10"},
		{"c13-adaptive-extension", "capped", "queues.q.lease.renew", 19.0},
		{"c13-adaptive-extension", "capped", "queues.q.lease.believe_for", 20.0},
		{"c17-event-loop-stall", "trap", "run.duration", 10800.0},
		{"c17-event-loop-stall", "trap", "queues.q.lease.renew.every", 5400.0},
		{"c17-event-loop-stall", "base", "queues.q.lease.late_settle.taken", "reject"},
		{"c23-phi", "base", "monitors.gossip.suspect", 8.0},
		{"c23-phi", "normal", "monitors.gossip.suspect.allowance", 3.0},
		{"c23-phi", "base", "monitors.gossip.suspect.min_sd", 0.1},
		{"c27-full-lease-again", "base", "run.from", -100.0},
		{"c27-full-lease-again", "base", "locks.table.lease.renew", "none"},
		{"c27-full-lease-again", "short", "locks.table.lease.renew", 20.0},
		{"c27-full-lease-again", "skewed", "workers.dead.clock.offset", 3600.0},
		{"c37-session-pause", "session_30", "locks.region.lease.renew", 10.0},
		{"c37-session-pause", "tick_12", "locks.region.lease.check", 2.0},
		{"a02-mmc", "base", "jobs.job.arrivals", "poisson 4/s"},
		{"a02-mmc", "base", "queues.q.lease", "none"},
		{"a03-mmck", "base", "queues.q.capacity", 5.0},
		{"a11-outage", "base", "queues.q.drain_to", 10.0},
		{"b01-visibility", "base", "workers.w.slots", "unlimited"},
		{"b04", "base", "queues.q.lease.believe_for", "forever"},
		{"b07", "base", "services.ledger.checks", "key"},
		{"c08-partial-partition", "self_fence", "locks.l.lease.believe_for", 15.0},
		{"c08-partial-partition", "base", "locks.l.lease.believe_for", "told"},
		{"c08-partial-partition", "base", "jobs.holder.steps.repeat.times", 35.0},
		{"c08-partial-partition", "base", "jobs.holder.steps.repeat.steps.write.refused", "ignore"},
		{"e03", "base", "services.s.retry.jitter", "full"},
		{"f01", "base", "services.s.breaker.trip", 5.0},
	} {
		got, err := resolved(t, "cases.yaml", c.name, c.variant).Setting(c.path)
		if assert.NoError(t, err, "%s %s %s", c.name, c.variant, c.path) {
			assert.Equal(t, c.want, got, "%s %s %s", c.name, c.variant, c.path)
		}
	}
}

func TestTypesOfTheCases(t *testing.T) {
	c13 := resolved(t, "cases.yaml", "c13-adaptive-extension", "alive_capped")
	assert.Empty(t, c13.Events)
	assert.Equal(t, 20*time.Second, c13.Queues[0].Lease.Believe)

	c17 := resolved(t, "cases.yaml", "c17-event-loop-stall", "base")
	assert.Equal(t, [3]Settle{SettleReject, SettleReject, SettleReject}, c17.Queues[0].Lease.Late)
	assert.True(t, c17.Queues[0].Lease.Check.Every.Random)
	assert.Equal(t, []Target{{Noun: "workers", Name: "w", Index: Members, Lo: 1, Hi: 1}}, c17.Events[0].On)

	c23 := resolved(t, "cases.yaml", "c23-phi", "logistic")
	assert.Equal(t, Suspect{By: PhiLogistic, Level: 8, Window: 1000, MinSD: 100 * time.Millisecond, Allowance: 3 * time.Second, Confirm: 1}, c23.Monitors[0].Suspect)

	c27 := resolved(t, "cases.yaml", "c27-full-lease-again", "base")
	assert.Equal(t, -100*time.Second, c27.Run.From)
	assert.Equal(t, []time.Duration{-100 * time.Second}, c27.Jobs[0].Arrivals[0].At)
	assert.Equal(t, ByWaiter, c27.Locks[0].Lease.ExpiresBy)
	assert.True(t, c27.Jobs[0].Steps[1].Forever)
	assert.Equal(t, 900500*time.Millisecond, c27.Jobs[1].Limit)

	a10 := resolved(t, "cases.yaml", "a10-trace", "base")
	assert.Len(t, a10.Jobs[0].Steps[0].Work, 8)
	assert.Equal(t, "6s", a10.Jobs[0].Steps[0].Work.At(3).String())
	assert.Equal(t, "2s", a10.Jobs[0].Steps[0].Work.At(99).String())

	a11 := resolved(t, "cases.yaml", "a11-outage", "base")
	assert.Equal(t, []Assignment{{"workers.w.paused", "keep"}}, a11.Events[0].Sets)

	b03 := resolved(t, "cases.yaml", "b03", "base")
	assert.Equal(t, Ack, b03.Network.Links[0].Only)

	b07 := resolved(t, "cases.yaml", "b07", "base")
	assert.Equal(t, []int64{101, 102, 101, 103, 102}, b07.Jobs[0].Fields[0].List)
	assert.Equal(t, []Part{{Literal: "req-"}, {Hole: HoleField, Name: "id"}}, b07.Jobs[0].Key.Parts)
	assert.Equal(t, CheckKey, b07.Services[0].Checks)

	c06 := resolved(t, "cases.yaml", "c06", "base")
	assert.Equal(t, ArriveLoop, c06.Jobs[0].Arrivals[0].Kind)
	assert.Equal(t, HolderOf, c06.Events[0].On[0].Index)

	c08 := resolved(t, "cases.yaml", "c08-partial-partition", "base")
	assert.Equal(t, UntilTold, c08.Locks[0].Lease.Anchor)
	repeat := c08.Jobs[0].Steps[1]
	assert.Equal(t, 1700*time.Millisecond, repeat.Every)
	assert.Equal(t, Step{Verb: Write, Share: 1, To: "db", Token: "l", Ignore: true}, repeat.Steps[0])

	d01 := resolved(t, "cases.yaml", "d01-nfds", "base")
	assert.Equal(t, Chen, d01.Monitors[0].Suspect.By)
	assert.Equal(t, 1200*time.Millisecond, d01.Monitors[0].Suspect.Timeout)

	e03 := resolved(t, "cases.yaml", "e03", "base")
	assert.Equal(t, &Retry{Attempts: 8, Delays: []time.Duration{100 * time.Millisecond}, Growth: 2, Cap: 2 * time.Second, Low: 0, High: 1, Only: policies.Classes(policies.Transient)}, e03.Services[0].Retry)

	f01 := resolved(t, "cases.yaml", "f01", "base")
	assert.Equal(t, 5, f01.Services[0].Breaker.Consecutive)
	assert.Equal(t, Forever, f01.Services[0].Breaker.ProbeLimit)
}

func TestDefaults(t *testing.T) {
	s := parse(t, `
queues: {q: {lease: {}}, bare: {}}
locks: {l: {}, for_ever: {lease: none}, tied: {lease: {length: none}}}
services: {s: }
monitors: {m: {watches: workers.w}}
workers: {w: {}}
jobs: {j: {queue: q, arrivals: at 0s, steps: [lock: l]}, free: {by: w, arrivals: at 0s}}
events: {e: {at: 1s, pause: workers.w}}
`)
	assert.Equal(t, uint64(7), s.Seed)
	assert.Equal(t, Run{Duration: time.Hour, Replications: 1, MaxEvents: 200e6}, s.Run)
	assert.Equal(t, 5*time.Second, s.Network.Timeout)

	q := s.Queues[0]
	assert.Equal(t, LossIgnore, q.Lease.OnLoss)
	assert.Equal(t, [3]Settle{SettleAccept, SettleAccept, SettleIgnore}, q.Lease.Late)
	assert.Equal(t, 30*time.Second, q.Lease.Believe)
	assert.Equal(t, SinceSent, q.Lease.Anchor)
	assert.True(t, q.Lease.Check.AtOnce)
	assert.Equal(t, Unlimited, q.Lease.Check.Batch)
	assert.Equal(t, Attempts{Limit: Unlimited, Count: CountReceive, Within: Forever}, q.Attempts)
	assert.Equal(t, "keep", q.DeadLetter)
	assert.Equal(t, -1, q.DrainTo)
	assert.Equal(t, 5*time.Second, q.Timeout)
	assert.Nil(t, s.Queues[1].Lease)

	l := s.Locks[0]
	assert.True(t, l.Rising && l.Notified && !l.Anybody)
	assert.Equal(t, LossStop, l.Lease.OnLoss)
	assert.Equal(t, "30s", l.Lease.Length[0].String())
	assert.Nil(t, s.Locks[1].Lease)
	assert.True(t, s.Locks[2].Lease.Forever)
	assert.Equal(t, Forever, s.Locks[2].Lease.Believe)

	m := s.Monitors[0]
	assert.Equal(t, 30*time.Second, m.Suspect.Timeout)
	assert.Equal(t, "5s", m.Heartbeat.Every.Every.String())
	assert.Equal(t, Forever, m.Evidence)

	w := s.Workers[0]
	assert.Equal(t, []time.Duration{10 * time.Second, 30 * time.Second}, []time.Duration{w.Restart, w.Drain})

	j := s.Jobs[0]
	assert.Equal(t, [4]Fate{0, FateRetry, FateDeadLetter, FateDrain}, j.Fates)
	assert.Equal(t, FateDeadLetter, j.GiveUp)
	assert.Equal(t, []time.Duration{Forever, Forever}, []time.Duration{j.Limit, j.Expires})
	assert.Equal(t, []Part{{Hole: HoleJob, Name: "job"}}, j.Key.Parts)
	assert.Equal(t, 1.0, s.Services[0].Speed)
	assert.Equal(t, Unlimited, s.Services[0].Servers)
}

func TestSessionsWatchThoseThatUseThem(t *testing.T) {
	s := parse(t, `
queues: {a: {session: {suspect: 7s}}, b: {}}
locks: {l: {session: {heartbeat: 1s}}}
workers: {x: {takes: [a]}, y: {takes: [b]}, z: {}}
jobs: {j: {queue: b, arrivals: at 0s, steps: [lock: l]}}
`)
	require.Len(t, s.Monitors, 2)
	assert.Equal(t, []string{"a_session"}, s.Queues[0].Session)
	assert.Equal(t, 7*time.Second, s.Monitors[0].Suspect.Timeout)
	assert.Equal(t, []Target{{Noun: "workers", Name: "x"}, {Noun: "workers", Name: "z"}}, s.Monitors[0].Watches)
	assert.Equal(t, "l_session", s.Monitors[1].Name)
	assert.Equal(t, []Target{{Noun: "workers", Name: "y"}, {Noun: "workers", Name: "z"}}, s.Monitors[1].Watches)
}

func TestLockNamesAreBoundToEachJob(t *testing.T) {
	s := parse(t, `
locks: {account: {names: ['account:{account}', all]}}
workers: {w: {}}
jobs:
  a: {by: w, arrivals: at 0s, fields: {order: serial, account: zipf 500}, steps: [lock: account]}
  b: {by: w, arrivals: at 0s, fields: {account: zipf 500}, steps: [lock: account]}
`)
	assert.Equal(t, 1, s.Jobs[0].Steps[0].Names[0].Parts[1].Field)
	assert.Equal(t, 0, s.Jobs[1].Steps[0].Names[0].Parts[1].Field)
	assert.Equal(t, "all", s.Jobs[0].Steps[0].Names[1].Text)
}

func TestTimesBeforeZero(t *testing.T) {
	s := parse(t, `
run: {from: -60s}
workers: {w: {clock: {offset: [-2s, 3s]}}}
jobs: {j: {by: w, arrivals: every 5s from -55s}}
events:
  a: {at: -4.5s, pause: workers.w}
  b: {at: -55s..-50s, pause: workers.w}
  c: {at: [-10s, 20s, exp 3s], pause: workers.w}
`)
	assert.Equal(t, -4500*time.Millisecond, s.Events[0].Base)
	assert.Equal(t, "0s", s.Events[0].At[0].String())
	assert.Equal(t, -55*time.Second, s.Events[1].Base)
	assert.Equal(t, "0s..5s", s.Events[1].At[0].String())
	assert.Equal(t, -10*time.Second, s.Events[2].Base)
	assert.Equal(t, "30s", s.Events[2].At[1].String())
	assert.InDelta(t, 13, s.Events[2].At[2].Mean(), 1e-9)
	assert.Equal(t, -2*time.Second, s.Workers[0].Clock.Base)
	assert.Equal(t, "5s", s.Workers[0].Clock.Offset[1].String())
	assert.Equal(t, -55*time.Second, *s.Jobs[0].Arrivals[0].Every.From)
}

func TestSettingAndHash(t *testing.T) {
	a := parse(t, "queues: {q: {lease: 60s}}\nservices: {s: {checks: [key, token]}}\nworkers: {w: {}}\njobs: {j: {queue: q, arrivals: at 0s}}\n")
	b := parse(t, "name: other\nqueues: {q: {lease: {length: 60s, from: receive}}}\nservices: {s: {checks: [key, token]}}\nworkers: {w: {count: 1}}\njobs: {j: {queue: q, arrivals: at 0s}}\n")
	assert.Equal(t, a.Hash(), b.Hash(), "a default, written or not, is the same setting")
	assert.NotEqual(t, a.Hash(), parse(t, "queues: {q: {lease: 61s}}\nservices: {s: {checks: [key, token]}}\nworkers: {w: {}}\njobs: {j: {queue: q, arrivals: at 0s}}\n").Hash())
	for path, want := range map[string]any{
		"services.s.checks": "[key, token]", "queues.q.retry": "none", "queues.q.lease": 60.0,
		"network.loss": 0.0, "workers.w.paused": "none", "queues.q.capacity": "unlimited",
	} {
		got, err := a.Setting(path)
		assert.NoError(t, err)
		assert.Equal(t, want, got, path)
	}
	for _, path := range []string{"queues.p.lease", "queues.q.leese", "", "jobs.j.steps.work", "queues.q.lease.length.more"} {
		_, err := a.Setting(path)
		assert.Error(t, err, path)
	}
}

func TestSettingsTellTheirOrigin(t *testing.T) {
	f, err := Parse("a.yaml", []byte("queues:\n  q:\n    preset: sqs-standard\n    lease: 45s\nworkers: {w: {}}\njobs: {j: {queue: q, arrivals: at 0s}}\n"))
	require.NoError(t, err)
	s, err := f.Resolve("base", Assignment{"workers.w.count", "3"})
	require.NoError(t, err)
	from := map[string]string{}
	for _, x := range s.Settings() {
		from[x.Path] = x.Value + " from " + x.From
	}
	assert.Equal(t, "45s from a.yaml:4", from["queues.q.lease.length"])
	assert.Equal(t, "12h from preset sqs-standard:11", from["queues.q.lease.cap"])
	assert.Equal(t, "1 from default", from["workers.w.slots"])
	assert.Equal(t, "3 from --set", from["workers.w.count"])
}

func TestSweeps(t *testing.T) {
	lease := resolved(t, "sweeps.yaml", "lease-ttl", "base")
	assert.Equal(t, Attempts{Limit: 5, Count: CountReceive, Within: Forever}, lease.Queues[0].Attempts)
	account := lease.Locks[0].Lease
	assert.Equal(t, 10*time.Second, account.Believe)
	assert.Equal(t, SinceReply, account.Anchor)
	assert.Equal(t, "3.333333333s", account.Renew.Every.Every.String())
	assert.Equal(t, 2*time.Second, account.RangeLow)
	assert.Equal(t, OutsideClamp, account.Outside)
	assert.Equal(t, CheckKey|CheckToken, lease.Services[0].Checks)
	assert.Equal(t, &Budget{Tokens: 500, Cost: 5, Earn: 1, RefundLast: true}, lease.Services[1].Retry.Budget)
	assert.Equal(t, []Target{{Noun: "workers", Name: "stable", Index: Members, Lo: 1, Hi: 2}}, lease.Events[2].On)
	assert.Equal(t, 500, int(lease.Jobs[0].Fields[1].N))

	visibility := resolved(t, "sweeps.yaml", "visibility-timeout", "base")
	assert.Equal(t, 12*time.Hour, visibility.Queues[0].Lease.Cap)

	heartbeat := resolved(t, "sweeps.yaml", "heartbeat-timeout", "base")
	assert.Equal(t, []string{"health"}, heartbeat.Queues[0].Session)
	assert.Equal(t, 0.6, heartbeat.Network.Links[0].Burst.Loss)
}
