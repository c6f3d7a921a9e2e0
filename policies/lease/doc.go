// Package lease decides both sides of a lease: the Keeper of a holder (when to
// renew, when to stop believing), the Grant of a grantor (who holds what until
// when, under which token), and the Watcher of a waiter that judges expiry by
// its own clock.
//
// # The holder
//
//	        Begin              Granted
//	idle ----------> asking ----------> holding --.  beat: Renew, every Every
//	 ^                  |                  |  ^   |  from the grant's send instant
//	 |  Refused, Failed |                  |  '---'
//	 '------------------'                  |
//	 ^                                     | belief ends, Refused, error (GiveUp): Lost
//	 '-------------------------------------'
//
// The holder believes at t exactly when
//
//	t < sent(n) + Believe - Margin,   n the newest request that was answered yes
//
// and sent(n) the instant at which that request was sent (Anchor FromSent; Gray
// & Cheriton, Leases, SOSP 1989). The interval is half open: at its end it is
// over. With Length 10 s, Every 4 s and no Margin:
//
//	sent   answered   belief ends at
//	 0 s     0.5 s        10 s
//	 4 s     4.2 s        14 s
//	 8 s     lost         14 s
//	12 s    13.5 s        22 s        counted from 12 s, not from 13.5 s
//
// Beats keep their schedule: one does not wait for the answer to the one
// before, so up to eight requests may be on their way, and every answer names
// its own. Overdue beats are sent as one. Until the holder is told, ⌈Length/Every⌉-1
// lost renewals in a row lose the lease (Every not above Length).
//
// # The grantor
//
//	           Acquire                    deadline
//	free --------------------> current ------------> lapsed
//	 ^  (not before closed)     |    ^                 |
//	 |                          |    '-----------------| Renew, if Late allows
//	 |  Release, Revoke,        |                      |
//	 |  SessionEnd              |                      | Lapse: the grantor looks
//	 '--------------------------'----------------------'
//
// A claim is named by its serial number. What a request gets whose claim is
// over depends on the phase of that claim: lapsed (nobody has looked), free
// (nobody has it), taken (a later claim stands); see Settle. After an unclean
// end the resource stays closed for Delay.
//
// # Promise
//
// A Keeper never believes at or beyond the formula above, on the clock that its
// caller reads, whatever is lost, late, doubled or out of order, and also when
// that clock is set back. A Grant has at most one standing claim, and its
// tokens rise strictly from grant to grant. If the holder's clock is not slower
// and the grantor's not faster than the Margin allows, the anchor is FromSent
// and Late does not Accept what is taken, then no two holders believe at once.
//
// Survived: lost, late, doubled and overtaken answers; a holder that is paused,
// cut off or dead; a grantor that looks late; a clock set forward (the belief
// ends early).
//
// Not promised: safety under a clock that was set back (the belief lasts as
// much longer: give the Keeper a monotonic clock); safety of what a paused
// holder does before it steps the Keeper again (that is what tokens and a fence
// are for); a grant that outlives the store's memory; fairness among waiters.
package lease
