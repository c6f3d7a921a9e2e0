package lint

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model/scenario"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "after a wanted change: go test ./experiments/lint -update, and read the difference")
}

// examples are the findings in testdata/rules.yaml, and its scenarios by name.
func examples(t *testing.T) (*Report, map[string]*scenario.File) {
	t.Helper()
	text, err := os.ReadFile("testdata/rules.yaml")
	require.NoError(t, err)
	report, err := File("rules.yaml", text)
	require.NoError(t, err)
	files, err := scenario.ParseAll("rules.yaml", text)
	require.NoError(t, err)
	byName := map[string]*scenario.File{}
	for _, f := range files {
		byName[f.Name] = f
	}
	return report, byName
}

func TestEveryRuleFindsItsExampleAndNotTheGoodOne(t *testing.T) {
	report, files := examples(t)
	assert.Len(t, files, len(rules), "one scenario per rule")
	for i := range rules {
		rule := &rules[i]
		if !assert.Contains(t, files, rule.ID) {
			continue
		}
		var bad bool
		for _, f := range report.Findings {
			if f.Scenario != rule.ID || f.Rule != rule {
				continue
			}
			bad = bad || slices.Contains(f.Variants, "base")
			assert.NotContains(t, f.Variants, "good", "%s\n%s", rule.ID, f.Text())
		}
		assert.True(t, bad, "%s is not found in its own example", rule.ID)
	}
	golden(t, "testdata/rules.txt", report.Text())
}

// A good example of one rule is not an error by another.
func TestGoodExamplesHaveNoErrors(t *testing.T) {
	report, _ := examples(t)
	for _, f := range report.Findings {
		if f.Severity == Error {
			assert.NotContains(t, f.Variants, "good", f.Text())
		}
	}
}

// unchangeable are the rules whose remedy is no setting.
var unchangeable = []string{"lock-suffices"}

// The test puts every change into its scenario by itself, and lints the result as the command would.
func TestEveryChangeSatisfiesItsRule(t *testing.T) {
	report, _ := examples(t)
	text, err := os.ReadFile("testdata/rules.yaml")
	require.NoError(t, err)
	documents := strings.Split(string(text), "\n---\n")
	tried := map[string]bool{}
	for _, f := range report.Findings {
		if len(f.Change) == 0 {
			assert.True(t, slices.Contains(unchangeable, f.Rule.ID), "no change for\n%s", f.Text())
			continue
		}
		i := slices.IndexFunc(documents, func(d string) bool { return strings.Contains("\n"+d, "\nname: "+f.Scenario+"\n") })
		after, err := File("rules.yaml", []byte(documents[i]), f.Change...)
		require.NoError(t, err, f.Text())
		for _, g := range after.Findings {
			same := g.Rule == f.Rule && g.At[0].Path == f.At[0].Path && slices.Contains(g.Variants, f.Variants[0])
			assert.False(t, same, "after the change\n%s\nof\n%s", g.Text(), f.Text())
		}
		tried[f.Rule.ID] = true
	}
	for i := range rules {
		if id := rules[i].ID; !slices.Contains(unchangeable, id) {
			assert.True(t, tried[id], "%s proposes nothing", id)
		}
	}
}

// library lints a scenario of the library; a finding is one line.
func library(t *testing.T, name string) (lines []string) {
	t.Helper()
	text, ok := scenarios.Lookup(name)
	require.True(t, ok, name)
	report, err := File(name+".yaml", text)
	require.NoError(t, err)
	for _, f := range report.Findings {
		lines = append(lines, fmt.Sprintf("%s: %s %s %s: %s", name, strings.Join(f.Variants, " "), f.Severity, f.Rule.ID, f.judged()))
	}
	return lines
}

func TestLibrary(t *testing.T) {
	var all strings.Builder
	for _, name := range scenarios.Names() {
		for _, line := range library(t, name) {
			fmt.Fprintln(&all, line)
		}
	}
	golden(t, "testdata/library.txt", all.String())
}

// What the field cases demand of a planner before any run.
func TestFieldCasesAreFlagged(t *testing.T) {
	for name, want := range map[string][]string{
		"c01-eta-visibility":        {"base error lease-covers-run: hold 5h30m ≥ lease 1h"},
		"c03-retry-after":           {"base void void_alone error lease-covers-run: run 10m > lease 1m30s", "repro error lease-covers-run: run 20s > lease 5s"},
		"c05-consumer-timeout":      {"base prefetch_10 error lease-covers-run: run 33m20s > lease 30m", "prefetch_10 error lease-covers-buffer: 10 messages × 33m20s (mean) / 1 slot of w = 5h33m20s ≥ lease 30m"},
		"c13-adaptive-extension":    {"base alive hint recovery-wait: lease 8m ≥ run 8m: a crash costs up to 8m"},
		"c17-event-loop-stall":      {"trap error renew-third: renew every 1h30m ≥ lease 1h"},
		"c33-loop-and-two-retries":  {"base warning renew-retry-fits: every 10s + 2 × time-out 30s = 1m10s > lease 30s"},
		"c51-half-open-lets-all-in": {"stuck error breaker-closes: probes 1 < trip of 2 calls, with reopen = ratio: half open for ever"},
		"c62-record-in-progress":    {"base dies_before warning once-in-progress: in progress 1h ≥ 2 × lease 1m = 2m until the last delivery"},
		"c63-dedup-window":          {"base warning dedup-window: window 2m ≤ 9m9s from the first to the last send of 'same'"},
		"c27-full-lease-again":      {"base skewed skewed_back warning takeover-in-time: takeover lease 15m + poll 1s = 15m1s, + work 12m = 27m1s > time limit 15m0.5s"},
	} {
		lines := library(t, name)
		for _, line := range want {
			assert.Contains(t, lines, name+": "+line)
		}
		for _, line := range lines {
			assert.NotContains(t, line, " fixed error", "the fixed variant has no error")
		}
	}
	report, _ := examples(t) // as the reports of C11, C21, C33 and C46 have it
	var sums []string
	for _, f := range report.Findings {
		sums = append(sums, f.Scenario+": "+f.Severity.String()+" "+f.Rule.ID+": "+f.Sum)
	}
	for _, want := range []string{
		"lease-in-range: error lease-in-range: 25h lies outside 1s..24h: 30m is granted",
		"suspect-margin: error suspect-margin: heartbeat 30s + delay 0s = 30s ≥ suspicion after 30s",
		"renew-retry-fits: warning renew-retry-fits: every 10s + 2 × time-out 10s + wait 1s = 31s > lease 30s",
		"retry-product: warning retry-product: 2000 calls/s, with all retries (4 per call) 8000/s ≥ 50 servers / 10ms (mean) = 5000/s",
	} {
		assert.Contains(t, sums, want)
	}
}

