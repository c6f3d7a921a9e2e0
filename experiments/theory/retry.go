package theory

import "math"

// Attempts is a request of at most Most attempts that fail independently with
// chance p: E[attempts] = (1−pⁿ)/(1−p), P(success) = 1−pⁿ, the truncated
// geometric distribution.
type Attempts struct {
	Failure float64 // p
	Most    int     // n, the first included
}

// Mean is the mean number of attempts.
func (a Attempts) Mean() float64 { return a.SuccessShare() / (1 - a.Failure) }

// SuccessShare is the share of requests that succeed.
func (a Attempts) SuccessShare() float64 { return 1 - math.Pow(a.Failure, float64(a.Most)) }

// MeanOfSuccesses is the mean number of attempts of those that succeed.
func (a Attempts) MeanOfSuccesses() float64 {
	failed := 1 - a.SuccessShare()
	return (a.Mean() - float64(a.Most)*failed) / a.SuccessShare()
}

// Quota is a client whose retries draw on a bucket of tokens: a retry takes Cost,
// a success at the first attempt earns Earn, and one at a retry gives back what
// that retry took. Attempts fail with chance f, Most are made at most. In the long
// run the retries per request are
//
//	full    f + f² + … + fⁿ⁻¹          drained  x with Cost·x·f = Earn·(1−f)
//
// whichever is less. Derived from the rule of the AWS SDKs' standard retry mode.
type Quota struct {
	Cost, Earn float64
	Most       int // n, the first attempt included
}

// full is the retries per request of a bucket that never runs dry, drained those
// of one that does.
func (q Quota) full(f float64) float64 { return Attempts{f, q.Most}.Mean() - 1 }

func (q Quota) drained(f float64) float64 { return q.Earn * (1 - f) / (q.Cost * f) }

// Amplification is the number of attempts per request.
func (q Quota) Amplification(f float64) float64 { return 1 + math.Min(q.full(f), q.drained(f)) }

// SuccessShare is the share of requests that succeed: each attempt does with
// chance 1−f, and a request that does is not tried again.
func (q Quota) SuccessShare(f float64) float64 { return q.Amplification(f) * (1 - f) }

// Crossover is the failure share above which the bucket limits retries, by
// bisection.
func (q Quota) Crossover() float64 {
	low, high := 0.0, 1.0
	for range 100 {
		if f := (low + high) / 2; q.full(f) < q.drained(f) {
			low = f
		} else {
			high = f
		}
	}
	return low
}

// Layers is a stack of Depth layers, each of which tries the one below up to
// Most times and stops at the first success; calls of the bottom fail
// independently with chance p. Under total failure rᵈ calls reach the bottom;
// else the product over the layers telescopes to (1−p^(rᵈ))/(1−p). Amazon
// Builders' Library, "Timeouts, retries, and backoff with jitter"; Site
// Reliability Engineering (2016), chapter 22.
type Layers struct {
	Failure float64 // p
	Most    int     // r, the first included
	Depth   int     // d
}

// Amplification is the number of bottom calls of one request when all fail.
func (l Layers) Amplification() float64 { return math.Pow(float64(l.Most), float64(l.Depth)) }

// MeanCalls is the mean number of bottom calls of one request.
func (l Layers) MeanCalls() float64 {
	return Attempts{l.Failure, int(l.Amplification())}.Mean()
}

// MeanCallsOneLayer is the same with retries in one layer only.
func (l Layers) MeanCallsOneLayer() float64 { return Attempts{l.Failure, l.Most}.Mean() }

// FailureShare is the chance that the request fails.
func (l Layers) FailureShare() float64 { return math.Pow(l.Failure, l.Amplification()) }

// Backoff is a request of at most Most attempts that take no time and fail with
// chance p; before retry k it sleeps d_k. With v_k = min(cap, base·2^(k−1)),
//
//	none: v_k   full: uniform on (0, v_k)   equal: uniform on (v_k/2, v_k)
//	decorrelated: d_k = min(cap, uniform(base, 3·d_{k−1})), d_0 = base
//
// and E[sum] = Σ_{k=1..n−1} pᵏ·E[d_k]. Brooker, "Exponential Backoff And Jitter",
// AWS Architecture Blog (2015); the recursion is derived.
type Backoff struct {
	Base, Cap float64 // seconds, base ≤ cap
	Failure   float64 // p
	Most      int     // n, the first included
}

// total is Σ pᵏ·delay(k).
func (b Backoff) total(delay func(k int) float64) float64 {
	sum, chance := 0.0, 1.0
	for k := 1; k < b.Most; k++ {
		chance *= b.Failure
		sum += chance * delay(k)
	}
	return sum
}

// MeanTotalNone is the mean sleep of a request without jitter.
func (b Backoff) MeanTotalNone() float64 {
	return b.total(func(k int) float64 { return min(b.Cap, b.Base*math.Pow(2, float64(k-1))) })
}

// MeanTotalFull is the mean sleep of a request with full jitter.
func (b Backoff) MeanTotalFull() float64 { return b.MeanTotalNone() / 2 }

// MeanTotalEqual is the mean sleep of a request with equal jitter.
func (b Backoff) MeanTotalEqual() float64 { return b.MeanTotalNone() * 3 / 4 }

// MeanTotalDecorrelated is the mean sleep of a request with decorrelated jitter.
func (b Backoff) MeanTotalDecorrelated() float64 {
	means := b.MeansDecorrelated()
	return b.total(func(k int) float64 { return means[k-1] })
}

// MeansDecorrelated are E[d_1] … E[d_{n−1}] of requests that get so far. With
// S_k(x) = P(d_k > x) for base ≤ x < cap and S_0 = 0,
//
//	S_k(x) = (3·base − x)⁺/(2·base) + 3(x − base) ∫_{max(base, x/3)}^{cap} S_{k−1}(y)/(3y − base)² dy
//	E[d_k] = base + ∫_{base}^{cap} S_k
//
// which follows from P(d_k > x | d_{k−1} = y) = (3y−x)⁺/(3y−base) by parts, the
// atom at cap included. The integrals are trapezoids on a grid of ratios in
// which a division by 3 is a shift, so that the corner at 3·base is on it. The
// last point, cap, is off the grid by less than a step: as one point of many it
// errs no more than the trapezoids do.
func (b Backoff) MeansDecorrelated() []float64 {
	const perThree = 4000 // steps per factor of 3
	var x []float64
	for i := 0; ; i++ {
		next := b.Base * math.Pow(3, float64(i)/perThree)
		if next >= b.Cap {
			break
		}
		x = append(x, next)
	}
	x = append(x, b.Cap)
	last := len(x) - 1
	survival, inner := make([]float64, len(x)), make([]float64, len(x))
	var means []float64
	for range b.Most - 1 {
		for i := last - 1; i >= 0; i-- { // inner[i] = ∫ from x[i] to cap
			f := func(j int) float64 { return survival[j] / (3*x[j] - b.Base) / (3*x[j] - b.Base) }
			inner[i] = inner[i+1] + (x[i+1]-x[i])*(f(i)+f(i+1))/2
		}
		mean := b.Base
		for i, at := range x {
			survival[i] = max(0, 3*b.Base-at)/(2*b.Base) + 3*(at-b.Base)*inner[max(0, i-perThree)]
			if i > 0 {
				mean += (at - x[i-1]) * (survival[i-1] + survival[i]) / 2
			}
		}
		means = append(means, mean)
	}
	return means
}
