// Package idempotency remembers keys, so that a job that is delivered or
// published twice has its effect once.
//
//	           Begin                     Complete, Apply
//	ABSENT ─────────────▶ IN PROGRESS ──────────────────▶ DONE
//	 ▲ ▲ ▲                  │   │                          │ │ ▲
//	 │ │ └──── Abandon ─────┘   │ InProgress has passed    │ └─┘ a repeat, with
//	 │ └────────────────────────┘                          │     Refresh
//	 └──────────────── Remembers has passed ───────────────┘
//
// A mark set at x for a length L is valid on [x, x+L): at x+L it has ended. A
// length of 0 is for ever. For Remembers = 10s and one key that comes at
//
//	t                     1s      5s     10s     11s     20s     21s
//	without Refresh    applied skipped skipped applied skipped applied
//	with Refresh       applied skipped skipped skipped skipped skipped
//
// Apply is the unique key of a database; Begin, Complete and Abandon are a
// guard around work that takes time; Take and Abandon are the ids of a queue
// that knows a job only as long as it waits or runs; Forget frees a key by hand.
//
// Promise: within the time that a key is remembered, Apply says true once,
// and one Begin finds it absent. An expired or abandoned claim never undoes a
// later one. Memory is held for valid marks only, up to what the next few
// calls sweep. No call allocates once the table has reached its size.
//
// Faults survived: duplicates of any number and order; an owner that dies
// (its claim expires) or wakes up after its claim has expired (its Complete
// stands, its Abandon is ignored). A clock set back only lengthens what is
// remembered.
//
// Assumption: equal keys mean the same effect; a 64-bit hash of n keys meets a
// false duplicate with chance about n²/2^65. Not promised: that work runs once.
// When a claim expires under a living owner two of them run, and only a
// unique key or a token at the effect itself (Apply in the same transaction,
// package fence) keeps the second from counting.
package idempotency
