// Package detect decides when the silence of a sender of heartbeats becomes
// suspicion that it is dead.
//
//	             Tick at or after the deadline
//	TRUSTED ────────────────────────────────────▶ SUSPECTED
//	  ▲  │ Beat: the deadline moves                   │
//	  │  └────┐                                       │
//	  └───────┴───────────────────────────────────────┘
//	                     Beat (Chen: a fresh one)
//
// The rules. With t the silence, now − last arrival, suspicion begins at the
// first nanosecond at which
//
//	Fixed           t ≥ Timeout
//	Missed          t ≥ Missed·Every
//	PhiNormal       −log10 P(N > y) ≥ Level,  y = (t − mean − Allowance)/sd, N standard normal
//	PhiLogistic     the same with P(N > y) ≈ e/(1+e),  e = exp(−y·(1.5976 + 0.070566·y²))
//	PhiExponential  (t − Allowance)/(mean·ln 10) ≥ Level
//	Chen            now ≥ σ + Every + Timeout,  σ = the send instant of the newest beat
//
// Mean and sd are those of the last Window intervals between beats (population
// variance; sd at least MinSD); they start from the two intervals ¾·Every and
// 1¼·Every, and an interval in which the sender was convicted is not learnt.
// Chen is NFD-S of Chen, Toueg and Aguilera, "On the quality of service of
// failure detectors", IEEE Trans. Computers 51(5), 2002: at t in
// [i·η+δ, (i+1)·η+δ) it trusts if a beat with number i or higher has come.
//
// For a mean of 1 s and an sd of 200 ms, phi after a silence of
//
//	               900ms    1s   1.5s     2s    level 8 is reached at
//	PhiNormal       0.16  0.30   2.21   6.54    2122.400 ms
//	PhiLogistic     0.16  0.30   2.22   7.30    2045.197 ms
//	PhiExponential  0.39  0.43   0.65   0.87   18420.681 ms
//
// Promise. Suspect and Trust alternate. Deadline is the exact instant: a Tick
// there suspects, one a nanosecond before does not; for the phi kinds
// Phi(deadline) ≥ Level > Phi(deadline−1ns), on every CPU. Fixed detects a
// crash within Timeout of the last arrival, Chen within Every + Timeout of the
// crash. Step does not allocate.
//
// Assumption. Chen: sender and observer share a clock, and beat i is sent on
// schedule. The phi kinds: intervals of the past say what to expect.
//
// Faults survived. Beats that are lost, late, doubled or overtaken. An
// observer that looks late: a beat that comes first is believed, and its long
// gap is not learnt. A clock set back: silence starts anew at the next look
// (Chen: is judged by the clock as it is), and no negative interval is learnt.
//
// Not promised. That a suspect is dead: every rule errs, and how often is what
// the simulator is for. That a sender whose pace has slowed for good is ever
// learnt by the phi kinds: gaps beyond the deadline are never taken in, so it
// stays suspected between beats. That an observer notices its own pause.
package detect
