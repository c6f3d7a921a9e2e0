package model

import (
	"runtime"
	"testing"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
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
	first := w.sim.Events()
	b.ResetTimer()
	for i := range b.N {
		advance(warm.Add(60e9) + sim.Time(i)*60e9)
	}
	b.StopTimer()
	runtime.ReadMemStats(&after)
	events := float64(w.sim.Events() - first)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/event")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/events, "allocs/event")
	b.ReportMetric(float64(after.HeapAlloc)/1e6, "heap-MB")
	b.ReportMetric(float64(w.sim.Pending()), "pending")
}
