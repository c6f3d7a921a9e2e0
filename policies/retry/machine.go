package retry

import (
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Machine decides the retries of one request. It is ready after Reset and may
// be reset for the next request.
type Machine struct {
	rule    *Rule
	budget  *Budget
	begun   policies.Instant
	since   policies.Instant // start of the present wait
	wait    time.Duration    // length of the present or last wait
	paid    int64            // what the present retry took from the budget
	attempt int32
	state   state
}

type state uint8

const (
	idle state = iota // before Begin, and after the end
	trying
	waiting
)

// Reset prepares the machine for one request under a checked rule. The budget
// is shared with the owner's other requests; nil = retries are not rationed.
func (m *Machine) Reset(rule *Rule, budget *Budget) {
	*m = Machine{rule: rule, budget: budget}
}

// InputKind says what happened.
type InputKind uint8

const (
	// Begin starts the request.
	Begin InputKind = iota
	// Failed is a negative or missing answer to the current attempt.
	Failed
	// Succeeded is a positive answer to the current attempt.
	Succeeded
	// Due says that the deadline may have come.
	Due
)

// Input is one thing that happened.
type Input struct {
	Kind  InputKind
	Class policies.Class // of Failed
	// Delay, of Failed: if positive it stands in for the rule's delay, before
	// cap and jitter: drawn by the driver from a distribution, computed from a
	// formula, or asked for by the server.
	Delay  time.Duration
	Chance policies.Chance // of Failed: the luck of the wait that may follow
}

// CommandKind says what to do.
type CommandKind uint8

const (
	// Attempt: make attempt number Attempt now.
	Attempt CommandKind = iota
	// Retry: attempt number Attempt follows after Wait, at Deadline.
	Retry
	// GiveUp: the request has failed for good, for Reason.
	GiveUp
)

// Reason says why a request was given up.
type Reason uint8

const (
	// Class: errors of this class are not retried.
	Class Reason = iota
	// Attempts: as many as the rule allows have been made.
	Attempts
	// Elapsed: the next one would begin too late.
	Elapsed
	// NoBudget: the owner's retry budget is spent.
	NoBudget
)

func (r Reason) String() string {
	return [...]string{"class", "attempts", "elapsed", "budget"}[r]
}

// Command is one decision.
type Command struct {
	Kind    CommandKind
	Attempt int32         // of Attempt and Retry: 1 is the first
	Wait    time.Duration // of Retry
	Reason  Reason        // of GiveUp
}

// Step takes one input and appends the decisions to out. An input that does
// not fit the machine's state (an answer while it waits, a tick before the
// deadline) decides nothing.
func (m *Machine) Step(now policies.Instant, in Input, out []Command) []Command {
	// A clock that was set back starts the wait anew: it is never cut short,
	// nor stretched by the size of the jump.
	m.since = min(m.since, now)
	switch {
	case in.Kind == Begin && m.state == idle && m.attempt == 0:
		m.begun = now
		if m.budget != nil {
			m.budget.Begin()
		}
		return m.try(out)
	case in.Kind == Failed && m.state == trying:
		return m.failed(now, in, out)
	case in.Kind == Succeeded && m.state == trying:
		m.state = idle
		if m.budget != nil {
			m.budget.Succeed(m.attempt == 1, m.paid)
		}
	case in.Kind == Due && m.state == waiting && now >= m.Deadline():
		return m.try(out)
	}
	return out
}

func (m *Machine) failed(now policies.Instant, in Input, out []Command) []Command {
	if !m.rule.retries(in.Class) {
		return m.giveUp(Class, out)
	}
	if m.rule.Attempts > 0 && int(m.attempt) >= m.rule.Attempts {
		return m.giveUp(Attempts, out)
	}
	wait := m.nextWait(in)
	if m.rule.Elapsed > 0 && now.Add(wait) > m.begun.Add(m.rule.Elapsed) {
		return m.giveUp(Elapsed, out)
	}
	// The budget comes last: a retry that is not made costs nothing.
	if m.budget != nil {
		paid, ok := m.budget.Withdraw(now)
		if !ok {
			return m.giveUp(NoBudget, out)
		}
		m.paid = paid
	}
	m.wait = wait
	if wait == 0 {
		return m.try(out)
	}
	m.since, m.state = now, waiting
	return append(out, Command{Kind: Retry, Attempt: m.attempt + 1, Wait: wait})
}

func (m *Machine) nextWait(in Input) time.Duration {
	if in.Delay > 0 {
		return m.rule.spread(float64(in.Delay), m.wait, in.Chance)
	}
	return m.rule.Wait(int(m.attempt), m.wait, in.Chance)
}

func (m *Machine) try(out []Command) []Command {
	m.attempt++
	m.state = trying
	return append(out, Command{Kind: Attempt, Attempt: m.attempt})
}

func (m *Machine) giveUp(why Reason, out []Command) []Command {
	m.state = idle
	return append(out, Command{Kind: GiveUp, Reason: why})
}

// Deadline is the instant of the next attempt; Never while none is waited for.
func (m *Machine) Deadline() policies.Instant {
	if m.state != waiting {
		return policies.Never
	}
	return m.since.Add(m.wait)
}

// Attempt is the number of attempts made so far.
func (m *Machine) Attempt() int { return int(m.attempt) }

func (r *Rule) retries(c policies.Class) bool {
	if r.Only == 0 {
		return c == policies.Transient
	}
	return r.Only.Has(c)
}
