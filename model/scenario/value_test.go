package scenario

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim/dist"
)

func constant(d time.Duration) dist.Dist { return dist.Constant(d) }

func TestArrivals(t *testing.T) {
	minute := time.Minute
	every := func(a Arrivals) Arrivals {
		if a.Times == 0 {
			a.Times = Unlimited
		}
		if a.Until == 0 {
			a.Until = Forever
		}
		if a.Batch == 0 {
			a.Batch = 1
		}
		return a
	}
	for text, want := range map[string][]Arrivals{
		"at 0s":              {every(Arrivals{At: []time.Duration{0}, Times: 1})},
		"at -1m 2s times 10": {every(Arrivals{At: []time.Duration{-minute, 2 * time.Second}, Times: 10})},
		"every 1s":           {every(Arrivals{Kind: ArriveEvery, Every: Period{Every: constant(time.Second)}})},
		"every 1s from 1m until 5m batch 3": {every(Arrivals{
			Kind: ArriveEvery, Every: Period{Every: constant(time.Second), From: &minute}, Until: 5 * minute, Batch: 3})},
		"every 1s from random times 7":   {every(Arrivals{Kind: ArriveEvery, Every: Period{Every: constant(time.Second), Random: true}, Times: 7})},
		"poisson 90/m":                   {every(Arrivals{Kind: ArrivePoisson, Rate: 1.5})},
		"poisson 2/s batch geometric 4":  {every(Arrivals{Kind: ArrivePoisson, Rate: 2, Mean: 4})},
		"loop":                           {every(Arrivals{Kind: ArriveLoop})},
		"loop after 2s from 1m times 10": {every(Arrivals{Kind: ArriveLoop, After: constant(2 * time.Second), From: &minute, Times: 10})},
		"at 1s and poisson 48/d": {
			every(Arrivals{At: []time.Duration{time.Second}, Times: 1}), every(Arrivals{Kind: ArrivePoisson, Rate: 48.0 / 86400})},
	} {
		got, err := parseArrivals(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestTargets(t *testing.T) {
	for _, text := range []string{"workers.w", "workers.w/1", "workers.w/1..3", "workers.w/any", "locks.l/holder", "queues.q", "services.s", "monitors.m", "caches.c"} {
		target, err := parseTarget(text)
		assert.NoError(t, err)
		assert.Equal(t, text, target.String())
	}
	for text, want := range map[string]string{
		"w":                "is no target",
		"workers.w/0":      "counted from 1",
		"workers.w/3..1":   "no member of a group",
		"workers.w/x":      "no member of a group",
		"workers.w/holder": "only a lock has a holder",
		"monitors.m/1":     "a monitor has no members",
		"caches.c/v2":      "only be flushed",
	} {
		_, err := parseTarget(text)
		assert.ErrorContains(t, err, want)
	}
}

func TestJitters(t *testing.T) {
	for text, want := range map[string]jitter{
		"none":         {low: 1, high: 1},
		"full":         {low: 0, high: 1},
		"equal":        {low: 0.5, high: 1},
		"spread 25%":   {low: 0.75, high: 1.25},
		"less 0.25":    {low: 0.75, high: 1},
		"add 1s":       {low: 1, high: 1, add: time.Second},
		"decorrelated": {low: 1, high: 1, decorrelate: true},
	} {
		got, err := parseJitter(text)
		assert.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"10_000": 10000, "1.5": 1.5, "1e3": 1000} {
		got, err := parseNumber(text)
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, text := range []string{"", "_1", "1_", "NaN", "inf", "-1", "0x10", "1e999", "1 2"} {
		_, err := parseNumber(text)
		assert.Error(t, err, text)
	}
	drift, err := parseDrift("-20ppm")
	assert.NoError(t, err)
	assert.Equal(t, -20e-6, drift)
	_, err = parseDrift("1e6ppm")
	assert.Error(t, err)
	_, err = parseCount("1e15")
	assert.ErrorContains(t, err, "write unlimited")
	_, err = parseWhole("1e15")
	assert.ErrorContains(t, err, "write 1073741823 or less")
	_, err = parseNumber("1e400")
	assert.ErrorContains(t, err, "too large")
	_, err = parseWhole("unlimited")
	assert.ErrorContains(t, err, "an end")
	_, err = parseSeed("-1")
	assert.ErrorContains(t, err, "18446744073709551615")
	_, err = parseInstant("forever")
	assert.Error(t, err)
}

// One scenario with what the cases do not use.
func TestTheRest(t *testing.T) {
	s := parse(t, `
seed: 18446744073709551615
network:
  links:
    up: {from: [workers.w/1, workers.w/2], to: queues.q, latency: 5ms}
    both: {between: [workers.w, [services.s, monitors.q_session]], loss: 0%, only: [call, heartbeat]}
queues:
  q:
    prefetch: 3
    picks: any
    session: {check: [boot, 1h, heartbeat], heartbeat: {every: 1s, sender: handler, on_error: release}, evidence: 9s}
    attempts: {limit: 2, count: [start, expiry], within: 1h}
    overflow: drop_oldest
    capacity: 10
    retry: {delay: 1s, only: [expiry, permanent]}
    lease: {length: [10s, 20s], slack: -500ms, outside: 15s, range: 1s..1h, believe_for: 5s from reply, renew: {every: 2s, on_error: retry, retry: [1s, 2s], by: 9s, covers: running}}
  dead: {dead_letter: park}
locks: {l: {wait: {poll: 1s from 0s, for: 1m}, release: anybody, lease: {length: 1m, delay: 1s, at_least: 2s, expires_by: record}}}
services:
  s: {order: lifo, abandoned: drop, errors: 10%, error: permanent, checks: [key, version], serves: reads, retry: {attempts: 3, budget: {ratio: 10%, floor: 1/s, scope: service}}}
  t: {breaker: {trip: {share: 50%, of: 20, within: 10s}, open: [1s, 2s], reopen: ratio, old_calls: count, scope: service, probe_limit: 3s}}
workers: {w: {count: 2, slots: 4, restart: never, drain: 5s, paused: release, clock: {uses: wall, drift: 50ppm}}}
jobs:
  a:
    queue: q
    arrivals: poisson 1/s
    expires: 30s dead_letter
    start: after 5s received
    priority: 1
    errors: {transient: return, gave_up: drop}
    on_time_limit: kill
    fields: {order: serial 9, who: uniform 7}
    steps:
      - lock: l
      - ack: now
      - call: {to: t, share: 50%, timeout: 1s, retry: {attempts: 2}}
      - read: s
      - unlock: l
      - fail: {share: 10%, as: coordination}
      - write: {to: s, key: '{who}-{step}'}
      - crash: host
events:
  again: {at: 5s, every: 1m, times: 3, for: 1s, stop: workers.w/any}
  one_way: {at: 1s, cut: {from: workers.w, to: [locks.l, services.s], how: refuse, only: acquire}}
  taken: {at: 1s, revoke: locks.l}
`)
	assert.Equal(t, ^uint64(0), s.Seed)
	assert.Len(t, s.Network.Links[0].From, 2)
	assert.True(t, s.Network.Links[1].Both)
	assert.Equal(t, Call|Heartbeat, s.Network.Links[1].Only)
	assert.Equal(t, AllKinds, int(s.Network.Links[0].Only))

	q := s.Queues[0]
	assert.Equal(t, Attempts{Limit: 2, Count: CountStart | CountExpiry, Within: time.Hour}, q.Attempts)
	assert.True(t, q.DropOldest)
	assert.Equal(t, RetryExpiry, q.RetryOn)
	assert.Equal(t, policies.Classes(policies.Permanent), q.Retry.Only)
	l := q.Lease
	assert.True(t, l.SlackMinus)
	assert.Equal(t, OutsideReplace, l.Outside)
	assert.Equal(t, 15*time.Second, l.Replaced)
	assert.Equal(t, SinceReply, l.Anchor)
	assert.Equal(t, 9*time.Second, l.RenewBy)
	assert.Equal(t, CoversRunning, l.Covers)
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second}, l.Renew.Again)

	m := s.Monitors[0]
	assert.Equal(t, Check{Every: Period{Every: constant(time.Hour)}, Boot: true, Beat: true, Batch: Unlimited}, m.Check)
	assert.True(t, m.Heartbeat.Handler)
	assert.Equal(t, ReleaseAll, m.Heartbeat.OnError)

	lock := s.Locks[0]
	assert.True(t, lock.Anybody)
	assert.Equal(t, time.Minute, lock.WaitFor)
	assert.Equal(t, time.Duration(0), *lock.Poll.From)
	assert.Equal(t, ByRecord, lock.Lease.ExpiresBy)

	assert.Equal(t, CheckKey|CheckVersion, s.Services[0].Checks)
	assert.Equal(t, policies.Permanent, s.Services[0].Error)
	assert.Equal(t, ServesReads, s.Services[0].Serves)
	assert.True(t, s.Services[0].LIFO && s.Services[0].Drop && s.Services[0].Retry.Budget.PerService)
	b := s.Services[1].Breaker
	assert.Equal(t, Breaker{Share: 0.5, Of: 20, Within: 10 * time.Second, Open: b.Open, Probes: 1, ProbeLimit: 3 * time.Second, ReopenRatio: true, CountOld: true, PerService: true}, *b)

	assert.Equal(t, Forever, s.Workers[0].Restart)
	assert.Equal(t, PausedRelease, s.Workers[0].Paused)
	assert.Equal(t, Clock{Wall: true, Drift: 50e-6, Offset: Script{constant(0)}}, s.Workers[0].Clock)

	j := s.Jobs[0]
	assert.True(t, j.ExpiresDL && j.Received && j.Kill)
	assert.Equal(t, []time.Duration{30 * time.Second, 5 * time.Second}, []time.Duration{j.Expires, *j.StartIn})
	assert.Equal(t, FateReturn, j.Fates[policies.Transient])
	assert.Equal(t, FateDrop, j.GiveUp)
	assert.Equal(t, []Field{{Name: "order", N: 9}, {Name: "who", Kind: UniformField, N: 7}}, j.Fields)
	var verbsSeen []Verb
	for _, step := range j.Steps {
		verbsSeen = append(verbsSeen, step.Verb)
	}
	assert.Equal(t, []Verb{LockStep, AckNow, CallService, Read, Unlock, Fail, Write, CrashStep}, verbsSeen)
	assert.Equal(t, 2, j.Steps[2].Retry.Attempts)
	assert.Equal(t, policies.Coordination, j.Steps[5].Class)
	assert.Equal(t, []Part{{Hole: HoleField, Field: 1, Name: "who"}, {Literal: "-"}, {Hole: HoleStep, Name: "step"}}, j.Steps[6].Key.Parts)
	assert.True(t, j.Steps[7].Host)

	assert.Equal(t, 3, s.Events[0].Times)
	assert.Equal(t, AnyOf, s.Events[0].On[0].Index)
	assert.Equal(t, CutRefuse, s.Events[1].How)
	assert.Len(t, s.Events[1].To, 2)
	assert.Equal(t, ActRevoke, s.Events[2].Act)
}
