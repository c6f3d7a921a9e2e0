package experiments

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

func TestConclusionOfASweep(t *testing.T) {
	s := fakeWorld(t, Grid)
	assert.Equal(t, "4 replications, too few to choose by (take 5 or more); as it stands, best of 6: queues.q.lease 8s, services.ledger.checks key, with the least duplicate effects, and duplicate rate 0.0519 ± 0.0026; "+
		"the price is mean takeover time 8.15 ± 0.21 s, against 2.15 ± 0.21 s at queues.q.lease 2s; "+
		"first to break is duplicate effects, 4.5 ± 2.1 per run at services.ledger.checks none.",
		s.Conclusion(runFake(t, s)))
}

// An expectation that more replications would decide says nothing against a
// choice; one that failed does.
func TestUndecidedIsNotBroken(t *testing.T) {
	s := fakeWorld(t, Variants)
	points := runFake(t, s)
	undecided := []Verdict{{Variant: "base", Text: "mean(map(runs, .duplicate_rate)) < 0.002", Outcome: Inconclusive, Of: 4, Needed: 1500}}
	points[0].Verdicts = undecided
	points[1].Verdicts = nil
	assert.Contains(t, s.Conclusion(points), ": base, with the least duplicate effects")
	assert.Contains(t, undecided[0].String(), "about 1500 replications would decide")
	undecided[0].Outcome, undecided[0].Variant = Failed, always
	assert.Contains(t, s.Conclusion(points), ": unsafe, with duplicate rate")
	undecided[0] = Verdict{Outcome: Inconclusive, Of: 1}
	assert.Contains(t, undecided[0].String(), "one replication has no interval")
}

func TestConclusionDoesNotOverclaim(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	six := func(values ...float64) []float64 { return values }
	for i, p := range points {
		p.Values = make([][]float64, len(p.Columns))
		for c := range p.Values {
			p.Values[c] = six(0, 0, 0, 0, 0, 0)
		}
		wide := float64(i / 2) // Replications differ by far more than the leases do.
		p.Values[p.Column("duplicate_rate")] = six(0.1+wide/100, 0.9+wide/100, 0.2+wide/100, 0.4+wide/100, 0.3+wide/100, 0.5+wide/90)
		p.Values[p.Column("takeover_s.mean")] = six(9-wide, 0.1, 0.3, 0.1, 0.2, 0.1)
	}
	assert.NotContains(t, s.Conclusion(points), "price", "none is known better than itself")
	assert.Contains(t, s.Conclusion(points), "None of 6 is best; among the best: queues.q.lease 2s, services.ledger.checks key")
	assert.Contains(t, s.Conclusion(points), "the first of 4 that cannot be told apart")

	for i, p := range points {
		p.Values[p.Column("duplicate_rate")] = six(0.1, 0.9, 0.2, 0.4, 0.3, 0.5)
		for r := range p.Values[0] {
			p.Values[p.Column("duplicate_rate")][r] += float64(i) / 10
		}
	}
	assert.Contains(t, s.Conclusion(points), "(the intervals of 5 others overlap with it; only the differences within each replication tell them apart)")

	for _, p := range points {
		for c := range p.Values {
			p.Values[c] = p.Values[c][:1]
		}
	}
	assert.Contains(t, s.Conclusion(points), "1 replication, too few to choose by (take 5 or more); as it stands, best of 6")
}

// Of twenty choices that differ by luck alone, one is often below the others in a
// comparison that knows nothing of the twenty.
func TestTheSmallestOfManyIsOnlyLucky(t *testing.T) {
	s := fakeWorld(t, Grid)
	lucky := &choice{points: []*Point{{Columns: []metric.Column{{Name: "x"}}, Values: [][]float64{{1, 1.2, 0.9, 1, 1.1, 0.8}}}}}
	other := &choice{points: []*Point{{Columns: []metric.Column{{Name: "x"}}, Values: [][]float64{{1.1, 1.4, 1.3, 0.98, 1.2, 1.1}}}}}
	for _, c := range []*choice{lucky, other} {
		c.points[0].Variant, c.points[0].Axes = s.Specs[0].Variant, s.Specs[0].Axes
	}
	assert.True(t, s.worse(other, lucky, "x", 1))
	assert.False(t, s.worse(other, lucky, "x", 19))
}

func TestConditionsAreAveragedAndLuckDoesNotDecide(t *testing.T) {
	s := fakeWorld(t, Grid)
	points := runFake(t, s)
	for _, p := range points { // The second axis is now how long a pause takes, and nothing is harmed by it.
		p.Axes = []scenario.Assignment{p.Axes[0], {Path: "events.gc.for", Value: p.Axes[1].Value}}
		p.Values[p.Column("duplicate_effects")] = []float64{0, 0, 0, 0}
	}
	for i, spec := range s.Specs {
		spec.Axes = points[i].Axes
	}
	s.Axes[1] = "events.gc.for"
	s.File.Sweep.Axes[1].Paths = []string{"events.gc.for"}
	assert.Equal(t, "4 replications, too few to choose by (take 5 or more); as it stands, best of 3, averaged over events.gc.for: queues.q.lease 8s, with duplicate rate 0.0519 ± 0.0026; "+
		"the price is mean takeover time 8.15 ± 0.21 s, against 2.15 ± 0.21 s at queues.q.lease 2s; "+
		"first to suffer is duplicate rate, 0.1038 ± 0.0051 at queues.q.lease 4s.", s.Conclusion(points))

	for i, p := range points { // A longer lease has the smaller mean, but not beyond luck.
		noise := float64(i) / 100
		p.Values[p.Column("duplicate_rate")] = []float64{0.9 - noise, 0.1 + noise, 0.7, 0.2 - noise}
	}
	assert.Contains(t, s.Conclusion(points), "queues.q.lease 2s, with duplicate rate 0.47 ± 0.61; "+
		"3 cannot be told apart in that, and of them it has the least mean takeover time, 2.15 ± 0.21 s;")
}
