package policytest

import (
	"fmt"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// Grant puts words in front of a lease.Grant that looks at once when a claim's
// deadline is reached, or only by word (rule looks=never):
//
//	at 0s rule rising cap=1m delay=5s at-least=2s release-by=anybody late=accept,reject,steal permanent looks=never
//	at 0s acquire owner=1 for=10s
//	at 5s renew owner=1 serial=1 token=1 for=10s
//	at 9s release owner=1 serial=1 token=1 clean
//
// and take (owner=, version=, for=), lapse, revoke, session-end (owner=),
// raise (token=), phase (serial=), version.
type Grant struct {
	Rule    lease.GrantRule
	machine lease.Grant
	never   bool
}

// Input carries out one input.
func (g *Grant) Input(now policies.Instant, words []string) ([]string, error) {
	args := NewArgs(words[1:])
	switch words[0] {
	case "rule":
		return nil, g.reset(args)
	case "raise":
		g.machine.Raise(policies.Token(args.Int("token")))
		return nil, args.Err()
	case "phase":
		phase := g.machine.Phase(now, uint32(args.Int("serial")))
		return []string{phase.String()}, args.Err()
	case "version":
		return []string{fmt.Sprint(g.machine.Version())}, args.Err()
	}
	for _, kind := range []lease.Kind{lease.Acquire, lease.Take, lease.Renew, lease.Release, lease.Lapse, lease.Revoke, lease.SessionEnd} {
		if kind.String() == words[0] {
			ask := lease.Ask{
				Kind: kind, Clean: args.Has("clean"), Owner: args.Int("owner"), Serial: uint32(args.Int("serial")),
				Token: policies.Token(args.Int("token")), Version: uint64(args.Int("version")), Until: policies.Never,
			}
			if args.Has("for") {
				ask.Until = now.Add(args.Duration("for"))
			}
			return g.step(now, ask), args.Err()
		}
	}
	return nil, fmt.Errorf("a grant has no input %q", words[0])
}

func (g *Grant) reset(args *Args) error {
	g.Rule = lease.GrantRule{
		Rising: args.Has("rising"), Cap: args.Duration("cap"), Delay: args.Duration("delay"), AtLeast: args.Duration("at-least"),
		ReleaseBy: lease.ReleaseBy(args.Choice("release-by", "owner", "anybody")), Permanent: args.Has("permanent"),
	}
	for i, word := range list(args, "late") {
		one := NewArgs([]string{"late=" + word})
		if i >= len(g.Rule.Late) {
			return fmt.Errorf("late has %d words; give one each for lapsed, free, taken", i+1)
		}
		g.Rule.Late[i] = lease.Settle(one.Choice("late", "accept", "ignore", "reject", "steal"))
		if one.Err() != nil {
			return one.Err()
		}
	}
	g.never = args.Choice("looks", "at-once", "never") == 1
	g.machine.Reset(&g.Rule)
	return firstError(g.Rule.Check(), args.Err())
}

// Tick looks at the deadline.
func (g *Grant) Tick(now policies.Instant) []string {
	return g.step(now, lease.Ask{Kind: lease.Lapse})
}

// Deadline is when the grantor looks next.
func (g *Grant) Deadline() policies.Instant {
	if g.never {
		return policies.Never
	}
	return g.machine.Until()
}

func (g *Grant) step(now policies.Instant, ask lease.Ask) []string {
	var log []string
	for _, a := range g.machine.Step(now, ask, nil) {
		log = append(log, a.String())
	}
	return log
}
