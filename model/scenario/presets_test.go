package scenario

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPresets(t *testing.T) {
	commit := regexp.MustCompile(`@[0-9a-f]{10}`)
	var names []string
	var text strings.Builder
	for _, p := range Presets() {
		names = append(names, p.Name)
		assert.NotEmpty(t, p.Title)
		assert.NotEmpty(t, p.Lacks, "%s: no model is complete", p.Name)
		committed := 0
		for _, s := range p.Sources {
			if commit.MatchString(s.Where) {
				committed++
			}
		}
		if p.Kind != "policy" { // these are no system's
			assert.Positive(t, committed, "%s: a source with its commit", p.Name)
		}
		fmt.Fprintf(&text, "%s (%s)\n", p.Name, p.Kind)
		for _, v := range p.Values {
			fmt.Fprintf(&text, "  %s: %s\n", v.Path, v.Value)
		}
		for _, n := range p.Names {
			fmt.Fprintf(&text, "  %s is %s %s\n", n.Name, n.Is, n.Unit)
		}
		for _, add := range p.Adds {
			fmt.Fprintf(&text, "  adds %s\n", add.What)
		}
	}
	assert.Equal(t, []string{
		"aws-sdk-standard", "bullmq", "celery-redis", "consul-session", "critical", "etcd-lease-mutex", "kafka-classic",
		"kubernetes-lease", "medium", "nats-jetstream", "rabbitmq-quorum", "redis-set-nx-px", "simple", "sqs-standard",
	}, names)
	golden(t, "testdata/presets.txt", text.String())
}

// Every preset resolves in its place, and every own name can be set.
func TestPresetsResolve(t *testing.T) {
	for _, p := range Presets() {
		text := map[string]string{
			"queue":  "queues: {x: {preset: " + p.Name + "}}\njobs: {j: {queue: x, arrivals: at 0s}}\n",
			"lock":   "locks: {x: {preset: " + p.Name + "}}\njobs: {j: {by: w, arrivals: at 0s, steps: [lock: x]}}\n",
			"retry":  "services: {x: {retry: " + p.Name + "}}\njobs: {j: {by: w, arrivals: at 0s, steps: [call: x]}}\n",
			"policy": "queues: {q: {lease: 9s}}\nlocks: {l: {}}\nservices: {x: {}}\njobs: {j: {queue: q, arrivals: at 0s, steps: [lock: l, call: x]}}\n",
		}[p.Kind] + "workers: {w: {" + map[string]string{"policy": "policy: " + p.Name}[p.Kind] + "}}\n"
		path := map[string]string{"queue": "queues.x", "lock": "locks.x", "retry": "services.x.retry"}[p.Kind]
		parse(t, text)
		for _, n := range p.Names {
			if strings.HasPrefix(n.Is, "=") || n.Name == "BackOff" {
				continue // computed, or a list of durations: see TestOwnNames
			}
			s := parse(t, text, Assignment{path + ".own." + n.Name, "12"})
			got, err := s.Setting(path + "." + n.Is)
			require.NoError(t, err)
			want := map[string]float64{"s": 12, "ms": 0.012, "": 12}[n.Unit]
			assert.Equal(t, want, got, "%s %s", p.Name, n.Name)
		}
	}
}

func TestOwnNames(t *testing.T) {
	s := parse(t, `
queues:
  a: {preset: sqs-standard, own: {VisibilityTimeout: 45, maxReceiveCount: 10}, attempts: {count: start}}
  b: {preset: nats-jetstream, own: {BackOff: [1s, 5s, 30s]}}
  c: {preset: rabbitmq-quorum, own: {consumer_timeout: 3h}, lease: {scope: message}}
  d: {preset: house}
presets:
  house: {kind: queue, title: our own, values: {lease: 7s, returns_to: back}, names: {hide: {is: lease.length, unit: s}}}
services: {s: {retry: {preset: aws-sdk-standard, attempts: 5}}}
workers: {w: {}}
jobs: {j: {queue: a, arrivals: at 0s}}
`)
	a := s.Queues[0]
	assert.Equal(t, "45s", a.Lease.Length[0].String())
	assert.Equal(t, Attempts{Limit: 10, Count: CountStart, Within: Forever}, a.Attempts)
	assert.Equal(t, 120_000, a.InFlight)
	assert.Len(t, s.Queues[1].Lease.Length, 3)
	c := s.Queues[2]
	assert.Equal(t, "3h", c.Lease.Length[0].String())
	assert.Equal(t, ScopeMessage, c.Lease.Scope)
	assert.Equal(t, Back, s.Queues[3].ReturnsTo)
	retry := s.Services[0].Retry
	assert.Equal(t, 5, retry.Attempts)
	assert.Equal(t, &Budget{Tokens: 500, Cost: 5, Earn: 1, RefundLast: true}, retry.Budget)
}

