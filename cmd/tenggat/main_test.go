package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/model/scenario"
)

const small = `name: small
run: {duration: 1m, replications: 3}
queues: {q: {lease: 30s}}
workers: {w: {count: 2}}
jobs: {job: {queue: q, arrivals: poisson 1/s, steps: [work: exp 1s]}}
variants:
  four: {workers.w.count: 4}
sweep:
  axes: [{workers.w.count: [1, 2]}]
expect:
  always: ['setting("queues.q.lease") == 30']
  four: ['setting("workers.w.count") == 4']
`

// inFolder puts the files into an empty working directory.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	}
}

// tenggat runs the program.
func tenggat(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestBadInputSaysWhatToDo(t *testing.T) {
	inFolder(t, map[string]string{
		"small.yaml":    small,
		"two.yaml":      small + "---\n" + strings.Replace(small, "name: small", "name: other", 1),
		"typo.yaml":     strings.Replace(small, "lease: 30s", "leese: 30s", 1),
		"expect.yaml":   strings.Replace(small, `["queues.q.lease") == 30']`, "", 1) + "  base: [no_such_metric == 0]\n",
		"alone.yaml":    shortLease,
		"nosweep.yaml":  small[:strings.Index(small, "sweep:")],
		"taken/results": "a file",
		"empty/readme":  "no scenarios here",
	})
	for _, c := range []struct{ args, want string }{
		{"run nothing", "neither a file nor a scenario of the library called nothing (`tenggat scenarios` lists the library)"},
		{"run first-leese", "called first-leese; did you mean first-lease? (`tenggat scenarios` lists the library)"},
		{"scenarios first-leese", "no scenario of the library called first-leese; did you mean first-lease?"},
		{"presets bulmq", "no preset called bulmq; did you mean bullmq?"},
		{"metrics wait_s.p98", "no metric called wait_s.p98; did you mean wait_s.p95?"},
		{"run typo.yaml", `typo.yaml:3:14: queues.q.leese: unknown key "leese"`},
		{"run expect.yaml", `expect.yaml:13:10: expect.base: unknown metric "no_such_metric" (column 1 of`},
		{"run two.yaml", "two.yaml holds 2 scenarios"},
		{"run small.yaml --set lease", "--set lease: write path=value"},
		{"run small.yaml --set queues.q.lease=soon", "queues.q.lease"},
		{"run small.yaml --format xml", "--format xml: use table, json, csv or markdown"},
		{"run small.yaml --seed -1", "--seed -1: use a whole number, 0 or more"},
		{"run small.yaml --seed 18446744073709551616", "--seed 18446744073709551616: use a number up to 18446744073709551615"},
		{"run small.yaml --seed 010", "--seed 010: use a whole number in decimal, without a zero in front"},
		{"run small.yaml --seed 0x10", "--seed 0x10: use a whole number in decimal"},
		{"explain small.yaml --job -1", "--job -1: use a whole number, 0 or more"},
		{"explain small.yaml --job 9223372036854775808", "--job 9223372036854775808: use a number up to 9223372036854775807"},
		{"explain small.yaml --job 1 --format csv", "--format csv: a story is no table"},
		{"explain small.yaml --job 1 --format markdown", "--format markdown: a story is no table"},
		{"failures alone.yaml --out alone", "alone.yaml has no variants, and so no remedies"},
		{"run small.yaml --workers 1.5", "--workers 1.5: use a whole number, 1 or more"},
		{"run small.yaml --set queues.q.lease=3x", `--set: queues.q.lease.length: distribution "3x"`},
		{"run small.yaml --replications 0", "--replications 0: use a whole number, 1 or more"},
		{"run small.yaml --workers -1", "--workers -1: use a whole number, 1 or more"},
		{"run small.yaml --workers 0", "--workers 0: use a whole number, 1 or more"},
		{"run small.yaml --replications 1000000000", "run.replications: 1000000000: there may be 100000"},
		{"run small.yaml --set run.duration=106751d", "run.duration: a run needs an end"},
		{"explain small.yaml --job 1 --replication 18446744073709551615", "replications are numbered from 0 to 99999"},
		{"help jump", `unknown command "jump"`},
		{"help run jump", "there is no command run jump"},
		{"run small.yaml --out taken/results", "choose another directory with --out"},
		{"run small.yaml --colour", "unknown flag: --colour"},
		{"run", "accepts 1 arg(s), received 0"},
		{"sweep nosweep.yaml", "small has no sweep"},
		{"test empty", "empty has no scenario files; they end in .yaml"},
		{"presets nothing", "there is no preset called nothing"},
		{"jump", `unknown command "jump"`},
	} {
		code, stdout, stderr := tenggat(strings.Fields(c.args)...)
		assert.Equal(t, exitBadInput, code, c.args)
		assert.Empty(t, stdout, c.args)
		assert.Contains(t, stderr, c.want, c.args)
	}
	assert.NoDirExists(t, "results", "nothing was run")
}

func TestRunWritesItsFiles(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	code, stdout, stderr := tenggat("run", "small.yaml", "--seed", "11")
	require.Equal(t, exitFine, code, stderr)
	assert.Empty(t, stderr, "no progress without a terminal")
	assert.Contains(t, stdout, "3 of 3 expectations held.\n")
	assert.Contains(t, stdout, ", seed 11\n")
	assert.Contains(t, stdout, "Written to results/small: points.csv, series.csv, manifest.json, figures as SVG and PNG: 1.\n")
	for _, name := range []string{"points.csv", "series.csv", "01-in_system.svg", "01-in_system.png", "manifest.json"} {
		assert.FileExists(t, filepath.Join("results/small", name))
	}
	assert.NoDirExists(t, "results/small/.state")
}

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	for _, command := range []string{"run", "sweep"} {
		_, one, _ := tenggat(command, "small.yaml", "--workers", "1", "--out", "one")
		_, many, _ := tenggat(command, "small.yaml", "--workers", "7", "--out", "many")
		assert.Equal(t, one, strings.Replace(many, "Written to many", "Written to one", 1))
		for _, file := range []string{"points.csv", "manifest.json"} {
			a, err := os.ReadFile(filepath.Join("one", file))
			require.NoError(t, err)
			b, err := os.ReadFile(filepath.Join("many", file))
			require.NoError(t, err)
			assert.Equal(t, string(a), string(b))
		}
	}
}

