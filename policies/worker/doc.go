// Package worker decides for one worker process: which jobs to start, which to
// stop, what becomes of each, and which leases to renew, give back or consider
// lost.
//
// # States
//
//	            Boot                 no free slot
//	STOPPED ----------> READY <-----------------------> PROCESSING
//	   ^                  |  ^      a slot is free          |
//	   |                  |  |                              |
//	   |    Stop, Pause,  |  | no doubt, Unpause,           | the same
//	   |    doubt, a      |  | all Needs held               | reasons
//	   |    lease that is |  |                              |
//	   |    missing       v  |                              |
//	   |                DRAINING <--------------------------'
//	   |                  |  ^
//	   |                  |  | a new own lease, and no job left
//	   |        own lease v  |
//	   |        lost    FENCED
//	   |                  |
//	   '------------------'  from any state: Kill; after Stop: no job left
//
// READY takes work. PROCESSING has no free slot. DRAINING takes none and ends
// what it has. FENCED has lost a lease of the process itself: every job is told
// to stop, and none is settled as done. STOPPED hears nothing but Boot. With
// several slots these are states of the process; a single job is fenced when a
// lease that it depends on is lost.
//
// # Doubt
//
// The control plane (leases, heartbeats) is apart from the data plane (jobs). A
// worker that cannot trust the first stops using the second before anything is
// lost: it takes no work at the first sign of trouble, ends what it can, and is
// FENCED, or a job of it is, only when a belief ends.
//
//	sign                                           counts                its end
//	a renewal of a lease of the process failed     always                one succeeds, or the lease is lost
//	a job ended in Drain, or the driver says so    always                the driver says so, or a new own lease
//	a renewal for a job failed                     with DoubtRenewals    one succeeds; if the lease ends before, the driver says so
//	a monitor did not answer the heartbeat         with DoubtHeartbeat   it answers
//
// With either of the last two, a worker in doubt of any kind, or without a lease
// that it needs, also gives back what has not started, so that others can begin
// with it at once. In doubt of the last three it gives back the leases of the
// process too, when its last job has ended, and asks for none until the doubt is
// over. What was acknowledged as it came cannot go back: it waits, and the leases
// with it.
//
// # A job
//
//	Offered ---> Start ... Ended{class} ---> Release its locks, Settle
//	   '-------> Decline
//
//	how it ended                          Settle
//	OK                                    ack
//	Transient, or told: hard limit        retry
//	Permanent                             dead-letter
//	Coordination, or fenced by a lock     return, and drain until coordination is back
//	told: time to drain is up             return
//	fenced by its delivery                hold: nothing is said, it is another's by now
//
// Fates change this table, for a worker or a job. A handler that was told to
// stop by a limit, but ended OK or Permanent, is believed; one that is fenced
// is not. To a job that is told to stop nothing more happens until its handler
// has ended: it keeps its slot and its leases, for an early return would start
// a second execution beside a living first.
//
// # Leases
//
// The machine keeps the leases of deliveries, of the locks that handlers ask
// for, and of the process, each by a lease.Keeper under a rule of the table
// Rule.Leases. What a loss sets off is OnLoss: stop, finish, ignore. All
// deadlines stand in one indexed heap: Deadline is O(1), a change O(log n).
// Numbers of requests rise over all lives of a lease id, so that an answer is
// never taken for another's.
//
// # Promise
//
// A job starts only if it was offered in READY, within the slots, and while the
// leases of the process and of its delivery are believed in; none starts in
// doubt. Each start is
// followed by at most one Settle, after the handler has ended. Each lock that is
// granted is released once or lost; one that is granted to nobody is given back.
// Each job is told to stop at most once. No Step allocates once the tables have
// grown to their largest size.
//
// Assumption: ids of jobs are small (they index a table), and a job's id is not
// offered again before it has ended. The driver carries commands out in order,
// and at one instant hands over news before it ticks.
//
// Survived: answers lost, late, doubled or out of order; pauses; loss of the
// lock store; handlers that do not heed a stop (they keep their slot).
//
// Not promised: that a settlement arrives; that an effect happens once (that
// takes idempotency keys or a fence); that a handler stops when it is told.
package worker
