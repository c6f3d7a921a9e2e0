// Package metric turns the facts of a run into numbers with units.
//
// A Meter is told every fact, in order, and keeps counters, histograms and
// levels; its Result is one number for each Column. What a number means is
// said once, in the Catalogue, and everything that prints a metric takes its
// name, unit and meaning from there.
//
// # Where a number is counted
//
// Every metric has a global value and one for each component that its facts
// name: queues.q, locks.l, services.s, caches.c, monitors.m, events.e, jobs.j, workers.g.
// A fact of a job counts for the job's queue as well, unless it happened at
// another queue. Metrics that cannot occur in a scenario, such as those of
// locks without locks, are not columns.
//
// # When it is counted
//
// The measured window is [Warm, end of the run). Counts, means and
// distributions belong to it by the instant of their fact. Safety counts
// (Column.Safety) cover the whole run. A duration belongs to the instant at
// which it ended. Time is virtual and counted from the scenario's zero.
//
// # Promise
//
// Everything that is kept is integer, so a Result and its Hash are the same on
// every machine. A count without facts is 0 and a mean without facts is NaN;
// what never ended is +Inf. Observe does not allocate once it is warm, and
// memory does not grow with the length of the run but for the facts that Want
// asks for. Two tables are keyed by job, and hold live jobs only: which
// services a job has called, and when a job was dead-lettered that has not yet
// ended.
//
// # Assumption
//
// The facts are those of package history, told in the order of time; package
// check says whether they are consistent. Two of the definitions rest on what
// only a finished job knows: duplicate_rate takes a job's number of starts when
// it is done, and jobs that are pending at the end by their starts so far.
package metric
