// Package history names the facts that a run records: what happened, when,
// where, and to which job.
//
// A run streams its facts to observers in the order in which they happened,
// and keeps none of them: metrics count them, checks judge them, a recorder
// tells a job's story from them. They are what anybody outside the model may
// know of a run.
//
// # Promise
//
// Time never goes back from one fact to the next. A job's first fact is Publish
// (PublishRefused or Suppress, if its queue does not take it) and its last is
// Done, which comes once, when no queue, message or process has a copy of it.
// Indices refer to Names and are -1 where a fact has nothing to
// name; a place of no noun is Nowhere, as for jobs that a process starts
// itself.
//
// # What it does not promise
//
// A fact that names a process is not always that process's deed: its lease may
// expire, its heartbeat arrive and its belief end when it is dead. Facts carry
// the truth of the model, of which the processes in it know only a part.
package history
