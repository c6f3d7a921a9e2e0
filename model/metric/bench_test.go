package metric

import (
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/history"
)

// traffic is what one job that goes well makes, from its publishing on; every
// level is back where it was.
func traffic() []history.Fact {
	granted, believes, doubts, released := by(0.2, history.Grant, 0, 0, 0, 0), by(0.2, history.Believe, 0, 0, 0, 1), by(0.5, history.Believe, 0, 0, 0, 0), by(0.5, history.Release, 0, 0, 0, 0)
	for _, f := range []*history.Fact{&granted, &believes, &doubts, &released} {
		f.Place = atLock
	}
	runs, ends := by(0.2, history.Believe, 0, 0, 0, 1), by(0.5, history.Believe, 0, 0, 0, 0)
	believes.Value, doubts.Value, runs.Value, ends.Value = 1, -1, 1, -1
	call, effect := by(0.3, history.Call, 0, 0, 0, 1), by(0.4, history.Effect, 0, 0, 0, 1)
	call.Place, effect.Place, effect.Value = atService, atService, 1
	done := of(0.6, history.Done, 0, 0.6)
	done.Attempt = 1
	return []history.Fact{
		of(0, history.Publish, 0, 0), level(0, history.LevelInSystem, atQueue, 1), level(0, history.LevelWaiting, atQueue, 1),
		level(0.1, history.LevelWaiting, atQueue, 0), by(0.1, history.Deliver, 0, 0, 0, 1),
		by(0.2, history.Start, 0, 0.2, 0, 1), runs, level(0.2, history.LevelRunning, history.Place{}, 1), granted, believes, call, effect,
		by(0.5, history.Complete, 0, 0.3, 0, 1), doubts, released, ends, level(0.5, history.LevelRunning, history.Place{}, 0),
		by(0.6, history.Ack, 0, 0.6, 0, 1), done, level(0.6, history.LevelInSystem, atQueue, -1),
	}
}

// BenchmarkObserve takes the facts of one job after another.
func BenchmarkObserve(b *testing.B) {
	m := New(world(), Window{0, 0, time.Hour}, Want{})
	facts := traffic()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		for i := range facts {
			f := facts[i]
			f.At += int64(n) * 1e9
			f.Job = int64(n)
			m.Observe(&f)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(facts)), "ns/fact")
}

func BenchmarkObserveKinds(b *testing.B) {
	for _, row := range []struct {
		name string
		f    history.Fact
	}{
		{"deliver", by(0, history.Deliver, 0, 0, 0, 1)}, {"start", by(0, history.Start, 0, 0.1, 0, 1)},
		{"renew", by(0, history.Renew, 0, 0, 0, 1)}, {"level", level(0, history.LevelWaiting, atQueue, 1)},
		{"beat", in(0, history.Beat, atMonitor, 0, 1e9)},
	} {
		b.Run(row.name, func(b *testing.B) {
			m := New(world(), Window{0, 0, time.Hour}, Want{})
			f := row.f
			for b.Loop() {
				f.At += 1e6
				m.Observe(&f)
			}
		})
	}
}

// BenchmarkNew is what each replication pays before and after its run.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(world(), Window{0, 0, time.Hour}, Want{}).Result(1e9)
	}
}
