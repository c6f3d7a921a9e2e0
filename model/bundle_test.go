package model

import (
	"reflect"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/bundle"
	"github.com/tenggat/tenggat/policies/worker"
)

// A bundle is the same in a scenario (preset of kind policy) and in production
// (package bundle): what the model makes of the file is what Go says.
func TestBundlesAreTheirPresets(t *testing.T) {
	const world = `
queues: {q: {lease: 30s}}
locks: {l: {lease: 12s}}
services: {s: {breaker: {trip: {share: 50%, of: 10}, open: 1m}, retry: {preset: aws-sdk-standard}, concurrency: {kind: vegas, start: 3, slack: 9}}}
caches: {c: {source: s}}
workers: {w: {slots: 3}}
jobs: {j: {queue: q, arrivals: at 0s, steps: [lock: l, read: c, call: s, write: {to: s, token: l}]}}
`
	for _, name := range []string{"simple", "medium", "critical"} {
		b, err := bundle.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(resolve(t, name, world, scenario.Assignment{Path: "workers.w.policy", Value: name}), Options{}, nil)
		g, p := w.groups[0], w.procs[0]
		same := func(what string, got, want any) {
			t.Helper()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %+v, in Go %+v", name, what, got, want)
			}
		}
		service, lock := g.view.Services[0], g.view.Locks[0]
		for what, d := range map[string]time.Duration{"service": service.Timeout, "lock": lock.Timeout, "queue": g.view.Queues[0].Timeout, "cache": g.view.Caches[0].Timeout} {
			same("patience with a "+what, d, b.Patience)
		}
		same("retry", *w.ruleOf(service.Retry), b.Retry)
		same("budget of retries", service.Retry.Budget, (*scenario.Budget)(nil))
		same("hard limit", g.view.Jobs[0].Limit, b.Hard)
		same("doubt", g.rule.Doubt, b.Doubt)
		same("drain", g.rule.Drain, b.Drain)
		same("fates", g.types[0].fates, b.Fates)
		same("registration", lock.Register, b.Register)
		same("checks of hits", g.view.Caches[0].Verify == 1, b.Verify)
		for kind, c := range map[string]struct {
			length time.Duration
			seen   *scenario.Lease
		}{"delivery": {30 * time.Second, g.view.Queues[0].Lease}, "lock": {12 * time.Second, lock.Lease}} {
			want := b.Lease(c.length)
			if !b.Keeps {
				same("renewal of a "+kind, c.seen.Renew, (*scenario.Beat)(nil))
				continue
			}
			got := c.seen.HolderRule()
			got.Timeout = w.renewTimeout(c.seen, 0) // which is the driver's in the model
			same("lease of a "+kind, got, want)
		}
		if b.Keeps {
			same("wait for a lock", lock.WaitFor, b.LockWait)
			same("keeping of deliveries", g.keeps(w.queues[0], &job{}).rule > 0, true)
		}
		if b.Breaker != nil {
			w.breakerOf(p, w.services[0]) // makes the rule
			got, want := *w.breakerRules[service.Breaker], *b.Breaker
			want.Of, want.Within = got.Of, got.Within // of a share, which neither has
			same("breaker", got, want)
			same("limit", service.Concurrency.Rule(), *b.Limit)
			same("what a call too many does", service.Concurrency.Wait, true)
		}
		rule := b.Worker(3, time.Second, 30*time.Second, 12*time.Second)
		if err := rule.Check(); err != nil {
			t.Error(err)
		}
		same("slots", g.rule.Slots, rule.Slots)
		if got := rule.Fates[policies.Permanent]; got != worker.DeadLetter {
			t.Errorf("%s: a job that fails for good is not set aside but %v", name, got)
		}
	}
}
