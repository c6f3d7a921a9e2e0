package metric

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestCatalogueIsComplete(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)?$`)
	for _, e := range Catalogue() {
		if !name.MatchString(e.Name) {
			t.Errorf("%q is no name", e.Name)
		}
		if e.Unit == "" || e.Meaning == "" || e.Indonesian == "" || e.Label == "" || len(e.Scopes.Words()) == 0 {
			t.Errorf("%s lacks something: %+v", e.Name, e)
		}
		if e.Meaning == e.Indonesian {
			t.Errorf("%s means the same in both languages", e.Name)
		}
		sources := 0
		for _, there := range []bool{e.counter != noCounter, e.dist != noDist, e.ratio != nil, e.total != nil} {
			if there {
				sources++
			}
		}
		if sources != 1 {
			t.Errorf("%s has %d sources of its value, want one", e.Name, sources)
		}
		if e.counter != noCounter && e.word == "" {
			t.Errorf("%s has no word for its first and last", e.Name)
		}
		if strings.HasSuffix(e.Name, "_s") && !strings.HasSuffix(e.Name, "_per_s") && e.Unit != "s" ||
			strings.HasSuffix(e.Name, "_per_s") && e.Unit != "1/s" {
			t.Errorf("%s is in %q", e.Name, e.Unit)
		}
	}
}

// Every column comes from an entry, has its unit, and has a name of its own.
func TestEveryColumnHasAnEntry(t *testing.T) {
	m := New(world(), Window{0, 0, time.Second}, Want{})
	seen := map[string]bool{}
	for i, c := range m.Columns() {
		if seen[c.Name] {
			t.Errorf("two columns %s", c.Name)
		}
		seen[c.Name] = true
		if c.Unit == "" || !strings.HasPrefix(c.Help, m.cells[i].entry.Meaning) {
			t.Errorf("%+v lacks a unit or a meaning", c)
		}
	}
	for _, e := range Catalogue() {
		column := e.Name
		if e.Shape == Distribution {
			column += ".p99"
		}
		found := seen[column]
		for _, prefix := range []string{"queues.q.", "services.s.", "events.e.", "workers.w.", "alerts.a."} {
			found = found || seen[prefix+column]
		}
		if !found {
			t.Errorf("%s is in the catalogue and no column of a scenario that has everything", e.Name)
		}
	}
}

// Every counter has an entry, or is named as part of others.
func TestEveryCounterIsShown(t *testing.T) {
	shown := map[counter]bool{}
	for _, e := range entries {
		shown[e.counter] = true
	}
	for c := noCounter + 1; c < counters; c++ {
		if c >= secondStarts && c <= probes || c == orphansLeft {
			continue
		}
		if !shown[c] {
			t.Errorf("counter %d has no entry", c)
		}
	}
}

func TestTheCatalogueCannotBeChanged(t *testing.T) {
	Catalogue()[0].Name = "spoilt"
	if Catalogue()[0].Name == "spoilt" {
		t.Error("the catalogue was changed from outside")
	}
}

func TestFigureLabels(t *testing.T) {
	want := map[string]string{"wait_s": "wait [s]", "starts": "starts", "duplicate_rate": "duplicate rate [share]",
		"false_failover_per_day": "false failover [1/day]", "goodput_per_s": "goodput [1/s]", "queue_depth.max": "queue depth max"}
	for _, e := range Catalogue() {
		if label, ok := want[e.Name]; ok && e.Label != label {
			t.Errorf("%s has the label %q, want %q", e.Name, e.Label, label)
		}
	}
}
