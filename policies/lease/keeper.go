package lease

import (
	"fmt"

	"github.com/tenggat/tenggat/policies"
)

// Input is one thing that happened to the holder: Granted, Renewed, Refused or
// Failed (the answer to a numbered request), Woken, Ended or Tick.
type Input struct {
	Kind    Kind
	Request int32          // the request that is answered
	Token   policies.Token // Granted only
}

// Command is one thing that the holder's driver must do: send a Renew with this
// request number, send a Release, or stop the work (Lost).
type Command struct {
	Kind    Kind
	Why     Why
	Request int32
}

// String is the command as logs show it.
func (c Command) String() string {
	switch c.Kind {
	case Renew:
		return fmt.Sprintf("renew request=%d", c.Request)
	case Lost:
		return fmt.Sprintf("lost why=%v", c.Why)
	}
	return c.Kind.String()
}

// outstanding is the number of requests whose answers a Keeper still awaits;
// when one more is sent, the oldest counts as failed.
const outstanding = 8

// Keeper is the holder's side of one lease: when to renew, and when to stop
// believing. The zero value must be Reset. Sent instants are kept per request,
// because an answer extends the belief from the instant at which its own
// request was sent.
type Keeper struct {
	rule     *HolderRule
	token    policies.Token
	until    policies.Instant // end of belief (exclusive)
	beat     policies.Instant // next beat of the schedule
	again    policies.Instant // an extra renewal after an error
	sent     [outstanding]policies.Instant
	last     int32 // newest request sent
	proved   int32 // newest request that succeeded
	begun    int32 // the acquire request
	failures int32 // failed renewals in a row
	open     uint8 // bit n&7: request n awaits its answer
	phase    phase
}

type phase uint8

const (
	idle phase = iota
	asking
	holding
)

// Reset forgets everything but the newest request number (Last).
func (k *Keeper) Reset(rule *HolderRule) {
	*k = Keeper{rule: rule, last: k.last, until: policies.Never, beat: policies.Never, again: policies.Never}
}

// Begin notes that the acquire request was sent now, with this number; a grant
// will count from now. Numbers must rise; renewals take the next ones. Called
// again before the grant, it notes that the lease was asked for once more.
func (k *Keeper) Begin(now policies.Instant, request int32) {
	if k.phase != asking {
		k.phase, k.begun, k.open = asking, request, 0
	}
	k.send(now, request)
}

// Step takes one input and appends the commands that follow. News is taken as
// it is, whatever the hour; only Tick and Woken judge the time. A driver that
// is behind therefore hands over all news that it has and then ticks.
func (k *Keeper) Step(now policies.Instant, in Input, out []Command) []Command {
	switch in.Kind {
	case Granted:
		return k.granted(now, in, out)
	case Renewed:
		if k.phase == holding && k.answers(in.Request) {
			k.failures = 0
			k.again = policies.Never
			k.believe(now, in.Request)
		}
	case Refused:
		return k.refused(now, in.Request, out)
	case Failed:
		if !k.answers(in.Request) {
			return out
		}
		if k.phase == asking {
			k.rest()
			return out
		}
		return k.failed(now, out)
	case Ended:
		k.rest()
	case Tick:
		return k.judge(now, false, out)
	case Woken:
		return k.judge(now, true, out)
	default:
		panic("lease: a keeper has no input " + in.Kind.String())
	}
	return out
}

// Deadline is the earliest of the next beat, the oldest time-out and the end of
// belief; Never if there is none.
func (k *Keeper) Deadline() policies.Instant {
	if k.phase != holding {
		return policies.Never
	}
	return min(k.until, k.beat, k.again, k.timeout())
}

// Held reports whether the holder believes in the lease at now. The belief is
// over at Until itself.
func (k *Keeper) Held(now policies.Instant) bool { return k.phase == holding && now < k.until }

// Holds reports whether the lease was granted and is not yet lost, whatever
// the hour.
func (k *Keeper) Holds() bool { return k.phase == holding }

// Knows reports whether a request was sent in this life of the keeper: since
// the Begin that followed the latest Reset.
func (k *Keeper) Knows(request int32) bool { return k.begun <= request && request <= k.last }

// Until is the end of belief, Never when only news can end it.
func (k *Keeper) Until() policies.Instant { return k.until }

// Token is the token of the grant, 0 when there is none.
func (k *Keeper) Token() policies.Token { return k.token }

// Last is the newest request number used.
func (k *Keeper) Last() int32 { return k.last }

// Failures is the number of renewals that failed in a row.
func (k *Keeper) Failures() int { return int(k.failures) }

