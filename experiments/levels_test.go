package experiments

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// levelFacts is a run of ten minutes from -1m, in buckets of 5s: two jobs come
// at 10s, one of them ends at 17.5s, and the last ends at 40s.
func levelFacts(t *testing.T) *Levels {
	t.Helper()
	m := newLevelMeter(&scenario.Scenario{
		Run:     scenario.Run{From: -time.Minute, Duration: 10 * time.Minute},
		Queues:  []*scenario.Queue{{Name: "q"}},
		Workers: []*scenario.Group{{Name: "w"}},
		Events:  []*scenario.Event{{Name: "cut"}, {Name: "slow"}, {Name: "never"}},
	})
	observe := func(at float64, f history.Fact) {
		f.At = int64(at * 1e9)
		m.Observe(&f)
	}
	observe(10, history.Fact{Kind: history.Level, Attempt: history.LevelInSystem, Value: 1})
	observe(10, history.Fact{Kind: history.Level, Attempt: history.LevelInSystem, Value: 1})
	observe(10, history.Fact{Kind: history.Level, Attempt: history.LevelWaiting, Value: 1})
	observe(10, history.Fact{Kind: history.Level, Attempt: history.LevelRunning, Value: 1})
	observe(17.5, history.Fact{Kind: history.Level, Attempt: history.LevelInSystem, Value: -1})
	observe(17.5, history.Fact{Kind: history.Level, Attempt: history.LevelWaiting, Value: 0})
	observe(20, history.Fact{Kind: history.EventBegin, Value: 1})
	observe(25, history.Fact{Kind: history.EventBegin, Value: 2})
	observe(30, history.Fact{Kind: history.EventEnd, Value: 1})
	observe(35, history.Fact{Kind: history.EventEnd, Value: 0})
	observe(38, history.Fact{Kind: history.EventBegin, Place: history.Place{Index: 1}, Value: 1})
	observe(40, history.Fact{Kind: history.Level, Attempt: history.LevelInSystem, Value: -1})
	return m.finish()
}

func TestLevelsAreMeansOverBuckets(t *testing.T) {
	l := levelFacts(t)
	assert.Equal(t, []string{"in_system", "queues.q.queue_depth", "workers.w.running"}, l.Names)
	assert.Equal(t, 5*time.Second, l.Width)
	require.Len(t, l.Means[0], 120)
	at := 70 / 5 // the bucket that begins at 10s
	assert.Equal(t, []float64{0, 2, 1.5, 1, 1, 1, 1, 0}, l.Means[0][at-1:at+7])
	assert.Equal(t, []float64{0, 1, 0.5, 0}, l.Means[1][at-1:at+3])
	assert.Equal(t, 1.0, l.Means[2][119], "a level lasts to the end of the run")
	assert.Equal(t, []Fault{{"cut", 20 * time.Second, 35 * time.Second}, {"slow", 38 * time.Second, 9 * time.Minute}}, l.Faults)
}

func TestLevelsOfTheLongestRun(t *testing.T) {
	m := newLevelMeter(&scenario.Scenario{Run: scenario.Run{Duration: scenario.Forever}})
	assert.LessOrEqual(t, len(m.tracks[0].areas), mostBuckets)
	century := 36_500 * 24 * time.Hour
	m = newLevelMeter(&scenario.Scenario{Run: scenario.Run{From: -century, Duration: century}})
	m.Observe(&history.Fact{Kind: history.Level, Attempt: history.LevelInSystem, At: -int64(century), Value: 10_000_000})
	for _, mean := range m.finish().Means[0] {
		assert.Equal(t, 1e7, mean)
	}
}

func TestSeriesAndTimelineOfLevels(t *testing.T) {
	s := &Study{File: &scenario.File{Name: "cut"}}
	points := []*Point{{Variant: baseVariant, Levels: levelFacts(t)}, {Variant: "longer", Levels: levelFacts(t)}}
	series := s.Series(points)
	assert.Len(t, series.Rows, 2*3*120)
	assert.Equal(t, "-60", series.Rows[0][2].Exact())

	figures := s.Figures(points)
	require.Len(t, figures, 1)
	table := figures[0].Table
	assert.Equal(t, figure.Timeline, table.Kind)
	assert.Equal(t, figure.Point{X: figure.Exact(12.5), Y: figure.Exact(2), By: baseVariant}, table.Points[14])
	assert.Equal(t, []figure.Window{{Name: "cut", From: 20, To: 35}, {Name: "slow", From: 38, To: 540}}, table.Windows)
	assert.Equal(t, "replication 0, means over 5s; shaded: events of base", table.Note)

	for range mostFaults {
		points[0].Levels.Faults = append(points[0].Levels.Faults, Fault{Event: "cut"})
	}
	table = s.Figures(points)[0].Table
	assert.Len(t, table.Windows, 1)
	assert.Contains(t, table.Note, "not shaded: cut, on 25 times")
}

func TestBucketsHaveWidthsThatAReaderCanName(t *testing.T) {
	for duration, want := range map[time.Duration]string{
		time.Second: "5ms", time.Minute: "500ms", 2 * time.Hour: "30s", 24 * time.Hour: "10m", 30 * 24 * time.Hour: "6h", 1000 * 24 * time.Hour: "120h",
	} {
		m := newLevelMeter(&scenario.Scenario{Run: scenario.Run{Duration: duration}})
		assert.Equal(t, want, short(m.result.Width))
		assert.LessOrEqual(t, len(m.tracks[0].areas), mostBuckets)
	}
}
