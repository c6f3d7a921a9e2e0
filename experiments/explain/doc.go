// Package explain tells the story of one job, or of one failover, from the
// history of a run alone: what happened to it in the order of time, and what
// had happened before to bring it about. It runs the replication again with a
// recorder, so a run keeps no history for its sake.
//
// The story ends with the settings that would have prevented the harm: each
// candidate is tried by running the same replication, with the same luck, under
// that one change.
package explain
