package theory

import "math"

// Visibility is a message that is hidden for Timeout at every receipt and, not
// deleted by then, received again at once by another worker, with an
// independent service; executions run on. Any receipt deletes; a loss is a lost
// delete, never repeated. With F the law of service, p the loss and V the
// time-out,
//
//	P(N > n) = Π_{i=1..n} [1 − (1−p)F(iV)]   E[N] = 1 + Σ P(N > n)
//	P(T > t) = Π_{j=0..⌊t/V⌋} [1 − (1−p)F(t−jV)]
//
// for deliveries N and the time T to deletion. Valid with a worker always free.
// Derived: deliveries are independent. Mechanism: Amazon SQS.
type Visibility struct {
	Arrivals float64 // jobs per second
	Timeout  float64 // V, seconds
	Service  Law
	Loss     float64 // p, share of deletes lost
}

// fails is the chance that a delivery has not deleted the message within t.
func (v Visibility) fails(t float64) float64 { return 1 - (1-v.Loss)*v.Service.CDF(t) }

// negligible is where sums of falling chances end.
const negligible = 1e-18

// MoreThan is the share of jobs delivered more than n times.
func (v Visibility) MoreThan(n int) float64 {
	chance := 1.0
	for i := 1; i <= n; i++ {
		chance *= v.fails(float64(i) * v.Timeout)
	}
	return chance
}

// MeanDeliveries is the mean number of deliveries of a job.
func (v Visibility) MeanDeliveries() float64 {
	sum, chance := 1.0, 1.0
	for i := 1; chance > negligible; i++ {
		chance *= v.fails(float64(i) * v.Timeout)
		sum += chance
	}
	return sum
}

// MeanTimeToDelete is the mean time from the first receipt to deletion.
func (v Visibility) MeanTimeToDelete() float64 {
	sum := 0.0
	for k := 0; k == 0 || v.MoreThan(k) > negligible; k++ {
		low := float64(k) * v.Timeout
		sum += integral(low, low+v.Timeout, func(t float64) float64 {
			kept := 1.0
			for j := range k + 1 {
				kept *= v.fails(t - float64(j)*v.Timeout)
			}
			return kept
		})
	}
	return sum
}

// MeanRunning is the mean number of executions at once, by Little's law.
func (v Visibility) MeanRunning() float64 {
	return v.Arrivals * v.MeanDeliveries() * v.Service.Mean()
}

// RedeliveriesPerHour counts the deliveries beyond the first of each job.
func (v Visibility) RedeliveriesPerHour() float64 {
	return 3600 * v.Arrivals * (v.MeanDeliveries() - 1)
}

// AckDeadline is Visibility where only the current delivery may delete, before
// its deadline V, and no delete is lost: geometric with success F(V).
//
//	E[N] = 1/F(V)   E[T] = (E[N]−1)V + E[S | S ≤ V]   work: E[S]·E[N]
//
// Derived. Mechanism: Google Pub/Sub with exactly-once, SQS FIFO receipts.
type AckDeadline struct {
	Timeout float64 // V, seconds
	Service Law
}

// MeanDeliveries is the mean number of deliveries of a job.
func (a AckDeadline) MeanDeliveries() float64 { return 1 / a.Service.CDF(a.Timeout) }

// DuplicateShare is the share of jobs delivered more than once.
func (a AckDeadline) DuplicateShare() float64 { return a.Service.Survival(a.Timeout) }

// MeanTimeToDelete is the mean time from the first receipt to deletion.
func (a AckDeadline) MeanTimeToDelete() float64 {
	return (a.MeanDeliveries()-1)*a.Timeout + a.Service.meanBelow(a.Timeout)*a.MeanDeliveries()
}

// MeanWork is the mean time that workers spend on one job.
func (a AckDeadline) MeanWork() float64 { return a.Service.Mean() * a.MeanDeliveries() }

// Extension is a hidden message whose worker asks for Timeout more at Every,
// 2·Every, … while it works; each request is lost with chance q. The message is
// delivered again if m = ⌈V/h⌉−1 requests in a row are lost and the work is not
// done V after the last one that arrived:
//
//	P(again) = E[P(S > (T−m)h + V)]
//
// where T is the request that completes the first run of m losses. Valid for
// h < V, V no multiple of h. Feller, vol. 1, section XIII.7; derived.
type Extension struct {
	Timeout float64 // V, seconds
	Every   float64 // h, seconds
	Loss    float64 // q
	Service Law
}

// DuplicateShare is the share of jobs delivered more than once.
func (x Extension) DuplicateShare() float64 {
	m := borne(x.Timeout, x.Every)
	sum := 0.0
	for n, chance := range (losses{x.Loss, m}).completions {
		left := x.Service.Survival(float64(n-m)*x.Every + x.Timeout)
		sum += chance * left
		if left < negligible {
			break
		}
	}
	return sum
}

// Dedup is a table of keys: a message is applied if its key has no valid mark,
// and leaves one, valid on [t, t+Life). A message that is skipped does not
// refresh the mark.
type Dedup struct {
	At   []float64 // seconds, ascending
	Keys []string
	Life float64 // of a mark, seconds; 0: for ever
}

// Applied says of each message whether it is applied.
func (d Dedup) Applied() []bool {
	applied := make([]bool, len(d.At))
	until := map[string]float64{}
	for i, at := range d.At {
		if end, marked := until[d.Keys[i]]; marked && at < end {
			continue
		}
		applied[i] = true
		until[d.Keys[i]] = at + d.Life
		if d.Life == 0 {
			until[d.Keys[i]] = math.Inf(1)
		}
	}
	return applied
}

// AppliedCount is how many messages are applied.
func (d Dedup) AppliedCount() int {
	n := 0
	for _, applied := range d.Applied() {
		if applied {
			n++
		}
	}
	return n
}

// SkippedCount is how many messages are not applied.
func (d Dedup) SkippedCount() int { return len(d.At) - d.AppliedCount() }

// KeyCount is how many different keys there are.
func (d Dedup) KeyCount() int {
	keys := map[string]bool{}
	for _, key := range d.Keys {
		keys[key] = true
	}
	return len(keys)
}
