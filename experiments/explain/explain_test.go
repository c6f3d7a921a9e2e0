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

func TestStory(t *testing.T) {
	for _, c := range []struct{ name, text, harm string }{
		{"frozen", frozen, "duplicate_effects"},
		{"silence", silence, "false_failovers"},
	} {
		f, err := scenario.Parse(c.name+".yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		candidates := []Change{{Name: "two slots", Sets: []scenario.Assignment{{Path: "workers.w.slots", Value: "2"}}}}
		for _, v := range f.Variants[1:] {
			candidates = append(candidates, Change{Name: v, Variant: v})
		}
		story, err := Explain(f, Question{Variant: "base", Job: -1, Harm: c.harm, Candidates: candidates})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/"+c.name+".txt", asText(story))
	}
}

// asText is a story as the golden files have it.
func asText(story *Story) string {
	var b strings.Builder
	fmt.Fprintln(&b, story.Subject)
	for _, l := range story.Lines {
		fmt.Fprintf(&b, "%6v %s %s\n", l.At, l.Mark(), l.Text)
	}
	for _, c := range story.Prevented {
		fmt.Fprintf(&b, "prevented by %s %v: %d of %d, worse: %v\n", c.Name, c.Sets, c.Left(story.Harm), story.Times(story.Harm), story.Worse(c))
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
		"there is nothing to explain": {Variant: "longer", Job: -1, Harm: "duplicate_effects"},
		"has no job 9":                {Variant: "base", Job: 9},
		"explain knows":               {Variant: "base", Job: -1, Harm: "beauty"},
		"nobody":                      {Variant: "nobody", Job: 0},
		"numbered from 0 to 99999":    {Variant: "base", Job: 0, Replication: 1 << 63},
		"interrupted":                 {Variant: "base", Job: 0, Interrupted: func() bool { return true }},
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
