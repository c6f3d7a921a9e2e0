package theory

// Partition is a holder that is cut off from the lock store alone from Cut on:
// it renewed at every multiple of Renew before, its lease ended Length after
// the last one, and a contender that tries at Offset, Offset+Poll, … takes the
// lock at its first try from then on. The holder goes on writing at Every,
// 2·Every, … up to Job, the contender at the same distances after it took the
// lock; at one instant the contender's write comes first. All times are in
// milliseconds, so that they are exact.
//
// Enumerated. Scenario: Alquraishi et al., partial network partitions (OSDI
// 2018, 2020); Kleppmann, "How to do distributed locking" (2016).
type Partition struct {
	Length, Renew, Cut int
	Offset, Poll       int
	Job, Every         int
}

// LastRenewal is the last renewal that the store saw.
func (p Partition) LastRenewal() int { return (p.Cut - 1) / p.Renew * p.Renew }

// Expiry is when the lease ends at the store.
func (p Partition) Expiry() int { return p.LastRenewal() + p.Length }

// Taken is when the contender gets the lock.
func (p Partition) Taken() int {
	tries := max(0, (p.Expiry()-p.Offset+p.Poll-1)/p.Poll)
	return p.Offset + tries*p.Poll
}

// stale counts the holder's writes from the contender's grant on and before
// the given end.
func (p Partition) stale(end int) int {
	n := 0
	for at := p.Every; at <= p.Job; at += p.Every {
		if at >= p.Taken() && at < end {
			n++
		}
	}
	return n
}

// StaleWithoutFence counts the stale writes that land if nothing stops them.
func (p Partition) StaleWithoutFence() int { return p.stale(p.Job + 1) }

// StaleBeforeFence counts those that land although the resource refuses tokens
// older than the newest it has seen: those before the contender's first write.
func (p Partition) StaleBeforeFence() int { return p.stale(p.Taken() + p.Every) }

// RefusedByFence counts those that the resource refuses.
func (p Partition) RefusedByFence() int { return p.StaleWithoutFence() - p.StaleBeforeFence() }

// WritesSelfFenced counts all writes of a holder that stops at its own
// deadline: the expiry, if its clock is right.
func (p Partition) WritesSelfFenced() int { return (min(p.Expiry(), p.Job+1) - 1) / p.Every }

// StaleSelfFenced counts the stale ones among them.
func (p Partition) StaleSelfFenced() int { return p.stale(p.Expiry()) }

// Fencing is a client that takes a lock at 0, never renews it, freezes on
// [Pause, Pause+Frozen) and writes Delay after it resumes without a look at its
// lease; a second client tries once, at Try, and if it got the lock writes at
// Write. The storage with a fence refuses a token lower than the highest it has
// seen. All times in seconds. Kleppmann (2016), figure of tokens 33 and 34.
type Fencing struct {
	Length        float64
	Pause, Frozen float64
	Delay         float64
	Try, Write    float64
}

// SecondGranted says whether the second client gets the lock.
func (f Fencing) SecondGranted() bool { return f.Try >= f.Length }

// FirstWrite is when the first client writes.
func (f Fencing) FirstWrite() float64 { return f.Pause + f.Frozen + f.Delay }

// FirstStale says whether the second client holds the lock by then.
func (f Fencing) FirstStale() bool { return f.SecondGranted() && f.FirstWrite() >= f.Try }

// FirstAccepted says whether the first client's write lands.
func (f Fencing) FirstAccepted(fenced bool) bool {
	return !fenced || !f.SecondGranted() || f.FirstWrite() < f.Write
}
