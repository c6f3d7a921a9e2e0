package lease

import (
	"errors"
	"fmt"
	"time"
)

// Anchor says from which instant a success extends the holder's belief.
type Anchor uint8

const (
	// FromSent counts from the send instant of the successful request: the
	// only anchor that is safe, because the grantor cannot have started its
	// clock earlier (Gray & Cheriton, Leases, SOSP 1989, section 2).
	FromSent Anchor = iota
	// FromReply counts from the arrival of the reply: the belief outlives the
	// grant by up to the time that the reply travelled.
	FromReply
	// Told lets only a refusal end the belief.
	Told
	// Forever lets nothing end it; a refusal counts as an error.
	Forever
)

// OnError says what a failed renewal sets off.
type OnError uint8

const (
	// Next waits for the next beat.
	Next OnError = iota
	// Again renews again after a delay, between the beats.
	Again
	// Stop sends no more beats; the belief runs out.
	Stop
	// GiveUp releases the lease at the first error.
	GiveUp
)

// HolderRule says how a holder keeps a lease. It is read on every step and may
// be shared by many keepers.
type HolderRule struct {
	// Length is the time asked for with each request; above 0, or 0 for a
	// lease without end (then Anchor must be Told or Forever).
	Length time.Duration
	// Every is the time between two beats (renewals); 0: never renew.
	Every time.Duration
	// OnError is what a failed renewal sets off. Default Next.
	OnError OnError
	// Delays are the waits before a renewal is sent again (OnError Again):
	// the k-th after the k-th failure in a row; the last repeats. Above 0.
	Delays []time.Duration
	// Timeout is the time after which a renewal without an answer has failed;
	// 0: the driver says Failed.
	Timeout time.Duration
	// Believe is how long after the anchor the holder believes in the lease;
	// 0: Length. A holder that believes longer than the grantor grants is
	// what many systems have; it is not safe.
	Believe time.Duration
	// Anchor is the instant that belief counts from. Default FromSent.
	Anchor Anchor
	// Margin is subtracted from the belief: room for clocks that run at
	// different speeds. With rates within 1±ε, Length·2ε/(1+ε) is enough.
	Margin time.Duration
}

// Check returns one error per broken rule.
func (r *HolderRule) Check() error {
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("lease: "+format, args...)) }
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"Length", r.Length}, {"Every", r.Every}, {"Timeout", r.Timeout}, {"Believe", r.Believe}, {"Margin", r.Margin}} {
		if d.value < 0 {
			complain("%s is %v; give 0 or more", d.name, d.value)
		}
	}
	if r.Anchor > Forever {
		complain("Anchor is %d; give FromSent, FromReply, Told or Forever", r.Anchor)
	}
	if r.OnError > GiveUp {
		complain("OnError is %d; give Next, Again, Stop or GiveUp", r.OnError)
	}
	if r.Anchor <= FromReply && r.belief() <= 0 {
		complain("the holder believes for %v; give a Believe (or Length) above Margin %v, or let Anchor be Told", r.belief(), r.Margin)
	}
	if r.OnError == Again && len(r.Delays) == 0 {
		complain("OnError is Again without Delays; give the wait before a renewal is sent again")
	}
	for _, d := range r.Delays {
		if d <= 0 {
			complain("a delay is %v; give more than 0, or a failing grantor is asked without end in one instant", d)
		}
	}
	return errors.Join(errs...)
}

// belief is the time from the anchor to the end of belief.
func (r *HolderRule) belief() time.Duration {
	if r.Believe > 0 {
		return r.Believe - r.Margin
	}
	return r.Length - r.Margin
}
