package retry

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// BudgetRule rations the retries of one owner over all of its requests, so
// that retries cannot multiply the load of a service that is down. It is a
// bucket of tokens. With Ratio, each first try earns Ratio tokens and a retry
// costs one; without, a success at the first try earns Earn and a retry costs
// Cost. No time passes into it, except through Floor.
type BudgetRule struct {
	// Ratio is the long-run share of retries among first tries; 0 = the
	// bucket is filled by successes instead.
	Ratio float64
	// Tokens is the bucket's capacity. Default: 100 with Ratio, else 500. A
	// bucket of Ratio starts empty, the other full.
	Tokens float64
	// Cost is taken by a retry (default 5) and Earn is given by a success at
	// the first try (default 1). Both belong to the bucket without Ratio.
	Cost, Earn float64
	// Refund says what a success at a retry gives back.
	Refund Refund
	// Floor is the rate of retries, per second, that is allowed whatever the
	// bucket holds, with a burst of one second's worth; 0 = none.
	Floor float64
}

// Refund says what a success at a retry gives back.
type Refund uint8

const (
	// RefundNone gives nothing back.
	RefundNone Refund = iota
	// RefundLast gives back what that last retry took.
	RefundLast
)

// Check reports the first setting that cannot be meant.
func (r *BudgetRule) Check() error {
	for _, f := range [...]struct {
		name  string
		value float64
	}{{"Ratio", r.Ratio}, {"Tokens", r.Tokens}, {"Cost", r.Cost}, {"Earn", r.Earn}, {"Floor", r.Floor}} {
		if !(f.value >= 0 && f.value <= maxTokens) {
			return fmt.Errorf("retry: budget %s is %v; give a number from 0 to %d", f.name, f.value, int64(maxTokens))
		}
	}
	if r.Ratio > 0 && (r.Cost != 0 || r.Earn != 0) {
		return fmt.Errorf("retry: budget Ratio %v beside Cost %v and Earn %v; give Ratio alone, or Cost and Earn", r.Ratio, r.Cost, r.Earn)
	}
	return nil
}

const maxTokens = 1e9

// Budget is the bucket of one owner; its requests share it. Amounts are whole
// millionths of a token, so that ten tenths are one.
type Budget struct {
	capacity, held  int64
	cost            int64
	perTry, perGood int64
	refund          Refund

	// The floor is a bucket too, kept as the instant at which it would be full
	// again (ITU-T I.371, generic cell rate algorithm).
	floorEvery, floorBurst time.Duration
	floorFull              policies.Instant
}

const token = 1_000_000

// Reset prepares a bucket under a checked rule.
func (b *Budget) Reset(rule *BudgetRule) {
	*b = Budget{refund: rule.Refund}
	if rule.Ratio > 0 {
		b.capacity = amount(orElse(rule.Tokens, 100))
		b.cost, b.perTry = token, amount(rule.Ratio)
	} else {
		b.capacity = amount(orElse(rule.Tokens, 500))
		b.cost, b.perGood = amount(orElse(rule.Cost, 5)), amount(orElse(rule.Earn, 1))
		b.held = b.capacity
	}
	if rule.Floor > 0 {
		b.floorEvery = saturated(1e9 / rule.Floor)
		b.floorBurst = max(time.Second, b.floorEvery)
		b.floorFull = math.MinInt64
	}
}

// Begin records the first try of a request.
func (b *Budget) Begin() { b.add(b.perTry) }

// Withdraw asks for one retry. It tells what the bucket gave, which Succeed
// takes back as paid; a retry by the floor costs nothing.
func (b *Budget) Withdraw(now policies.Instant) (paid int64, ok bool) {
	if b.held >= b.cost {
		b.held -= b.cost
		return b.cost, true
	}
	if b.floorBurst == 0 {
		return 0, false
	}
	// A clock that was set back finds the floor's bucket empty at worst.
	b.floorFull = min(b.floorFull, now.Add(b.floorBurst))
	full := max(b.floorFull, now).Add(b.floorEvery)
	if full > now.Add(b.floorBurst) {
		return 0, false
	}
	b.floorFull = full
	return 0, true
}

// Succeed records that a request ended well: at its first try, or by a retry
// that paid so much.
func (b *Budget) Succeed(first bool, paid int64) {
	switch {
	case first:
		b.add(b.perGood)
	case b.refund == RefundLast:
		b.add(paid)
	}
}

// Held is the number of tokens in the bucket.
func (b *Budget) Held() float64 { return float64(b.held) / token }

func (b *Budget) add(amount int64) { b.held = min(b.held+amount, b.capacity) }

func amount(tokens float64) int64 { return int64(math.Round(tokens * token)) }

func orElse(value, standard float64) float64 {
	if value == 0 {
		return standard
	}
	return value
}
