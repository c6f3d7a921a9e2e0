package retry

import (
	"fmt"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a Machine and a Budget.
type player struct {
	machine Machine
	budget  *Budget
}

func (p *player) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	var in Input
	switch words[0] {
	case "rule":
		rule, err := ruleOf(args)
		p.machine.Reset(&rule, p.budget)
		return nil, err
	case "budget":
		rule := BudgetRule{
			Ratio: args.Float("ratio"), Tokens: args.Float("tokens"), Cost: args.Float("cost"),
			Earn: args.Float("earn"), Floor: args.Float("floor"),
			Refund: Refund(args.Choice("refund", "none", "last")),
		}
		p.budget = new(Budget)
		p.budget.Reset(&rule)
		return []string{fmt.Sprintf("holds %v", p.budget.Held())}, firstError(rule.Check(), args.Err())
	case "begin":
		p.machine.Reset(p.machine.rule, p.budget)
		in = Input{Kind: Begin}
	case "failed":
		in = Input{
			Kind:   Failed,
			Class:  policies.Class(1 + args.Choice("class", "transient", "permanent", "coordination")),
			Delay:  args.Duration("delay"),
			Chance: exact.Given(args.Float("u")),
		}
	case "succeeded":
		in = Input{Kind: Succeeded}
	case "due":
		in = Input{Kind: Due}
	default:
		return nil, fmt.Errorf("unknown input %q", words[0])
	}
	return p.step(now, in), args.Err()
}

func ruleOf(args *policytest.Args) (Rule, error) {
	rule := Rule{
		Attempts: int(args.Int("attempts")), Delays: args.Durations("delays"), Growth: args.Float("growth"),
		Cap: args.Duration("cap"), Elapsed: args.Duration("elapsed"),
		Jitter: [...]Jitter{None, Full, Equal, Decorrelated}[args.Choice("jitter", "none", "full", "equal", "decorrelated")],
	}
	if args.Has("add") {
		rule.Jitter = Additive(args.Duration("add"))
	}
	if args.Has("spread") {
		rule.Jitter = Spread(args.Float("spread"))
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

func (p *player) step(now policies.Instant, in Input) []string {
	var log []string
	for _, c := range p.machine.Step(now, in, nil) {
		switch c.Kind {
		case Attempt:
			log = append(log, fmt.Sprintf("attempt %d", c.Attempt))
		case Retry:
			log = append(log, fmt.Sprintf("retry %d wait=%v", c.Attempt, c.Wait))
		case GiveUp:
			log = append(log, fmt.Sprintf("give up: %v", c.Reason))
		}
	}
	if p.budget != nil && in.Kind != Due {
		log = append(log, fmt.Sprintf("holds %v", p.budget.Held()))
	}
	return log
}

func (p *player) Tick(now policies.Instant) []string { return p.step(now, Input{Kind: Due}) }

func (p *player) Deadline() policies.Instant { return p.machine.Deadline() }
