//go:build unix

package model

import (
	"runtime"
	"syscall"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
	"github.com/tenggat/tenggat/sim/dist"
)

// BenchmarkWorld runs the whole lease-ttl world, metrics and checks included,
// and reports what one event costs once everything has been made.
func BenchmarkWorld(b *testing.B) {
	f, err := scenario.Load("../experiments/scenarios/lease-ttl.yaml")
	if err != nil {
		b.Fatal(err)
	}
	sc, err := f.Resolve("base", scenario.Assignment{Path: "run.duration", Value: "1000h"})
	if err != nil {
		b.Fatal(err)
	}
	w := newWorld(sc, Options{}, []history.Observer{metric.New(Names(sc), window(sc), metric.Want{}), check.New()})
	w.start()
	advance := func(until sim.Time) {
		if err := w.sim.Run(until); err != nil {
			b.Fatal(err)
		}
	}
	warm := sim.Time(4 * 3600e9)
	advance(warm)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	first, spent := w.sim.Events(), cpu()
	b.ResetTimer()
	for i := range b.N {
		advance(warm.Add(60e9) + sim.Time(i)*60e9)
	}
	b.StopTimer()
	runtime.ReadMemStats(&after)
	events := float64(w.sim.Events() - first)
	b.ReportMetric((cpu()-spent)/events, "cpu-ns/event")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/events, "allocs/event")
	b.ReportMetric(float64(after.HeapAlloc)/1e6, "heap-MB")
	b.ReportMetric(float64(w.sim.Pending()), "pending")
}

// hold is the kernel's hold model with the load of the lease-ttl world: every
// event draws a loss and a lognormal latency from keyed chance and schedules
// its successor; four in ten arm a time-out and stop one, as calls do.
type hold struct {
	sim     *sim.Sim
	luck    exact.Chance
	latency dist.Dist
	timers  []sim.Timer
	n       uint64
}

func (h *hold) Handle(ev sim.Event) {
	h.n++
	luck := h.luck.With(uint64(ev.A)).With(h.n)
	loss := luck.With(1)
	if loss.U01() < 0.001 {
		h.luck = h.luck.With(2)
	}
	delay := h.latency.Draw(luck)
	if h.n%5 < 2 {
		timer := h.timers[h.n%uint64(len(h.timers))]
		h.sim.Stop(timer)
		h.sim.Arm(timer, h.sim.Now().Add(5e9))
	}
	h.sim.At(h.sim.Now().Add(delay), sim.Message, sim.Event{Kind: 1, To: ev.To, A: ev.A})
}

// BenchmarkHold is what BenchmarkWorld is measured against: as many pending
// events, the same share of cancelled timers, the same draws.
func BenchmarkHold(b *testing.B) {
	latency, err := dist.Parse("lognormal mean 2ms p99 12ms")
	if err != nil {
		b.Fatal(err)
	}
	h := &hold{luck: exact.NewChance(7, 0), latency: latency}
	h.sim = sim.New(h, sim.Options{Kinds: []string{"time-out", "message"}, MaxEvents: 1 << 62})
	const pending = 42
	for i := range pending / 2 {
		h.timers = append(h.timers, h.sim.NewTimer(sim.Deadline, sim.Event{Kind: 0}))
		h.sim.At(sim.Time(i), sim.Message, sim.Event{Kind: 1, A: int64(i)})
	}
	spent := cpu()
	b.ResetTimer()
	for i := range b.N {
		if err := h.sim.Run(sim.Time(i+1) * 60e6); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu()-spent)/float64(h.n), "cpu-ns/event")
}

// cpu is the processor time that this program has taken, in ns: on a machine
// that others use too, the clock on the wall says less.
func cpu() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return float64(r.Utime.Nano() + r.Stime.Nano())
}
