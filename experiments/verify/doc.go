// Package verify compares the simulator with cases whose right answer is known:
// oracles.yaml names for each a closed form of package theory, a scenario or a
// call of a policy, and quantities with tolerances.
//
// A tolerance is about four standard errors of the full run, so that a right
// simulator misses a quantity about once in 15,000 tries: a miss is a fault
// until shown otherwise. A quick run is a tenth as long and its statistical
// tolerances are wider by √10.
//
// It promises the same table for the same seed whatever the number of workers.
// It assumes that the closed forms are right, which package theory tests in its
// own ways. It does not promise that a simulator which passes is right where no
// oracle looks.
package verify