func TestPlaces(t *testing.T) {
	const text = `queues:
  q:
    preset: bullmq
    lease: {length: 30s}
workers: {w: {count: 2}}
jobs:
  j: {queue: q, arrivals: poisson 1/s, time_limit: 1m, steps: [work: 1s, work: &long 10s]}
variants:
  slow: {queues.q.lease: 40s, queues.q.lease.renew: 39s}
`
	report, err := File("a.yaml", []byte(text))
	require.NoError(t, err)
	places := map[string]string{}
	for _, f := range report.Findings {
		for _, v := range f.At {
			places[f.Variants[0]+" "+v.Path] = v.Place.String() + " from " + v.From
		}
	}
	assert.Equal(t, "a.yaml:4:12 from preset bullmq:13", places["base queues.q.lease.renew.every"], "the innermost block in the file")
	assert.Equal(t, "a.yaml:4:21 from a.yaml:4", places["base queues.q.lease.length"])
	assert.Equal(t, "a.yaml:9:53 from a.yaml:9", places["slow queues.q.lease.renew.every"])

	require.Len(t, report.Blocks, 1)
	assert.Equal(t, `a.yaml:9:26: note: layers: in variant slow, queues.q.lease, then queues.q.lease.renew: set in this order; the block that results:
    queues.q.lease.length: 40s  (a.yaml:9)
    queues.q.lease.renew.every: 39s  (a.yaml:9)
`, firstLines(report.Blocks[0].Text(), 3))
}

func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfterN(text, "\n", n+1)[:n], "")
}

func TestAssignmentsOnTop(t *testing.T) {
	text, _ := scenarios.Lookup("c03-retry-after")
	report, err := File("c03.yaml", text, set("queues.backups.lease", "3h"), set("queues.backups.lease.renew", "1h"))
	require.NoError(t, err)
	for _, f := range report.Findings {
		assert.NotEqual(t, Error, f.Severity, f.Text())
	}
	assert.NotEmpty(t, report.Blocks)
	_, err = File("c03.yaml", text, set("queues.backups.leese", "3h"))
	assert.ErrorContains(t, err, `did you mean "lease"?`)
	_, err = File("c03.yaml", []byte("queues: {q: {leese: 3s}}"))
	assert.ErrorContains(t, err, "c03.yaml:1:")
}

func TestPresetsBringTheirOwnFindings(t *testing.T) {
	var all strings.Builder
	for _, p := range scenario.Presets() {
		if p.Kind != "queue" && p.Kind != "lock" {
			continue
		}
		report, err := Preset(p.Name)
		require.NoError(t, err)
		for _, f := range report.Findings {
			fmt.Fprintf(&all, "%s: %s %s: %s\n", f.At[0].Place, f.Severity, f.Rule.ID, f.Sum)
		}
	}
	golden(t, "testdata/presets.txt", all.String())
	_, err := Preset("aws-sdk-standard")
	assert.ErrorContains(t, err, "a preset of kind retry and no system to start from")
}

func TestWorst(t *testing.T) {
	_, ok := (&Report{}).Worst()
	assert.False(t, ok)
	worst, ok := (&Report{Findings: []Finding{{Severity: Hint}, {Severity: Error}, {Severity: Warning}}}).Worst()
	assert.True(t, ok)
	assert.Equal(t, Error, worst)
}

// The table of the manual is made from the table of rules.
func TestManualListsTheRules(t *testing.T) {
	const manual, begin, end = "../../docs/lint.md", "<!-- rules: begin -->\n", "<!-- rules: end -->"
	data, err := os.ReadFile(manual)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	var table strings.Builder
	table.WriteString("| rule | what must hold | otherwise | source |\n|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", r.ID, r.Title, r.Why, r.Source)
	}
	golden(t, manual, before+begin+table.String()+end+after)
}

// What the manual shows is what the command prints: the beginning, and after … the end.
func TestManualShowsWhatIsPrinted(t *testing.T) {
	data, err := os.ReadFile("../../docs/lint.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(data), "$ tenggat lint c03-retry-after\n")
	require.True(t, found)
	shown, _, _ := strings.Cut(rest, "```")
	begin, end, found := strings.Cut(shown, "…\n")
	require.True(t, found)
	text, _ := scenarios.Lookup("c03-retry-after")
	report, err := File("c03-retry-after.yaml", text)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(report.Text(), begin), report.Text())
	assert.True(t, strings.HasSuffix(report.Text(), end), report.Text())
}
