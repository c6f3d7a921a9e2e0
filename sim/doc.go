// Package sim runs events in the order of (time, rank, sequence) on integer
// virtual time, hands out named chance, and hashes what happened.
//
// A model is one [Handler]. It schedules plain values: an event that will
// certainly come with [Sim.At], a deadline that mostly will not with a re-armable
// timer ([Sim.NewTimer], [Sim.Arm], [Sim.Stop]). [Sim.Run] hands them back one
// at a time, and the model's own state is whatever the handler keeps.
//
// # Promise
//
// Order is total and documented: earlier time first; at one instant, lower
// [Rank] first; at equal rank, what was scheduled (or armed) first. An event
// scheduled at the current instant still runs at that instant, even ahead of
// others of a higher rank that were waiting. Running to t/2 and then to t is
// running to t. Nothing is allocated per event once the run has reached its
// size. The trace hash depends on every event handled and on their order, and
// is the same on every CPU that Go runs on.
//
// # Assumption
//
// One Sim is used by one goroutine, and its handler schedules nothing in the
// past: that is a broken model, and it panics. A handler does not call Run.
//
// # What it does not promise
//
// It does not know what an event means, holds no process or resource, measures
// nothing (see sim/stat) and draws from no distribution (see sim/dist). It does
// not run anything in parallel: run replications side by side instead.
package sim
