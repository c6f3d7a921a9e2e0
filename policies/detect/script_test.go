package detect_test

import (
	"fmt"
	"testing"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/detect"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a detect.Detector.
type player struct{ detector *detect.Detector }

func (p *player) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	switch words[0] {
	case "rule":
		rule := detect.Rule{
			Kind:    detect.Kind(args.Choice("kind", "fixed", "missed", "phi_normal", "phi_logistic", "phi_exponential", "chen")),
			Timeout: args.Duration("timeout"), Missed: int(args.Int("missed")), Level: args.Float("level"),
			Window: int(args.Int("window")), MinSD: args.Duration("min_sd"), Allowance: args.Duration("allowance"),
			Every: args.Duration("every"),
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.detector = detect.New(&rule)
		p.detector.Reset(now)
		return nil, args.Err()
	case "beat":
		in := detect.Input{Kind: detect.Beat, Number: args.Int("number"), Sent: policies.Instant(args.Duration("sent"))}
		return p.step(now, in), args.Err()
	case "look":
		return p.step(now, detect.Input{Kind: detect.Tick}), args.Err()
	case "ask":
		return []string{fmt.Sprintf("phi %.6f", p.detector.Phi(now))}, args.Err()
	case "history":
		return []string{fmt.Sprint(p.detector.History(nil))}, args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *player) step(now policies.Instant, in detect.Input) []string {
	var log []string
	for _, c := range p.detector.Step(now, in, nil) {
		log = append(log, c.Kind.String())
	}
	return log
}

func (p *player) Tick(now policies.Instant) []string {
	return p.step(now, detect.Input{Kind: detect.Tick})
}

func (p *player) Deadline() policies.Instant { return p.detector.Deadline() }