func TestSettingsAndReplicationsFromTheCommandLine(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	code, stdout, _ := tenggat("run", "small.yaml", "--set", "queues.q.lease=20s", "--replications", "2")
	assert.Equal(t, exitCheckFailed, code)
	assert.Contains(t, stdout, `FAILED  base: setting("queues.q.lease") == 30  (in 2 of 2 replications, first in replication 0)`)
	assert.Contains(t, stdout, "1 of 3 expectations held.")
}

func TestTestPrintsVerdictsAndReplay(t *testing.T) {
	inFolder(t, map[string]string{
		"good.yaml":       small,
		"cases/bad.yaml":  strings.Replace(small, "== 30", "== 31", 1),
		"cases/none.yaml": small[:strings.Index(small, "expect:")],
	})
	code, stdout, _ := tenggat("test", "good.yaml", "cases", "--set", "seed=5")
	assert.Equal(t, exitCheckFailed, code)
	assert.Equal(t, `ok    small  3 of 3
FAIL  small  1 of 3
      FAILED  base: setting("queues.q.lease") == 31  (in 3 of 3 replications, first in replication 0)  because setting("queues.q.lease") = 30
      FAILED  four: setting("queues.q.lease") == 31  (in 3 of 3 replications, first in replication 0)  because setting("queues.q.lease") = 30
      replay: tenggat test cases/bad.yaml --seed 5
none  small has no expectations
4 of 6 expectations of 3 scenarios held.
`, stdout)
	code, _, _ = tenggat("test", "good.yaml")
	assert.Equal(t, exitFine, code)
	assert.NoDirExists(t, "results", "test writes nothing")
}

