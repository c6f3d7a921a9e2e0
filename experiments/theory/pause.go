package theory

import "math"

// Pauses is a holder whose process freezes: pauses begin at rate g of un-paused
// time, and nothing is sent during one. It renews every Renew of un-paused time
// and at once on resume, where its timer starts anew. The lease ends during a
// pause that lasts longer than Length less the age A of the last renewal:
//
//	A = X mod r, X exponential(g): density g·e^{−ga}/(1−e^{−gr}) on [0, r)
//	p = E[P(pause > T − A)]   expiries per second = p/(1/g + E[pause])
//
// Valid for r ≤ T, no loss, and a lease that the resumed holder takes again.
// Renewal-reward theorem; derived.
type Pauses struct {
	Length float64 // T, seconds
	Renew  float64 // r, seconds
	Rate   float64 // g, per second
	Pause  Law
}

// ExpiryShare is the share of pauses during which the lease ends.
func (p Pauses) ExpiryShare() float64 {
	inside := integral(0, p.Renew, func(age float64) float64 {
		return p.Rate * math.Exp(-p.Rate*age) * p.Pause.Survival(p.Length-age)
	})
	return inside / -math.Expm1(-p.Rate*p.Renew)
}

// ExpiriesPerHour is how often the lease ends, per hour of time with pauses.
func (p Pauses) ExpiriesPerHour() float64 {
	return 3600 * p.ExpiryShare() / (1/p.Rate + p.Pause.Mean())
}

// AffectedShare is the chance that the lease ends at least once in a job of so
// much un-paused work. The chance h of no end solves the renewal equation
//
//	h(J) = e^{−gJ} + ∫₀ᴶ g·e^{−gx}·P(pause ≤ T − (x mod r))·h(J−x) dx
//
// by trapezoids whose step divides r, where the kernel jumps, at two steps with
// Richardson's extrapolation between them. Exact where r divides J, too;
// otherwise h is interpolated between the two nearest steps.
func (p Pauses) AffectedShare(job float64) float64 {
	const steps = 64 // per period of renewal
	coarse, fine := p.unaffected(job, steps), p.unaffected(job, 2*steps)
	return 1 - (4*fine-coarse)/3
}

// unaffected is h(job) with so many steps per period.
func (p Pauses) unaffected(job float64, steps int) float64 {
	step := p.Renew / float64(steps)
	n := int(math.Ceil(job/step - 1e-9))
	// The kernel at i·step, from the right and, at a jump, from the left.
	kernel := func(i int, age float64) float64 {
		return p.Rate * math.Exp(-p.Rate*float64(i)*step) * p.Pause.CDF(p.Length-age)
	}
	right, left, both := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	for i := range right {
		right[i] = kernel(i, float64(i%steps)*step)
		left[i] = right[i]
		if i%steps == 0 {
			left[i] = kernel(i, p.Renew)
		}
		both[i] = (left[i] + right[i]) / 2
	}
	h := make([]float64, n+1)
	h[0] = 1
	for j := 1; j <= n; j++ {
		sum := left[j] * h[0] / 2
		for i := 1; i < j; i++ {
			sum += both[i] * h[j-i]
		}
		// The term of x = 0 holds h[j] itself.
		h[j] = (math.Exp(-p.Rate*float64(j)*step) + step*sum) / (1 - step*right[0]/2)
	}
	if n == 0 {
		return 1
	}
	beyond := float64(n) - job/step // in [0, 1) steps
	return h[n] + beyond*(h[n-1]-h[n])
}
