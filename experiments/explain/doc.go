// Package explain tells the story of one job, or of one failover, from the
// history of a run alone: what happened to it in the order of time, and what
// had happened before to bring it about. It runs the replication again with a
// recorder, so a run keeps no history for its sake.
//
// The story ends with the settings that would have prevented the harm: each
// candidate is tried by running the same replication, with the same luck, under
// that one change, and what it does to all harms of the replication is counted.
//
// A change that takes the fault away is no remedy: each event is left out on its
// own, and named as a cause where the harm goes with it. Neither is one that only
// this subject escapes by, while as much of the harm stays or comes instead.
//
// It does not promise that a change is worth its price elsewhere: one replication
// is one sample, and harms that no job or process takes, such as a backlog, are
// not counted.
package explain
