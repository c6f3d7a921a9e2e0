package retry

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Rule says whether a failed attempt is followed by another, and after how
// long. The zero Rule retries transient errors at once and without end.
type Rule struct {
	// Attempts is the most attempts of one request, the first included;
	// 0 = unlimited.
	Attempts int
	// Delays holds the wait before retry k = 1, 2, … before cap and jitter;
	// the last one repeats. Empty = no wait.
	Delays []time.Duration
	// Growth multiplies a single delay once more before every further retry:
	// Delays[0]·Growth^(k−1). At least 1; 0 = 1. A list of several delays
	// already says every wait and takes none.
	Growth float64
	// Cap bounds the delay before jitter; 0 = no bound.
	Cap time.Duration
	// Jitter spreads the delay; the zero Jitter is None.
	Jitter Jitter
	// Elapsed forbids a retry that would begin later than this after the
	// request began; 0 = no such limit.
	Elapsed time.Duration
	// Only names the classes worth another attempt; empty = {Transient}.
	Only policies.ClassSet
}

// Check reports the first setting that cannot be meant.
func (r *Rule) Check() error {
	switch {
	case r.Attempts < 0:
		return fmt.Errorf("retry: Attempts is %d; give 1 or more, or 0 for unlimited", r.Attempts)
	case r.Growth != 0 && !(r.Growth >= 1 && r.Growth <= math.MaxFloat64):
		return fmt.Errorf("retry: Growth is %v; give a number of at least 1, or 0 for 1", r.Growth)
	case r.Growth > 1 && len(r.Delays) != 1:
		return fmt.Errorf("retry: Growth is %v with %d delays; growth needs exactly one", r.Growth, len(r.Delays))
	case r.Cap < 0:
		return fmt.Errorf("retry: Cap is %v; give a positive duration, or 0 for none", r.Cap)
	case r.Elapsed < 0:
		return fmt.Errorf("retry: Elapsed is %v; give a positive duration, or 0 for none", r.Elapsed)
	case r.Only.Has(policies.OK):
		return fmt.Errorf("retry: Only contains %v; a success is never retried", policies.OK)
	case r.Jitter.Decorrelated && len(r.Delays) != 1:
		return fmt.Errorf("retry: decorrelated jitter with %d delays; give exactly one, its least wait", len(r.Delays))
	}
	for k, d := range r.Delays {
		if d < 0 {
			return fmt.Errorf("retry: delay %d is %v; a wait cannot be negative", k+1, d)
		}
	}
	return r.Jitter.check()
}

// Wait is the wait before retry k = 1, 2, …: the delay of the rule, capped,
// then jittered. Only decorrelated jitter looks at previous, the wait before
// retry k−1 of the same request (for k = 1 the rule's delay stands in). The
// result is never negative and stops at the longest duration.
func (r *Rule) Wait(k int, previous time.Duration, c policies.Chance) time.Duration {
	return r.spread(r.delay(k), previous, c)
}

// delay is the k-th delay before cap and jitter, in nanoseconds.
func (r *Rule) delay(k int) float64 {
	if len(r.Delays) == 0 {
		return 0
	}
	d := float64(r.Delays[min(k, len(r.Delays))-1])
	if r.Growth > 1 && d > 0 {
		d *= power(r.Growth, k-1)
	}
	return d
}

// spread caps and jitters a delay of v nanoseconds.
func (r *Rule) spread(v float64, previous time.Duration, c policies.Chance) time.Duration {
	if r.Jitter.Decorrelated {
		// Brooker 2015, "Exponential Backoff And Jitter": sleep =
		// min(cap, random_between(base, sleep * 3)).
		base := float64(r.Delays[0])
		if previous <= 0 {
			previous = r.Delays[0]
		}
		return r.capped(base + float64(c.U01()*max(0, float64(3*float64(previous))-base)))
	}
	v = float64(r.capped(v))
	j := r.Jitter
	if j == (Jitter{}) {
		j = None
	}
	width := float64((j.High-j.Low)*v) + float64(j.Add)
	if width == 0 {
		return saturated(j.Low * v)
	}
	return saturated(float64(j.Low*v) + float64(c.U01()*width))
}

func (r *Rule) capped(v float64) time.Duration {
	d := saturated(v)
	if r.Cap > 0 {
		d = min(d, r.Cap)
	}
	return d
}

// saturated is v nanoseconds to the nearest one, at most the longest duration.
func saturated(v float64) time.Duration {
	if v >= 1<<63 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(v))
}

// power is x^n by repeated squaring: products only, so the same bits on every
// CPU, and as quick for the millionth retry as for the tenth.
func power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}
