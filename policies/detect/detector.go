package detect

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Detector judges the silence of one sender, for one observer.
type Detector struct {
	rule       *Rule
	history    history
	standard   float64          // the y at which phi reaches the level
	last       policies.Instant // start of the present silence
	bears      time.Duration    // suspicion begins so long after last
	newest     int64            // highest beat number seen
	beaten     bool             // last is the arrival of a beat
	suspecting bool
}

// New is a detector under a checked rule; Reset it before use.
func New(rule *Rule) *Detector {
	d := &Detector{rule: rule}
	if rule.Kind.phi() {
		d.standard = standardised(rule.Kind, rule.Level)
	}
	return d
}

// Reset forgets everything: the sender is trusted and its silence begins now.
// The observer does so when it starts, and for every new incarnation of the
// sender.
func (d *Detector) Reset(now policies.Instant) {
	*d = Detector{rule: d.rule, standard: d.standard, history: d.history, newest: -1, last: now}
	if d.rule.Kind.phi() {
		d.history.reset(orElse(d.rule.Window, standardWindow))
		// Two made-up intervals around the first estimate, as in Akka.
		d.history.add(d.rule.Every - d.rule.Every/4)
		d.history.add(d.rule.Every + d.rule.Every/4)
	}
	d.bears = d.patience()
}

// InputKind says what happened.
type InputKind uint8

const (
	// Beat: a heartbeat has arrived.
	Beat InputKind = iota
	// Tick: the observer looks.
	Tick
)

// Input is one thing that happened.
type Input struct {
	Kind InputKind
	// Number of the heartbeat, counted by its sender from 0 or 1 up, and Sent,
	// the sender's send instant on the clock that both share: Chen needs them.
	Number int64
	Sent   policies.Instant
}

// CommandKind says what to do.
type CommandKind uint8

const (
	// Suspect: treat the sender as dead.
	Suspect CommandKind = iota
	// Trust: take the suspicion back.
	Trust
)

func (k CommandKind) String() string { return [...]string{"suspect", "trust"}[k] }

// Command is one decision.
type Command struct{ Kind CommandKind }

// Step takes one input and appends the decision, if any, to out. A sender is
// suspected only by a Tick at or after the deadline, and trusted again only by
// a Beat.
func (d *Detector) Step(now policies.Instant, in Input, out []Command) []Command {
	if in.Kind == Beat {
		return d.beat(now, in, out)
	}
	if d.rule.Kind != Chen && now < d.last {
		// The clock was set back: the silence starts anew, lest the jump add
		// to it, and is no interval to learn from.
		d.last, d.beaten = now, false
	}
	if now < d.Deadline() {
		return out
	}
	d.suspecting = true
	return append(out, Command{Kind: Suspect})
}

func (d *Detector) beat(now policies.Instant, in Input, out []Command) []Command {
	if d.rule.Kind == Chen {
		if in.Number <= d.newest {
			return out // overtaken: it makes nothing fresher
		}
		d.newest, d.last = in.Number, in.Sent
		if now >= d.last.Add(d.bears) {
			return out // even the newest is stale
		}
	} else {
		if d.rule.Kind.phi() {
			d.learn(now)
		}
		d.last = now
	}
	if !d.suspecting {
		return out
	}
	d.suspecting = false
	return append(out, Command{Kind: Trust})
}

// learn takes in the interval that ends now, unless the sender was convicted
// in it: a failure is no example of the gaps between beats.
func (d *Detector) learn(now policies.Instant) {
	if d.beaten && !d.suspecting && now >= d.last && now < d.Deadline() {
		d.history.add(now.Sub(d.last))
		d.bears = d.patience()
	}
	d.beaten = true
}

// patience is the silence after which the sender is suspected.
func (d *Detector) patience() time.Duration {
	switch r := d.rule; r.Kind {
	case Fixed:
		return r.Timeout
	case Missed:
		return times(r.Every, r.Missed)
	case Chen:
		// After heartbeat j was sent at σ, the next freshness point is
		// τ(j+1) = σ + η + δ (Chen, Toueg and Aguilera 2002, fig. 6).
		return r.Every + r.Timeout
	default:
		return d.suspect().crossing(r.Level, d.standard)
	}
}

func (d *Detector) suspect() suspect {
	return scale(d.rule.Kind, d.rule.Allowance, d.Fit())
}

// Fit is what the phi kinds have learnt, the deviation raised to its least
// value. It panics for the other kinds.
func (d *Detector) Fit() Fit {
	d.mustLearn()
	fit := d.history.fit()
	fit.SD = max(fit.SD, float64(orElse(d.rule.MinSD, standardMinSD)))
	return fit
}

// Phi is the suspicion level at now. It panics for kinds that have none.
func (d *Detector) Phi(now policies.Instant) float64 {
	return d.suspect().phi(max(0, now.Sub(d.last)))
}

// History appends the remembered intervals to out, oldest first.
func (d *Detector) History(out []time.Duration) []time.Duration { return d.history.list(out) }

// Deadline is the first instant at which a Tick would suspect if no beat came
// before; Never while suspecting.
func (d *Detector) Deadline() policies.Instant {
	if d.suspecting {
		return policies.Never
	}
	return d.last.Add(d.bears)
}

// Suspecting reports whether the sender is suspected.
func (d *Detector) Suspecting() bool { return d.suspecting }

func (d *Detector) mustLearn() {
	if !d.rule.Kind.phi() {
		panic(fmt.Sprintf("detect: kind %v has no phi", d.rule.Kind))
	}
}

func orElse[T int | time.Duration](value, standard T) T {
	if value == 0 {
		return standard
	}
	return value
}

// times is n·d, at most the longest duration.
func times(d time.Duration, n int) time.Duration {
	if int64(n) > math.MaxInt64/int64(d) {
		return math.MaxInt64
	}
	return d * time.Duration(n)
}
