package explain

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

var update = flag.Bool("update", false, "rewrite the stories; read the difference")

// The story of a worker that freezes under its lease: every line can be checked
// by hand against the scenario.
const frozen = `
name: frozen
run: {duration: 2m, replications: 3}
queues: {q: {lease: 10s}}
services: {ledger: {}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, key: order-1, steps: [work: 4s, write: ledger]}}
events: {gc: {at: 3s, pause: workers.w/1, for: 20s}}
variants:
  longer: {queues.q.lease: 60s}
  keyed: {services.ledger.checks: key}
  shorter: {queues.q.lease: 5s}
`

// The story of a false failover: the monitor bears 5 s of silence, a worker that
// works on a job freezes for 8 s.
const silence = `
name: silence
run: {duration: 2m}
queues: {q: {lease: none, session: health}}
monitors: {health: {watches: workers.w, heartbeat: 1s, suspect: 5s, check: 1s}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, key: order-1, steps: [work: 10s]}}
events: {gc: {at: 3500ms, pause: workers.w/1, for: 8s}, elsewhere: {at: 40s, for: 5s, pause: workers.w/2}}
variants:
  patient: {monitors.health.suspect: 20s}
  calm: {events.gc: none}
`

// Two believe that they own a lock: the first freezes while it works, its lease
// runs out, and another is granted the lock and goes on for longer.
const believed = `
name: believed
run: {duration: 1m}
locks: {l: {lease: {length: 5s, renew: 2s}}, other: {}}
services: {ledger: {}}
workers: {w: {count: 2}}
jobs:
  a: {by: w, arrivals: [at 1s, at 4s], steps: [lock: l, work: 8s, write: {to: ledger, token: l}]}
events: {gc: {at: 2s, pause: workers.w/1, for: 10s}}
variants:
  longer: {locks.l.lease.length: 15s}
`

// Acknowledgements are lost for a while: the lease of what is done ends.
const unheardOf = `
name: unheard
run: {duration: 40s}
queues: {q: {lease: 10s}}
workers: {w: {}}
jobs: {pay: {queue: q, arrivals: at 1s, steps: [work: 2s]}}
events: {mute: {at: 2s, for: 5s, cut: {from: workers.w, to: queues.q, only: ack}}}
`

// The release of a lock is lost, and a renewal has no answer before that.
const kept = `
name: kept
run: {duration: 40s}
locks: {l: {lease: {length: 10s, renew: {every: 3s, timeout: 1s}}}}
workers: {w: {}}
jobs: {pay: {by: w, arrivals: at 1s times 2, steps: [lock: l, work: 5s]}}
events: {mute: {at: 3s, for: 5s, cut: {from: workers.w, to: locks.l, only: [renew, release]}}}
`

func TestStory(t *testing.T) {
	for _, c := range []struct {
		name, text, harm string
		job              int64
	}{
		{"frozen", frozen, "duplicate_effects", 0},
		{"silence", silence, "false_failovers", 0},
		{"believed", believed, "locks.l.overlap_s", 0},
		{"unheard", unheardOf, "queues.q.duplicate_starts", 0},
		{"unanswered", kept, "", 0},
		{"kept", kept, "", 1},
		{"through", through, "", 0},
	} {
		f, err := scenario.Parse(c.name+".yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		candidates := []Change{{Name: "two slots", Sets: []scenario.Assignment{{Path: "workers.w.slots", Value: "2"}}}}
		for _, v := range f.Variants[1:] {
			candidates = append(candidates, Change{Name: v, Variant: v})
		}
		story, err := Explain(f, Question{Variant: "base", Job: c.job, Harm: c.harm, Candidates: candidates})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/"+c.name+".txt", asText(story))
	}
}

// The steps of a service call another.
const through = `
name: through
run: {duration: 20s}
queues: {q: {lease: 30s}}
services: {front: {time: 10ms, steps: [call: back]}, back: {time: 1s}}
workers: {w: {}}
jobs: {pay: {queue: q, arrivals: at 1s, steps: [call: front]}}
`

// Ninety-six calls and the renewals beside them are a line each; the harm among
// the calls stands in full.
const steady = `
name: steady
run: {duration: 5m}
queues: {q: {lease: {length: 10s, renew: 3s}}}
services: {ledger: {time: 10ms}, mail: {time: 10ms}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, key: order-1, steps: [repeat: {times: 96, steps: [work: 500ms, call: ledger]}, write: mail]}}
events: {gc: {at: 20s, pause: workers.w/1, for: 20s}}
`

func TestDigest(t *testing.T) {
	f, err := scenario.Parse("steady.yaml", []byte(steady))
	if err != nil {
		t.Fatal(err)
	}
	story, err := Explain(f, Question{Variant: "base", Harm: "jobs.pay.duplicate_starts"})
	if err != nil {
		t.Fatal(err)
	}
	if len(story.Lines) < 400 {
		t.Errorf("%d lines are no long story", len(story.Lines))
	}
	story.Lines = story.Digest()
	golden(t, "testdata/steady.txt", asText(story))
}

// asText is a story as the golden files have it.
func asText(story *Story) string {
	var b strings.Builder
	fmt.Fprintln(&b, story.Subject)
	for _, l := range story.Lines {
		fmt.Fprintf(&b, "%6v %s %s\n", l.At, l.Mark(), l.Text)
	}
	for _, trials := range []struct {
		how string
		all []Trial
	}{{"set off by", story.Causes}, {"prevented by", story.Prevented}, {"escaped by", story.Escaped}} {
		for _, t := range trials.all {
			fmt.Fprintf(&b, "%s %s %v: %d of %d, worse: %v\n", trials.how, t.Name, t.Sets, t.Left(), story.Counts[0].Times, story.Worse(t))
		}
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the story has changed:\n%s", name, got)
	}
}

func TestNothingToExplain(t *testing.T) {
	f, err := scenario.Parse("frozen.yaml", []byte(frozen))
	if err != nil {
		t.Fatal(err)
	}
	for want, q := range map[string]Question{
		"there is nothing to explain":  {Variant: "longer", Harm: "duplicate_effects"},
		"numbered from 0 in the order": {Variant: "base", Job: -1},
		"has no job 9":                 {Variant: "base", Job: 9},
		"explain knows":                {Variant: "base", Harm: "beauty"},
		"known: pay":                   {Variant: "base", Harm: "jobs.order.lost_jobs"},
		"is counted global, per queue, per service, per job type": {Variant: "base", Harm: "locks.l.duplicate_effects"},
		"nobody":                   {Variant: "nobody", Job: 0},
		"numbered from 0 to 99999": {Variant: "base", Job: 0, Replication: 1 << 63},
		"interrupted":              {Variant: "base", Job: 0, Interrupted: func() bool { return true }},
	} {
		if _, err := Explain(f, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", q, err, want)
		}
	}
}

// TestEveryKindHasItsSentence: what a story may tell it has words for, and what
// counts only is not told.
func TestEveryKindHasItsSentence(t *testing.T) {
	for k := history.None; k < history.Kinds; k++ {
		if _, told := sentences[k]; told == silent[k] {
			t.Errorf("%s (kind %d): write a sentence into sentences, or put it among the silent ones", k.Word(), k)
		}
	}
}
