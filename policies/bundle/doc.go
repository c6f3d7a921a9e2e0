// Package bundle puts the policies together in three grades, so that a worker
// is as careful as its jobs need, and no more.
//
// Simple has bounded retries with jitter and a clear time-out for each kind of
// wait. Medium adds leases that are renewed and believed in for no longer than
// is safe, and drains when coordination is in doubt: at the first error of it,
// renewal that fails or heartbeat without an answer. Critical adds fencing
// tokens that are registered, limits that follow what a service can bear,
// breakers, and no trust in a cache. The same numbers stand in the presets
// simple, medium and critical of scenario files (kind: policy); a test holds the
// two together, so what a simulation says of a bundle holds for the worker that
// runs it.
//
// In production a bundle's Worker is the rule of a live.Worker, its Patience,
// Retry, Breaker and Limit are those of a live.Caller for each service, and with
// Register the live.Config has a function that shows the token. From medium on
// the live.Config has a Probe, or somebody calls Coordinate, to end a doubt that
// no renewal can end; who sends heartbeats tells the worker of their answers.
//
// # What critical promises
//
// No effect twice, no job lost, no job stuck, and no write of an earlier holder
// after a later one has registered, through any mixture of these:
//
//   - processes that crash at any instant, or stop, and boot again;
//   - processes that pause at any instant for any time;
//   - links between workers and broker, lock store or services that are cut in
//     one direction or both, silently or with a refusal, for any time;
//   - messages that are lost, singly or in bursts, doubled in effect by retries,
//     late by any time, and overtaken;
//   - a broker that hands out again what runs already;
//   - a lock store or a service that stalls, or answers with errors;
//   - clocks that are wrong by any amount, or jump; clocks whose rates differ
//     by up to 5 % (leases are judged by monotonic clocks).
//
// And that a lock has one believer at a time, while no process pauses and its
// waiters ask for it again and again: who is told of a grant by the store cannot
// know how long the word was on its way, and may believe for so much too long.
//
// # What it assumes
//
// The resource checks the business key of a write and its token in one step
// with the effect (services.S.checks: [key, token]), and forgets neither. A job
// is one such write; steps that have an effect elsewhere need a key of their own
// there, and the marks of a guard before it must end (services.S.in_progress), or
// a death leaves one for ever. The broker loses nothing that it has taken, hands out again what was
// not acknowledged, and does not set jobs aside by count. The lock store grants
// a lock to one at a time, with rising tokens, and does not forget grants in a
// fail-over. The job takes the lock before it reads what it will write. Errors
// are classed rightly: a job that fails for good is a dead letter, which is not
// lost, and has no effect.
//
// # What it does not promise
//
// That nothing is done in vain: work is repeated, and refused writes are the
// price of a lock that was lost. That a paused process stops: it goes on when
// it wakes, and only the resource can refuse it. That an effect which a handler
// has outside of the resource is fenced. Reconciliation and audit are jobs of
// their own beside the workers, not settings of a worker: a critical system has
// them as well, for what nobody foresaw.
package bundle
