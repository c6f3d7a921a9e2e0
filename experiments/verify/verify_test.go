package verify

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

// Every theory gives what its source states, to the digits stated: six.
func TestTheoryIsAsPublished(t *testing.T) {
	all, err := Oracles()
	require.NoError(t, err)
	for _, o := range all {
		for i := range o.Quantities {
			q := &o.Quantities[i]
			want, err := o.theory(q)
			require.NoError(t, err)
			require.Len(t, want, len(q.Published), "%s %s", o.ID, q.Name)
			for k := range want {
				assert.InDelta(t, q.Published[k], want[k], 1e-6*math.Abs(q.Published[k]), "%s %s[%d]", o.ID, q.Name, k)
			}
		}
	}
}

// Every case of the list is there, with a way to simulate it, and every
// variant that a quantity names.
func TestOraclesAreComplete(t *testing.T) {
	all, err := Oracles()
	require.NoError(t, err)
	var ids []string
	for _, o := range all {
		ids = append(ids, o.ID)
		assert.NotEmpty(t, o.Title, o.ID)
		assert.True(t, (o.Scenario == "") != (o.Policy == ""), "%s has a scenario or a policy call", o.ID)
		variants := []string{"base"}
		if o.Scenario != "" {
			file, err := scenario.Parse(o.ID, []byte(o.Scenario))
			require.NoError(t, err, o.ID)
			variants = file.Variants
		}
		for _, q := range o.Quantities {
			assert.Contains(t, variants, q.Variant, "%s %s", o.ID, q.Name)
			assert.Contains(t, []string{"", "mean", "sd", "p99", "max"}, q.Take, "%s %s", o.ID, q.Name)
		}
	}
	assert.Equal(t, []string{
		"A01", "A02", "A03", "A04", "A05", "A06", "A07", "A07-E2", "A08", "A09", "A10", "A11", "A12", "B01", "B02", "B03", "B04", "B05", "B06", "B07", "C01", "C02", "C03", "C04", "C05",
		"C06", "C07", "C08", "C09", "D01", "D02", "D03", "D05", "D06", "D07", "D08", "E01", "E02", "E03", "E04", "E06", "E07", "F01", "F02", "F03", "F04", "F05", "G01", "G01-high",
		"G02",
	}, ids)
}

func TestOraclesById(t *testing.T) {
	some, err := Oracles("F03", "A10")
	require.NoError(t, err)
	assert.Equal(t, []string{"A10", "F03"}, []string{some[0].ID, some[1].ID}, "in the order of the file")
	_, err = Oracles("A99")
	assert.ErrorContains(t, err, "there is no oracle A99; there are A01 A02")
}

// The cases without chance, and those of a policy call, in full; the others
// are run by `tenggat verify`.
func TestExactOracles(t *testing.T) {
	some, err := Oracles("A10", "B07", "C08", "C09", "D06", "D08", "E01", "E07", "F03")
	require.NoError(t, err)
	rows, err := Run(context.Background(), some, Options{Seed: 7})
	require.NoError(t, err)
	for _, r := range rows {
		assert.NotEqual(t, Missed, r.Verdict, "%s %s: theory %v, simulated %v", r.ID, r.Quantity, r.Theory, r.Simulated.Mean)
	}
}

func TestRowsAreTheSameWithAnyNumberOfWorkers(t *testing.T) {
	some, err := Oracles("B01", "F01")
	require.NoError(t, err)
	one, err := Run(context.Background(), some, Options{Seed: 7, Quick: true, Workers: 1})
	require.NoError(t, err)
	three, err := Run(context.Background(), some, Options{Seed: 7, Quick: true, Workers: 3})
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprint(one), fmt.Sprint(three), "as text, in which undefined numbers are equal")
}

// The judge objects to a wrong simulator.
func TestVerdicts(t *testing.T) {
	near := []([]float64){{0.99}, {1.01}}
	for _, x := range []struct {
		what    string
		q       Quantity
		want    float64
		samples [][]float64
		wider   float64
		verdict Verdict
	}{
		{"near", Quantity{Rel: 0.01}, 1.009, near, 1, Held},
		{"off", Quantity{Rel: 0.01}, 1.02, near, 1, Missed},
		{"off, in a quick run", Quantity{Rel: 0.01}, 1.02, near, 3, Held},
		{"absolute", Quantity{Abs: 0.02}, 0.985, near, 1, Held},
		{"exact", Quantity{}, 1, near, 1, Held},
		{"nearly exact is not", Quantity{}, 1.0001, near, 1, Missed},
		{"nothing measured", Quantity{Rel: 0.5}, 1, [][]float64{{math.NaN()}}, 1, Missed},
		{"never", Quantity{Rel: 0.5}, 1, [][]float64{{1}, {math.Inf(1)}}, 1, Missed},
		{"below its bound", Quantity{Bound: true}, 1.01, near, 1, Held},
		{"one sample above its bound", Quantity{Bound: true}, 1.005, near, 1, Missed},
		{"largest", Quantity{Take: "max"}, 1.01, near, 1, Held},
		{"spread", Quantity{Take: "sd", Rel: 1e-6}, 0.02 / math.Sqrt2, near, 1, Held},
		{"formula", Quantity{}, 1, nil, 1, Formula},
	} {
		if x.verdict != Formula {
			x.q.Simulated = "anything"
		}
		rows, err := x.q.judge([]float64{x.want}, x.samples, x.wider)
		require.NoError(t, err)
		assert.Equal(t, x.verdict, rows[0].Verdict, x.what)
	}
	q := Quantity{Name: "list", Simulated: "anything"}
	_, err := q.judge([]float64{1, 2}, near, 1)
	assert.EqualError(t, err, "list: replication 0 gives 1 numbers, theory 2")
}

func TestTable(t *testing.T) {
	q := Quantity{Name: "wait", Simulated: "wait_s.mean", Rel: 0.01}
	rows, err := q.judge([]float64{1}, [][]float64{{0.99}, {1.02}}, math.Sqrt(10))
	require.NoError(t, err)
	table, missed := Table(append(rows, Row{ID: "A11", Quantity: "fluid", Theory: 240, Verdict: Formula}))
	assert.Equal(t, 0, missed)
	assert.Equal(t, []string{
		"1 of 1 numbers held.",
		"Quick: runs are up to 10 times shorter, and their tolerances up to 3.16 times wider.",
	}, table.Notes)
	assert.Equal(t, "± 0.0316228", table.Rows[0][4].String())
	assert.Equal(t, report.Text("–"), table.Rows[1][4])
}
