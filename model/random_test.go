package model

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
)

// The load of a random scenario ends, and its faults are over, at calm; within
// settling nothing may be left.
const (
	calm     = 60 * time.Second
	settling = 6 * time.Hour
)

// randomScenario writes a small scenario: a few queues, locks, services,
// monitors, groups and job types, with settings drawn from all that the
// language has, under a load and faults that end at calm.
//
// Every delivery has a lease from its hand-out on, and every call a patience, for
// else a lost message is meant to be lost for ever.
func randomScenario(seed uint64) string {
	g := newDrawer(seed)
	var y strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&y, format+"\n", args...) }
	line("seed: %d", seed)
	line("run: {duration: 7h, max_events: 3_000_000}")
	line("network: {latency: %s, loss: %s, timeout: %s%s}", g.of("0s", "5ms", "exp 20ms", "lognormal mean 10ms p99 80ms"), g.of("0", "0", "1%", "10%"), g.of("1s", "3s"), g.links())

	queues := []string{"a", "b"}[:1+g.IntN(2)]
	line("queues:")
	for i, q := range queues {
		line("  %s: {%s}", q, g.queue(i, len(queues)))
	}
	line("locks:")
	line("  l: {%s}", g.lock())
	line("  seat: {names: ['%s'], wait: %s, lease: {length: 4s, renew: 1s%s}}", g.of("seat", "seat:{worker}"), g.of("notified", "1s"), g.some("expires_by: waiter", "delay: 1s"))
	line("services:")
	line("  s: {%s}", g.service())
	line("  t: {%s}", g.of("checks: [key]", "checks: [key, token]", "checks: token_granted, time: exp 30ms", "time: 20ms", "checks: [sequence, status], in_progress: 10s", "remembers: 5s, in_progress: 2s"))
	line("caches:")
	line("  c: {source: s%s}", g.cache())
	line("  o: {source: l%s}", g.cache())
	line("monitors:")
	line("  m: {watches: workers.w, heartbeat: 1s, suspect: %s, check: %s, disconnect: %s}", g.of("3s", "missed 3", "chen 2s", "phi_normal 5", "phi_exponential 4"), g.of("0s", "1s", "500ms from random"), g.of("true", "false"))
	line("workers:")
	line("  w: {count: %d, slots: %s, restart: %s, drain: %s%s}", 1+g.IntN(3), g.of("1", "2", "8"), g.of("0s", "1s", "5s"), g.of("1s", "30s"), g.worker(strings.Contains(y.String(), "partitions")))
	line("  by: {count: %d, slots: %s}", 1+g.IntN(2), g.of("1", "2", "unlimited"))
	line("jobs:")
	for i, q := range queues {
		line("  j%d: {queue: %s, arrivals: %s until 60s, fields: {k: zipf 5}, key: '%s'%s, steps: [%s]}", i, q, g.of("poisson 2/s", "poisson 5/s", "every 700ms", "every 3s batch 4"), g.of("{job}", "{k}"), g.jobExtras(), g.steps(true))
	}
	line("  own: {by: by, arrivals: %s until 60s, fields: {k: uniform 3}%s, steps: [%s]}", g.of("every 2s", "poisson 1/s", "loop after 500ms"), g.ownExtras(), g.steps(false))
	line("  sent: {queue: a, fields: {k: zipf 5}, steps: [%s]}", g.of("work: 100ms", "write: t", "write: {to: t, key: 'row:{k}', sequence: '{publish}'}", "fail: 20%"))
	line("events:")
	for i := range g.IntN(5) {
		line("  e%d: {%s}", i, g.event(len(queues)))
	}
	line("  end: {at: 1m, set: {network.loss: 0, services.s.speed: 1}}")
	return y.String()
}

type drawer struct{ *rand.Rand }

func newDrawer(seed uint64) *drawer { return &drawer{rand.New(rand.NewPCG(seed, 1))} }

func (g *drawer) of(texts ...string) string { return texts[g.IntN(len(texts))] }

// some is each of the texts, or not, joined with commas and a leading one.
func (g *drawer) some(texts ...string) string {
	var out string
	for _, t := range texts {
		if g.IntN(2) == 0 {
			out += ", " + t
		}
	}
	return out
}

func (g *drawer) links() string {
	return g.of("", "", ", links: {x: {between: [workers.w, queues.a], loss: 5%, latency: exp 50ms}}",
		", links: {x: {from: workers.w, to: locks.l, only: [renew], loss: 30%}}",
		", links: {x: {between: [workers.w, services.s], burst: {every: exp 10s, length: exp 2s, loss: 80%}}}")
}

