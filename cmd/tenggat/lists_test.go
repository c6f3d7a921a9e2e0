package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
)

// A card says what a name may mean: a column, the columns that begin with it, and
// the level that an alert sees under it.
func TestMetricCards(t *testing.T) {
	for name, want := range map[string][]string{
		"wait_s":                     {"wait_s"},
		"queues.q.wait_s.p99":        {"wait_s"},
		"first_start_s":              {"starts"},
		"oldest_job_age_s":           {"oldest_job_age_s.mean", "oldest_job_age_s.max", "oldest_job_age_s"},
		"queues.q.queue_depth":       {"queue_depth.mean", "queue_depth.max", "queue_depth.mean", "queue_depth.max", "queue_depth"}, // of messages, of calls
		"workers.w.up":               {"up"},
		"alerts.a.delay_s.mean":      {"delay_s"},
		"services.s.busy":            {"busy"},
		"jobs.pay.duplicate_effects": {"duplicate_effects"},
	} {
		code, out, stderr := tenggat("metrics", name)
		assert.Equal(t, exitFine, code, stderr)
		var cards []string
		for line := range strings.Lines(out) {
			if card, ok := strings.CutPrefix(line, "metric    "); ok {
				cards = append(cards, strings.TrimSpace(card))
			}
		}
		assert.Equal(t, want, cards, name)
	}
	_, out, _ := tenggat("metrics", "overlap")
	assert.Contains(t, out, "counted   global, per job, per lock\n")
	_, _, stderr := tenggat("metrics", "oldest_job_age")
	assert.Contains(t, stderr, "did you mean oldest_job_age_s?")
}

// What an expectation can name, in any scenario of the library, the list of
// metrics has.
func TestTheListOfMetricsHasEveryColumn(t *testing.T) {
	_, out, _ := tenggat("metrics", "--format", "json")
	var rows []struct{ Columns string }
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	var listed []string
	for _, row := range rows {
		listed = append(listed, strings.Split(row.Columns, ", ")...)
	}
	assert.Contains(t, listed, "offered_per_s")
	seen := map[string]bool{}
	for _, name := range scenarios.Names() {
		files, err := loadAll(name)
		require.NoError(t, err)
		for _, file := range files {
			for _, variant := range file.Variants {
				sc, err := file.Resolve(variant)
				require.NoError(t, err)
				for _, c := range model.Columns(sc, metric.Want{}) {
					column := c.Name
					if parts := strings.SplitN(column, ".", 3); len(parts) == 3 { // of a component
						column = parts[2]
					}
					if !seen[column] {
						seen[column] = true
						assert.True(t, slices.Contains(listed, column), c.Name)
					}
				}
			}
		}
	}
	for _, column := range listed {
		assert.True(t, seen[column], "no scenario has %s", column)
	}
}

// Every scenario of the library says in both languages what it is about.
func TestLanguages(t *testing.T) {
	abouts := func(lang string) map[string]string {
		code, out, stderr := tenggat("scenarios", "--lang", lang, "--format", "json")
		require.Equal(t, exitFine, code, stderr)
		var rows []struct{ Name, About string }
		require.NoError(t, json.Unmarshal([]byte(out), &rows))
		about := map[string]string{}
		for _, row := range rows {
			about[row.Name] = row.About
		}
		return about
	}
	english, indonesian := abouts("en"), abouts("id")
	for _, name := range scenarios.Names() {
		assert.NotEmpty(t, english[name], name)
		assert.NotEqual(t, english[name], indonesian[name], name)
	}
	assert.Contains(t, indonesian["lease-ttl"], "Seberapa pendek lease sebuah kunci boleh dibuat?")
	_, out, _ := tenggat("metrics", "published", "--lang", "id")
	assert.Contains(t, out, "meaning   pekerjaan yang ditawarkan dan diterima\n")
	_, _, stderr := tenggat("scenarios", "--lang", "fr")
	assert.Contains(t, stderr, "--lang fr: use en or id")
}
