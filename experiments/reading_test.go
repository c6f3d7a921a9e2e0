package experiments

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

const readScenario = `
run: {duration: 20s, replications: 3}
queues: {q: {lease: none}}
workers: {w: {count: 1}}
jobs: {job: {queue: q, arrivals: at 0s 1s, steps: [work: 2s]}}
variants: {slow: {jobs.job.steps.work: 5s}}
`

func TestReadingsOfVariants(t *testing.T) {
	file, err := scenario.Parse("read", []byte(readScenario))
	require.NoError(t, err)
	values, points, err := Read(context.Background(), file, []scenario.Assignment{{Path: "run.replications", Value: "2"}}, []Reading{
		{Variant: "base", Text: `at("complete")`},
		{Variant: "slow", Text: `at("complete")[-1]`},
		{Variant: "base", Text: `starts == 2`},
		{Variant: "base", Text: `map([1.5, 2.5], inside(at("complete"), 0, #))`},
		{Variant: "base", Text: `service_s.share_over(1)`},
	}, Options{})
	require.NoError(t, err)
	assert.Equal(t, [][][]float64{
		{{2, 4}, {2, 4}}, {{10}, {10}}, {{1}, {1}}, {{0, 1}, {0, 1}}, {{1}, {1}},
	}, values)
	require.Len(t, points, 2)
	assert.Equal(t, []string{"base", "slow"}, []string{points[0].Variant, points[1].Variant})
}

func TestReadingErrors(t *testing.T) {
	file, err := scenario.Parse("read", []byte(readScenario))
	require.NoError(t, err)
	for text, want := range map[string]string{
		`strats`:             `unknown metric "strats"; did you mean starts?`,
		`at("strat")`:        `unknown fact "strat"`,
		`len(runs)`:          "a reading is of one replication: leave out runs",
		`"words"`:            `words is not a number`,
		`at("complete")[5]`:  "read, replication 0: reading `at(\"complete\")[5]`: index out of range: 5",
		`map([1], "a word")`: "a word is not a number",
	} {
		_, _, err := Read(context.Background(), file, nil, []Reading{{Variant: "base", Text: text}}, Options{Workers: 1})
		assert.ErrorContains(t, err, want, text)
	}
}
