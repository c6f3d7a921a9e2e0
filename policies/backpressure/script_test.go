package backpressure_test

import (
	"fmt"
	"testing"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/breaker_*.txt", func() policytest.Machine { return &breakerPlayer{} })
	policytest.Run(t, "testdata/pause_*.txt", func() policytest.Machine { return &pausePlayer{} })
	policytest.Run(t, "testdata/limit_*.txt", func() policytest.Machine { return &limitPlayer{} })
	policytest.Run(t, "testdata/limiter_*.txt", func() policytest.Machine { return &limiterPlayer{} })
}

type breakerPlayer struct{ breaker backpressure.Breaker }

func (p *breakerPlayer) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	switch words[0] {
	case "rule":
		rule := backpressure.BreakerRule{
			Consecutive: int(args.Int("consecutive")), Share: args.Float("share"), Of: int(args.Int("of")),
			Within: args.Duration("within"), Opens: args.Durations("opens"), Probes: int(args.Int("probes")),
			ProbeLimit: args.Duration("probe_limit"), ReopenRatio: args.Has("reopen_ratio"), CountOld: args.Has("count_old"),
		}
		if args.Has("unlimited") {
			rule.Probes = backpressure.Unlimited
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.breaker.Reset(&rule)
		return nil, args.Err()
	case "ask":
		return p.step(now, backpressure.Input{Kind: backpressure.Ask}), args.Err()
	case "ok":
		return p.step(now, backpressure.Input{Kind: backpressure.Done, Epoch: uint32(args.Int("epoch"))}), args.Err()
	case "failed":
		in := backpressure.Input{Kind: backpressure.Done, Epoch: uint32(args.Int("epoch")), Class: policies.Transient, Open: args.Duration("open")}
		return p.step(now, in), args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *breakerPlayer) step(now policies.Instant, in backpressure.Input) []string {
	var log []string
	for _, c := range p.breaker.Step(now, in, nil) {
		text := fmt.Sprintf("%v epoch=%d", c.Kind, c.Epoch)
		if c.Kind == backpressure.Opened || c.Kind == backpressure.Refuse {
			text += " until=" + policytest.Text(c.Until)
		}
		log = append(log, text)
	}
	return log
}

func (p *breakerPlayer) Tick(now policies.Instant) []string {
	return p.step(now, backpressure.Input{Kind: backpressure.Tick})
}

func (p *breakerPlayer) Deadline() policies.Instant { return p.breaker.Deadline() }

type pausePlayer struct{ pause backpressure.Pause }

func (p *pausePlayer) Input(now policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	switch words[0] {
	case "rule":
		rule := backpressure.PauseRule{
			Failures: args.Float("failures"), Of: int(args.Int("of")),
			Within: args.Duration("within"), For: args.Duration("for"),
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.pause.Reset(&rule)
		return nil, args.Err()
	case "ok", "failed":
		return p.step(now, backpressure.PauseInput{Kind: backpressure.Result, Failed: words[0] == "failed"}), args.Err()
	case "look":
		return p.Tick(now), args.Err()
	}
	return nil, fmt.Errorf("unknown input %q", words[0])
}

func (p *pausePlayer) step(now policies.Instant, in backpressure.PauseInput) []string {
	var log []string
	for _, c := range p.pause.Step(now, in, nil) {
		log = append(log, c.String())
	}
	return log
}

func (p *pausePlayer) Tick(now policies.Instant) []string {
	return p.step(now, backpressure.PauseInput{Kind: backpressure.PauseDue})
}

func (p *pausePlayer) Deadline() policies.Instant { return p.pause.Deadline() }

type limitPlayer struct{ limit backpressure.Limit }

func (p *limitPlayer) Input(_ policies.Instant, words []string) ([]string, error) {
	args := policytest.NewArgs(words[1:])
	switch words[0] {
	case "rule":
		rule := backpressure.LimitRule{
			Start: args.Int("start"), Min: args.Int("min"), Max: args.Int("max"), Add: args.Int("add"),
			Num: args.Int("num"), Den: args.Int("den"),
		}
		if err := rule.Check(); err != nil {
			return nil, err
		}
		p.limit.Reset(&rule)
	case "good":
		p.limit.Round(false)
	case "overloaded":
		p.limit.Round(true)
	default:
		return nil, fmt.Errorf("unknown input %q", words[0])
	}
	return []string{fmt.Sprintf("limit %d", p.limit.Limit())}, args.Err()
}

func (p *limitPlayer) Tick(policies.Instant) []string { return nil }

func (p *limitPlayer) Deadline() policies.Instant { return policies.Never }
