package model

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
)

var (
	swarmSize = flag.Uint64("swarm", 200, "how many seeds TestSwarm runs")
	swarmSeed = flag.Uint64("seed", 0, "the first of them")
	broken    = flag.String("broken", "", "break the bundle on purpose before TestSwarm runs: the name of a case of TestSwarmCatches")
)

// swarmCalm is when load and faults are over.
const swarmCalm = 4 * time.Minute

// swarmLease is the length of the leases in a seed's world.
func (g *drawer) swarmLease() string { return g.of("3s", "5s", "10s") }

// A fault is something that critical promises to survive. Each seed has some of
// them and leaves the others out entirely: one that is always there hides what
// goes wrong without it. Half of the seeds are aimed: long jobs that all want the
// same two locks, no pauses, and one process at a time that does not reach their
// store. Only there is it seen when a belief lasts a moment too long.
type swarmFaults struct {
	crash, stop, pause, cut, oneWay, loss, burst, late, stall, errors, again, clocks, cached, long, aimed bool
}

func (g *drawer) faults() (f swarmFaults) {
	for _, on := range []*bool{&f.crash, &f.stop, &f.pause, &f.cut, &f.oneWay, &f.loss, &f.burst, &f.late, &f.stall, &f.errors, &f.again, &f.clocks, &f.cached, &f.long, &f.aimed} {
		*on = g.IntN(2) == 0
	}
	f.pause = f.pause && !f.aimed
	f.again = f.again && !f.aimed // see swarmLoad
	return f
}

// swarmScenario writes a small world under the bundle critical, whose load and
// faults end at swarmCalm. with overrides the bundle: it breaks it.
func swarmScenario(seed uint64, with func(lease string) string) (yaml string, f swarmFaults) {
	g := newDrawer(seed)
	f = g.faults()
	length := g.swarmLease()
	var y strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&y, format+"\n", args...) }
	line("seed: %d", seed)
	line("run: {duration: 7h, max_events: 100_000}")
	line("network: {latency: %s, loss: %s, timeout: 1s, links: {%s}}", g.when(f.late, g.of("95% exp 5ms or 5% exp 3s", "98% 1ms or 2% 1s..12s", "exp 300ms"), g.of("0s", "5ms", "exp 10ms")),
		g.when(f.loss, g.of("1%", "5%", "20%"), "0"), g.swarmLinks(f))
	line("queues: {q: {lease: %s, retry: {delay: 500ms, growth: 2, cap: 10s, jitter: full}%s}}", g.when(f.again, g.of("1s", "2s"), length), g.some("prefetch: 3", "order: "+g.of("random", "lifo"), "picks: random"))
	line("locks: {l: {names: ['l:{k}'], lease: %s, wait: %s%s}}", length, g.of("notified", "200ms", "500ms from random"), g.when(f.clocks, ", clock: {drift: "+g.of("25000ppm", "-25000ppm")+"}", ""))
	line("services:")
	line("  ledger: {checks: [key, token], in_progress: 40s, servers: %s, time: %s}", g.of("1", "4", "unlimited"), g.of("0s", "exp 20ms", "50ms"))
	line("  payments: {servers: %s, time: exp 100ms%s}", g.of("2", "unlimited"), g.some("capacity: 3", "order: lifo", "abandoned: drop"))
	line("caches: {marks: {source: ledger, ttl: %s}}", g.of("20s", "2m"))
	line("workers: {w: {count: %d, slots: %s, restart: 1s, policy: critical%s%s}}", 2+g.IntN(3), g.of("1", "2", "4"),
		g.when(f.clocks, ", clock: {uses: monotonic, offset: [5s, -3s, 60s], drift: "+g.of("25000ppm", "-25000ppm", g.when(f.aimed, "-25000ppm", "0ppm"))+"}", ""), with(length))
	line("jobs:")
	arrivals, work := g.swarmLoad(f)
	line("  pay: {queue: q, arrivals: %s until 4m, fields: {k: %s}, key: '%s', steps: [%s]}", arrivals, g.when(f.aimed, "uniform 2", g.of("zipf 5", "uniform 20", "uniform 2", "uniform 3")), g.of("pay:{job}", "pay:{job}-{k}"), g.swarmSteps(work, f))
	line("events:")
	for i := range 40 {
		if e := g.swarmFault(f); e != "" {
			line("  e%d: {at: %ds, for: %s, %s}", i, 1+g.IntN(220), g.of("500ms", "3s", "15s", g.when(f.aimed, "15s", "1s"), g.when(f.long, "100s", "1s")), e)
		}
	}
	line("  end: {at: 4m, set: {network.loss: 0, network.latency: 5ms%s%s}}", g.when(f.late, ", network.links.y.latency: 5ms", ""), g.when(f.burst, ", network.links.x.burst.loss: 0", ""))
	return y.String(), f
}

