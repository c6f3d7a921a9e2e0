// Package retry decides whether a failed attempt is made again, when, and
// whether the owner can afford it.
//
//	         Begin             Failed, another is allowed
//	(idle) ────────▶ TRYING ───────────────────────────────▶ WAITING
//	                  │  ▲                                      │
//	 Succeeded, or    │  └──────────────────────────────────────┘
//	 Failed for good  ▼                 deadline
//	                (end)
//
// The rule. After attempt k has failed at instant t with class c, attempt k+1
// is made at t + w, or never. With d(k) the k-th of Delays, or
// Delays[0]·Growth^(k−1), and U uniform on [0, 1):
//
//	v = min(Cap, d(k))
//	w = v·Low + U·(v·(High−Low) + Add)           any jitter but decorrelated
//	w = min(Cap, D + U·(3·w(k−1) − D))           decorrelated; D = Delays[0] = w(0)
//
// to the nearest nanosecond. It is never made if c is not in Only, if k is
// Attempts, if t + w is after the beginning + Elapsed, or if the Budget has
// too little left; the first of these in this order is the Reason.
//
// For Delays {100ms}, Growth 2, Cap 1s:
//
//	k                  1       2       3       4       5       6
//	None           100ms   200ms   400ms   800ms      1s      1s
//	Full, mean      50ms   100ms   200ms   400ms   500ms   500ms
//	Equal, mean     75ms   150ms   300ms   600ms   750ms   750ms
//	Spread(20%)  80–120ms      …       …       …  0.8–1.2s
//
// Promise. At most Attempts attempts; no attempt before the wait that was
// announced has passed on the caller's clock; no wait is negative or, without
// an Add or a High above 1, longer than Cap; every Begin ends in an attempt,
// and every Failed in an attempt, a wait or a reason. Two machines with equal
// inputs decide equally. Step does not allocate.
//
// Assumption. The caller tells each attempt's end once and gives every wait
// its own Chance; requests of one Budget are stepped by one goroutine.
//
// Faults survived. A clock set back starts the present wait anew: it is not
// cut short, and not stretched by the jump. An answer that comes while the
// machine waits (the attempt was given up, its reply is late) decides nothing.
//
// Not promised. That an attempt has no effect because it failed: a time-out
// says nothing about the other side, so what is retried should be idempotent.
// That retries help: against an overloaded service only Budget, breaker or
// deadline do.
package retry
