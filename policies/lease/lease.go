package lease

// Kind is a word of the talk between holder and grantor. Both machines share
// one vocabulary: what the holder's Keeper commands (Renew) is what the
// grantor's Grant is asked, and what the Grant answers (Renewed) is what the
// Keeper hears.
type Kind uint8

const (
	// Tick says that the Deadline of the machine is reached.
	Tick Kind = iota

	// Acquire asks for the lease.
	Acquire
	// Take asks for a lease that somebody else may hold: a compare-and-set on
	// the version of the record, as a waiter does that judges expiry itself.
	Take
	// Renew asks for more time.
	Renew
	// Release gives the lease back.
	Release

	// Granted gives the lease to an owner.
	Granted
	// Renewed gives more time.
	Renewed
	// Refused says no; to a holder it says that the lease is not its own.
	Refused
	// Released says that a claim ended by its owner's wish.
	Released
	// Ignored is the answer to a late request that is told yes and changes
	// nothing.
	Ignored

	// Failed says that a request got no answer: time-out, error of the link.
	Failed
	// Woken says that the process runs again after a pause.
	Woken
	// Ended says that the work under the lease is over.
	Ended
	// Lost says that the holder no longer believes.
	Lost

	// Lapse makes the grantor look at its clock.
	Lapse
	// Revoke takes the lease away by an operator's hand.
	Revoke
	// SessionEnd takes away whatever an owner holds, for its session is over.
	SessionEnd
	// Expired says that a claim ended by time or with its session.
	Expired
	// Revoked says that a claim ended by an operator's hand.
	Revoked
	// Stolen says that a claim ended because a late request of an earlier
	// owner was accepted, or a waiter took the lease.
	Stolen
)

func (k Kind) String() string {
	return [...]string{"tick", "acquire", "take", "renew", "release", "granted", "renewed", "refused", "released", "ignored",
		"failed", "woken", "ended", "lost", "lapse", "revoke", "session-end", "expired", "revoked", "stolen"}[k]
}

// Why is the reason of a refusal or a loss.
type Why uint8

const (
	// WhyNone stands where no reason is needed.
	WhyNone Why = iota
	// WhyExpired: the holder's belief ran out.
	WhyExpired
	// WhyRefused: the grantor told the holder.
	WhyRefused
	// WhyGaveUp: the holder gave the lease back after an error (GiveUp).
	WhyGaveUp
	// WhyHeld: somebody holds it.
	WhyHeld
	// WhyClosed: nobody holds it, but it may not be taken yet.
	WhyClosed
	// WhyStale: the request speaks of a claim that is over.
	WhyStale
	// WhyCapped: the claim would last longer than the cap.
	WhyCapped
)

func (w Why) String() string {
	return [...]string{"none", "expired", "refused", "gave-up", "held", "closed", "stale", "capped"}[w]
}