func (k *Keeper) granted(now policies.Instant, in Input, out []Command) []Command {
	if k.phase != asking || !k.answers(in.Request) {
		return out
	}
	k.phase, k.token, k.open = holding, in.Token, 0
	k.believe(now, in.Request)
	if k.rule.Every > 0 {
		k.beat = k.sent[in.Request&7].Add(k.rule.Every)
	}
	if now < k.until {
		return out
	}
	// The answer travelled longer than the belief lasts. The grantor may
	// still keep the lease for this holder, who gives it back.
	k.rest()
	return append(out, Command{Kind: Release}, Command{Kind: Lost, Why: WhyExpired})
}

// refused ends the belief even when the request has already counted as failed:
// a late no is still a no. Numbers of an earlier life of this keeper say nothing.
func (k *Keeper) refused(now policies.Instant, request int32, out []Command) []Command {
	if k.phase == idle || !k.Knows(request) {
		return out
	}
	if k.phase == asking {
		if k.answers(request) {
			k.rest()
		}
		return out
	}
	if k.rule.Anchor == Forever {
		if !k.answers(request) {
			return out
		}
		return k.failed(now, out)
	}
	k.rest()
	return append(out, Command{Kind: Lost, Why: WhyRefused})
}

// failed acts on an error by the rule. Of several errors the first acts: one
// that comes while another renewal is already due changes nothing.
func (k *Keeper) failed(now policies.Instant, out []Command) []Command {
	k.failures++
	switch k.rule.OnError {
	case Again:
		if k.again == policies.Never {
			n := min(int(k.failures), len(k.rule.Delays)) - 1
			k.again = now.Add(k.rule.Delays[n])
		}
	case Stop:
		k.beat = policies.Never
	case GiveUp:
		k.rest()
		out = append(out, Command{Kind: Release}, Command{Kind: Lost, Why: WhyGaveUp})
	}
	return out
}

// judge does what the hour demands: belief first, for nothing is sent for a
// lease that is over; then time-outs; then the beat.
func (k *Keeper) judge(now policies.Instant, woken bool, out []Command) []Command {
	if k.phase != holding {
		return out
	}
	if now >= k.until {
		k.rest()
		return append(out, Command{Kind: Lost, Why: WhyExpired})
	}
	for k.timeout() <= now {
		k.open &^= 1 << (k.oldest() & 7)
		if out = k.failed(now, out); k.phase != holding {
			return out
		}
	}
	if k.beat == policies.Never {
		return out
	}
	// The schedule is fixed, and a beat does not wait for the one before; but
	// after a pause, or when several beats are overdue, one is sent and the
	// schedule begins anew.
	due := k.beat <= now || k.again <= now
	switch {
	case woken:
		due = due || k.sent[k.last&7] != now
		k.beat = now.Add(k.rule.Every)
	case k.beat.Add(k.rule.Every) <= now:
		k.beat = now.Add(k.rule.Every)
	case k.beat <= now:
		k.beat = k.beat.Add(k.rule.Every)
	}
	if !due {
		return out
	}
	return k.renew(now, out)
}

func (k *Keeper) renew(now policies.Instant, out []Command) []Command {
	if k.open&(1<<((k.last+1)&7)) != 0 {
		if out = k.failed(now, out); k.phase != holding {
			return out
		}
	}
	k.again = policies.Never
	k.send(now, k.last+1)
	return append(out, Command{Kind: Renew, Request: k.last})
}

func (k *Keeper) send(now policies.Instant, request int32) {
	k.last = request
	k.sent[request&7] = now
	k.open |= 1 << (request & 7)
}

// answers closes an open request and reports whether it was open.
func (k *Keeper) answers(request int32) bool {
	bit := uint8(1) << (request & 7)
	if !k.Knows(request) || request <= k.last-outstanding || k.open&bit == 0 {
		return false
	}
	k.open &^= bit
	return true
}

// believe extends the belief by the success of a request. Successes are
// ordered by request number, not by instant: after the clock was set back the
// newer request has the earlier instant, and the older one's end lies too far
// in the future.
func (k *Keeper) believe(now policies.Instant, request int32) {
	if request < k.proved {
		return
	}
	k.proved = request
	switch k.rule.Anchor {
	case FromSent:
		k.until = k.sent[request&7].Add(k.rule.belief())
	case FromReply:
		k.until = now.Add(k.rule.belief())
	default:
		k.until = policies.Never
	}
}

// oldest is the oldest open request; there must be one.
func (k *Keeper) oldest() int32 {
	for n := k.last - outstanding + 1; ; n++ {
		if k.open&(1<<(n&7)) != 0 {
			return n
		}
	}
}

// timeout is the instant at which the oldest open request has failed.
func (k *Keeper) timeout() policies.Instant {
	if k.rule.Timeout == 0 || k.open == 0 {
		return policies.Never
	}
	return k.sent[k.oldest()&7].Add(k.rule.Timeout)
}

// rest makes the keeper idle; late answers find nobody.
func (k *Keeper) rest() {
	k.phase, k.open = idle, 0
	k.until, k.beat, k.again = policies.Never, policies.Never, policies.Never
}