func (g *drawer) lease(holds string) string {
	return fmt.Sprintf("{length: %s%s, late_settle: {lapsed: %s, free: %s, taken: %s}, on_loss: %s%s}", g.of("3s", "10s", "1s..5s"),
		g.some("renew: {every: 1s, timeout: 500ms, on_error: "+g.of("next", "stop", "release", "retry, retry: [200ms, 1s]")+"}", "check: "+g.of("1s", "{every: 2s, batch: 3}", "700ms from random"), "believe_for: "+g.of("told", "forever", "2s", "2s from reply")),
		g.of("accept", "ignore", "reject", "steal"), g.of("accept", "ignore", "reject", "steal"), g.of("accept", "ignore", "reject", "steal"),
		g.of("stop", "finish", "ignore"), holds)
}

func (g *drawer) queue(i, n int) string {
	if g.IntN(4) == 0 {
		return "preset: " + g.of("sqs-standard", "bullmq", "nats-jetstream", "celery-redis", "rabbitmq-quorum", "kafka-classic") + ", attempts: {limit: 5, count: receive}"
	}
	held := g.of("lease: "+g.lease(g.some("cap: 20s", "scope: "+g.of("channel", "process"), "from: enqueue")), "lease: 20s, session: m", "lease: 20s, session: {heartbeat: 1s, suspect: 3s}")
	if g.IntN(6) == 0 {
		return held + g.some("poll: "+g.of("2s", "1s from random")) + ", partitions: {count: " + g.of("1", "4") + g.some("rebalance: 2s", "keeps_pause: false") + "}, attempts: 8"
	}
	if i == 0 && n > 1 {
		held += g.of("", ", dead_letter: b")
	}
	return held + g.some("prefetch: "+g.of("1", "3"), "patience: 2s", "poll: "+g.of("1s", "3s from random"), "ack: "+g.of("start", "receive"), "picks: "+g.of("random", "first"),
		"order: "+g.of("lifo", "random", "priority", "key"), "returns_to: "+g.of("front", "back"), "capacity: 20, overflow: "+g.of("refuse", "drop_oldest"), "in_flight: 5", "schedule: worker",
		"dedup: {window: "+g.of("1s", "10s", "forever")+", frees: "+g.of("never", "start", "end")+g.some("refresh: true", "id: 'k{k}'")+"}") +
		", attempts: {limit: " + g.of("3", "8") + ", count: [receive]}" + g.of("", "", ", retry: {delay: 500ms, growth: 2, cap: 10s, jitter: full}")
}

func (g *drawer) lock() string {
	if g.IntN(4) == 0 {
		return "names: ['l:{k}'], preset: " + g.of("etcd-lease-mutex", "consul-session", "kubernetes-lease", "redis-set-nx-px, wait: 2s")
	}
	return g.of("names: ['l:{k}'], ", "") + "wait: " + g.of("notified", "1s", "{poll: notified, for: 5s}", "{poll: 500ms from random, for: 4s}", "none") +
		g.of(", lease: "+g.lease(g.some("expires_by: "+g.of("waiter", "waiter_own", "record"), "delay: 1s", "at_least: 2s")), ", lease: {length: 8s, renew: 2s}") +
		g.some("release: anybody", "token: none", "session: {heartbeat: 1s, suspect: 4s, disconnect: true}")
}

func (g *drawer) service() string {
	return "servers: " + g.of("1", "4", "unlimited") + ", timeout: " + g.of("500ms", "2s") + ", " +
		g.of("time: exp 50ms", "time: 100ms", "steps: [work: exp 20ms, call: t]") +
		g.some("capacity: 5", "order: lifo", "abandoned: drop", "errors: 20%", "retry: {attempts: 3, delay: 200ms, jitter: "+g.of("none", "full", "equal", "decorrelated")+"}",
			"breaker: "+g.of("{trip: 3, open: 2s, probe_limit: 5s}", "{trip: {share: 50%, of: 4, within: 5s}, open: 2s, probes: unlimited}"),
			"accepts: {rate: 5/s, burst: 3}", "deadline: true", "concurrency: {kind: "+g.of("fixed, start: 2", "aimd, range: 1..4", "gradient, start: 4, range: 1..8", "vegas, range: 1..8", "throttle, window: 10s", "rate, start: 3")+"}")
}

