package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

// Twenty workers of which each holds the one lock for a second, and two or a
// half job a second.
const oneLock = `
name: one-lock
run: {duration: 30m, replications: 4}
queues: {q: {lease: 10m}}
locks: {account: {lease: 5m}}
workers: {w: {count: 20}}
jobs: {job: {queue: q, arrivals: poisson 2/s, steps: [lock: account, work: 1s]}}
variants:
  idle: {jobs.job.arrivals: poisson 0.5/s}
`

func TestOverloadIsSaid(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(oneLock))
	require.NoError(t, err)
	s, err := Variants(file, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{})
	require.NoError(t, err)
	notes := strings.Join(s.Summary(points)[0].Notes, "\n")
	// A backlog of 1 job a second: 900 in the middle of the run, 1500 in that of its last third.
	assert.Regexp(t, `Not in a steady state: at base the jobs in the system grow to the end, from (8[5-9]|9\d)\d to 1,?[45]\d\d between `+
		`the middle and the last third of the time measured; what waits grows at queues\.q \([89]\d\d to 1,?[45]\d\d\); busy all the time: `+
		`locks\.account \(100 %\), workers\.w \((99|100) %\)\.`, notes)
	assert.Contains(t, notes, "`tenggat lint` says whether the load fits")
	assert.Equal(t, 1, strings.Count(notes, "Not in a steady state"), "idle is steady")
}

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		middle, last []float64
		growing      bool
	}{
		{[]float64{300}, []float64{500}, true},
		{[]float64{300}, []float64{390}, false},                               // luck may do that
		{[]float64{0.1}, []float64{0.4}, false},                               // a few jobs more
		{[]float64{300, 300, 200}, []float64{500, 510, 335}, true},            // in each
		{[]float64{10, 10, 10, 10, 10}, []float64{9, 8, 90, 11, 10}, false},   // in one of them
		{[]float64{300, 310, 290, 300}, []float64{500, 300, 290, 300}, false}, // too little
		{[]float64{0, 0, 0, 0, 0}, []float64{20, 22, 21, 23, 20}, true},       // from nothing
		{[]float64{500, 500, 500, 500}, []float64{300, 300, 300, 300}, false}, // it drains
	} {
		assert.Equal(t, c.growing, (&Thirds{Middle: c.middle, Last: c.last}).growing(), "%v %v", c.middle, c.last)
	}
}
