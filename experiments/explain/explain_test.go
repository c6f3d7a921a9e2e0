package explain

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

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

func TestStory(t *testing.T) {
	f, err := scenario.Parse("frozen.yaml", []byte(frozen))
	if err != nil {
		t.Fatal(err)
	}
	story, err := Explain(f, Question{Variant: "base", Job: -1, Harm: "duplicate_effects", Candidates: []Change{
		{Name: "longer", Variant: "longer"}, {Name: "keyed", Variant: "keyed"}, {Name: "shorter", Variant: "shorter"},
		{Name: "two slots", Sets: []scenario.Assignment{{Path: "workers.w.slots", Value: "2"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	fmt.Fprintln(&got, story.Subject)
	for _, l := range story.Lines {
		fmt.Fprintf(&got, "%v %v %s\n", l.At, l.Context, l.Text)
	}
	for _, c := range story.Prevented {
		fmt.Fprintln(&got, "prevented by", c.Name)
	}
	const golden = "testdata/frozen.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the story has changed:\n%s", got.String())
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
	} {
		if _, err := Explain(f, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", q, err, want)
		}
	}
}