// swarmLinks are exceptions: a link with bursts, answers that come late.
func (g *drawer) swarmLinks(f swarmFaults) string {
	var links []string
	if f.burst {
		links = append(links, "x: {between: [workers.w, "+g.of("locks.l", "queues.q", "services.ledger")+"], burst: {every: exp 10s, length: exp 2s, loss: 90%}}")
	}
	if f.late {
		links = append(links, g.of(g.when(f.aimed, "y: {from: locks.l, to: workers.w, latency: 300ms..900ms}", "y: {from: queues.q, to: workers.w, latency: exp 1s}"), "y: {from: locks.l, to: workers.w, latency: exp 600ms}", "y: {from: workers.w, to: services.ledger, latency: 90% 5ms or 10% 20s}", "y: {from: workers.w, to: queues.q, latency: exp 1s}"))
	}
	return strings.Join(links, ", ")
}

// when is one text or the other.
func (g *drawer) when(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

// swarmLoad is how often a job comes, and what it does before its write: many
// short ones, or a few that hold their lock for longer than a lease; not where
// the broker hands each out again every second, which is more than two locks can
// take.
func (g *drawer) swarmLoad(f swarmFaults) (arrivals, work string) {
	if long := g.IntN(2) == 0 || f.aimed; long && !f.again {
		return g.of("every 7s", "every 30s batch 4"), g.of("work: 5s..15s", "work: 12s, call: payments", "repeat: {times: 10, steps: [work: 1s, call: payments]}")
	}
	return g.of("poisson 0.6/s", "every 1500ms", "every 15s batch 8"), g.of("work: exp 300ms", "work: 1s", "work: 500ms..1s, call: payments", "call: payments")
}

// swarmSteps is a job that takes a lock, and has its effect under it.
// A guard in a cache that forgets must do no harm: critical does not trust it.
func (g *drawer) swarmSteps(work string, f swarmFaults) string {
	return g.of("", "once: ledger, ", g.when(f.cached, "once: marks, ", "")) + "lock: l, " + g.of("", "read: {from: ledger, key: '{k}'}, ") + work +
		", write: {to: ledger, token: l}" + g.of("", ", work: 500ms", ", unlock: l, work: 1s", ", fail: 20%")
}

// swarmFault is one of the faults that this seed has; empty: none this time.
func (g *drawer) swarmFault(f swarmFaults) string {
	process := g.of("workers.w/1", "workers.w/any", g.when(f.aimed, "workers.w/2", "workers.w"))
	far := g.when(f.aimed, "locks.l", g.of("queues.q", "locks.l", "locks.l", "services.ledger", "services.payments"))
	k := g.IntN(9)
	if f.aimed && g.IntN(2) == 0 {
		k = 3 + g.IntN(2)
	}
	switch {
	case k == 0 && f.crash:
		return "crash: " + g.of(process, "locks.l/holder")
	case k == 1 && f.stop:
		return "stop: " + process
	case k == 2 && f.pause:
		return "pause: " + g.of(process, "locks.l/holder")
	case k == 3 && f.cut:
		return "cut: {between: [" + process + ", " + far + "], how: " + g.of("drop", "refuse") + "}"
	case k == 4 && f.oneWay:
		return "cut: {" + g.of("from: "+process+", to: "+far, "from: "+far+", to: "+process) + g.of("", ", only: [renew]") + "}"
	case k == 5 && f.stall:
		return "set: {" + g.of("locks.l.serves: none", "locks.l.serves: reads", "services.ledger.speed: 0", "services.ledger.serves: none", "services.payments.speed: 0.1") + "}"
	case k == 6 && f.errors:
		return "set: {services." + g.of("payments.errors: 30%", "payments.errors: 100%", "ledger.errors: 30%", "ledger.errors: 100%") + "}"
	case k == 7 && f.clocks:
		return "jump: {clock: " + g.of("workers.w", "workers.w/1", "locks.l", "queues.q", "services.ledger") + ", by: " + g.of("10s", "-10s", "1h") + "}"
	case k == 8 && f.cached:
		return "flush: caches.marks"
	}
	return ""
}

// harm is what must not happen under critical.
type harm struct {
	fence, twice, lost, dead int
	believers                int32 // most of one lock at once
}

func (h *harm) Observe(f *history.Fact) {
	switch {
	case f.Kind == history.FenceViolation:
		h.fence++
	case f.Kind == history.Effect && f.Value > 1:
		h.twice++
	case f.Kind == history.Done && f.Delivery == 1:
		h.lost++
	case f.Kind == history.DeadLetter:
		h.dead++
	case f.Kind == history.Believe && f.Place.Noun == history.Lock:
		h.believers = max(h.believers, f.Attempt)
	}
}

// breakage is one of the ways in which the bundle is broken on purpose.
type breakage struct {
	name, says string
	with       func(lease string) string // overrides of the bundle
	from, to   string                    // in the file
}

var intact = breakage{with: func(string) string { return "" }}

var breakages = []breakage{
	{name: "fence", says: "fence violations", with: intact.with, from: "checks: [key, token]", to: "checks: key"},
	{name: "key", says: "effects beyond the first", with: intact.with, from: "checks: [key, token]", to: "checks: token"},
	{name: "ack", says: "lost jobs", with: func(string) string { return ", with: {queues.q.ack: start}" }},
	{name: "reply", says: "believed in one lock", with: func(l string) string { return ", with: {locks.l.lease.believe_for: " + l + " from reply}" }},
	{name: "margin", says: "believed in one lock", with: func(l string) string { return ", with: {locks.l.lease.believe_for: " + l + "}" }},
}

// runSwarm runs the world of a seed to its end and says what is wrong with it,
// "" if nothing is.
func runSwarm(t *testing.T, seed uint64, b breakage) string {
	yaml, f := swarmScenario(seed, b.with)
	yaml = strings.Replace(yaml, b.from, b.to, 1)
	sc := tryResolve(t, yaml)
	h, judge := &harm{}, check.New()
	w := newWorld(sc, Options{}, []history.Observer{judge, h})
	w.start()
	var wrong []string
	if left, err := untilQuiet(w, swarmCalm, time.Hour); err != nil {
		wrong = append(wrong, w.explain(err).Error())
	} else if left != "" {
		wrong = append(wrong, "it does not come to rest: "+left)
	}
	for _, v := range judge.Judge() {
		wrong = append(wrong, v.String())
	}
	if *h != (harm{believers: h.believers}) {
		wrong = append(wrong, fmt.Sprintf("%d fence violations, %d effects beyond the first, %d lost jobs, %d dead letters", h.fence, h.twice, h.lost, h.dead))
	}
	if h.believers > 1 && !f.pause && !sc.Locks[0].Notified { // one that is told may be told late
		wrong = append(wrong, fmt.Sprintf("%d processes believed in one lock, though none was paused", h.believers))
	}
	if len(wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("seed %d: %s\n%s\nto repeat it: %s", seed, strings.Join(wrong, "\n"), yaml, swarmCommand(seed, b))
}

// swarmCommand repeats one seed.
func swarmCommand(seed uint64, b breakage) string {
	command := fmt.Sprintf("go test ./model -run 'TestSwarm$' -swarm 1 -seed %d", seed)
	if b.name != "" {
		command += " -broken " + b.name
	}
	return command
}

// TestSwarm runs many small worlds of which each has other faults. What the
// bundle critical promises must hold in all of them, and when the faults are
// over everything must come to its end.
func TestSwarm(t *testing.T) {
	b := intact
	if *broken != "" {
		k := slices.IndexFunc(breakages, func(b breakage) bool { return b.name == *broken })
		if k < 0 {
			t.Fatalf("-broken %s: nothing is broken so", *broken)
		}
		b = breakages[k]
	}
	for seed := *swarmSeed; seed < *swarmSeed+*swarmSize; seed++ {
		if wrong := runSwarm(t, seed, b); wrong != "" {
			t.Error(wrong)
		}
	}
}

// The swarm finds what is broken on purpose (no fence, no key, acknowledged
// before the effect, belief counted from the reply, belief without a margin for
// clocks) within the seeds of a plain test.
func TestSwarmCatches(t *testing.T) {
	for _, b := range breakages {
		caught := false
		for seed := uint64(0); seed < 200 && !caught; seed++ {
			if caught = strings.Contains(runSwarm(t, seed, b), b.says); caught {
				t.Logf("broken %s: found by seed %d; to repeat it: %s", b.name, seed, swarmCommand(seed, b))
			}
		}
		if !caught {
			t.Errorf("broken %s: 200 seeds find nothing wrong", b.name)
		}
	}
}
