package experiments

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// leases are three leases of a lock: the shortest loses the fewest jobs and does
// the most twice, the longest the other way round.
func leases(rank ...string) (*Study, []*Point) {
	columns := []metric.Column{
		{Name: "lost_jobs", Unit: "1", Safety: true, Whole: true}, {Name: "duplicate_effects", Unit: "1", Safety: true, Whole: true},
		{Name: "duplicate_rate", Unit: "share"}, {Name: "regressions", Unit: "1", Safety: true, Whole: true},
	}
	s := &Study{Axes: []string{"locks.l.lease"}, File: &scenario.File{Rank: rank, Sweep: &scenario.Sweep{}}}
	s.File.Sweep.Axes = []scenario.Axis{{Paths: s.Axes, Values: [][]string{{"3s"}, {"30s"}, {"2m"}}}}
	var points []*Point
	for i, values := range [][4]float64{{1, 300, 0.5, 7}, {1.8, 1, 0.1, 3}, {2, 0, 0, 0}} {
		p := &Point{Variant: baseVariant, Columns: columns, Axes: []scenario.Assignment{{Path: "locks.l.lease", Value: s.File.Sweep.Axes[0].Values[i][0]}}}
		for _, v := range values {
			p.Values = append(p.Values, []float64{v, v, v, v, v})
		}
		points = append(points, p)
		s.Specs = append(s.Specs, &Spec{Variant: baseVariant, Axes: p.Axes, Scenario: &scenario.Scenario{}})
	}
	return s, points
}

func TestHarmAgainstHarm(t *testing.T) {
	s, points := leases()
	assert.Equal(t, "None of 3 is best, since one harm stands against another and no rank says which counts more; in the built-in order of harm it would be: "+
		"locks.l.lease 3s, with the least lost jobs, and duplicate rate 0.5; "+
		"the price is duplicate effects 300 per run, against 0 (< 0.6) per run at locks.l.lease 2m, and regressions 7 per run, against 0 (< 0.6) per run at locks.l.lease 2m; "+
		"no step beside it is measurably worse.", s.Conclusion(points))
}

func TestTheRankOfTheFileComesFirstInASweep(t *testing.T) {
	s, points := leases("duplicate_effects")
	assert.Equal(t, "Best of 3: locks.l.lease 2m, with duplicate effects 0 (< 0.6) per run; "+
		"the price is lost jobs 2 per run, against 1 per run at locks.l.lease 3s; first to break is duplicate effects, 1 per run at locks.l.lease 30s.",
		s.Conclusion(points))
	s, points = leases("lost_jobs")
	assert.Contains(t, s.Conclusion(points), "Best of 3: locks.l.lease 3s, with lost jobs 1 per run; the price is duplicate effects 300 per run, against 0")

	s, points = leases("duplicate_effects")
	for _, p := range points { // What the rank cannot tell apart the harm decides.
		p.Values[1] = []float64{4, 4, 4, 4, 4}
	}
	assert.Contains(t, s.Conclusion(points), "locks.l.lease 3s, with duplicate effects 4 per run; 3 cannot be told apart in that, and of them it has the least lost jobs, 1 per run; the price is regressions 7")
}

// An expectation of always weighs more than any metric; what fails everywhere
// chooses nothing.
func TestNoneIsBestThatFailsWhatAnotherPasses(t *testing.T) {
	s, points := leases("duplicate_effects")
	verdicts := func(outcomes ...Outcome) (list []Verdict) {
		for i, outcome := range outcomes {
			list = append(list, Verdict{Variant: always, Text: []string{"a", "b", "c"}[i], Outcome: outcome})
		}
		return list
	}
	points[0].Verdicts, points[1].Verdicts, points[2].Verdicts = verdicts(Held, Failed), verdicts(Held, Failed), verdicts(Failed, Failed)
	assert.Contains(t, s.Conclusion(points), "Best of 3: locks.l.lease 30s, with duplicate effects 1 per run, though `b` fails there as everywhere; the price is lost jobs 1.8 per run")

	points[0].Verdicts, points[1].Verdicts, points[2].Verdicts = verdicts(Failed, Held, Held), verdicts(Held, Failed, Failed), verdicts(Held, Failed, Failed)
	assert.Contains(t, s.Conclusion(points), "None of 3 is best, since none passes every expectation that another passes; the fewest fail at one: locks.l.lease 3s, with")
}
