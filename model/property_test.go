package model

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// randomWorld is the world of a random scenario, with a hash of its facts.
func randomWorld(t *testing.T, seed, replication uint64) (*world, *factHash) {
	t.Helper()
	h := &factHash{sum: 14695981039346656037}
	w := newWorld(resolve(t, "random", randomScenario(seed)), Options{Replication: replication}, []history.Observer{h})
	w.start()
	return w, h
}

// factHash is a hash of all facts in their order.
type factHash struct{ sum, facts uint64 }

func (h *factHash) Observe(f *history.Fact) {
	h.facts++
	for _, v := range []int64{f.At, int64(f.Kind), int64(f.Place.Noun), int64(f.Place.Index), f.Job, int64(f.Delivery), int64(f.Attempt), int64(f.Type),
		int64(f.Group), int64(f.Process), int64(f.Key), int64(f.Token), f.Value} {
		h.sum = (h.sum ^ uint64(v)) * 1099511628211
	}
}

func run(t *testing.T, w *world, until time.Duration) {
	t.Helper()
	if err := w.sim.Run(w.from.Add(until)); err != nil {
		t.Fatal(w.explain(err))
	}
}

// Stopping anywhere and going on is the same as not stopping, and the same
// scenario, seed and replication give the same events and facts.
func TestStoppingChangesNothing(t *testing.T) {
	for seed := range uint64(60) {
		whole, facts := randomWorld(t, seed, 0)
		run(t, whole, 90*time.Second)
		parts, again := randomWorld(t, seed, 0)
		for _, at := range []time.Duration{0, 1, 7 * time.Second, 13*time.Second + 1, 45 * time.Second, 60 * time.Second, 90 * time.Second} {
			run(t, parts, at)
		}
		if whole.sim.Hash() != parts.sim.Hash() || *facts != *again {
			t.Errorf("seed %d: in one go %x (%d facts), in parts %x (%d facts)", seed, whole.sim.Hash(), facts.facts, parts.sim.Hash(), again.facts)
		}
	}
}

