package policytest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// alarm rings once, a given time after it was set.
type alarm struct {
	due   policies.Instant
	stuck bool
}

func (a *alarm) Input(now policies.Instant, words []string) ([]string, error) {
	args := NewArgs(words[1:])
	switch words[0] {
	case "set":
		a.due = now.Add(args.Duration("after"))
		return []string{"set"}, args.Err()
	case "look":
		return []string{Text(a.due)}, args.Err()
	}
	return nil, errors.New("unknown input")
}

func (a *alarm) Tick(policies.Instant) []string {
	if a.stuck {
		return nil
	}
	a.due = policies.Never
	return []string{"ring"}
}

func (a *alarm) Deadline() policies.Instant { return a.due }

const played = `# an alarm
at 0s set after=2s
    0s set
    deadline 2s

at 2s look
    2s 2s
    2s ring
    deadline never
at 3s look
    3s never
at 1s set after=1m
    1s set
    deadline 1m1s
    1m1s ring
    deadline never
until 2m
`

func TestPlayIsWhatWasPlayed(t *testing.T) {
	bare := ""
	for line := range strings.Lines(played) {
		if !strings.HasPrefix(line, indent) {
			bare += line
		}
	}
	for _, text := range []string{played, bare} {
		script, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := script.Play(&alarm{due: policies.Never})
		if err != nil {
			t.Fatal(err)
		}
		if got != played {
			t.Errorf("got:\n%s", got)
		}
	}
}

func TestRun(t *testing.T) {
	Run(t, "testdata/*.txt", func() Machine { return &alarm{due: policies.Never} })
}

func TestMistakesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"    0s set":           "line 1: a log line must follow its input",
		"on 0s set":            "want `at INSTANT INPUT…`",
		"at noon set":          "invalid duration",
		"at 0s":                "no input",
		"at 0s jump":           "unknown input",
		"at 0s set before=1s":  `unknown argument "before"`,
		"at 0s set after=soon": "after: time: invalid duration",
	} {
		script, err := Parse(text)
		if err == nil {
			_, err = script.Play(&alarm{due: policies.Never})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
}

func TestStuckDeadlineIsAnError(t *testing.T) {
	script, err := Parse("at 0s set after=1s\nuntil 2s\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := script.Play(&alarm{stuck: true}); err == nil {
		t.Error("a machine that never moves its deadline was played to the end")
	}
}

func TestTwin(t *testing.T) {
	for text, ok := range map[string]bool{
		"at 0s a\nat 1s b\n":                    true,
		"at 0s a\nat 0s b\n":                    false,
		"at 1s a\nat 0s b\n":                    false,
		"at 0s a\n    deadline 1s\nat 1s b\n":   false,
		"at 0s a\n    deadline 1.5s\nat 1s b\n": true,
	} {
		script, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := script.Twin(); (err == nil) != ok {
			t.Errorf("%q: Twin() = %v, want ok %v", text, err, ok)
		}
	}
}

func TestArgs(t *testing.T) {
	a := NewArgs(strings.Fields("n=3 share=0.5 waits=1s,2s kind=late flag"))
	if n, share := a.Int("n"), a.Float("share"); n != 3 || share != 0.5 {
		t.Errorf("n %d, share %v", n, share)
	}
	if w := a.Durations("waits"); len(w) != 2 || w[1] != 2*time.Second {
		t.Errorf("waits %v", w)
	}
	if k := a.Choice("kind", "early", "late"); k != 1 || !a.Has("flag") || a.Has("other") {
		t.Errorf("kind %d", k)
	}
	if err := a.Err(); err != nil {
		t.Error(err)
	}
}
