package experiments

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/report"
)

func TestTidyHasARowForEveryPointAndMetric(t *testing.T) {
	s := fakeWorld(t, Grid)
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, s.Tidy(runFake(t, s)), report.CSV))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	assert.Len(t, lines, 1+6*5, "stale_writes never happened")
	assert.Equal(t, "variant,queues.q.lease,services.ledger.checks,metric,unit,mean,low,high,median,n", lines[0])
	assert.Equal(t, "base,2s,key,duplicate_effects,,0,0,0.75,0,4", lines[3])
	assert.Equal(t, "base,2s,key,events.cut.drain_s,s,inf,,,31.5,4", lines[4])
	assert.Equal(t, "base,2s,key,jobs.job.starts,,100,100,100,100,4", lines[5])
}

func TestFilesAreTheSameEveryTime(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	var files []string
	for _, dir := range []string{first, second} {
		s := fakeWorld(t, Grid)
		var err error
		files, err = s.Write(dir, runFake(t, s))
		require.NoError(t, err)
	}
	assert.Equal(t, []string{
		"01-duplicate_rate.png", "01-duplicate_rate.svg", "02-takeover_s_mean.png", "02-takeover_s_mean.svg",
		"03-duplicate_rate.png", "03-duplicate_rate.svg", "points.csv", "manifest.json",
	}, files)
	for _, name := range files {
		a, err := os.ReadFile(filepath.Join(first, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(second, name))
		require.NoError(t, err)
		assert.Equal(t, a, b, name)
	}
	var m manifest
	content, err := os.ReadFile(filepath.Join(first, "manifest.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &m))
	assert.True(t, m.Complete)
	assert.Equal(t, 4, m.Replications)
	assert.Len(t, m.Points, 6)
	assert.Equal(t, map[string]string{"queues.q.lease": "4s", "services.ledger.checks": "none"}, m.Points[3].Settings)
	assert.Len(t, m.Points[0].Scenario, 64)
	assert.Equal(t, []manifestExpectation{{Variant: always, Text: "true", Held: 6, Of: 6}}, m.Expectations)
	assert.NotEqual(t, m.Points[0].Result, m.Points[2].Result, "another lease")
	assert.NotEqual(t, m.Points[0].Result, m.Points[1].Result, "other effects")
}

func TestFilesOfAnEarlierStudyAreRemoved(t *testing.T) {
	dir := t.TempDir()
	s := fakeWorld(t, Grid)
	_, err := s.Write(dir, runFake(t, s))
	require.NoError(t, err)
	for _, name := range []string{"notes.csv", "04-mine.svg"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	s.File.Sweep.Plots = s.File.Sweep.Plots[1:]
	files, err := s.Write(dir, runFake(t, s))
	require.NoError(t, err)
	var left []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	assert.ElementsMatch(t, append(files, "notes.csv", "04-mine.svg"), left, "only what this program wrote")

	elsewhere := filepath.Join(t.TempDir(), "points.csv")
	require.NoError(t, os.WriteFile(elsewhere, nil, 0o600))
	content, err := json.Marshal(manifest{Files: []string{elsewhere, "../points.csv", "manifest.json"}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestFile), content, 0o600))
	assert.Empty(t, filesOf(filepath.Join(dir, manifestFile)), "a path is none of ours")
}

func TestUnwritableDirectoryIsFoundFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, Prepare(filepath.Join(file, "results")), "choose another directory with --out")
	dir := filepath.Join(t.TempDir(), "new", "results")
	require.NoError(t, Prepare(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
