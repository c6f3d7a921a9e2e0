package experiments

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

func TestExpectationsApplyWhereTheFileSays(t *testing.T) {
	file, err := scenario.Parse("f.yaml", []byte(strings.Replace(sweepFile, "always: [lost_jobs == 0]",
		"{always: [true], base: [1 == 1], unsafe: [2 == 2]}", 1)))
	require.NoError(t, err)
	variants, err := Variants(file, nil)
	require.NoError(t, err)
	grid, err := Grid(file, nil)
	require.NoError(t, err)
	texts := func(spec *Spec) (all []string) {
		for _, x := range spec.Expects.list {
			all = append(all, x.source.Text)
		}
		return all
	}
	assert.Equal(t, []string{"true", "1 == 1"}, texts(variants.Specs[0]))
	assert.Equal(t, []string{"true", "2 == 2"}, texts(variants.Specs[1]))
	for _, spec := range grid.Specs {
		assert.Equal(t, []string{"true"}, texts(spec), "a point of a sweep is not the variant")
	}
}

func TestNamesOfPlotsAreCheckedBeforeTheRun(t *testing.T) {
	for from, wrong := range map[string][2]string{
		"y: [duplicate_rate,":        {"y: [duplicate_rat,", `f.yaml:13:31: sweep.plot.y: unknown metric "duplicate_rat"; did you mean duplicate_rate?`},
		"takeover_s.mean], by":       {"takeover_s.maen], by", `f.yaml:13:47: sweep.plot.y: unknown metric "takeover_s.maen"; did you mean takeover_s.mean?`},
		"{x: takeover_s.mean":        {"{x: queues.q.leese", `f.yaml:14:11: sweep.plot.x: "queues.q.leese" is neither a metric nor an axis of this sweep; did you mean queues.q.lease?`},
		"by: services.ledger.checks": {"by: services.ledger.check", `f.yaml:13:69: sweep.plot[0].by: "services.ledger.check" is no axis of this sweep; did you mean "services.ledger.checks"?`},
	} {
		text := strings.Replace(sweepFile, from, wrong[0], 1)
		require.NotEqual(t, sweepFile, text, from)
		file, err := scenario.Parse("f.yaml", []byte(text))
		if err == nil {
			_, err = Grid(file, nil)
		}
		require.EqualError(t, err, wrong[1])
	}
}

func TestPlotsThatCannotBeDrawnAreFoundBeforeTheRun(t *testing.T) {
	var leases []string
	for i := range 17 {
		leases = append(leases, fmt.Sprintf("%ds", i+1))
	}
	axes := "axes: [{queues.q.lease: [" + strings.Join(leases, ", ") + "]}, {services.ledger.errors: [0, 10%]}]"
	for plot, want := range map[string]string{
		"{x: services.ledger.errors, y: starts, by: queues.q.lease}": "17 series of queues.q.lease, at most 16 can be told apart",
		"{x: services.ledger.errors, y: starts, log: x}":             "X is not positive and its axis is logarithmic",
	} {
		text := sweepFile[:strings.Index(sweepFile, "sweep:")] + "sweep:\n  " + axes + "\n  plot: [" + plot + "]\n"
		file, err := scenario.Parse("f.yaml", []byte(text))
		require.NoError(t, err)
		_, err = Grid(file, nil)
		require.ErrorContains(t, err, "f.yaml:12:", plot)
		require.ErrorContains(t, err, want)
	}
}
