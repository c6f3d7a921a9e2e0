package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/model/scenario"
)

// A takeover happened in three of four replications at the shortest lease, in
// two at the next, and in none at the longest.
func TestACaptionSaysWhatIsMissing(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	none := math.NaN()
	for i, values := range [][]float64{{1, 2, 3, none}, {1, none, 2, none}, {none, none, none, none}} {
		for _, p := range points[2*i : 2*i+2] {
			p.Values[p.Column("takeover_s.mean")] = values
		}
	}
	plot := scenario.Plot{X: "queues.q.lease", Y: []string{"takeover_s.mean"}, By: "services.ledger.checks"}
	s.File.Sweep.Plots = []scenario.Plot{plot}
	assert.Equal(t, "bands: 95 % interval over 2 to 3 of 4 replications, those that have it, cut at what the metric can be; nothing to measure at 8s key, 8s none",
		s.Figures(points)[0].Table.Note)
	for _, p := range points {
		p.Refused = []string{"takeover_s.mean"}
		p.Values[p.Column("takeover_s.mean")] = []float64{none, none, none, none}
	}
	plot.By = ""
	s.File.Sweep.Plots = []scenario.Plot{plot}
	assert.Contains(t, s.Figures(points)[0].Table.Note, "; too few samples for a quantile at 2s, 4s, 8s; services.ledger.checks at key, the first of 2")

	never := math.Inf(1)
	for _, p := range points {
		p.Refused, p.Values[p.Column("takeover_s.mean")] = nil, []float64{1, 2, 3, never}
	}
	assert.Contains(t, s.Figures(points)[0].Table.Note, "bands: 95 % interval over 4 replications, cut at what the metric can be; median where it never ended in some")
}

func TestACaptionIsNoList(t *testing.T) {
	small := caption{missing: []string{"1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s"}, ns: []int{5, 5}}
	assert.Equal(t, "means of 5 of 9 replications, those that have it; nothing to measure at 1s, 2s, 3s, 4s, 5s, 6s and 2 more", small.text(figure.Heat, true, 9))
	assert.Equal(t, "one replication: no intervals", (&caption{ns: []int{1}}).text(figure.Line, true, 1))
}
