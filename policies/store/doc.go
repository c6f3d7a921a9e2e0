// Package store names what a worker needs of a queue and of a lock store, and
// gives the reference behaviour of both as pure tables in memory.
//
// Queue and Locks are what policies/live calls; an adapter to a real system
// implements them. LockTable and QueueTable say what such an adapter must do:
// they drive the same lease.Grant that the simulator's grantors drive, take the
// time as an argument and wait for nothing.
//
// Promise of the tables: at most one claim per lock and per message; a token
// above every token given before for the lock; expiry is noticed by whatever
// comes next, at the deadline itself or later; a message is neither lost nor
// handed out while its claim stands, until it is settled.
//
// Not promised: durability; speed with many messages (a look scans them all);
// use by several goroutines at once (see live.Queue, live.Locks).
package store
