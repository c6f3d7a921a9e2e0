package policytest

import (
	"fmt"
	"strings"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// Keeper puts words in front of a lease.Keeper:
//
//	at 0s rule length=10s every=4s on-error=again delays=1s timeout=2s believe=9s anchor=from-reply margin=1s
//	at 0s begin request=1
//	at 1s granted request=1 token=7
//
// and renewed, refused, failed (with request=), woken, ended; freeze and thaw
// stand for a pause of the process, during which deadlines wait.
type Keeper struct {
	Rule    lease.HolderRule
	machine lease.Keeper
	frozen  bool
}

// Input carries out one input.
func (k *Keeper) Input(now policies.Instant, words []string) ([]string, error) {
	args := NewArgs(words[1:])
	switch words[0] {
	case "rule":
		k.Rule = HolderRule(args)
		k.machine.Reset(&k.Rule)
		return nil, firstError(k.Rule.Check(), args.Err())
	case "begin":
		k.machine.Begin(now, int32(args.Int("request")))
		return nil, args.Err()
	case "freeze":
		k.frozen = true
		return nil, args.Err()
	case "thaw":
		k.frozen = false
		return nil, args.Err()
	}
	in, err := KeeperInput(words)
	return k.step(now, in), err
}

// Tick steps the machine at its deadline.
func (k *Keeper) Tick(now policies.Instant) []string { return k.step(now, lease.Input{}) }

// Deadline is the machine's, Never while it is frozen.
func (k *Keeper) Deadline() policies.Instant {
	if k.frozen {
		return policies.Never
	}
	return k.machine.Deadline()
}

func (k *Keeper) step(now policies.Instant, in lease.Input) []string {
	var log []string
	for _, c := range k.machine.Step(now, in, nil) {
		log = append(log, c.String())
	}
	return log
}

// KeeperInput reads one input of a lease.Keeper.
func KeeperInput(words []string) (lease.Input, error) {
	args := NewArgs(words[1:])
	for _, kind := range []lease.Kind{lease.Tick, lease.Granted, lease.Renewed, lease.Refused, lease.Failed, lease.Woken, lease.Ended} {
		if kind.String() == words[0] {
			in := lease.Input{Kind: kind, Request: int32(args.Int("request")), Token: policies.Token(args.Int("token"))}
			return in, args.Err()
		}
	}
	return lease.Input{}, fmt.Errorf("a keeper has no input %q", words[0])
}

// HolderRule reads the rule of a holder.
func HolderRule(args *Args) lease.HolderRule {
	return lease.HolderRule{
		Length: args.Duration("length"), Every: args.Duration("every"),
		OnError: lease.OnError(args.Choice("on-error", "next", "again", "stop", "give-up")), Delays: args.Durations("delays"),
		Timeout: args.Duration("timeout"), Believe: args.Duration("believe"),
		Anchor: lease.Anchor(args.Choice("anchor", "from-sent", "from-reply", "told", "forever")), Margin: args.Duration("margin"),
	}
}

// list is a list of words with commas between.
func list(args *Args, key string) []string {
	return strings.FieldsFunc(args.Text(key), func(r rune) bool { return r == ',' })
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
