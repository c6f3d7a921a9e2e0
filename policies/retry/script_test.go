package retry_test

import (
	"fmt"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/policytest"
	"github.com/tenggat/tenggat/policies/retry"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a Machine and a Budget.
type player struct {
	rule    retry.Rule
	machine retry.Machine
	budget  *retry.Budget
}

func (p *player) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	var in retry.Input
	switch words[0] {
	case "rule":
		var err error
		p.rule, err = ruleOf(args)
		return nil, err
	case "budget":
		rule := retry.BudgetRule{
			Ratio: args.Float("ratio"), Tokens: args.Float("tokens"), Cost: args.Float("cost"),
			Earn: args.Float("earn"), Floor: args.Float("floor"),
			Refund: retry.Refund(args.Choice("refund", "none", "last")),
		}
		p.budget = new(retry.Budget)
		p.budget.Reset(&rule)
		return []string{fmt.Sprintf("holds %v", p.budget.Held())}, firstError(rule.Check(), args.Err())
	case "begin":
		p.machine.Reset(&p.rule, p.budget)
		in = retry.Input{Kind: retry.Begin}
	case "failed":
		in = retry.Input{
			Kind:   retry.Failed,
			Class:  policies.Class(1 + args.Choice("class", "transient", "permanent", "coordination")),
			Delay:  args.Duration("delay"),
			Chance: exact.Given(args.Float("u")),
		}
	case "succeeded":
		in = retry.Input{Kind: retry.Succeeded}
	case "due":
		in = retry.Input{Kind: retry.Due}
	default:
		return nil, fmt.Errorf("unknown input %q", words[0])
	}
	return p.step(now, in), args.Err()
}

func ruleOf(args *policytest.Args) (retry.Rule, error) {
	rule := retry.Rule{
		Attempts: int(args.Int("attempts")), Delays: args.Durations("delays"), Growth: args.Float("growth"),
		Cap: args.Duration("cap"), Elapsed: args.Duration("elapsed"),
		Jitter: [...]retry.Jitter{retry.None, retry.Full, retry.Equal, retry.Decorrelated}[args.Choice("jitter", "none", "full", "equal", "decorrelated")],
	}
	if args.Has("add") {
		rule.Jitter = retry.Additive(args.Duration("add"))
	}
	if args.Has("spread") {
		rule.Jitter = retry.Spread(args.Float("spread"))
	}
	return rule, firstError(rule.Check(), args.Err())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *player) step(now policies.Instant, in retry.Input) []string {
	var log []string
	for _, c := range p.machine.Step(now, in, nil) {
		switch c.Kind {
		case retry.Attempt:
			log = append(log, fmt.Sprintf("attempt %d", c.Attempt))
		case retry.Retry:
			log = append(log, fmt.Sprintf("retry %d wait=%v", c.Attempt, c.Wait))
		case retry.GiveUp:
			log = append(log, fmt.Sprintf("give up: %v", c.Reason))
		}
	}
	if p.budget != nil && in.Kind != retry.Due {
		log = append(log, fmt.Sprintf("holds %v", p.budget.Held()))
	}
	return log
}

func (p *player) Tick(now policies.Instant) []string {
	return p.step(now, retry.Input{Kind: retry.Due})
}

func (p *player) Deadline() policies.Instant { return p.machine.Deadline() }
