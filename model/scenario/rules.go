package scenario

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/detect"
	"github.com/tenggat/tenggat/policies/idempotency"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/worker"
)

// What a block stands for is a rule of a policy. It is made here, so that the
// reader refuses what the policy refuses, at the line that says it, and a run
// never meets a rule that its policy does not bear.

// refused reports why a policy does not take the rule of a block, unless a
// mistake in the block has been reported already.
func (v view) refused(err error) {
	known := slices.ContainsFunc(v.problems, func(p Problem) bool { return p.Path == v.path || strings.HasPrefix(p.Path, v.path+".") })
	if err != nil && !known {
		v.problem(v.n, v.path, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

// orZero is a bound as the policies write it: 0 is none.
func orZero(d time.Duration) time.Duration {
	if d == Forever {
		return 0
	}
	return d
}

// Rule is the rule of the retry policy.
func (r *Retry) Rule() retry.Rule {
	rule := retry.Rule{Attempts: r.Attempts, Delays: r.Delays, Growth: r.Growth, Cap: r.Cap, Elapsed: r.Elapsed, Only: r.Only}
	if rule.Jitter.Decorrelated = r.Decorrelate; !r.Decorrelate {
		rule.Jitter = retry.Jitter{Low: r.Low, High: r.High, Add: r.Add}
	}
	return rule
}

// Rule is the rule of the retry policy's budget.
func (b *Budget) Rule() retry.BudgetRule {
	r := retry.BudgetRule{Ratio: b.Ratio, Tokens: b.Tokens, Floor: b.Floor}
	if b.Ratio == 0 {
		r.Cost, r.Earn = b.Cost, b.Earn
	}
	if b.RefundLast {
		r.Refund = retry.RefundLast
	}
	return r
}

// Rule is the breaker's rule. Its open periods are drawn by whoever runs it;
// here stand their means.
func (b *Breaker) Rule() backpressure.BreakerRule {
	r := backpressure.BreakerRule{Consecutive: b.Consecutive, Share: b.Share, Of: b.Of, Within: b.Within,
		Probes: b.Probes, ProbeLimit: b.ProbeLimit, ReopenRatio: b.ReopenRatio, CountOld: b.CountOld}
	for i := range b.Open {
		r.Opens = append(r.Opens, b.Open[i].MeanDuration())
	}
	return r
}

// Rule is the limiter's rule.
func (c *Concurrency) Rule() backpressure.LimiterRule {
	r := backpressure.LimiterRule{
		Kind: [...]backpressure.LimiterKind{FixedLimit: backpressure.Fixed, AIMD: backpressure.AIMD, Gradient: backpressure.Gradient,
			Vegas: backpressure.Vegas, Throttle: backpressure.Throttle, RateLimit: backpressure.Rate}[c.Kind],
		LimitRule: backpressure.LimitRule{Start: int64(c.Start), Min: int64(c.Low), Max: int64(c.High), Add: int64(c.Step)},
		Window:    c.Window, Slack: int64(c.Slack), K: c.K, Probe: c.Probe,
	}
	if c.Backoff > 0 {
		r.Num, r.Den = int64(math.Round(float64(c.Backoff*1000))), 1000
	}
	return r
}

// Rule is the token bucket's rule.
func (a *Accepts) Rule() backpressure.BucketRule {
	return backpressure.BucketRule{Rate: a.Rate, Burst: int64(a.Burst)}
}

// Rule is the rule of a process that pauses at failures; meaningless for one
// that pauses at an open breaker.
func (p *PauseWhen) Rule() backpressure.PauseRule {
	return backpressure.PauseRule{Failures: p.Failures, Of: p.Of, Within: orZero(p.Within), For: p.For}
}

// Rule is the detector's rule.
func (m *Monitor) Rule() detect.Rule {
	s := &m.Suspect
	return detect.Rule{
		Kind: [...]detect.Kind{Fixed: detect.Fixed, Missed: detect.Missed, PhiNormal: detect.PhiNormal,
			PhiLogistic: detect.PhiLogistic, PhiExponential: detect.PhiExponential, Chen: detect.Chen}[s.By],
		Timeout: s.Timeout, Missed: s.Missed, Level: s.Level, Window: s.Window, MinSD: s.MinSD, Allowance: s.Allowance,
		Every: m.Heartbeat.Every.Every.MeanDuration(),
	}
}

// Rule is what a queue remembers of ids.
func (d *Dedup) Rule() idempotency.Rule {
	return idempotency.Rule{Remembers: orZero(d.Window), Refresh: d.Refresh}
}

// KeyRule is what a service remembers of keys.
func (s *Service) KeyRule() idempotency.Rule {
	return idempotency.Rule{Remembers: orZero(s.Remembers), InProgress: orZero(s.InProgress)}
}

// KeyRule is how long a cache keeps its copies.
func (c *Cache) KeyRule() idempotency.Rule {
	return idempotency.Rule{Remembers: orZero(c.TTL), InProgress: orZero(c.TTL)}
}

// GrantRule is the grantor's side of the lease of a delivery.
func (l *Lease) GrantRule() lease.GrantRule {
	r := lease.GrantRule{Cap: orZero(l.Cap)}
	for i, s := range l.Late {
		r.Late[i] = [...]lease.Settle{SettleAccept: lease.Accept, SettleIgnore: lease.Ignore, SettleReject: lease.Reject, SettleSteal: lease.Steal}[s]
	}
	return r
}

// GrantRule is the grantor's side of the lock.
func (l *Lock) GrantRule() lease.GrantRule {
	r := lease.GrantRule{}
	if l.Lease != nil {
		r = l.Lease.GrantRule()
		r.Delay, r.AtLeast = l.Lease.Delay, l.Lease.AtLeast
	}
	r.Rising, r.Permanent = l.Rising, l.Lease == nil
	if l.Anybody {
		r.ReleaseBy = lease.Anybody
	}
	return r
}

// HolderRule is how a holder keeps the lease.
func (l *Lease) HolderRule() worker.LeaseRule {
	r := worker.LeaseRule{}
	if !l.Forever {
		r.Length = l.Length[0].MeanDuration()
	}
	r.Anchor = [...]lease.Anchor{SinceSent: lease.FromSent, SinceReply: lease.FromReply, UntilTold: lease.Told, Always: lease.Forever}[l.Anchor]
	if l.Forever && r.Anchor < lease.Told {
		r.Anchor = lease.Told
	}
	if r.Anchor < lease.Told {
		r.Believe = l.Believe
	}
	if b := l.Renew; b != nil {
		r.Every = b.Every.Every.MeanDuration()
		r.OnError = [...]lease.OnError{NextBeat: lease.Next, RetryBeat: lease.Again, StopBeat: lease.Stop, ReleaseAll: lease.GiveUp}[b.OnError]
		r.Delays = b.Again
	}
	r.OnLoss = [...]worker.Loss{LossStop: worker.StopOnLoss, LossFinish: worker.FinishOnLoss, LossIgnore: worker.IgnoreLoss}[l.OnLoss]
	return r
}
