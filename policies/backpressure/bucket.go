package backpressure

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// BucketRule is a token bucket: Burst tokens at the start and at most, and Rate
// new ones per second; a call takes one.
type BucketRule struct {
	Rate  float64 // per second, above 0
	Burst int64   // default 1
}

// Check reports the first setting that cannot be meant.
func (r *BucketRule) Check() error {
	switch {
	case !(r.Rate >= minRate && r.Rate <= maxRate):
		return fmt.Errorf("backpressure: bucket fills with %v tokens per second; give %v to %v", r.Rate, minRate, float64(maxRate))
	case r.Burst < 0 || r.Burst > maxBurst:
		return fmt.Errorf("backpressure: bucket holds %d tokens; give 1 to %d, or 0 for 1", r.Burst, int64(maxBurst))
	}
	return nil
}

const (
	minRate  = 1e-6
	maxRate  = 1e9
	maxBurst = 1_000_000
)

// Bucket decides which calls a token bucket lets through. It is kept as the
// instant at which it would be full again (ITU-T I.371, generic cell rate
// algorithm), so that nothing has to happen while time passes.
type Bucket struct {
	every time.Duration // for one token
	depth time.Duration // for all of them
	full  policies.Instant
}

// Reset fills the bucket, under a checked rule.
func (b *Bucket) Reset(rule *BucketRule) {
	every := time.Duration(math.Round(1e9 / rule.Rate))
	*b = Bucket{every: max(every, 1), full: math.MinInt64}
	b.depth = b.every * time.Duration(max(rule.Burst, 1))
}

// Take takes a token; false says that there is none.
func (b *Bucket) Take(now policies.Instant) bool {
	if now < b.Next(now) {
		return false
	}
	b.full = max(b.full, now).Add(b.every)
	return true
}

// Next is the instant at which there is a token, now if there is one. A clock
// that was set back finds the bucket empty at worst.
func (b *Bucket) Next(now policies.Instant) policies.Instant {
	b.full = min(b.full, now.Add(b.depth))
	return max(now, max(b.full, now).Add(b.every-b.depth))
}

// pace gives the bucket another rate and keeps its share of tokens.
func (b *Bucket) pace(now policies.Instant, every time.Duration, burst int64) {
	if every == b.every {
		return
	}
	missing := max(0, min(b.full, now.Add(b.depth)).Sub(now))
	depth := every * time.Duration(burst)
	if b.full > now && b.depth > 0 {
		b.full = now.Add(time.Duration(math.Round(float64(float64(missing) / float64(b.depth) * float64(depth)))))
	}
	b.every, b.depth = every, depth
}
