package theory

import "math"

// LeaseLoss is a lease whose holder asks for renewal at Renew, 2·Renew, …
// whatever became of the request before; each request is lost with chance p,
// one that arrives sets the end to now + Length. With m = ⌈T/r⌉−1 losses in a
// row to lose it,
//
//	E[loss] = r(1−pᵐ)/((1−p)pᵐ) − m·r + T
//	P(lost before J) = P((n−m)r + T < J), n the request that completes the first run of m losses
//
// Valid for r < T, T no multiple of r. Feller, vol. 1, section XIII.7; derived.
type LeaseLoss struct {
	Length float64 // T, seconds
	Renew  float64 // r, seconds
	Loss   float64 // p
}

func (l LeaseLoss) losses() losses { return losses{l.Loss, borne(l.Length, l.Renew)} }

// MeanTimeToLoss is the mean time from the grant to the end of the lease.
func (l LeaseLoss) MeanTimeToLoss() float64 {
	x := l.losses()
	return l.Renew*(x.meanTrials()-float64(x.run)) + l.Length
}

// LostWithin is the chance that the lease ends within a job of this length.
func (l LeaseLoss) LostWithin(job float64) float64 {
	x := l.losses()
	sum := 0.0
	for n, chance := range x.completions {
		if float64(n-x.run)*l.Renew+l.Length >= job {
			break
		}
		sum += chance
	}
	return sum
}

// Failover is a lease, renewed every Renew without loss, whose holder dies at a
// random phase of its renewals; a waiter tries every Poll at a phase of its own
// and succeeds at the first try at or after the end of the lease. The time from
// the crash to its success is
//
//	X = T − A + B,  A uniform on (0, r), B uniform on (0, a)
//
// Derived.
type Failover struct {
	Length float64 // T, seconds
	Renew  float64 // r, seconds; at most T
	Poll   float64 // a, seconds
}

// Mean is E[X] = T − r/2 + a/2.
func (f Failover) Mean() float64 { return f.Length - f.Renew/2 + f.Poll/2 }

// SD is the standard deviation of X, √((r²+a²)/12).
func (f Failover) SD() float64 { return math.Sqrt((f.Renew*f.Renew + f.Poll*f.Poll) / 12) }

// Max is the supremum of X, T + a; every failover is shorter.
func (f Failover) Max() float64 { return f.Length + f.Poll }

// Quantile is the time that a share p of failovers do not exceed. X − (T−r) is
// the sum of two uniform times, the longer l and the shorter s; its
// distribution function is y²/(2ls) up to s, (2y−s)/(2l) up to l, and symmetric.
func (f Failover) Quantile(p float64) float64 {
	long, short := max(f.Renew, f.Poll), min(f.Renew, f.Poll)
	corner := short / (2 * long)
	var y float64
	switch {
	case p < corner:
		y = math.Sqrt(2 * long * short * p)
	case p > 1-corner:
		y = long + short - math.Sqrt(2*long*short*(1-p))
	default:
		y = p*long + short/2
	}
	return f.Length - f.Renew + y
}

// Orphan is one lock with endless work: it is taken the instant it is free and
// held for exactly Job seconds, unless its holder dies (rate κ while holding);
// then it stays until the end of its lease, counted from the grant and never
// renewed.
//
//	q = 1 − e^{−κJ}   E[x; crash at x] = (1 − e^{−κJ}(1+κJ))/κ
//	cycle = (1−q)J + qT   orphan time = qT − E[x; crash]
//
// Valid for J ≤ T. Renewal-reward theorem; derived.
type Orphan struct {
	Length  float64 // T, seconds
	Job     float64 // J, seconds
	Crashes float64 // κ, per second of holding
}

// CrashShare is the share of holds whose holder dies.
func (o Orphan) CrashShare() float64 { return -math.Expm1(-o.Crashes * o.Job) }

// perHold is the mean time, per hold, for which the holder is dead.
func (o Orphan) perHold() float64 {
	x := o.Crashes * o.Job
	untilCrash := (1 - math.Exp(-x)*(1+x)) / o.Crashes
	return o.CrashShare()*o.Length - untilCrash
}

func (o Orphan) cycle() float64 {
	return (1-o.CrashShare())*o.Job + o.CrashShare()*o.Length
}

// MeanOrphan is the mean time from a crash to the end of the lease.
func (o Orphan) MeanOrphan() float64 { return o.perHold() / o.CrashShare() }

// OrphanShare is the share of time for which a dead process holds the lock.
func (o Orphan) OrphanShare() float64 { return o.perHold() / o.cycle() }

// JobsPerHour is how many jobs are completed per hour.
func (o Orphan) JobsPerHour() float64 { return 3600 * (1 - o.CrashShare()) / o.cycle() }

// LeaseCall is a lease that is kept by calls: the holder sends a renewal at
// Renew, 2·Renew, …; request and reply are each lost with chance p₁, and an
// answer that takes longer than Timeout counts as none. A success sets the end
// of belief to the instant of sending + Length. A renewal fails with chance
//
//	p = 1 − (1−p₁)²·P(round trip ≤ Timeout)
//
// and the lease is lost as in LeaseLoss. Valid for Timeout < T − m·r, m losses in
// a row to lose it. Gray and Cheriton, "Leases" (1989), for counting from the
// send; derived.
type LeaseCall struct {
	Length  float64 // T, seconds
	Renew   float64 // r, seconds
	Loss    float64 // p₁, of one message
	Round   Law     // round trip, seconds
	Timeout float64 // seconds
}

// Failure is the chance that a renewal fails.
func (l LeaseCall) Failure() float64 {
	return 1 - (1-l.Loss)*(1-l.Loss)*l.Round.CDF(l.Timeout)
}

// MeanTimeToLoss is the mean time from the grant to the end of belief.
func (l LeaseCall) MeanTimeToLoss() float64 {
	return LeaseLoss{Length: l.Length, Renew: l.Renew, Loss: l.Failure()}.MeanTimeToLoss()
}

// Drift is a lease under clocks whose rates differ from true time by a factor
// between 1 − ε and 1 + ε: the store may end it at T/(1+ε), the holder may take d
// of its own seconds for d/(1−ε). Derived; the allowance for drift is Redlock's
// (Redis documentation, "Distributed locks").
type Drift struct {
	Length float64 // T, seconds
	Error  float64 // ε
}

// SafeHold is the longest time by the holder's clock that always ends before
// the store's, T(1−ε)/(1+ε).
func (d Drift) SafeHold() float64 { return d.Length * (1 - d.Error) / (1 + d.Error) }

// WorstOverlap is the longest true time for which a holder that uses the full
// length is not the only one, T/(1−ε) − T/(1+ε).
func (d Drift) WorstOverlap() float64 { return d.Length/(1-d.Error) - d.Length/(1+d.Error) }

// Validity is what is left in milliseconds of a lock of ttl milliseconds whose
// majority answered after elapsed milliseconds: ttl − elapsed − (ttl/100 + 2).
func (Drift) Validity(ttl, elapsed float64) float64 { return ttl - elapsed - (ttl/100 + 2) }
