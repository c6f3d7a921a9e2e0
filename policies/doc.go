// Package policies holds the words that all policies share: instant, chance,
// token, error class.
//
// A policy is a pure machine owned by one caller. Its only way in is
// Step(now, input, out), which appends commands to the caller's buffer; its
// only claim on time is one Deadline, after which the caller steps it again.
// A machine starts no goroutine, reads no clock and holds no generator: now
// and chance come in as values. The same compiled functions therefore decide
// in production (policies/live) and in the simulator (model).
package policies
