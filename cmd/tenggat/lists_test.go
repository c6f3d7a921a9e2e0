package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
