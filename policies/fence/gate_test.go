package fence_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/fence"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a Gate.
type player struct{ gate fence.Gate }

func (p *player) Input(_ policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	token := policies.Token(args.Int("token"))
	switch words[0] {
	case "register":
		p.gate.Register(token)
		return []string{fmt.Sprintf("highest %d", p.gate.Highest())}, args.Err()
	case "write":
		if p.gate.Check(token) {
			return []string{"accepted"}, args.Err()
		}
		return []string{fmt.Sprintf("refused, highest %d", p.gate.Highest())}, args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *player) Tick(policies.Instant) []string { return nil }

func (p *player) Deadline() policies.Instant { return policies.Never }

// The tokens of accepted writes never fall, and nothing else is refused; what
// is registered counts as if it had been written.
func TestPromises(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		var g fence.Gate
		known := policies.Token(0)
		for range 100 {
			token := policies.Token(r.IntN(20))
			if r.IntN(4) == 0 {
				g.Register(token)
			} else if ok := g.Check(token); ok != (token >= known) {
				t.Fatalf("seed %d: token %d after %d: accepted %v", seed, token, known, ok)
			}
			known = max(known, token)
			if g.Highest() != known {
				t.Fatalf("seed %d: highest is %d, want %d", seed, g.Highest(), known)
			}
		}
	}
}
