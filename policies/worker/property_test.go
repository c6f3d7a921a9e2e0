package worker

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// seeds is the number of random lives per property; a failure names its seed.
const seeds = 300

// driver plays the world around a machine and keeps the books by hand.
type driver struct {
	t       *testing.T
	seed    uint64
	rng     *rand.Rand
	m       *Machine
	now     policies.Instant
	out     []Command
	running map[int32]bool
	told    map[int32]bool
	locks   map[int32]bool  // lease ids that are locked and not yet given back
	open    []Command       // requests that are on their way
	settled map[int32]int32 // settlements since the start of the job
}

func randomRule(rng *rand.Rand) *Rule {
	rule := &Rule{
		Slots: int32(rng.IntN(4)), Needs: int32(rng.IntN(2)), Hard: time.Duration(rng.IntN(2)*20) * time.Second,
		Drain: time.Duration(rng.IntN(30)) * time.Second, Doubt: Doubt(rng.IntN(4)), Leases: make([]LeaseRule, 4),
	}
	for i := 1; i < len(rule.Leases); i++ {
		rule.Leases[i] = LeaseRule{OnLoss: Loss(rng.IntN(3)), HolderRule: lease.HolderRule{
			Length: 10 * time.Second, Every: time.Duration(1+rng.IntN(6)) * time.Second, OnError: lease.OnError(rng.IntN(4)),
			Delays: []time.Duration{time.Second}, Timeout: 2 * time.Second, Anchor: lease.Anchor(rng.IntN(3)),
		}}
	}
	return rule
}

// TestRandomLives lets workers live through random inputs, with a clock that
// also goes back, and holds these rules: a job starts only when it was offered
// and wanted; whatever starts is settled once, after it ended; whatever was
// locked is released or lost, never both twice; nothing starts outside READY;
// running jobs never exceed the slots; nothing waits in a worker in doubt.
func TestRandomLives(t *testing.T) {
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 3))
		rule := randomRule(rng)
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		d := &driver{t: t, seed: seed, rng: rng, m: New(rule), running: map[int32]bool{}, told: map[int32]bool{}, locks: map[int32]bool{}, settled: map[int32]int32{}}
		d.step(Input{Kind: Boot})
		for range 400 {
			d.now = d.now.Add(time.Duration(rng.IntN(2000)) * time.Millisecond)
			if rng.IntN(30) == 0 {
				d.now = d.now.Add(-5 * time.Second)
			}
			d.random()
			if d.m.Deadline() <= d.now {
				d.step(Input{Kind: Tick})
			}
			if at := d.m.Deadline(); at <= d.now {
				t.Fatalf("seed %d: after the tick at %d the deadline is %d", seed, d.now, at)
			}
			d.check()
		}
		d.step(Input{Kind: Stop})
		for id := range int32(6) {
			d.end(id)
		}
		if s := d.m.State(); s != Stopped {
			t.Fatalf("seed %d: state is %v after Stop and the end of all jobs", seed, s)
		}
		if len(d.locks) > 0 {
			t.Fatalf("seed %d: leases %v are neither released nor lost", seed, d.locks)
		}
	}
}

