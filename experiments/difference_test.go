package experiments

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// A base of six replications beside a variant of three: the others of base had
// other luck and are in no difference. What never ended has none either.
func unequal() (*Study, []*Point) {
	never := math.Inf(1)
	columns := []metric.Column{
		{Name: "lost_jobs", Safety: true, Whole: true}, {Name: "duplicate_effects", Safety: true, Whole: true},
		{Name: "takeover_s.mean", Unit: "s"}, {Name: "events.cut.drain_s", Unit: "s"},
	}
	point := func(variant string, values ...[]float64) *Point {
		return &Point{Variant: variant, Columns: columns, Values: values, Trace: variant}
	}
	file := &scenario.File{Name: "unequal", Rank: []string{"duplicate_effects", "takeover_s.mean", "events.cut.drain_s"}}
	points := []*Point{
		point("base", []float64{0, 0, 0, 0, 0, 0}, []float64{2, 3, 4, 90, 90, 90}, []float64{1, 2, 3, 1, 2, 3}, []float64{never, never, never, 5, 5, 5}),
		point("key", []float64{0, 0, 0}, []float64{0, 0, 0}, []float64{math.NaN(), 4, 5}, []float64{50, 60, 70}),
		point("same", []float64{0, 0, 0, 0, 0, 0}, []float64{2, 3, 4, 90, 90, 91}, []float64{1, 2, 3, 1, 2, 3}, []float64{never, never, never, 5, 5, 5}),
	}
	s := &Study{File: file}
	for _, p := range points {
		s.Specs = append(s.Specs, &Spec{Variant: p.Variant, Scenario: &scenario.Scenario{}, Expects: &Expectations{}})
	}
	return s, points
}

func TestDifferencesSayWhatTheyAreOver(t *testing.T) {
	s, points := unequal()
	var b strings.Builder
	require.NoError(t, report.Write(&b, s.differenceTable(points), report.Markdown))
	assert.Equal(t, `**difference from base, replication by replication**

| metric | unit | key | same |
|---|---|---|---|
| duplicate_effects |  | -3.0 ± 2.5 (n = 3) | 0.17 ± 0.43 |
| takeover_s.mean | s | 2 (n = 2) | 0 |

(n = x): over the x replications that both have it in; the columns above are over all that each has.
`, b.String())
}

func TestFailuresAreOverTheSameReplications(t *testing.T) {
	s, points := unequal()
	var f Failures
	f.Add(s, points[:2])
	var b strings.Builder
	table := f.Table()
	table.Notes = nil
	require.NoError(t, report.Write(&b, table, report.Markdown))
	assert.Equal(t, `| failure | change | kind | harm | n | before | after | difference |
|---|---|---|---|---|---|---|---|
| unequal | key | exchange | duplicate_effects | 3 | 3.0 ± 2.5 | 0 (< 1) | -3.0 ± 2.5 |
|  | key | exchange | takeover_s.mean | 3 | 2.0 ± 2.5 | 4.5 ± 6.4 (n = 2) | 2 (n = 2) |
|  | key | exchange | events.cut.drain_s | 3 | never in 3 of 3 | 60 ± 25 | – |
`, b.String())
	b.Reset()
	require.NoError(t, report.Write(&b, f.Tidy(), report.CSV))
	assert.Contains(t, b.String(), "unequal,key,exchange,events.cut.drain_s,s,inf,,,60,35.15")
	assert.Contains(t, b.String(), ",,,,3\n", "no difference, and no ends of it")
}