// worker is what a group may have. A member without the lock that it needs keeps
// its partitions and does nothing for them, so those two do not go together.
func (g *drawer) worker(partitions bool) string {
	needs := g.of("", "", ", needs: seat")
	if partitions {
		needs = ""
	}
	return needs + g.some("bind: "+g.of("first", "random"), "pause_when: {failures: 80%, of: 3, within: 10s, for: 3s}",
		"concurrency: {kind: "+g.of("fixed, start: 1", "aimd, range: 1..4, window: 2s", "gradient, start: 2, range: 1..4", "vegas, range: 1..4")+"}",
		"scale: {range: 1..4, per: 5, every: 5s"+g.some("delay: 2s")+"}", "doubt: "+g.of("renewals", "heartbeat", "[renewals, heartbeat]"))
}

func (g *drawer) cache() string {
	return ", ttl: " + g.of("500ms", "5s", "forever") + g.some("jitter: 20%", "lag: 300ms", "single_flight: "+g.of("process", "key"), "warm: "+g.of("true", "v1", "0s..1s"), "verify: "+g.of("50%", "100%"), "timeout: 300ms")
}

// step is one of the verbs that any job may have.
func (g *drawer) step(depth int) string {
	switch g.IntN(9 - depth) {
	case 0, 1:
		return "work: " + g.of("exp 300ms", "1s", "0s", "2s")
	case 2:
		return "call: s"
	case 3:
		return "call: {to: t, share: 50%}"
	case 4:
		return "write: t"
	case 5:
		return "fail: {share: 10%, as: " + g.of("transient", "permanent", "coordination") + "}"
	case 6:
		return "read: " + g.of("c", "{from: c, key: 'row:{k}'}", "o", "s", "{from: t, key: '{k}'}")
	default:
		if depth > 0 {
			return "work: 10ms"
		}
		return "repeat: {times: 2" + g.some("every: 500ms") + ", steps: [" + g.step(2) + ", " + g.step(2) + "]}"
	}
}

func (g *drawer) steps(queued bool) string {
	var list []string
	for range 1 + g.IntN(3) {
		list = append(list, g.step(0))
	}
	if g.IntN(2) == 0 {
		list = append([]string{"lock: l"}, list...)
		if g.IntN(2) == 0 {
			list = append(list, "write: {to: t, token: l}")
		}
		if g.IntN(3) == 0 {
			list = append(list, "unlock: l", "work: 200ms")
		}
	}
	if g.IntN(3) == 0 {
		list = append([]string{g.of("once: s", "once: c", "once: t", "once: {at: t, key: 'once:{k}'}")}, list...)
	}
	switch g.IntN(6) {
	case 0:
		list = append(list, g.of("publish: sent", "publish: {job: sent, key: 'sent:{k}', after: 2s}"))
	case 1:
		list = append(list, "write: {to: t, outbox: true}", "work: 10ms", "publish: sent")
	case 2:
		list = append(list, "write: {to: t, key: 'row:{k}', "+g.of("status: processing", "status: completed", "sequence: k")+"}")
	}
	if queued && g.IntN(6) == 0 {
		list = append(list, "ack: now", "work: 100ms")
	}
	return strings.Join(list, ", ")
}

func (g *drawer) jobExtras() string {
	return g.some("priority: 2", "start: "+g.of("after 1s", "after 2s received", "at 30s"), "time_limit: 3s", "expires: "+g.of("10s drop", "5s dead_letter"), "lease: {length: 6s, renew: 2s}") +
		g.of("", "", ", errors: {transient: "+g.of("return", "drop", "hold", "dead_letter")+"}")
}

func (g *drawer) ownExtras() string {
	return g.some("time_limit: 2s, on_time_limit: kill", "retry: {attempts: 3, delay: 100ms}")
}

// event is a fault that is over at calm.
func (g *drawer) event(queues int) string {
	when := fmt.Sprintf("at: %ds, for: %s", 1+g.IntN(50), g.of("500ms", "3s", "8s"))
	if g.IntN(3) == 0 {
		when = fmt.Sprintf("every: %ds, times: 3, for: %s", 5+g.IntN(10), g.of("500ms", "3s", "6s"))
	}
	return when + ", " + g.of("crash: workers.w/1", "crash: workers.w", "crash: workers.w/any", "pause: workers.w", "pause: workers.w/1", "pause: workers.by", "stop: workers.w/1", "crash: workers.by",
		"pause: locks.l/holder", "crash: locks.l/holder",
		"cut: {between: [workers.w, queues.a], how: "+g.of("drop", "refuse")+"}", "cut: {from: queues.a, to: workers.w}", "cut: {between: [workers.w, locks.l]}", "cut: {from: services.s, to: workers.w}", "cut: {between: [workers.w, monitors.m]}",
		"set: {workers.w.count: "+g.of("1", "4")+"}", "set: {workers.w.paused: "+g.of("keep", "release", "drain")+"}", "set: {services.s.speed: "+g.of("0", "0.3", "2")+"}", "set: {network.loss: 50%}",
		"flush: caches.c", "flush: {cache: [caches.c/v2, caches.o], share: 50%}", "cut: {between: [workers.w, caches.c]}", "set: {caches.c.serves: "+g.of("reads", "none")+"}", "set: {caches.c.reads: [v2, v1], caches.c.writes: [v1, v2]}",
		"set: {queues.a.lease: 1s}", "set: {services.t.errors: 100%}", "set: {locks.l.lease: 2s}")
}

