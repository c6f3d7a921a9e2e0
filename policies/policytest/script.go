package policytest

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Script is a list of inputs with their instants, and the decisions expected.
type Script struct{ lines []line }

// line is one line of the file: a comment or blank, or an input and the log
// that it is to bring forth.
type line struct {
	text  string // as written
	at    policies.Instant
	words []string // empty for comments and blanks
	want  []string
}

// Parse reads a script. Errors name the line.
func Parse(text string) (*Script, error) {
	var s Script
	for i, raw := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(raw, indent) {
			if len(s.lines) == 0 || len(s.lines[len(s.lines)-1].words) == 0 {
				return nil, fmt.Errorf("line %d: a log line must follow its input", i+1)
			}
			last := &s.lines[len(s.lines)-1]
			last.want = append(last.want, raw[len(indent):])
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		s.lines = append(s.lines, l)
	}
	return &s, nil
}

const indent = "    "

func parseLine(raw string) (line, error) {
	l := line{text: raw}
	words := strings.Fields(raw)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return l, nil
	}
	if len(words) < 2 || words[0] != "at" && words[0] != "until" {
		return l, fmt.Errorf("%q: want `at INSTANT INPUT…` or `until INSTANT`", raw)
	}
	at, err := time.ParseDuration(words[1])
	if err != nil {
		return l, err
	}
	l.at = policies.Instant(at)
	if words[0] == "until" {
		l.words = words[:1]
	} else {
		l.words = words[2:]
	}
	if len(l.words) == 0 {
		return l, fmt.Errorf("%q: no input", raw)
	}
	return l, nil
}

// Input is one input of a script.
type Input struct {
	At    policies.Instant
	Words []string // the input's name and its arguments; "until" has none
}

// Inputs lists the inputs in the order of the file: what another driver of the
// same machine has to replay.
func (s *Script) Inputs() []Input {
	var inputs []Input
	for _, l := range s.lines {
		if len(l.words) > 0 {
			inputs = append(inputs, Input{l.at, l.words})
		}
	}
	return inputs
}

// Twin reports the first input that is unfit for a script whose log must be
// the same whatever drives the machine: each needs an instant of its own,
// later than the one before, and not one of the deadlines in the log.
func (s *Script) Twin() error {
	deadlines := map[string]bool{}
	for _, l := range s.lines {
		for _, w := range l.want {
			if at, ok := strings.CutPrefix(w, deadlineMark); ok {
				deadlines[at] = true
			}
		}
	}
	for i, in := range s.Inputs() {
		if i > 0 && in.At <= s.Inputs()[i-1].At {
			return fmt.Errorf("input %q at %s: not later than the one before", in.Words, Text(in.At))
		}
		if deadlines[Text(in.At)] {
			return fmt.Errorf("input %q at %s: a deadline falls on this instant", in.Words, Text(in.At))
		}
	}
	return nil
}

// Text is an instant as scripts write it.
func Text(i policies.Instant) string {
	if i == policies.Never {
		return "never"
	}
	return time.Duration(i).String()
}
