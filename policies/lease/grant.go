package lease

import (
	"errors"
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// ReleaseBy says whose release ends a claim.
type ReleaseBy uint8

const (
	// Owner releases only what it holds itself, by the serial of its grant.
	Owner ReleaseBy = iota
	// Anybody ends whatever claim stands: the classic bug of a delete that
	// does not compare the owner.
	Anybody
)

// Settle is what a request gets that comes when its claim is over.
type Settle uint8

const (
	// Accept does what is asked, and leaves a later claim alone.
	Accept Settle = iota
	// Ignore answers yes (Ignored) and does nothing.
	Ignore
	// Reject answers Refused.
	Reject
	// Steal does what is asked; a later claim is lost (Stolen).
	Steal
)

// Phase is where the claim stands that a request speaks of.
type Phase uint8

const (
	// Current: it holds, and its deadline is to come.
	Current Phase = iota
	// Lapsed: its deadline has passed, the grantor has not looked yet.
	Lapsed
	// Free: it is over, and nobody has a claim.
	Free
	// Taken: it is over, and a later claim stands.
	Taken
)

func (p Phase) String() string { return [...]string{"current", "lapsed", "free", "taken"}[p] }

// GrantRule says how a grantor deals with one kind of resource. It may be
// shared by many grants.
type GrantRule struct {
	// Rising: every grant has a token one above the one before. False: 0.
	Rising bool
	// Cap is the longest total time of one claim, from its grant; a renewal
	// beyond it is refused. 0: no cap.
	Cap time.Duration
	// Delay is how long the resource stays closed after a claim that ended
	// uncleanly (lapse, session end, revocation, unclean release). Default 0.
	Delay time.Duration
	// AtLeast is the time from a grant during which the resource stays closed
	// though the claim was released. Default 0.
	AtLeast time.Duration
	// ReleaseBy says whose release counts. Default Owner.
	ReleaseBy ReleaseBy
	// Late is what a late renewal or release gets while the claim is Lapsed,
	// Free, Taken, in this order. Default Accept for each.
	Late [3]Settle
	// Permanent: a claim has no end but release, session end or revocation.
	Permanent bool
}

// Check returns one error per broken rule.
func (r *GrantRule) Check() error {
	var errs []error
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"Cap", r.Cap}, {"Delay", r.Delay}, {"AtLeast", r.AtLeast}} {
		if d.value < 0 {
			errs = append(errs, fmt.Errorf("lease: %s is %v; give 0 or more", d.name, d.value))
		}
	}
	if r.ReleaseBy > Anybody {
		errs = append(errs, fmt.Errorf("lease: ReleaseBy is %d; give Owner or Anybody", r.ReleaseBy))
	}
	for i, s := range r.Late {
		if s > Steal {
			errs = append(errs, fmt.Errorf("lease: Late[%d] is %d; give Accept, Ignore, Reject or Steal", i, s))
		}
	}
	return errors.Join(errs...)
}

// Ask is one request to the grantor.
type Ask struct {
	Kind    Kind             // Acquire, Take, Renew, Release, Lapse, Revoke or SessionEnd
	Clean   bool             // Release: the work was finished
	Serial  uint32           // Renew, Release: the grant that it speaks of
	Owner   int64            // who asks; SessionEnd: whose session
	Token   policies.Token   // Renew, Release: the token of that grant
	Version uint64           // Take: the version that the waiter saw
	Until   policies.Instant // Acquire, Take, Renew: the deadline to set, by the grantor's clock; Never for none
}

// Answer is one consequence of a request. The first answer is to the asker; an
// Expired, Revoked or Stolen tells of somebody's claim that ended.
type Answer struct {
	Kind   Kind // Granted, Renewed, Refused, Released, Ignored, Expired, Revoked or Stolen
	Why    Why  // Refused only
	Serial uint32
	Owner  int64
	Token  policies.Token
	Until  policies.Instant
}

// String is the answer as logs show it.
func (a Answer) String() string {
	if a.Kind == Refused {
		return fmt.Sprintf("refused owner=%d serial=%d why=%v", a.Owner, a.Serial, a.Why)
	}
	return fmt.Sprintf("%v owner=%d serial=%d token=%d", a.Kind, a.Owner, a.Serial, a.Token)
}

// Grant is the grantor's side of one resource: who holds it until when, under
// which serial number and token. At most one claim stands at any time. The
// zero value must be Reset.
type Grant struct {
	rule    *GrantRule
	owner   int64
	until   policies.Instant // deadline of the claim (exclusive)
	first   policies.Instant // instant of the grant
	closed  policies.Instant // not to be taken before
	token   policies.Token   // of the claim
	highest policies.Token   // newest ever given
	serial  uint32           // of the claim
	grants  uint32           // grants so far
	changes uint32           // changes of the record that are not grants
	forgot  [2]uint32        // serials above the first and up to the second are unknown since the latest Forget
	held    bool
}

