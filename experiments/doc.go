// Package experiments goes from a scenario file to tables: it resolves the variants and the points of a sweep,
// runs their replications in parallel, judges the file's expectations, estimates every metric with an interval, and
// writes what a figure, a report or a reviewer needs.
//
// It promises that its results do not depend on the number of workers, on the machine or on whether a run was
// interrupted and resumed: every replication lands in its own slot and slots are read in order. Replication r takes
// its luck from (seed, r) and not from the point, so that the points of a sweep and the variants of a file are
// compared under common random numbers.
//
// It assumes that model.Run is a pure function of the scenario and the replication.
//
// It does not promise that an estimate is good because it has an interval: a metric of three replications has one
// too. It decides nothing about the model; it knows metrics only by their names and units.
package experiments
