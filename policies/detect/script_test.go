package detect

import (
	"fmt"
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return &player{} })
}

// player puts words in front of a Detector.
type player struct{ detector *Detector }

func (p *player) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	switch words[0] {
	case "rule":
		rule := Rule{
			Kind:    Kind(args.Choice("kind", "fixed", "missed", "phi_normal", "phi_logistic", "phi_exponential", "chen")),
			Timeout: args.Duration("timeout"), Missed: int(args.Int("missed")), Level: args.Float("level"),
			Window: int(args.Int("window")), MinSD: args.Duration("min_sd"), Allowance: args.Duration("allowance"),
			Every: args.Duration("every"),
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.detector = New(&rule)
		p.detector.Reset(now)
		return nil, args.Err()
	case "beat":
		in := Input{Kind: Beat, Number: args.Int("number"), Sent: policies.Instant(args.Duration("sent"))}
		return p.step(now, in), args.Err()
	case "look":
		return p.step(now, Input{Kind: Tick}), args.Err()
	case "ask":
		return []string{fmt.Sprintf("phi %.6f", p.detector.Phi(now))}, args.Err()
	case "history":
		return []string{fmt.Sprint(p.detector.History(nil))}, args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *player) step(now policies.Instant, in Input) []string {
	var log []string
	for _, c := range p.detector.Step(now, in, nil) {
		log = append(log, c.Kind.String())
	}
	return log
}

func (p *player) Tick(now policies.Instant) []string { return p.step(now, Input{Kind: Tick}) }

func (p *player) Deadline() policies.Instant { return p.detector.Deadline() }

// The log of phi_history.txt, in numbers: oracle D07.
func TestOracleHistory(t *testing.T) {
	rule := Rule{Kind: PhiLogistic, Level: 8, Every: time.Second}
	d := New(&rule)
	d.Reset(0)
	for _, ms := range []int{0, 1000, 2000, 3100, 4000, 5050} {
		d.Step(at(ms), Input{Kind: Beat}, nil)
	}
	want := []int{750, 1250, 1000, 1000, 1100, 900, 1050}
	for i, got := range d.History(nil) {
		if got != time.Duration(want[i])*time.Millisecond {
			t.Errorf("interval %d is %v, want %d ms", i, got, want[i])
		}
	}
	if n := len(d.History(nil)); n != len(want) {
		t.Errorf("%d intervals, want %d", n, len(want))
	}
	near(t, "mean", d.Fit().Mean/1e6, 1007.142857, 1e-9)
	near(t, "sd", d.Fit().SD/1e6, 144.9841652, 1e-9)
	near(t, "phi", d.Phi(at(7000)), 12.94069585, 1e-6)
}

func at(ms int) policies.Instant { return policies.Instant(ms) * policies.Instant(time.Millisecond) }
