package model

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
)

var update = flag.Bool("update", false, "rewrite the expected facts in testdata")

// TestTimelines runs the scenarios of testdata/*.txt and compares what happened
// with what the file says. Each case is
//
//	== name [: only WORD… | : also WORD…]
//	# the arithmetic by hand
//	YAML
//	--
//	one line per fact
//
// Levels, beliefs, states and heartbeats are left out unless the head asks for
// them. A file that was rewritten with -update is to be read by a person: the
// comments above the scenario say what must come out.
func TestTimelines(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no timelines: %v", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var rewritten strings.Builder
		preamble, cases := readCases(t, path, string(text))
		rewritten.WriteString(preamble)
		for _, c := range cases {
			got := c.play(t, path)
			fmt.Fprintf(&rewritten, "== %s\n%s--\n%s", c.head, c.yaml, got)
			if !*update && got != c.want {
				t.Errorf("%s: %s: the facts differ\n%s", path, c.head, firstDifference(c.want, got))
			}
		}
		if *update && rewritten.String() != string(text) {
			if err := os.WriteFile(path, []byte(rewritten.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// timeline is one case of a file.
type timeline struct{ head, yaml, want string }

func readCases(t *testing.T, path, text string) (preamble string, cases []timeline) {
	parts := strings.Split("\n"+text, "\n== ")
	for _, part := range parts[1:] {
		head, rest, _ := strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
		yaml, want, found := strings.Cut(rest, "\n--\n")
		if !found {
			t.Fatalf("%s: %s: no line -- between the scenario and the facts", path, head)
		}
		cases = append(cases, timeline{head: head, yaml: yaml + "\n", want: want})
	}
	return strings.TrimPrefix(parts[0]+"\n", "\n"), cases
}

// play runs a case and tells what happened.
func (c *timeline) play(t *testing.T, path string) string {
	t.Helper()
	sc := resolve(t, path+": "+c.head, c.yaml)
	s := &story{names: Names(sc), locks: map[uint64]int{}}
	_, choice, _ := strings.Cut(c.head, ": ")
	how, words, _ := strings.Cut(choice, " ")
	quiet := []history.Kind{history.Level, history.Believe, history.Became, history.Beat, history.Done, history.EventBegin, history.EventEnd}
	for k := history.None; k < history.Kinds; k++ {
		named := slices.Contains(strings.Fields(words), k.Word())
		s.tells[k] = named || how != "only" && !slices.Contains(quiet, k)
	}
	sc.Run.MaxEvents = 100_000 // a model that feeds itself is found soon
	w := newWorld(sc, Options{}, []history.Observer{s})
	w.start()
	if err := w.sim.Run(w.from.Add(sc.Run.Duration)); err != nil {
		t.Errorf("%s: %s: %v", path, c.head, err)
	}
	w.close()
	return s.text.String()
}

func resolve(t testing.TB, name, yaml string, sets ...scenario.Assignment) *scenario.Scenario {
	t.Helper()
	f, err := scenario.Parse(name, []byte(yaml))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sc, err := f.Resolve("base", sets...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return sc
}

// story writes facts as lines.
type story struct {
	names history.Names
	tells [history.Kinds]bool
	locks map[uint64]int // names by their first appearance
	text  strings.Builder
}

// durations says of which kinds the value is a number of nanoseconds.
var durations = []history.Kind{history.Notice, history.Found, history.Start, history.Complete, history.Ack, history.Retry, history.Grant, history.Release, history.OrphanEnd,
	history.LockTimeout, history.Suspect, history.Trust, history.Beat, history.Resume, history.Served, history.TimeOut, history.TakeOver, history.Done, history.Elect, history.Hit, history.Fill}

func (s *story) Observe(f *history.Fact) {
	if !s.tells[f.Kind] {
		return
	}
	fmt.Fprintf(&s.text, "%9v %s", time.Duration(f.At), f.Kind.Word())
	if p := s.place(f.Place); p != "" {
		s.text.WriteString(" " + p)
	}
	if f.Place.Noun == history.Lock && f.Key != 0 {
		if s.locks[f.Key] == 0 {
			s.locks[f.Key] = len(s.locks) + 1
		}
		fmt.Fprintf(&s.text, " name%d", s.locks[f.Key])
	}
	if f.Job >= 0 {
		fmt.Fprintf(&s.text, " %s#%d", s.names.Jobs[f.Type].Name, f.Job)
	}
	if f.Group >= 0 {
		fmt.Fprintf(&s.text, " %s", s.names.Groups[f.Group].Name)
		if f.Process >= 0 {
			fmt.Fprintf(&s.text, "/%d", f.Process+1)
		}
	}
	if f.Delivery > 0 {
		fmt.Fprintf(&s.text, " delivery=%d", f.Delivery)
	}
	if f.Attempt > 0 {
		fmt.Fprintf(&s.text, " attempt=%d", f.Attempt)
	}
	if f.Token > 0 {
		fmt.Fprintf(&s.text, " token=%d", f.Token)
	}
	switch {
	case f.Kind == history.Became:
		fmt.Fprintf(&s.text, " %v", worker.State(f.Value))
	case f.Value == -1 && f.Kind != history.Believe && f.Kind != history.Level:
	case slices.Contains(durations, f.Kind):
		fmt.Fprintf(&s.text, " %v", time.Duration(f.Value))
	case f.Value != 0:
		fmt.Fprintf(&s.text, " %d", f.Value)
	}
	s.text.WriteString("\n")
}

func (s *story) place(p history.Place) string {
	switch p.Noun {
	case history.Queue:
		return s.names.Queues[p.Index].Name
	case history.Lock:
		return s.names.Locks[p.Index]
	case history.Service:
		return s.names.Services[p.Index].Name
	case history.Cache:
		return s.names.Caches[p.Index]
	case history.Monitor:
		return s.names.Monitors[p.Index]
	case history.Event:
		return s.names.Events[p.Index]
	}
	return ""
}

// firstDifference shows where two texts part, with the lines before it.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return fmt.Sprintf("%s\nwant %s\ngot  %s", strings.Join(b[max(0, n-5):n], "\n"), strings.Join(a[n:min(len(a), n+3)], "\n     "), strings.Join(b[n:min(len(b), n+3)], "\n     "))
}
