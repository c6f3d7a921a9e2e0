package experiments

import (
	"bytes"
	"encoding/csv"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

func TestKindsOfChange(t *testing.T) {
	file := strings.Replace(ranked, "rank:", `  early: {queues.q.ack: start, services.db.checks: key}
  twice: {jobs.j.steps: [work: 1s, write: db, write: db]}
  pause: {services.db.checks: key, events.response: {at: 55s, for: 1s, pause: workers.w}}
  soon: {services.db.checks: key, queues.q.lease: 500ms, workers.w.count: 2}
rank:`, 1)
	file = strings.Replace(file, "duplicate_effects]", "duplicate_effects, duplicate_starts]", 1)
	f, err := scenario.Parse("kinds", []byte(file))
	require.NoError(t, err)
	s, err := Variants(f, nil)
	require.NoError(t, err)
	points, err := s.Run(t.Context(), Options{})
	require.NoError(t, err)
	var table Failures
	table.Add(s, points)
	kinds := map[string]string{}
	for _, r := range table.rows {
		kinds[r.change] = r.kind
	}
	assert.Equal(t, map[string]string{"keyed": "remedy", "same": "no effect", "lost": "other fault", "early": "remedy",
		"twice": "mistake", "pause": "response", "soon": "exchange"}, kinds)
}

// Every scenario that docs/failover.md names for a failure, a remedy or a mistake
// of design has a row in the table that is kept, and each of the seven mistakes is
// shown as one.
func TestEveryFailureHasARow(t *testing.T) {
	page, err := os.ReadFile("../docs/failover.md")
	require.NoError(t, err)
	content, err := os.ReadFile("../results/failures.csv")
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	require.NoError(t, err)
	claims := regexp.MustCompile("(?m)^\\| (F[0-9]+) \\|.*`tenggat run ([a-z-]+)`").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(claims), 20)
	for _, claim := range claims {
		if slices.Contains([]string{"F14", "F15", "F16", "F18"}, claim[1]) {
			continue // metrics, alerts, drills and levels
		}
		assert.True(t, slices.ContainsFunc(rows, func(row []string) bool { return row[0] == claim[2] }), "%s: %s has no row", claim[1], claim[2])
	}
	for _, row := range rows {
		if row[0] == "design-mistakes" {
			assert.Contains(t, []string{"mistake", "exchange", "response"}, row[2], "%s", row[1])
		}
	}
}
