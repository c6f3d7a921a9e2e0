package backpressure

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// PauseRule says when a worker stops taking work because too much of it
// fails, and for how long.
type PauseRule struct {
	// Failures is the share of failures, above 0 and up to 1, that pauses.
	Failures float64
	// Of is the least number of ended jobs that says anything; default 1.
	Of int
	// Within is the window that they must have ended in; 0 = the last Of jobs.
	Within time.Duration
	// For is the length of a pause.
	For time.Duration
}

// Check reports the first setting that cannot be meant.
func (r *PauseRule) Check() error {
	switch {
	case r.Failures == 0:
		return fmt.Errorf("backpressure: pause at a share of 0 failures; give more than 0")
	case r.For <= 0:
		return fmt.Errorf("backpressure: pause for %v; give a positive duration", r.For)
	}
	return checkShare("pause", r.Failures, r.Of, r.Within)
}

// Pause decides when to stop taking work and when to take it again.
type Pause struct {
	rule   *PauseRule
	window window
	since  policies.Instant
	paused bool
}

// Reset lets work in, under a checked rule.
func (p *Pause) Reset(rule *PauseRule) {
	p.rule, p.paused = rule, false
	p.window.reset(rule.Of, rule.Within)
}

// PauseInputKind says what happened to a Pause.
type PauseInputKind uint8

const (
	// Result: a job has ended.
	Result PauseInputKind = iota
	// PauseDue: the deadline may have come.
	PauseDue
)

// PauseInput is one thing that happened to a Pause.
type PauseInput struct {
	Kind   PauseInputKind
	Failed bool // of Result
}

// PauseCommand is one decision of a Pause.
type PauseCommand uint8

const (
	// Stop taking work.
	Stop PauseCommand = iota
	// Resume taking work.
	Resume
)

func (c PauseCommand) String() string { return [...]string{"stop", "resume"}[c] }

// Step takes one input and appends the decision, if any, to out. Jobs that end
// during a pause are not counted; the count starts anew after it.
func (p *Pause) Step(now policies.Instant, in PauseInput, out []PauseCommand) []PauseCommand {
	if p.paused {
		// A clock that was set back starts the pause anew.
		p.since = min(p.since, now)
		if now < p.Deadline() {
			return out
		}
		p.paused = false
		out = append(out, Resume)
	}
	if in.Kind != Result {
		return out
	}
	p.window.add(now, in.Failed)
	if !p.window.reaches(p.rule.Failures) {
		return out
	}
	p.paused, p.since = true, now
	p.window.reset(p.rule.Of, p.rule.Within)
	return append(out, Stop)
}

// Deadline is the end of the pause; Never while there is none.
func (p *Pause) Deadline() policies.Instant {
	if !p.paused {
		return policies.Never
	}
	return p.since.Add(p.rule.For)
}

// Paused reports whether no work is to be taken.
func (p *Pause) Paused() bool { return p.paused }
