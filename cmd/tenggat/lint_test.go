package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

const shortLease = `queues: {q: {lease: 5s}}
workers: {w: {count: 2}}
jobs: {job: {queue: q, arrivals: poisson 1/m, time_limit: 20s, steps: [work: 10s]}}
`

func TestLint(t *testing.T) {
	inFolder(t, map[string]string{
		"alert.yaml":  shortLease + "alerts: {page: {when: 'oldest_job_age > 60', for: 1m}}\n",
		"expect.yaml": shortLease + "expect: {base: [duplicate_rat < 0.1]}\n",
		"plot.yaml":   shortLease + "sweep: {axes: [queues.q.lease: [5s, 20s]], plot: {x: queues.q.lease, y: duplicate_rat}}\n",
		"short.yaml":  shortLease, "typo.yaml": strings.Replace(shortLease, "lease", "leese", 1),
	})
	code, stdout, stderr := tenggat("lint", "short.yaml")
	assert.Equal(t, exitCheckFailed, code)
	assert.Empty(t, stderr)
	assert.Equal(t, `short.yaml:1:21: error: lease-covers-run: run 10s > lease 5s
    The queue hands the message to another worker while the first one still has it, and the job runs twice, or never to its end.
    settings  queues.q.lease.length = 5s, jobs.job.steps.work = 10s
    change    queues.q.lease: 11s
    source    C01 C03 C05 C11 C41
1 error, 0 warnings, 0 hints.
`, stdout)

	code, stdout, _ = tenggat("lint", "short.yaml", "--set", "queues.q.lease=20s")
	assert.Equal(t, exitFine, code)
	assert.Equal(t, "0 errors, 0 warnings, 0 hints.\n", stdout)

	code, stdout, _ = tenggat("lint", "short.yaml", "--quiet")
	assert.Equal(t, exitCheckFailed, code)
	assert.Empty(t, stdout)

	code, stdout, _ = tenggat("lint", "short.yaml", "--format", "json")
	assert.Equal(t, exitCheckFailed, code)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	require.Len(t, rows, 1)
	assert.Equal(t, "queues.q.lease: 11s", rows[0]["change"])
	assert.Equal(t, 21.0, rows[0]["column"])

	code, stdout, _ = tenggat("lint", "--preset", "bullmq")
	assert.Equal(t, exitFine, code)
	assert.Contains(t, stdout, "warning: renew-third: renew every 15s × 3 = 45s > lease 30s")
	code, _, _ = tenggat("lint", "c17-event-loop-stall")
	assert.Equal(t, exitCheckFailed, code, "the trap")

	for args, want := range map[string]string{
		"lint typo.yaml":                         `typo.yaml:1:14: queues.q.leese: unknown key "leese"`,
		"lint nothing":                           "neither a file nor a scenario of the library called nothing",
		"lint":                                   "name a scenario file",
		"lint --preset nothing":                  `there is no starting file for "nothing"`,
		"lint --preset medium":                   "medium is a preset of kind policy and no system to start from: put workers.W.policy: medium into a scenario",
		"lint --preset aws-sdk-standard":         "put services.S.retry: {preset: aws-sdk-standard} into a scenario",
		"lint bullmq":                            "bullmq is a preset and no scenario: `tenggat presets bullmq` shows it, `tenggat lint --preset bullmq` judges it",
		"lint short.yaml --preset bullmq":        "without a file",
		"lint short.yaml --set queues.q.lease=x": "queues.q.lease",
		"lint alert.yaml":                        `alert.yaml:4:23: alerts.page.when: unknown level`,
		"lint expect.yaml":                       "unknown metric",
		"lint plot.yaml":                         `plot.yaml:4:73: sweep.plot.y: unknown metric`,
	} {
		code, _, stderr := tenggat(strings.Fields(args)...)
		assert.Equal(t, exitBadInput, code, args)
		assert.Contains(t, stderr, want, args)
	}
}

// What tenggat new writes is a scenario that runs, and of which lint says nothing worse than a hint that the file does not
// name itself as a flaw of the system's defaults.
func TestStartingFiles(t *testing.T) {
	inFolder(t, nil)
	for _, p := range scenario.Presets() {
		if p.Kind != "queue" && p.Kind != "lock" {
			continue
		}
		file := p.Name + ".yaml"
		code, _, stderr := tenggat("new", file, "--system", p.Name)
		require.Equal(t, exitFine, code, stderr)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		code, stdout, stderr := tenggat("lint", file, "--format", "json")
		require.NotEqual(t, exitBadInput, code, stderr)
		var rows []struct{ Severity, Rule, Sum string }
		require.NoError(t, json.Unmarshal([]byte(stdout), &rows))
		for _, row := range rows {
			if row.Severity != "hint" {
				assert.Contains(t, string(text), row.Rule, "%s: %s", file, row.Sum)
			}
		}
		code, stdout, stderr = tenggat("run", file, "--replications", "2", "--out", p.Name)
		assert.Equal(t, exitFine, code, stdout+stderr)
	}
}

// A preset that is no system to start from is named with the line that a
// scenario has for it, and with that line the starting file of a system runs.
func TestPresetsWithoutAStartingFile(t *testing.T) {
	inFolder(t, nil)
	code, _, stderr := tenggat("new", "sqs.yaml", "--system", "sqs")
	require.Equal(t, exitFine, code, stderr)
	others := 0
	for _, p := range scenario.Presets() {
		set := map[string]string{"policy": "workers.w.policy=" + p.Name, "retry": "services.ledger.retry={preset: " + p.Name + "}"}[p.Kind]
		if set == "" {
			continue
		}
		others++
		_, _, stderr := tenggat("new", "--system", p.Name)
		line := strings.NewReplacer("w.policy=", "W.policy: ", "services.ledger.retry=", "services.S.retry: ").Replace(set)
		assert.Contains(t, stderr, "put "+line+" into a scenario")
		code, _, stderr = tenggat("lint", "sqs.yaml", "--set", set)
		assert.NotEqual(t, exitBadInput, code, stderr)
	}
	assert.Equal(t, 4, others)
}
