// Package backpressure decides how much may be in flight and what is refused
// before it is sent: a breaker in front of a dependency, a limit that follows
// overload, a token bucket, and a pause of the whole worker.
//
// # Breaker
//
//	          too many failures
//	CLOSED ──────────────────────▶ OPEN ◀──────────────┐
//	  ▲                             │                  │ a probe failed, too many
//	  │                             │ first Ask at or  │ did (ReopenRatio), or
//	  │                             ▼ after its end    │ ProbeLimit has passed
//	  └───────────────────────── HALF-OPEN ────────────┘
//	    Probes calls have succeeded
//
// It opens when Consecutive calls in a row have failed, or when of the calls
// ended Within at least Of, and of these at least Share, have failed. It is
// open on [t, t + Opens[k]) for the k-th time; half-open is lazy: no timer
// ends the open period, the first Ask after it does and is the first probe.
// With the rate λ of calls on a dead dependency, open period O and one probe,
//
//	calls that reach it per second = 1/(O + 1/λ),  share refused = λO/(λO + 1)
//
//	λ = 20/s     O = 1s     O = 10s    O = 60s
//	calls/s       0.952      0.0995     0.0167
//	refused       95.2 %     99.50 %    99.92 %
//
// Promise: an Ask gets exactly one Allow or Refuse; while open none is
// allowed; half-open at most Probes are. An end that is told with an old Epoch
// does not count (unless CountOld). Faults survived: ends told late, twice in
// different states, or never (with ProbeLimit); a clock set back starts the
// present period anew, which is neither cut short nor stretched by the jump.
// Assumption: each allowed call's end is told at most once. Not promised: that
// the dependency is down while it is open, or has room when it closes.
//
// # Limit
//
// Whole-number AIMD: a round multiplies by Num/Den (rounded down) if it was
// overloaded, else adds Add, within [Min, Max]. From 10 with +1 and ·9/10, in
// front of a capacity of 100: 10, 11, …, 101, 90, 91, …, 101, 90, … Promise:
// Min ≤ limit ≤ Max. Not promised: fairness between limits with unlike rules.
//
// # Limiter
//
// A Limiter counts what is in flight and lets one of six rules (LimiterRule) say
// how much may be; its limit is a Limit where the rule is AIMD. Two answers to
// one question, whether a server of 20 places and 50 ms is full:
//
//	in flight       10      20      30      40     100
//	latency       50ms    50ms    75ms   100ms   250ms
//	vegas: wait      0       0      10      20      80    fewer from 6 on
//	gradient g       1       1       1    0.75    0.50    K 1.5, usual 50 ms
//
// Promise: Min ≤ limit ≤ Max; fixed, aimd, gradient and vegas never admit more
// than the limit in flight; an overload never makes a limit grow (gradient sees
// latencies only); one Admit or Deny for each Want. Faults survived: a clock set
// back starts the round anew. Assumption: each admitted call is told Ended or
// Withdrawn once. Not promised: that callers who share a dependency get equal
// parts of it, nor that latency rises because of load.
//
// A Bucket lets Rate calls per second through and Burst at once. Promise: in any
// span t at most Burst + Rate·t.
//
// # Pause
//
//	RUNNING ── Share of at least Of jobs failed Within ──▶ PAUSED
//	   ▲                                                     │
//	   └───────────────────── For has passed ────────────────┘
//
// Promise: Stop and Resume alternate, For apart; what ends during a pause
// counts for nothing. Not promised: that the cause has gone when it resumes.
//
// Nothing here allocates in Step, nor after Reset.
package backpressure
