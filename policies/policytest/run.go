package policytest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tenggat/tenggat/policies"
)

// Machine is what a script drives: a policy, or a store, behind words.
type Machine interface {
	// Input carries out one input and returns the decisions, a text for each.
	Input(now policies.Instant, words []string) ([]string, error)
	// Tick steps the machine at its deadline and returns the decisions.
	Tick(now policies.Instant) []string
	// Deadline is the instant at which it wants its next Tick, asked for after
	// the first input; a machine without time says policies.Never.
	Deadline() policies.Instant
}

var update = flag.Bool("update", false, "rewrite the expected logs of policy scripts")

// Run plays every script that matches the pattern against a fresh machine and
// compares the logs. With -update it rewrites the scripts instead; a person
// then reads the difference.
func Run(t *testing.T, pattern string, fresh func() Machine) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no script matches %s (%v)", pattern, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			script, err := Parse(string(text))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got, err := script.Play(fresh())
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if got == string(text) {
				return
			}
			if !*update {
				t.Errorf("%s: %s\nif this is meant, run with -update and read the difference", path, firstDifference(string(text), got))
			} else if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Play drives the machine through the script, firing deadlines on the way, and
// returns the script with the log that came out. At one instant inputs come
// before deadlines: a message received at a deadline beats it.
func (s *Script) Play(m Machine) (string, error) {
	p := player{machine: m, armed: policies.Never}
	for i, l := range s.lines {
		if next, ok := s.next(i); ok && p.begun {
			// Deadlines before the next input belong to the lines above.
			if err := p.pass(next); err != nil {
				return "", fmt.Errorf("line %q: %w", l.text, err)
			}
		}
		p.out.WriteString(l.text + "\n")
		if len(l.words) == 0 || l.words[0] == "until" {
			continue
		}
		p.begun = true
		decisions, err := m.Input(l.at, l.words)
		if err != nil {
			return "", fmt.Errorf("line %q: %w", l.text, err)
		}
		p.log(l.at, decisions)
	}
	return p.out.String(), nil
}

// next is the instant of the first input at or after line i.
func (s *Script) next(i int) (policies.Instant, bool) {
	for _, l := range s.lines[i:] {
		if len(l.words) > 0 {
			return l.at, true
		}
	}
	return 0, false
}

type player struct {
	machine Machine
	begun   bool             // an input has come; no machine is asked before
	armed   policies.Instant // the deadline last logged
	out     strings.Builder
}

// pass fires the deadlines before an instant. A machine whose deadline stays
// where it is without a decision would be stepped for ever: that is an error.
func (p *player) pass(before policies.Instant) error {
	for at := p.machine.Deadline(); at < before; at = p.machine.Deadline() {
		decisions := p.machine.Tick(at)
		if len(decisions) == 0 && p.machine.Deadline() <= at {
			return fmt.Errorf("the deadline at %s was reached and is still set", Text(at))
		}
		p.log(at, decisions)
	}
	return nil
}

const deadlineMark = "deadline "

func (p *player) log(now policies.Instant, decisions []string) {
	for _, d := range decisions {
		fmt.Fprintf(&p.out, "%s%s %s\n", indent, Text(now), d)
	}
	if at := p.machine.Deadline(); at != p.armed {
		p.armed = at
		fmt.Fprintf(&p.out, "%s%s%s\n", indent, deadlineMark, Text(at))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d: want %q, got %q", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(w), len(g))
}
