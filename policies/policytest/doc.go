// Package policytest plays text scripts against a policy or a store and
// compares what was decided, line by line.
//
//	# comments and blank lines stay as they are
//	at 0s rule attempts=3 delay=1s
//	at 0s begin
//	    0s attempt 1
//	at 200ms failed class=transient
//	    200ms retry 2 wait=1s
//	    deadline 1.2s
//	    1.2s attempt 2
//	    deadline never
//	until 5s
//
// An input stands at the margin: its instant, its name, its arguments. What
// came of it stands indented below: each decision with its instant, and the
// deadline whenever it has moved. Deadlines before the next input are reached
// on the way; at one instant an input comes first, as a message received does.
// A script may set its clock back.
//
// Promise: the log is the whole of what the machine decided, and a script and
// its log are one file, rewritten by `go test -update`. Assumption: the
// machine is a function of its inputs. Not promised: that a log is right; a
// person reads it when it changes.
package policytest
