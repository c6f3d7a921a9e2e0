package idempotency_test

import (
	"fmt"
	"testing"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/idempotency"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a Table.
type player struct{ table idempotency.Table }

func (p *player) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	if words[0] == "rule" {
		rule := idempotency.Rule{
			Remembers: args.Duration("remembers"), Refresh: args.Has("refresh"),
			InProgress: args.Duration("in_progress"),
		}
		p.table.Reset(&rule)
		return nil, args.Err()
	}
	key := uint64(args.Int("key"))
	var log string
	switch words[0] {
	case "apply":
		log = "skipped"
		if p.table.Apply(now, key) {
			log = "applied"
		}
	case "begin":
		state, claim := p.table.Begin(now, key)
		if log = state.String(); claim > 0 {
			log = fmt.Sprintf("%v: claim %d", state, claim)
		}
	case "take":
		log = "skipped"
		if claim := p.table.Take(now, key); claim > 0 {
			log = fmt.Sprintf("taken: claim %d", claim)
		}
	case "complete":
		p.table.Complete(now, key)
	case "abandon":
		p.table.Abandon(key, idempotency.Claim(args.Int("claim")))
	case "forget":
		p.table.Forget(key)
	case "look":
	default:
		return nil, fmt.Errorf("unknown input %q", words[0])
	}
	if log == "" {
		log = p.table.Seen(now, key).String()
	}
	return []string{log}, args.Err()
}

func (p *player) Tick(policies.Instant) []string { return nil }

func (p *player) Deadline() policies.Instant { return policies.Never }
