package backpressure

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// BreakerRule says when a breaker opens, for how long, and what closes it.
type BreakerRule struct {
	// Consecutive failures that open it; 0 = this many never do.
	Consecutive int
	// Share of failures, 0 to 1, that opens it once at least Of calls have
	// ended within Within; 0 = no share does. With Within 0 the window is the
	// last Of calls instead, however old.
	Share  float64
	Of     int // default 1
	Within time.Duration
	// Opens holds the length of the k-th open period; the last one repeats.
	Opens []time.Duration
	// Probes is the number of calls let through half-open; 0 = 1. Unlimited lets
	// every call through, and then one success closes it.
	Probes int
	// ProbeLimit is the longest half-open period: then it opens again; 0 = none,
	// and a probe whose end is never told keeps it half-open for ever.
	ProbeLimit time.Duration
	// ReopenRatio judges the probes as Share judges calls: when all of them, and
	// at least Of, have ended, it opens again if the share of failures among them
	// is at least Share, else closes. With fewer Probes than Of that is never, and
	// only ProbeLimit ends the half-open state (opossum issue 119). Without, the
	// first failure of a probe opens it, and Probes successes close it.
	ReopenRatio bool
	// CountOld: the end of a call that was allowed in an earlier state counts
	// as one of the present state. Without, it is ignored.
	CountOld bool
}

// Unlimited is a number of probes without bound.
const Unlimited = math.MaxInt

// Check reports the first setting that cannot be meant.
func (r *BreakerRule) Check() error {
	switch {
	case r.Consecutive < 0:
		return fmt.Errorf("backpressure: breaker opens on %d consecutive failures; give 1 or more, or 0 for never", r.Consecutive)
	case r.Consecutive == 0 && r.Share == 0:
		return fmt.Errorf("backpressure: breaker never opens; give Consecutive or Share")
	case len(r.Opens) == 0:
		return fmt.Errorf("backpressure: breaker has no open period; give Opens at least one duration")
	case r.Probes < 0:
		return fmt.Errorf("backpressure: breaker lets %d probes through; give 1 or more, or 0 for 1", r.Probes)
	case r.ProbeLimit < 0:
		return fmt.Errorf("backpressure: breaker is half-open for at most %v; give a positive duration, or 0 for no limit", r.ProbeLimit)
	case r.ReopenRatio && r.Share == 0:
		return fmt.Errorf("backpressure: breaker reopens by ratio but has no Share to compare with")
	}
	for k, d := range r.Opens {
		if d <= 0 {
			return fmt.Errorf("backpressure: breaker's open period %d is %v; give a positive duration", k+1, d)
		}
	}
	return checkShare("breaker", r.Share, r.Of, r.Within)
}

// State is where a breaker stands.
type State uint8

const (
	// StateClosed lets calls through and counts their ends.
	StateClosed State = iota
	// StateOpen refuses every call.
	StateOpen
	// StateHalfOpen lets a few probes through and refuses the rest.
	StateHalfOpen
)

func (s State) String() string { return [...]string{"closed", "open", "half-open"}[s] }

// Breaker decides which calls to a dependency are let through.
type Breaker struct {
	rule    *BreakerRule
	state   State
	epoch   uint32           // number of state changes: the name of this state
	since   policies.Instant // when the state began
	length  time.Duration    // of the present open period
	opens   int              // open periods so far
	failing int              // consecutive failures, in closed state
	window  window           // ends of calls, in closed state
	asked   int              // probes let through, in half-open state
	ended   int              // probes that have ended
	failed  int              // probes that have failed
}

// Reset closes the breaker, under a checked rule.
func (b *Breaker) Reset(rule *BreakerRule) {
	window := b.window
	*b = Breaker{rule: rule, window: window}
	if rule.Share > 0 {
		b.window.reset(rule.Of, rule.Within)
	}
}

// InputKind says what happened to a breaker.
type InputKind uint8

const (
	// Ask: a call would like to go.
	Ask InputKind = iota
	// Done: a call that was allowed has ended.
	Done
	// Tick: the deadline may have come.
	Tick
)

// Input is one thing that happened to a breaker.
type Input struct {
	Kind  InputKind
	Epoch uint32 // of Done: as in the Allow that let the call go
	// Class, of Done: OK is a success, every other class a failure.
	Class policies.Class
	// Open, of Done and Tick: if positive, the length of the open period that
	// may begin now, drawn by the driver in place of the rule's.
	Open time.Duration
}

// CommandKind says what to do.
type CommandKind uint8

const (
	// Allow: let the call go.
	Allow CommandKind = iota
	// Refuse: fail the call at once, without calling.
	Refuse
	// Opened, HalfOpened and Closed: the breaker has changed its state.
	Opened
	HalfOpened
	Closed
)