// TestRandomScenarios runs many random worlds to their end. None may panic, and
// when load and faults are over each must empty itself.
func TestRandomScenarios(t *testing.T) {
	n := uint64(2000)
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { checkRandom(t, seed) }) && seed > 200 {
			t.Fatalf("stopped at seed %d; to repeat it: go test ./model -run 'TestRandomScenarios/^%d$'", seed, seed)
		}
	}
}

func checkRandom(t *testing.T, seed uint64) {
	yaml := randomScenario(seed)
	sc := tryResolve(t, yaml)
	if sc == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("seed %d: %v\n%s", seed, p, yaml)
		}
	}()
	judge := check.New()
	w := newWorld(sc, Options{}, []history.Observer{judge})
	w.start()
	if left, err := untilQuiet(w, calm, settling); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, w.explain(err), yaml)
	} else if left != "" {
		t.Fatalf("seed %d: %s\n%s", seed, left, yaml)
	}
	for _, v := range judge.Judge() {
		t.Fatalf("seed %d: %v\n%s", seed, v, yaml)
	}
}

// untilQuiet runs a world until load and faults are over and nothing is left, or
// says what is left after so long.
func untilQuiet(w *world, calm, longest time.Duration) (left string, err error) {
	for at := calm; ; at += longest / 36 {
		if err := w.sim.Run(w.from.Add(at)); err != nil {
			return "", err
		}
		if left = w.leftovers(); at > calm && left == "" || at >= calm+longest {
			return left, nil
		}
	}
}

// leftovers tells what is still about in a world that ought to be at rest:
// records that are out, and processes that do not take work.
func (w *world) leftovers() string {
	var left []string
	note := func(n int, what string) {
		if n != 0 {
			left = append(left, fmt.Sprintf("%d %s", n, what))
		}
	}
	beats := 0
	for i := range w.watches.size {
		if v := w.watches.at(i); v.monitor >= 0 && !v.closed {
			beats++
		}
	}
	note(w.jobs.inUse(), "jobs")
	note(w.messages.inUse(), "messages")
	note(w.deliveries.inUse(), "deliveries")
	note(w.execs.inUse(), "executions")
	note(w.calls.inUse(), "calls")
	note(w.flights.inUse(), "flights")
	for _, q := range w.queues {
		note(q.waiting.len(), "waiting in "+q.cfg.Name)
		note(len(q.held), "held of "+q.cfg.Name)
	}
	for _, p := range w.procs {
		if !p.up && !p.retired {
			left = append(left, fmt.Sprintf("%s/%d is down", p.group.cfg.Name, p.member+1))
		}
		if s := p.machine.State(); p.up && s.String() != "ready" && !w.waitsForAnother(p) {
			left = append(left, fmt.Sprintf("%s/%d is %v", p.group.cfg.Name, p.member+1, s))
		}
	}
	return strings.Join(left, ", ")
}

// waitsForAnother says that a process does not take work because another, which
// does, has the lock that it needs.
func (w *world) waitsForAnother(p *process) bool {
	for k := range p.needs {
		g := w.lockPool.at(p.needs[k].lock)
		if other := w.procs[max(0, g.holder)]; !p.needs[k].held && g.holder >= 0 && other != p && other.up && other.machine.State() == worker.Ready {
			return true
		}
	}
	return false
}

// tryResolve is the scenario, or nil if the language does not allow what was
// drawn; the reason is logged.
func tryResolve(t *testing.T, yaml string) *scenario.Scenario {
	f, err := scenario.Parse("random", []byte(yaml))
	if err == nil {
		var sc *scenario.Scenario
		if sc, err = f.Resolve("base"); err == nil {
			return sc
		}
	}
	t.Fatalf("%v\n%s", err, yaml)
	return nil
}
