package backpressure

import "fmt"

// LimitRule is additive increase, multiplicative decrease (Chiu and Jain,
// "Analysis of the increase and decrease algorithms for congestion avoidance",
// 1989) in whole numbers: after a round the limit becomes
//
//	⌊limit·Num/Den⌋  if the round was overloaded
//	limit + Add      otherwise
//
// and is then held within [Min, Max].
type LimitRule struct {
	Start int64 // the first limit; default Min
	Min   int64 // default 1
	Max   int64 // 0 = none
	Add   int64 // default 1
	// Num/Den is the factor after an overload, below 1; default 9/10.
	Num, Den int64
}

// Check reports the first setting that cannot be meant.
func (r *LimitRule) Check() error {
	full := r.filled()
	switch {
	case full.Min < 1 || full.Max < full.Min:
		return fmt.Errorf("backpressure: limit between %d and %d; give 1 ≤ Min ≤ Max, or Max 0 for none", r.Min, r.Max)
	case full.Max > maxLimit && r.Max != 0:
		return fmt.Errorf("backpressure: limit of at most %d; give no more than %d", r.Max, int64(maxLimit))
	case full.Start < full.Min || full.Start > full.Max:
		return fmt.Errorf("backpressure: limit starts at %d; give a start between Min %d and Max %d", r.Start, full.Min, full.Max)
	case full.Add < 1 || full.Add > maxLimit:
		return fmt.Errorf("backpressure: limit grows by %d; give 1 or more", r.Add)
	case full.Num < 1 || full.Num >= full.Den || full.Den > maxFraction:
		return fmt.Errorf("backpressure: limit shrinks to %d/%d; give 1 ≤ Num < Den ≤ %d", r.Num, r.Den, int64(maxFraction))
	}
	return nil
}

const (
	maxLimit    = 1 << 40
	maxFraction = 1 << 20
)

func (r LimitRule) filled() LimitRule {
	for _, f := range [...]struct {
		field    *int64
		standard int64
	}{{&r.Min, 1}, {&r.Max, maxLimit}, {&r.Add, 1}, {&r.Start, max(r.Min, 1)}} {
		if *f.field == 0 {
			*f.field = f.standard
		}
	}
	if r.Num == 0 && r.Den == 0 {
		r.Num, r.Den = 9, 10
	}
	return r
}

// Limit is how many calls may be in flight; whoever drives it says what a
// round is and when it was overloaded.
type Limit struct {
	rule LimitRule
	at   int64
}

// Reset sets the limit to its start, under a checked rule.
func (l *Limit) Reset(rule *LimitRule) {
	l.rule = rule.filled()
	l.at = l.rule.Start
}

// Round ends a round and returns the limit of the next.
func (l *Limit) Round(overloaded bool) int64 {
	next := l.at + l.rule.Add
	if overloaded {
		next = l.at * l.rule.Num / l.rule.Den
	}
	l.at = min(max(next, l.rule.Min), l.rule.Max)
	return l.at
}

// Limit is the limit of the present round.
func (l *Limit) Limit() int64 { return l.at }