// Reset makes the resource free and its history empty.
func (g *Grant) Reset(rule *GrantRule) {
	*g = Grant{rule: rule, until: policies.Never, closed: -policies.Never}
}

// Raise lets later grants have tokens above t, as after a fail-over that may
// have forgotten grants, or by an operator's hand.
func (g *Grant) Raise(t policies.Token) { g.highest = max(g.highest, t) }

// Inherit is a fail-over to a grantor whose clock shows by more than that of the
// one before: every instant moves with it. A standing claim runs at least until
// until, for a new grantor that gives every holder its full length again.
func (g *Grant) Inherit(by time.Duration, until policies.Instant) {
	for _, at := range []*policies.Instant{&g.until, &g.first, &g.closed} {
		if *at != policies.Never && *at != -policies.Never {
			*at = at.Add(by)
		}
	}
	if g.held {
		g.until = max(g.until, until)
	}
}

// Forget is a fail-over to a grantor that knows the resource only as it was: what
// has happened since is undone, tokens included. Serial numbers are not given
// out twice, so a holder of a forgotten claim is refused.
func (g *Grant) Forget(was Grant) {
	was.forgot = [2]uint32{was.grants, g.grants}
	was.grants, was.changes = g.grants, g.changes+1
	*g = was
}

// Step takes one request at now, on the grantor's clock, and appends the
// answers. Time alone changes nothing: a claim whose deadline has passed stands
// until the grantor looks (Lapse), so the driver decides when expiry is noticed.
func (g *Grant) Step(now policies.Instant, ask Ask, out []Answer) []Answer {
	switch ask.Kind {
	case Acquire:
		return g.acquire(now, ask, out)
	case Take:
		return g.take(now, ask, out)
	case Renew, Release:
		return g.settle(now, ask, out)
	case Lapse:
		if g.held && g.until <= now {
			return g.end(now, Expired, out)
		}
	case SessionEnd:
		if g.held && g.owner == ask.Owner {
			return g.end(now, Expired, out)
		}
	case Revoke:
		if g.held {
			return g.end(now, Revoked, out)
		}
	default:
		panic("lease: a grant cannot be asked to " + ask.Kind.String())
	}
	return out
}

// Holder is the owner of the standing claim and its serial; ok is false when
// nobody holds it.
func (g *Grant) Holder() (owner int64, serial uint32, ok bool) { return g.owner, g.serial, g.held }

// Until is the deadline of the standing claim: the first instant at which a
// Lapse would end it. Never when there is none.
func (g *Grant) Until() policies.Instant {
	if !g.held {
		return policies.Never
	}
	return g.until
}

// Token is the newest token ever given, 0 when none was.
func (g *Grant) Token() policies.Token { return g.highest }

// Newest is the serial of the newest grant ever made, 0 when none was; the
// standing claim may be an older one that came back.
func (g *Grant) Newest() uint32 { return g.grants }

// Version changes with every change of the record, as a waiter sees it.
func (g *Grant) Version() uint64 { return uint64(g.grants)<<32 | uint64(g.changes) }

// ClosedUntil is the first instant at which a free resource may be taken.
func (g *Grant) ClosedUntil() policies.Instant { return g.closed }

// Phase is where the claim with this serial stands at now.
func (g *Grant) Phase(now policies.Instant, serial uint32) Phase {
	switch {
	case !g.held:
		return Free
	case g.serial != serial:
		return Taken
	case g.until <= now:
		return Lapsed
	}
	return Current
}

func (g *Grant) acquire(now policies.Instant, ask Ask, out []Answer) []Answer {
	switch {
	case g.held:
		return append(out, Answer{Kind: Refused, Why: WhyHeld, Owner: ask.Owner, Until: g.until})
	case now < g.closed:
		return append(out, Answer{Kind: Refused, Why: WhyClosed, Owner: ask.Owner, Until: g.closed})
	}
	return g.grant(now, ask, out)
}

// take grants whatever stands, if the record is still as the waiter saw it.
func (g *Grant) take(now policies.Instant, ask Ask, out []Answer) []Answer {
	switch {
	case ask.Version != g.Version():
		return append(out, Answer{Kind: Refused, Why: WhyStale, Owner: ask.Owner, Until: g.until})
	case !g.held:
		return g.acquire(now, ask, out)
	}
	loser := Answer{Kind: Stolen, Serial: g.serial, Owner: g.owner, Token: g.token}
	return append(g.grant(now, ask, out), loser)
}