func (d *driver) random() {
	rng, rule := d.rng, int32(1+d.rng.IntN(3))
	job := int32(rng.IntN(6))
	switch rng.IntN(18) {
	case 0, 1, 2:
		if !d.running[job] {
			d.step(Input{Kind: Offered, Job: job, Rule: int32(rng.IntN(4)), At: d.now.Add(-time.Duration(rng.IntN(3)) * time.Second)})
		}
	case 3:
		if d.running[job] {
			d.step(Input{Kind: Acquiring, Job: job, Rule: rule})
		}
	case 4:
		if d.m.own == 0 {
			d.step(Input{Kind: Acquiring, Job: Process, Rule: rule})
		}
	case 5, 6, 7, 8:
		if len(d.open) > 0 {
			i := rng.IntN(len(d.open))
			c := d.open[i]
			kind := Granted
			if c.Kind == Renew {
				kind = []InputKind{Renewed, Renewed, Renewed, Refused, Failed}[rng.IntN(5)]
			} else if rng.IntN(4) == 0 {
				kind = Denied
			}
			d.step(Input{Kind: kind, Lease: c.Lease, Request: c.Request, Token: policies.Token(c.Request)})
			if rng.IntN(4) > 0 { // else the answer comes twice
				d.open = append(d.open[:i], d.open[i+1:]...)
			}
		}
	case 9, 10:
		d.end(job)
	case 11:
		d.step(Input{Kind: Woken})
	case 12:
		d.step(Input{Kind: []InputKind{Pause, Unpause, Unpause}[rng.IntN(3)]})
	case 13:
		d.step(Input{Kind: Coordination, OK: rng.IntN(3) > 0})
	case 14:
		for l := range d.locks {
			d.step(Input{Kind: Unlock, Lease: l})
			break
		}
	case 15:
		d.step(Input{Kind: Heartbeat, Monitor: int32(rng.IntN(2)), OK: rng.IntN(3) > 0})
	case 16:
		if int(job) >= len(d.m.jobs) || d.m.jobs[job].phase == absent {
			d.step(Input{Kind: Buffered, Job: job, Rule: int32(rng.IntN(4)), At: d.now, Acked: rng.IntN(4) == 0})
		}
	case 17:
		if rng.IntN(20) == 0 {
			d.step(Input{Kind: Kill})
			d.running, d.locks, d.told = map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
			d.step(Input{Kind: Boot})
		}
	}
}

func (d *driver) end(job int32) {
	d.step(Input{Kind: Ended, Job: job, Class: policies.Class(d.rng.IntN(4))})
	if d.running[job] {
		d.t.Fatalf("seed %d: job %d ended and was not settled", d.seed, job)
	}
}

func (d *driver) step(in Input) {
	before := d.m.State()
	d.out = d.m.Step(d.now, in, d.out[:0])
	for _, c := range d.out {
		switch c.Kind {
		case Start:
			if in.Kind != Offered || before != Ready || d.running[c.Job] {
				d.t.Fatalf("seed %d: job %d starts by %v in %v", d.seed, c.Job, in.Kind, before)
			}
			d.running[c.Job] = true
		case StopJob:
			if !d.running[c.Job] || d.told[c.Job] {
				d.t.Fatalf("seed %d: job %d is told to stop: running %v, told %v", d.seed, c.Job, d.running[c.Job], d.told[c.Job])
			}
			d.told[c.Job] = true
		case Settle:
			if d.running[c.Job] && in.Kind != Ended {
				d.t.Fatalf("seed %d: running job %d is settled by %v", d.seed, c.Job, in.Kind)
			}
			delete(d.running, c.Job)
			delete(d.told, c.Job)
		case Acquire, Renew:
			d.open = append(d.open, c)
		case Locked:
			d.locks[c.Lease] = true
		case Release:
			delete(d.locks, c.Lease)
		case Lost:
			delete(d.locks, c.Lease)
		}
	}
}

