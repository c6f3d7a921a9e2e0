package theory

import "math"

// Chen is the failure detector NFD-S with a sender that is alive and clocks
// that agree: beat i is sent at i·η, lost with chance p_L or delayed by D; at
// t in [iη+δ, (i+1)η+δ) the observer trusts if beat i or a later one is there.
// With k = ⌈δ/η⌉,
//
//	p_j(x) = p_L + (1−p_L)·P(D > δ + x − jη)   u(x) = Π_{j=0..k} p_j(x)
//	q₀ = (1−p_L)·P(D < δ + η)   p_s = q₀·u(0)
//	E[T_MR] = η/p_s   E[T_M] = ∫₀^η u / p_s   P_A = 1 − ∫₀^η u / η   T_D ≤ δ + η
//
// Chen, Toueg and Aguilera, "On the Quality of Service of Failure Detectors",
// IEEE Transactions on Computers 51(5), 2002, theorem 5.
type Chen struct {
	Every float64 // η, seconds
	Shift float64 // δ, seconds
	Loss  float64 // p_L
	Delay Law
}

// missing is u(x): the chance that none of the beats i … i+k is there x after
// freshness point i.
func (c Chen) missing(x float64) float64 {
	u := 1.0
	for j := range int(math.Ceil(c.Shift/c.Every)) + 1 {
		late := 1.0
		if time := c.Shift + x - float64(j)*c.Every; time > 0 {
			late = c.Delay.Survival(time)
		}
		u *= c.Loss + (1-c.Loss)*late
	}
	return u
}

// begins is p_s, the chance that a mistake begins at a freshness point.
func (c Chen) begins() float64 {
	return (1 - c.Loss) * c.Delay.CDF(c.Shift+c.Every) * c.missing(0)
}

// suspected is the mean time of suspicion in one period. u has a corner where
// beat i+k is sent.
func (c Chen) suspected() float64 {
	corner := math.Ceil(c.Shift/c.Every)*c.Every - c.Shift
	return integral(0, corner, c.missing) + integral(corner, c.Every, c.missing)
}

// MeanRecurrence is the mean time from one mistake's start to the next.
func (c Chen) MeanRecurrence() float64 { return c.Every / c.begins() }

// MeanDuration is the mean length of a mistake.
func (c Chen) MeanDuration() float64 { return c.suspected() / c.begins() }

// SuspectedShare is the share of time in mistakes.
func (c Chen) SuspectedShare() float64 { return c.suspected() / c.Every }

// DetectionBound is the longest time from a crash to its lasting suspicion.
func (c Chen) DetectionBound() float64 { return c.Shift + c.Every }

// Silence is a detector that suspects Timeout after the last beat; beats are
// sent every Every, arrive at once, and are lost with chance p. With m =
// ⌈T/η⌉−1 losses in a row to a suspicion,
//
//	to the first from a fresh beat: η(1−pᵐ)/((1−p)pᵐ) − mη + T
//	from start to start: η/((1−p)pᵐ)   length: (m + 1/(1−p))η − T
//	detection: Σ_k (1−p)pᵏ ∫₀¹ (T − uη − kη)⁺ du
//
// Valid when T is no multiple of η. Feller, vol. 1, section XIII.7; derived.
type Silence struct {
	Every   float64 // η, seconds
	Timeout float64 // T, seconds
	Loss    float64 // p
}

// MeanToFirst is the mean time from a beat to the first suspicion.
func (s Silence) MeanToFirst() float64 {
	return LeaseLoss{Length: s.Timeout, Renew: s.Every, Loss: s.Loss}.MeanTimeToLoss()
}

// MeanRecurrence is the mean time from one suspicion's start to the next.
func (s Silence) MeanRecurrence() float64 {
	m := float64(borne(s.Timeout, s.Every))
	return s.Every / ((1 - s.Loss) * math.Pow(s.Loss, m))
}

// MeanDuration is the mean length of a suspicion.
func (s Silence) MeanDuration() float64 {
	m := float64(borne(s.Timeout, s.Every))
	return (m+1/(1-s.Loss))*s.Every - s.Timeout
}

// SuspectedShare is the share of time in suspicion.
func (s Silence) SuspectedShare() float64 { return s.MeanDuration() / s.MeanRecurrence() }

// MeanDetection is the mean time from a crash, uniform within a period, to the
// lasting suspicion; 0 if the sender is suspected already.
func (s Silence) MeanDetection() float64 {
	// ∫₀¹ (x−uη)⁺ du has the antiderivative −((x−uη)⁺)²/(2η).
	half := func(x float64) float64 { return max(0, x) * max(0, x) / (2 * s.Every) }
	sum, chance := 0.0, 1-s.Loss
	for left := s.Timeout; left > 0; left -= s.Every {
		sum += chance * (half(left) - half(left-s.Every))
		chance *= s.Loss
	}
	return sum
}

// MaxDetection bounds every detection time.
func (s Silence) MaxDetection() float64 { return s.Timeout }

// Phi is the accrual detector whose intervals between beats have the given mean
// and standard deviation, in milliseconds:
//
//	normal:   φ(t) = −log₁₀(½·erfc(y/√2)), y = (t−mean)/sd
//	logistic: φ(t) = log₁₀(1 + e^x), x = y(1.5976 + 0.070566·y²)
//
// Hayashibara et al., "The φ accrual failure detector" (2004), equation 1; the
// logistic form is Akka's.
type Phi struct {
	Mean, SD float64 // ms
	Level    float64 // of suspicion
}

// Normal is φ at a silence of t milliseconds with the exact normal tail.
func (p Phi) Normal(t float64) float64 {
	return -math.Log10(math.Erfc((t-p.Mean)/p.SD/math.Sqrt2) / 2)
}

// Logistic is φ at a silence of t milliseconds with the usual approximation.
func (p Phi) Logistic(t float64) float64 {
	y := (t - p.Mean) / p.SD
	return math.Log1p(math.Exp(y*(1.5976+0.070566*y*y))) / math.Ln10
}

// CrossingNormal is the silence at which Normal reaches Level.
func (p Phi) CrossingNormal() float64 { return p.crossing(p.Normal) }

// CrossingLogistic is the silence at which Logistic reaches Level.
func (p Phi) CrossingLogistic() float64 { return p.crossing(p.Logistic) }

// crossing halves an interval in which phi, which rises, reaches Level; the
// normal tail is 0 in float64 at 38 standard deviations.
func (p Phi) crossing(phi func(float64) float64) float64 {
	low, high := p.Mean-10*p.SD, p.Mean+37*p.SD
	for range 100 {
		if middle := (low + high) / 2; phi(middle) < p.Level {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// FalseSuspicion is the chance that a beat is later than CrossingNormal.
func (p Phi) FalseSuspicion() float64 { return math.Pow(10, -p.Level) }

// Rounds is a monitor that counts: in each round every live node reports, then
// the monitor marks whoever's last report is more than Allowed rounds old. A
// node that is silent from round s on is marked in round (s−1) + Allowed + 1.
type Rounds struct {
	Silent  int // first round without a report, from 1
	Allowed int
}

// MarkedAt is the round in which the silent node is marked.
func (r Rounds) MarkedAt() int { return r.Silent + r.Allowed }

// OthersMarked is how many nodes that report are marked: none.
func (r Rounds) OthersMarked() int { return 0 }