// Whoever may interrupt a run changes nothing until they do.
func TestInterruption(t *testing.T) {
	sc := resolve(t, "random", randomScenario(3))
	whole, err := Run(sc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	patient, err := Run(sc, Options{Interrupted: func() bool { asked++; return false }})
	if err != nil {
		t.Fatal(err)
	}
	if patient.Trace != whole.Trace || patient.Hash != whole.Hash || asked < askings {
		t.Errorf("asked %d times: trace %x and result %x, without %x and %x", asked, patient.Trace, patient.Hash, whole.Trace, whole.Hash)
	}
	if r, err := Run(sc, Options{Interrupted: func() bool { asked--; return asked == 0 }}); !errors.Is(err, ErrInterrupted) || r != nil {
		t.Errorf("an interrupted run gave %v, %v", r, err)
	}
}

// A replication has its own luck, which does not hang on what ran before it in
// the same program: scenarios are shared, and a run may not leave a trace.
func TestReplicationsAreIndependent(t *testing.T) {
	for seed := range uint64(20) {
		sc := resolve(t, "random", randomScenario(seed))
		hash := func(replication uint64) uint64 {
			w := newWorld(sc, Options{Replication: replication}, nil)
			w.start()
			run(t, w, 30*time.Second)
			return w.sim.Hash()
		}
		first := hash(3)
		if other := hash(4); other == first {
			t.Errorf("seed %d: replications 3 and 4 are the same run", seed)
		}
		if again := hash(3); again != first {
			t.Errorf("seed %d: replication 3 is %x, and %x after another one", seed, first, again)
		}
	}
}

// commonLuck is a world with much to differ in: what a job is and how long it
// works must not.
const commonLuck = `
seed: 11
run: {duration: 20m}
network: {latency: exp 5ms, loss: 1%}
queues: {q: {lease: 10s, attempts: 8}}
locks: {l: {names: ['l:{account}'], wait: notified}}
services: {s: {servers: 4, time: exp 50ms, timeout: 2s}}
workers: {w: {count: 4}}
jobs: {j: {queue: q, arrivals: poisson 2/s until 10m, fields: {account: zipf 50}, steps: [lock: l, work: lognormal mean 500ms p99 4s, call: s]}}
events: {death: {every: 2m, crash: workers.w/1, for: 20s}}
`

// work is what the jobs of a run were, and how long their first start worked.
type work struct {
	published map[int64]int64
	worked    map[int64]int64
	began     map[int64]int64
}

func (o *work) Observe(f *history.Fact) {
	switch {
	case f.Kind == history.Publish:
		o.published[f.Job] = f.At
	case f.Kind == history.Grant && f.Job >= 0:
		o.began[f.Job] = f.At
	case f.Kind == history.Call:
		if _, seen := o.worked[f.Job]; !seen && f.Attempt == 1 {
			o.worked[f.Job] = f.At - o.began[f.Job]
		}
	}
}

// The same job comes at the same instant and needs the same work under another
// policy, another fleet and another order (common random numbers).
func TestCommonRandomNumbers(t *testing.T) {
	observe := func(sets ...scenario.Assignment) *work {
		o := &work{map[int64]int64{}, map[int64]int64{}, map[int64]int64{}}
		// Messages take no time here, so that the time from the grant to the call
		// is the work alone.
		sets = append(sets, scenario.Assignment{Path: "network", Value: "{latency: 0s, loss: 0}"}, scenario.Assignment{Path: "events", Value: "none"})
		w := newWorld(resolve(t, "common", commonLuck, sets...), Options{}, []history.Observer{o})
		w.start()
		run(t, w, 20*time.Minute)
		return o
	}
	base := observe()
	if len(base.published) < 1000 {
		t.Fatalf("%d jobs are too few to compare", len(base.published))
	}
	for _, set := range []scenario.Assignment{{Path: "workers.w.count", Value: "9"}, {Path: "queues.q.order", Value: "lifo"}, {Path: "locks.l.wait", Value: "700ms"},
		{Path: "services.s.servers", Value: "1"}, {Path: "workers.w.slots", Value: "3"}} {
		other := observe(set)
		compared := 0
		for job, at := range base.published {
			if other.published[job] != at {
				t.Fatalf("%s: job %d is published at %d, not at %d", set.Path, job, other.published[job], at)
			}
			if a, ok := base.worked[job]; ok {
				if b, ok := other.worked[job]; ok {
					compared++
					if a != b {
						t.Fatalf("%s: job %d works for %v, not for %v", set.Path, job, time.Duration(b), time.Duration(a))
					}
				}
			}
		}
		if compared < 900 {
			t.Errorf("%s: only %d jobs ran in both", set.Path, compared)
		}
	}
}

// The messages of one process about one lock have each their own luck.
func TestLockMessagesHaveTheirOwnLuck(t *testing.T) {
	o := &waits{}
	w := newWorld(resolve(t, "luck", `
network: {latency: exp 10ms}
locks: {l: {}}
workers: {w: {count: 1}}
jobs: {j: {by: w, arrivals: every 1s times 100, steps: [lock: l]}}
run: 2m
`), Options{}, []history.Observer{o})
	w.start()
	run(t, w, 2*time.Minute)
	seen := map[int64]bool{}
	for _, d := range o.waited {
		seen[d] = true
	}
	if len(o.waited) != 100 || len(seen) != 100 {
		t.Errorf("%d grants took %d different times to be asked for; want 100 and 100", len(o.waited), len(seen))
	}
}

type waits struct{ waited []int64 }

func (o *waits) Observe(f *history.Fact) {
	if f.Kind == history.Grant {
		o.waited = append(o.waited, f.Value)
	}
}

// Once every record, timer and table has been made, an event of the lease-ttl
// world allocates nothing. What may still grow with the length of a run is what
// the world remembers by key: the ledger, the services' keys, the metrics.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	f, err := scenario.Load("../experiments/scenarios/lease-ttl.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sc, err := f.Resolve("base", scenario.Assignment{Path: "run.duration", Value: "1000h"}, scenario.Assignment{Path: "services.ledger.checks", Value: "token"})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(sc, Options{}, []history.Observer{metric.New(Names(sc), window(sc), metric.Want{}), check.New()})
	w.start()
	run(t, w, 20*time.Hour)
	var before, after runtime.MemStats
	events := w.sim.Events()
	runtime.ReadMemStats(&before)
	for i := range 60 {
		run(t, w, 20*time.Hour+time.Duration(i+1)*time.Minute)
	}
	runtime.ReadMemStats(&after)
	events = w.sim.Events() - events
	// A map doubles now and then, and a pool or a queue meets its largest size;
	// anything that an event does each time would be far above one in a thousand.
	if allocs := after.Mallocs - before.Mallocs; allocs > events/1000 {
		t.Errorf("%d allocations in %d events", allocs, events)
	} else {
		t.Logf("%d allocations in %d events", allocs, events)
	}
}