// What a preset leaves to the file can be said in the file: all that one entry
// of adds sets makes a scenario without mistakes.
func TestPresetsAddWhatTheLanguageHas(t *testing.T) {
	const around = `
queues: {jobs: {preset: PRESET}}
locks: {leader: {}}
services: {ledger: {retry: aws-sdk-standard}}
workers: {w: {}}
jobs: {job: {queue: jobs, arrivals: at 0s, steps: [lock: leader, write: {to: ledger, token: leader}]}}
`
	for _, p := range Presets() {
		text := []byte(strings.Replace(around, "PRESET", "none", 1))
		if p.Kind == "queue" || p.Kind == "lock" {
			var err error
			text, err = Starter(p.Name)
			require.NoError(t, err)
		}
		f, err := Parse(p.Name, text)
		require.NoError(t, err)
		for _, add := range p.added() {
			_, err := f.Resolve("base", add.Sets...)
			assert.NoError(t, err, "%s: %s", p.Name, add.What)
			assert.NotContains(t, p.Lacks, add.What)
		}
	}
}

func TestPartitionsNameWhoSetsTheOrder(t *testing.T) {
	const text = "queues: {q: {preset: kafka-classic, partitions: 12}}\nworkers: {w: {}}\njobs: {j: {queue: q, arrivals: at 0s}}\n"
	_, err := Parse("a.yaml", []byte(text))
	assert.ErrorContains(t, err, "a.yaml:1:49: queues.q.partitions: a queue with partitions has the order fifo and picks by turn; "+
		"order: key stands in preset kafka-classic:11, so write order: fifo")
	_, err = Parse("a.yaml", []byte(strings.Replace(text, "partitions: 12", "order: fifo, picks: first, partitions: 12", 1)))
	assert.ErrorContains(t, err, "; picks: first stands in a.yaml:1, so write picks: turn")
	_, err = Parse("a.yaml", []byte(strings.Replace(text, "partitions: 12", "order: fifo, partitions: 12", 1)))
	assert.NoError(t, err)
}

func TestStarters(t *testing.T) {
	for _, p := range Presets() {
		data, err := Starter(p.Name)
		if p.Kind == "retry" || p.Kind == "policy" {
			assert.ErrorContains(t, err, "and no system to start from: put "+p.line()+" into a scenario")
			continue
		}
		require.NoError(t, err)
		f, err := Parse(p.Name, data)
		require.NoError(t, err, string(data))
		assert.NotNil(t, f.Sweep)
		assert.NotEmpty(t, f.Expects)
		for _, n := range p.Names {
			if !strings.HasPrefix(n.Is, "=") {
				assert.Contains(t, string(data), "#   "+n.Name+" ")
			}
		}
	}
	for system, axis := range map[string]string{
		"sqs-standard":    "VisibilityTimeout: [30, 60, 120]   # s",
		"celery-redis":    "visibility_timeout: [900, 1800, 3600]   # s",       // twice as long is the run
		"kafka-classic":   "session.timeout.ms: [45000, 90000, 180000]   # ms", // the lease is for one that hangs
		"rabbitmq-quorum": "prefetch_count: [1, 10, 2000]   # messages",        // and the session has no own name
		"redis-set-nx-px": "PX: [30000, 60000, 120000]   # ms",
	} {
		data, err := Starter(system)
		require.NoError(t, err)
		assert.Contains(t, string(data), ".own."+axis+"\n")
	}
	short, err := Starter("sqs")
	require.NoError(t, err)
	golden(t, "testdata/starter.yaml", string(short))
	kafka, err := Starter("kafka-classic")
	require.NoError(t, err)
	assert.NotContains(t, string(kafka), "queues.jobs.partitions", "what the file says already is not told again")
	for _, wrong := range []string{"", "k", "sqs-fifo"} {
		_, err := Starter(wrong)
		assert.ErrorContains(t, err, "systems: bullmq, celery-redis")
	}
}
