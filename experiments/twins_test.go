package experiments

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

// A breaker in front of a service that never fails has nothing to do; a worker
// more changes who does what.
func TestASettingThatNeverCameIntoPlay(t *testing.T) {
	f, err := scenario.Parse("twins", []byte(`
run: {duration: 2m, replications: 2}
queues: {q: {lease: 30s}}
services: {db: {time: 10ms}}
workers: {w: {count: 1}}
jobs: {j: {queue: q, arrivals: poisson 1/s, steps: [work: 100ms, write: db]}}
variants:
  breaker: {services.db.breaker: {trip: {share: 50%, of: 20, within: 1m}, open: 30s}}
  more: {workers.w.count: 2}
`))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"breaker: event for event the same as base; what differs in the settings decided nothing."}, s.twins(points))
	assert.Contains(t, s.Summary(points)[0].Notes, s.twins(points)[0])
}

func TestTwinsAreCountedWhereTheyAreMany(t *testing.T) {
	s := &Study{File: &scenario.File{}}
	point := func(variant, trace, result string, replications int) *Point {
		return &Point{Variant: variant, Trace: trace, Result: result, Values: [][]float64{make([]float64, replications)}}
	}
	assert.Empty(t, s.twins([]*Point{point("a", "t", "r", 2), point("b", "t", "other", 2), point("c", "t", "r", 1)}))
	var points []*Point
	for range 8 {
		points = append(points, point("a", "t", "r", 2))
	}
	for trace := range 6 {
		points = append(points, point("b", string(rune('0'+trace)), "r", 2), point("c", string(rune('0'+trace)), "r", 2))
	}
	lines := s.twins(points)
	assert.Len(t, lines, mostTwins+1)
	assert.Contains(t, lines[0], "a, a, a, a, a and 2 more: event for event the same as a")
	assert.Equal(t, "2 settings more have others that ran the same, event for event.", lines[mostTwins])
}
