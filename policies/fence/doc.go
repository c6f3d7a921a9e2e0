// Package fence decides, at the resource, whether a write may still take
// effect: the last line of defence against a holder that does not know that
// its lease has ended.
//
//	accept(t) = t ≥ h,  then h := max(h, t)
//
// with t the token that the write carries and h the highest token known:
//
//	token of the write   5   5   7   5   6   7   8
//	h before             0   5   5   7   7   7   7
//	accepted           yes yes yes  no  no yes yes
//
// How tokens become known makes two rules:
//
//	seen      by Check alone. A stale write is still accepted after a newer
//	          holder was granted, until that holder has written once.
//	granted   by Register too, called by the lock store before it answers a
//	          grant. Then no write with an older token is accepted from the
//	          grant on; the price is that the store must reach the resource.
//
// Kleppmann, "How to do distributed locking", 2016, describes the first.
//
// Promise: the tokens of accepted writes never fall. Faults survived: writes
// delayed, doubled or out of order; pauses and clocks of any kind, since no
// time is read. Assumption: tokens rise with every grant of the resource (a
// store without tokens gives 0 always, and then every write is accepted), and
// the gate is as durable as the data that it guards. Not promised: that one
// holder's writes come in order, or once; that is a matter of sequence numbers
// and keys.
package fence