func (g *Grant) grant(now policies.Instant, ask Ask, out []Answer) []Answer {
	g.grants++
	if g.rule.Rising {
		g.highest++
		g.token = g.highest
	}
	g.held, g.serial, g.owner, g.first = true, g.grants, ask.Owner, now
	g.until = g.bounded(ask.Until)
	return append(out, g.answer(Granted))
}

// bounded is the deadline of a grant within cap.
func (g *Grant) bounded(until policies.Instant) policies.Instant {
	switch {
	case g.rule.Permanent:
		return policies.Never
	case g.rule.Cap > 0:
		return min(until, g.first.Add(g.rule.Cap))
	}
	return until
}

// settle answers a renewal or release by the phase of the claim it speaks of.
func (g *Grant) settle(now policies.Instant, ask Ask, out []Answer) []Answer {
	if ask.Kind == Release && g.rule.ReleaseBy == Anybody && g.held {
		ask.Owner, ask.Serial, ask.Token = g.owner, g.serial, g.token
	}
	phase := g.Phase(now, ask.Serial)
	unknown := ask.Serial > g.forgot[0] && ask.Serial <= g.forgot[1]
	if ask.Serial == 0 || ask.Serial > g.grants || unknown || ask.Serial == g.serial && ask.Owner != g.owner {
		return append(out, g.refuse(ask, WhyStale)) // never granted to the asker
	}
	how := Accept
	if phase != Current {
		how = g.rule.Late[phase-1]
	}
	switch how {
	case Ignore:
		return append(out, Answer{Kind: Ignored, Serial: ask.Serial, Owner: ask.Owner, Token: ask.Token, Until: g.until})
	case Reject:
		return append(out, g.refuse(ask, WhyStale))
	}
	if phase == Taken {
		return g.late(now, ask, how, out)
	}
	if ask.Kind == Renew {
		return g.renew(now, ask, out)
	}
	if phase == Free {
		return append(out, Answer{Kind: Released, Serial: ask.Serial, Owner: ask.Owner, Token: ask.Token})
	}
	if !ask.Clean {
		g.close(now)
	}
	return g.end(now, Released, out)
}

// renew extends a claim, or lets one that is already given back stand again
// under its own serial and token.
func (g *Grant) renew(now policies.Instant, ask Ask, out []Answer) []Answer {
	if ask.Serial != g.serial {
		g.owner, g.serial, g.token, g.first = ask.Owner, ask.Serial, ask.Token, now
	}
	if g.rule.Cap > 0 && ask.Until > g.first.Add(g.rule.Cap) {
		return append(out, g.refuse(ask, WhyCapped))
	}
	g.held = true
	g.changes++
	g.until = g.bounded(ask.Until)
	return append(out, g.answer(Renewed))
}

// late accepts what an earlier owner asks while a later claim stands. Accept
// leaves that claim alone: after a Renewed there are two who believe. Steal
// ends it, and a renewal brings the earlier claim back under its old serial
// and token, which a fence still refuses.
func (g *Grant) late(now policies.Instant, ask Ask, how Settle, out []Answer) []Answer {
	kind := Released
	if ask.Kind == Renew {
		kind = Renewed
	}
	out = append(out, Answer{Kind: kind, Serial: ask.Serial, Owner: ask.Owner, Token: ask.Token, Until: ask.Until})
	if how != Steal {
		return out
	}
	out = append(out, Answer{Kind: Stolen, Serial: g.serial, Owner: g.owner, Token: g.token})
	g.changes++
	g.held = kind == Renewed
	g.owner, g.serial, g.token, g.first = ask.Owner, ask.Serial, ask.Token, now
	g.until = g.bounded(ask.Until)
	return out
}

// end ends the standing claim and tells of it.
func (g *Grant) end(now policies.Instant, kind Kind, out []Answer) []Answer {
	told := g.answer(kind)
	g.held = false
	g.changes++
	if g.rule.AtLeast > 0 {
		g.closed = max(g.closed, g.first.Add(g.rule.AtLeast))
	}
	if kind != Released {
		g.close(now)
	}
	return append(out, told)
}

// close keeps the resource closed for the delay after an unclean end.
func (g *Grant) close(now policies.Instant) {
	if g.rule.Delay > 0 {
		g.closed = max(g.closed, now.Add(g.rule.Delay))
	}
}

func (g *Grant) answer(kind Kind) Answer {
	return Answer{Kind: kind, Serial: g.serial, Owner: g.owner, Token: g.token, Until: g.until}
}

func (g *Grant) refuse(ask Ask, why Why) Answer {
	return Answer{Kind: Refused, Why: why, Serial: ask.Serial, Owner: ask.Owner, Token: ask.Token, Until: g.until}
}