func TestInterruptedSweepGoesOn(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	_, whole, _ := tenggat("sweep", "small.yaml", "--out", "whole")

	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	var out, errs strings.Builder
	code := run(ctx, []string{"sweep", "small.yaml"}, &out, &errs)
	assert.Equal(t, exitInterrupted, code)
	assert.Contains(t, errs.String(), "interrupted after 0 of 2 points\n")
	assert.NoDirExists(t, "results/small", "nothing is kept")

	code, resumed, _ := tenggat("sweep", "small.yaml", "--resume")
	assert.Equal(t, exitFine, code)
	assert.Equal(t, whole, strings.Replace(resumed, "Written to results/small", "Written to whole", 1))
}

func TestWhatWasInterruptedOrNotWritten(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small, "results/small/points.csv/in the way": ""})
	code, _, stderr := tenggat("sweep", "small.yaml")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, stderr, "go on with the same command and --resume")
	assert.NotEmpty(t, must(filepath.Glob("results/small/.state/*.point")), "the points are there")

	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	for _, command := range []string{"run small.yaml", "test small.yaml", "explain small.yaml --job 1"} {
		var out, errs strings.Builder
		assert.Equal(t, exitInterrupted, run(ctx, strings.Fields(command), &out, &errs), command)
		assert.NotContains(t, errs.String(), "--resume", "only a sweep has it")
	}
}