func (d *driver) check() {
	if int(d.m.Running()) != len(d.running) {
		d.t.Fatalf("seed %d: running %d, by the books %d", d.seed, d.m.Running(), len(d.running))
	}
	if s := d.m.rule.Slots; s > 0 && d.m.Running() > s {
		d.t.Fatalf("seed %d: %d jobs on %d slots", d.seed, d.m.Running(), s)
	}
	if d.m.Wants() > 0 && d.m.State() != Ready {
		d.t.Fatalf("seed %d: wants %d in %v", d.seed, d.m.Wants(), d.m.State())
	}
	// Doubt against its slow version.
	failing := int32(0)
	for l := range d.m.leases {
		if c := &d.m.leases[l]; c.phase == held && c.job != Process && c.keeper.Failures() > 0 {
			failing++
		}
	}
	if failing != d.m.failing {
		d.t.Fatalf("seed %d: %d leases fail, slowly %d", d.seed, d.m.failing, failing)
	}
	doubt := d.m.doubt || d.m.ownInDoubt() || failing > 0 && d.m.rule.Doubt&DoubtRenewals != 0 || slices.Contains(d.m.silent, true) && d.m.rule.Doubt&DoubtHeartbeat != 0
	if doubt && d.m.Wants() > 0 {
		d.t.Fatalf("seed %d: it wants %d jobs in doubt", d.seed, d.m.Wants())
	}
	if doubt && d.m.rule.Doubt != 0 && slices.ContainsFunc(d.m.jobs, func(j job) bool { return j.phase == buffered && !j.acked }) {
		d.t.Fatalf("seed %d: a delivery waits in a worker in doubt", d.seed)
	}
	if doubt && d.m.rule.Doubt != 0 && d.m.distrusts() && !d.m.hasWork() && slices.ContainsFunc(d.m.leases, func(c claim) bool { return c.phase == held && c.job == Process }) {
		d.t.Fatalf("seed %d: a worker in doubt holds a lease of its own and does nothing", d.seed)
	}
	// The agenda against its slow version: the minimum over all.
	least := policies.Never
	for l := range d.m.leases {
		if d.m.leases[l].phase == held {
			least = min(least, d.m.leases[l].keeper.Deadline())
		}
	}
	for _, e := range d.m.agenda.heap {
		if e.id&1 == 1 {
			least = min(least, e.at)
		}
	}
	if least = min(least, d.m.drainAt); least != d.m.Deadline() {
		d.t.Fatalf("seed %d: deadline %d, slowly %d", d.seed, d.m.Deadline(), least)
	}
}

// TestAgenda compares the heap with a plain table.
func TestAgenda(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	var a agenda
	slow := map[int32]policies.Instant{}
	for range 20_000 {
		id := int32(rng.IntN(40))
		at := policies.Instant(rng.IntN(50))
		if rng.IntN(3) == 0 {
			at = policies.Never
			delete(slow, id)
		} else {
			slow[id] = at
		}
		a.set(id, at)
		want := due{at: policies.Never}
		for id, at := range slow {
			if d := (due{at, id}); d.before(want) {
				want = d
			}
		}
		if got := a.first(); got != want {
			t.Fatalf("first is %+v, want %+v", got, want)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	rule := &Rule{Hard: time.Minute, Leases: []LeaseRule{{}, {HolderRule: lease.HolderRule{Length: 10 * time.Second, Every: 3 * time.Second}}}}
	m := New(rule)
	out := m.Step(0, Input{Kind: Boot}, make([]Command, 0, 16))
	now := policies.Instant(0)
	life := func() {
		now = now.Add(time.Second)
		out = m.Step(now, Input{Kind: Offered, Job: 3, Rule: 1, At: now}, out[:0])
		out = m.Step(now, Input{Kind: Acquiring, Job: 3, Rule: 1}, out[:0])
		asked := out[0]
		out = m.Step(now, Input{Kind: Granted, Lease: asked.Lease, Request: asked.Request, Token: 1}, out[:0])
		now = now.Add(4 * time.Second)
		out = m.Step(now, Input{Kind: Tick}, out[:0])
		out = m.Step(now, Input{Kind: Renewed, Lease: out[0].Lease, Request: out[0].Request}, out[:0])
		out = m.Step(now, Input{Kind: Ended, Job: 3}, out[:0])
	}
	life()
	if n := testing.AllocsPerRun(1000, life); n != 0 {
		t.Errorf("%v allocations per job, want 0", n)
	}
}

func BenchmarkJob(b *testing.B) {
	m := New(&Rule{Leases: []LeaseRule{{}, {HolderRule: lease.HolderRule{Length: 10 * time.Second, Every: 3 * time.Second}}}})
	out := m.Step(0, Input{Kind: Boot}, make([]Command, 0, 16))
	now := policies.Instant(0)
	for b.Loop() {
		now = now.Add(time.Second)
		out = m.Step(now, Input{Kind: Offered, Job: 3, Rule: 1, At: now}, out[:0])
		now = now.Add(3 * time.Second)
		out = m.Step(now, Input{Kind: Tick}, out[:0])
		out = m.Step(now, Input{Kind: Renewed, Lease: out[0].Lease, Request: out[0].Request}, out[:0])
		out = m.Step(now, Input{Kind: Ended, Job: 3}, out[:0])
	}
}
