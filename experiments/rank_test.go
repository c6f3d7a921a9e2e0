package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

// An acknowledgement that is lost for ten seconds: without a key the effect of
// each of the jobs lands again. twice pays for it with another worker, which
// changes nothing; lost acknowledges at the start and dies.
const ranked = `
name: lost-acks
run: {duration: 5m, replications: 3}
queues: {q: {lease: 20s}}
services: {db: {}}
workers: {w: {count: 1}}
jobs: {j: {queue: q, arrivals: every 10s times 10, steps: [work: 1s, write: db]}}
events: {deaf: {at: 50s, for: 10s, cut: {from: workers.w, to: queues.q, only: ack}}}
variants:
  keyed: {services.db.checks: key}
  same: {workers.w.count: 2}
  lost: {queues.q.ack: start, events.deaf: none, events.death: {at: 50.5s, for: 1s, crash: workers.w}}
rank: [lost_jobs, duplicate_effects]
`

func rankedStudy(t *testing.T) (*Study, []*Point) {
	t.Helper()
	f, err := scenario.Parse("ranked", []byte(ranked))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{})
	require.NoError(t, err)
	return s, points
}

func TestRanking(t *testing.T) {
	s, points := rankedStudy(t)
	var text strings.Builder
	require.NoError(t, report.Write(&text, s.Ranking(points), report.CSV))
	assert.Equal(t, "rank,variant,lost_jobs,duplicate_effects\n1,keyed,0,0\n2,base,0,1\n2,same,0,1\n4,lost,1,0\n", text.String())
	tables := s.Summary(points)
	assert.Equal(t, "ranking", tables[len(tables)-1].Title)
	assert.Contains(t, s.Conclusion(points), "Best of 4: keyed")
}

func TestRankOfNoMetric(t *testing.T) {
	f, err := scenario.Parse("ranked", []byte(strings.Replace(ranked, "[lost_jobs,", "[lost_job,", 1)))
	require.NoError(t, err)
	_, err = Variants(f, nil)
	require.Error(t, err)
	assert.Contains(t, err.Error(), `ranked:13:8: rank: unknown metric "lost_job"; did you mean lost_jobs?`)
}

func TestFailures(t *testing.T) {
	s, points := rankedStudy(t)
	var f Failures
	f.Add(s, points)
	var text strings.Builder
	require.NoError(t, report.Write(&text, f.Tidy(), report.CSV))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	assert.Len(t, lines, 5, "three remedies, one harm, and another that lost does instead")
	assert.Equal(t, "lost-acks,keyed,remedy,duplicate_effects,1,1,1,1,0,0,1,-1,-1,-1,3", lines[1])
	s.File.Rank = nil
	var unranked Failures
	unranked.Add(s, points)
	assert.Len(t, unranked.Table().Rows, 4, "the counts of harm that are not zero everywhere")
}