func (k CommandKind) String() string {
	return [...]string{"allow", "refuse", "opened", "half-opened", "closed"}[k]
}

// Command is one decision of a breaker.
type Command struct {
	Kind  CommandKind
	Epoch uint32           // the state after this command
	Until policies.Instant // of Opened, and of Refuse while open: end of the open period
}

// Step takes one input and appends the decisions to out: for an Ask exactly
// one Allow or Refuse, after the change of state that it may cause.
func (b *Breaker) Step(now policies.Instant, in Input, out []Command) []Command {
	// A clock that was set back starts the period anew: it is never cut short,
	// nor stretched by the size of the jump.
	b.since = min(b.since, now)
	if b.state == StateHalfOpen && now >= b.Deadline() {
		out = b.open(now, in, out)
	}
	switch in.Kind {
	case Ask:
		return b.ask(now, out)
	case Done:
		if in.Epoch == b.epoch || b.rule.CountOld {
			return b.done(now, in, out)
		}
	}
	return out
}

func (b *Breaker) ask(now policies.Instant, out []Command) []Command {
	if b.state == StateOpen && now >= b.until() {
		out = b.enter(StateHalfOpen, now, Command{Kind: HalfOpened}, out)
	}
	switch {
	case b.state == StateClosed:
		return append(out, Command{Kind: Allow, Epoch: b.epoch})
	case b.state == StateHalfOpen && b.asked < orElse(b.rule.Probes, 1):
		b.asked++
		return append(out, Command{Kind: Allow, Epoch: b.epoch})
	case b.state == StateHalfOpen:
		return append(out, Command{Kind: Refuse, Epoch: b.epoch, Until: b.Deadline()})
	}
	return append(out, Command{Kind: Refuse, Epoch: b.epoch, Until: b.until()})
}

func (b *Breaker) done(now policies.Instant, in Input, out []Command) []Command {
	failed := in.Class != policies.OK
	switch {
	case b.state == StateClosed && b.trips(now, failed):
		return b.open(now, in, out)
	case b.state == StateHalfOpen:
		return b.probed(now, failed, in, out)
	}
	return out
}

// trips counts the end of a call in the closed state.
func (b *Breaker) trips(now policies.Instant, failed bool) bool {
	r := b.rule
	b.failing++
	if !failed {
		b.failing = 0
	}
	if r.Share > 0 {
		b.window.add(now, failed)
	}
	return r.Consecutive > 0 && b.failing >= r.Consecutive ||
		r.Share > 0 && b.window.reaches(r.Share)
}

// probed counts the end of a call in the half-open state.
func (b *Breaker) probed(now policies.Instant, failed bool, in Input, out []Command) []Command {
	b.ended++
	if failed {
		b.failed++
	}
	r := b.rule
	switch {
	case failed && !r.ReopenRatio:
		return b.open(now, in, out)
	case b.ended < r.judgedBy():
		return out
	case r.ReopenRatio && float64(b.failed) >= r.Share*float64(b.ended):
		return b.open(now, in, out)
	}
	b.failing = 0
	if r.Share > 0 {
		b.window.reset(r.Of, r.Within)
	}
	return b.enter(StateClosed, now, Command{Kind: Closed}, out)
}

// judgedBy is the number of ended probes that decides about the half-open state.
func (r *BreakerRule) judgedBy() int {
	n := orElse(r.Probes, 1)
	if n == Unlimited {
		n = 1
	}
	if r.ReopenRatio {
		n = max(n, orElse(r.Of, 1))
	}
	return n
}

func (b *Breaker) open(now policies.Instant, in Input, out []Command) []Command {
	b.opens++
	b.length = in.Open
	if b.length <= 0 {
		b.length = b.rule.Opens[min(b.opens, len(b.rule.Opens))-1]
	}
	return b.enter(StateOpen, now, Command{Kind: Opened, Until: now.Add(b.length)}, out)
}

func (b *Breaker) enter(s State, now policies.Instant, c Command, out []Command) []Command {
	b.state, b.since = s, now
	b.asked, b.ended, b.failed = 0, 0, 0
	b.epoch++
	c.Epoch = b.epoch
	return append(out, c)
}

func (b *Breaker) until() policies.Instant { return b.since.Add(b.length) }

// Deadline is the end of a limited half-open period; Never otherwise. The end
// of an open period is no deadline: the first Ask after it changes the state.
func (b *Breaker) Deadline() policies.Instant {
	if b.state != StateHalfOpen || b.rule.ProbeLimit == 0 {
		return policies.Never
	}
	return b.since.Add(b.rule.ProbeLimit)
}

// State is where the breaker stands.
func (b *Breaker) State() State { return b.state }

func orElse(value, standard int) int {
	if value == 0 {
		return standard
	}
	return value
}
