// Package live drives the policies in production: goroutines, the real clock,
// real stores. It is the only policy package that waits.
//
// Retry calls a function again by a retry.Rule. Keeper acquires a lock and
// keeps it; a context ends when the lock is lost. Worker runs handlers for the
// messages of a queue under a worker.Rule and drains when its context ends.
// Caller calls a dependency with retries, behind a breaker and a limit.
// Queue and Locks are stores in this process, for tests and examples.
//
// Each driver is one loop with one inbox: wait, step the machine, carry out. It
// makes no decision of its own. Answers, handlers' ends, signals and the alarm
// all come in by the inbox, one at a time, so that the order in which they are
// handled is the order in which they came. Every call to a store runs in a
// goroutine of its own.
//
// Promise: what is decided, and when, is decided by the machine alone; the twin
// test replays one script through the bare machine, a driver on sim, and this
// package, and the three logs are equal byte for byte.
//
// Assumption: the stores heed their contexts; a handler that is told to stop by
// its context ends. The clock is the monotonic one, counted from the start of
// each driver, so the wall clock may be set at will.
//
// Not promised: that a handler is stopped which does not heed its context (it
// keeps its slot, and a graceful stop waits for it).
package live