// An alert whose index no list has fails in the first replication.
func TestAStudyThatComesToNothingLeavesNothing(t *testing.T) {
	inFolder(t, map[string]string{"bad.yaml": small + "alerts: {a: '[1, 2][int(queue_depth) + 7] > 1'}\n", "there/mine": ""})
	for _, args := range [][]string{{"run", "bad.yaml"}, {"sweep", "bad.yaml"}} {
		for _, out := range []string{"new", "there"} {
			code, _, stderr := tenggat(append(args, "--out", out)...)
			assert.Equal(t, exitBadInput, code)
			assert.Contains(t, stderr, "index out of range")
			assert.NotContains(t, stderr, "--resume")
		}
		assert.NoDirExists(t, "new")
		assert.NoDirExists(t, "there/.state")
		assert.FileExists(t, "there/mine")
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestASecondSweepIntoTheSameDirectory(t *testing.T) {
	host := must(os.Hostname())
	inFolder(t, map[string]string{
		"small.yaml": small, "results/small/.state/1.point": "of the first",
		"results/small/.claim": fmt.Sprintf("%d %s\n", os.Getppid(), host),
	})
	for _, args := range [][]string{{"sweep", "small.yaml"}, {"sweep", "small.yaml", "--resume"}, {"run", "small.yaml"}} {
		code, _, stderr := tenggat(args...)
		assert.Equal(t, exitBadInput, code)
		assert.Contains(t, stderr, "results/small is being written by process")
	}
	assert.FileExists(t, "results/small/.state/1.point", "nothing is lost")
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnOutputThatCannotBeWritten(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	for _, command := range []string{
		"version", "help", "help run", "test small.yaml", "explain small.yaml --job 1", "lint small.yaml", "run small.yaml", "sweep small.yaml",
		"presets", "scenarios", "metrics", "schema", "new",
	} {
		var errs strings.Builder
		assert.Equal(t, exitBadInput, run(context.Background(), strings.Fields(command), full{}, &errs), command)
		assert.Contains(t, errs.String(), "no space left on device", command)
	}
}

func TestFormatsForPrograms(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	_, stdout, _ := tenggat("sweep", "small.yaml", "--format", "csv")
	assert.True(t, strings.HasPrefix(stdout, "variant,workers.w.count,metric,unit,mean,low,high,median,n\n"), stdout)
	points, err := os.ReadFile("results/small/points.csv")
	require.NoError(t, err)
	kept := strings.Split(strings.TrimSpace(string(points)), "\n")
	assert.Subset(t, strings.Split(stdout, "\n"), kept)
	assert.Less(t, 10*len(kept), strings.Count(stdout, "\n"), "what is committed stays small")

	_, stdout, _ = tenggat("run", "small.yaml", "--format", "csv")
	points, err = os.ReadFile("results/small/points.csv")
	require.NoError(t, err)
	assert.Equal(t, stdout, string(points))
	_, stdout, _ = tenggat("run", "small.yaml", "--format", "json")
	assert.True(t, strings.HasPrefix(stdout, "["), stdout)
}

func TestQuantilesOfFewSamplesAreNotShown(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	_, stdout, _ := tenggat("run", "small.yaml")
	assert.Regexp(t, `\nwait_s\.p99 +s +– \* +– \*\n`, stdout)
	assert.Contains(t, stdout, "*: a quantile needs 1000 samples in every replication; raise run.duration.\n")
	_, stdout, _ = tenggat("run", "small.yaml", "--format", "csv")
	assert.Contains(t, stdout, "\nbase,wait_s.p99,s,,,,,0\n")
	_, stdout, _ = tenggat("run", "small.yaml", "--set", "run.duration=2h", "--replications", "2")
	assert.NotContains(t, stdout, "– *")
}

func TestSettingsSayWhereTheyComeFrom(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	code, stdout, stderr := tenggat("run", "small.yaml", "--explain-settings", "--set", "jobs.job.priority=3", "--format", "csv")
	require.Equal(t, exitFine, code, stderr)
	for _, line := range []string{
		"base,queues.q.lease.length,30s,small.yaml:3\n", "base,workers.w.slots,1,default\n", "base,jobs.job.priority,3,--set\n",
		"four,workers.w.count,4,small.yaml:7\n",
	} {
		assert.Contains(t, stdout, "\n"+line)
	}
	assert.NotContains(t, stdout, "four,queues", "only what differs from base")
	assert.NoDirExists(t, "results", "nothing was run")
}

func TestListsOfWhatThereIs(t *testing.T) {
	for args, want := range map[string]string{
		"scenarios":                             "lease-ttl",
		"presets":                               "sqs-standard",
		"presets sqs-standard":                  "VisibilityTimeout (s)",
		"presets sqs":                           "not in the preset, say it: DelaySeconds: jobs.*.start: after 10s",
		"scenarios first-lease":                 "name: first-lease\n",
		"metrics wait_s":                        "columns   wait_s.mean, wait_s.p50,",
		"metrics queues.q.first_start_s":        "metric    starts\n",
		"metrics queue_depth.mean --format csv": "queue_depth.mean,1,",
		"schema":                                "\"$schema\"",
		"version":                               "tenggat 0.1.0 (go",
		"--help":                                "Exit codes: 0 fine",
	} {
		code, stdout, stderr := tenggat(strings.Fields(args)...)
		assert.Equal(t, exitFine, code, stderr)
		assert.Contains(t, stdout, want, args)
	}
}

func TestTheListOfScenariosFitsATerminal(t *testing.T) {
	_, stdout, _ := tenggat("scenarios")
	for line := range strings.Lines(stdout) {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), listWidth, line)
	}
	assert.Equal(t, "one two…", shortened("one two, three", 10))
	assert.Equal(t, "one two, three", shortened("one two, three", 14))
	_, stdout, _ = tenggat("scenarios", "--format", "csv")
	assert.True(t, strings.HasPrefix(stdout, "name,about,source\n"))
}

func TestVerdictsForPrograms(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	code, stdout, _ := tenggat("test", "small.yaml", "--set", "queues.q.lease=31s", "--format", "csv")
	assert.Equal(t, exitCheckFailed, code)
	assert.Equal(t, `scenario,file,variant,expectation,outcome,not_held,replications,first,needed,why
small,small.yaml,base,"setting(""queues.q.lease"") == 30",failed,3,3,0,0,"setting(""queues.q.lease"") = 31"
small,small.yaml,four,"setting(""queues.q.lease"") == 30",failed,3,3,0,0,"setting(""queues.q.lease"") = 31"
small,small.yaml,four,"setting(""workers.w.count"") == 4",held,0,3,-1,0,
`, stdout)
	_, stdout, _ = tenggat("test", "small.yaml", "--format", "json")
	assert.True(t, strings.HasPrefix(stdout, "[\n  {\"scenario\": \"small\""), stdout)
}

func TestSweepTellsHowFarItIsWithoutATerminal(t *testing.T) {
	inFolder(t, map[string]string{"small.yaml": small})
	_, _, stderr := tenggat("sweep", "small.yaml", "--workers", "1", "--replications", "10")
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	assert.Len(t, lines, 10)
	assert.Equal(t, "2 of 20 replications, 10 %", lines[0])
	assert.Equal(t, "20 of 20 replications, 100 %", lines[9])
	_, _, stderr = tenggat("sweep", "small.yaml", "--quiet")
	assert.Empty(t, stderr)
}

func TestPanicIsReportedWithTheReplay(t *testing.T) {
	before := commands
	t.Cleanup(func() { commands = before })
	commands = append(commands, func(*flags) *cobra.Command {
		return &cobra.Command{Use: "break", RunE: func(*cobra.Command, []string) error { panic("broker: -1 messages") }}
	})
	code, _, stderr := tenggat("break", "--set", "name=it's")
	assert.Equal(t, exitBug, code)
	assert.Contains(t, stderr, "tenggat: broker: -1 messages\nThis is a bug of tenggat")
	assert.Contains(t, stderr, `replay:  tenggat break --set 'name=it'\''s'`)
	assert.Contains(t, stderr, "main_test.go")
}

func TestNewWritesWhatRunTakes(t *testing.T) {
	inFolder(t, nil)
	code, _, stderr := tenggat("new", "--system", "bullmq", "start.yaml")
	require.Equal(t, exitFine, code, stderr)
	_, err := load("start.yaml")
	require.NoError(t, err)
	for _, p := range scenario.Presets() {
		if p.Kind != "queue" && p.Kind != "lock" {
			continue
		}
		_, text, _ := tenggat("new", "--system", p.Name)
		file, err := scenario.Parse(p.Name, []byte(text))
		require.NoError(t, err)
		s, err := experiments.Grid(file, nil)
		require.NoError(t, err, "%s: the sweep of its starting file", p.Name)
		assert.Contains(t, s.Axes[0], ".own.")
	}
	_, stdout, _ := tenggat("presets", "bullmq")
	assert.Contains(t, stdout, "stalledInterval (ms)")

	code, _, stderr = tenggat("new", "start.yaml")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, stderr, "choose a name that is not taken")
	code, _, stderr = tenggat("new", "--system", "nothing")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, stderr, "systems: ")
	_, stdout, _ = tenggat("new")
	assert.Contains(t, stdout, "sqs-standard")
}

func TestNumbersOfFlags(t *testing.T) {
	var seed uint64
	var job int64
	for text, want := range map[string]string{
		"0": "", "18446744073709551615": "", "00": "without a zero in front", "+1": "0 or more", "1_000": "0 or more",
	} {
		err := (&whole[uint64]{&seed, 0}).Set(text)
		if want == "" {
			assert.NoError(t, err)
			assert.Equal(t, text, fmt.Sprint(seed))
		} else {
			assert.ErrorContains(t, err, want, text)
		}
	}
	assert.ErrorContains(t, (&whole[int64]{&job, 0}).Set("9223372036854775808"), "use a number up to 9223372036854775807")
}
