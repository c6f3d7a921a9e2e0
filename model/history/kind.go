package history

import "math"

// Kind names what happened.
type Kind uint8

// The kinds of fact. Value is zero where nothing is said of it.
const (
	None           Kind = iota
	Publish             // a queue took a job, or a process started one itself
	PublishRefused      // a queue refused a job
	Suppress            // a queue dropped a job whose id it knew already
	Deliver             // the broker handed a message to a process
	Start               // a handler began; Value: its wait since publishing, on the first start of a job, else -1; Attempt: which start of the job
	Complete            // a handler ended without error; Value: ns since its start
	Fail                // a handler ended with an error; Value: the class
	Ack                 // the broker accepted an acknowledgement; Value: ns since publishing
	AckRefused          // the broker did not accept a settlement
	Return              // a delivery was given back
	Expire              // a grantor ended a claim; Value: 1 if its holder's process was alive
	Retry               // a call or job will be tried again; Value: the wait in ns, math.MaxInt64 for ever, Attempt: which retry, from 1
	DeadLetter          // a message was set aside; Value: 1 if it never started
	Drop                // a message was acknowledged and forgotten
	Effect              // a side effect landed; Value: how many this key has had, with it
	IdempotencyHit      // a write or a guard found its key done already
	WriteRefused        // a write was refused for its token
	StaleIgnored        // a write was ignored as not newer
	StaleWrite          // a write under a grant older than the newest; Value: 1 if accepted
	FenceViolation      // a write was accepted after a higher token
	WriteReached        // a write call reached a service
	Grant               // a lock was granted; Value: ns waited
	Renew               // a renewal was accepted; Value: 1 if the claim had been given back and stands again
	RenewFail           // a renewal was refused or not answered
	LostAlive           // a claim was lost while its holder's process was alive
	Release             // a holder gave back a lock; Value: ns held
	Revoke              // an operator took a grant away
	Refuse              // a caller was refused; at a lock: held by another, at a service: by a breaker, a limit, or a guard in progress
	Orphaned            // a lock's holder died, or went and its release was lost; Value: 1 if its process is alive
	LockTimeout         // a waiter gave up; Value: ns waited
	Believe             // a process began to believe that it owns a lock or runs a job; Value: +1, its end: -1; Attempt: how many believe it now
	Suspect             // a monitor began to suspect; Value: ns since the crash, -1 when the process is alive
	Trust               // a monitor trusts again; Value: ns of suspicion
	Beat                // a heartbeat arrived; Value: ns since the one before
	Crash               // a process died
	Boot                // a process began, or began again
	Stop                // a process was stopped
	Pause               // a process froze
	Resume              // a process went on; Value: ns frozen
	Call                // a call was sent; Attempt: which
	Serve               // a service began to work on a call
	Served              // a call was answered; Value: ns since it was sent, Attempt: the class of the answer
	TimeOut             // a caller's patience ended; Value: ns since the call was sent
	Open                // a breaker opened; without Group and Process it is one that all callers share
	HalfOpen            // a breaker let a probe through
	Close               // a breaker closed
	TakeOver            // another goes on where a process died; Value: ns since the death
	Became              // a worker machine has a new state; Value: which, see policies/worker
	Level               // a level changed; Value: the new level (of LevelInSystem: the change), Attempt: which (see LevelOf)
	EventBegin          // a scenario event began; Value: how many instances of it are active now
	EventEnd            // a scenario event ended; Value: how many instances of it are still active
	Done                // a job is finished for good; Value: ns since publishing, Attempt: its starts, Delivery: 1 if it is lost
	Update              // a row took a new number or status; Key: the row, Attempt: which of the two (see RankOf), Value: the new one, Delivery: 1 if the service refuses to go back
	Regress             // a row went back to an older number or status; as Update, but Value: the one that it had
	Replay              // a dead letter was put back into its queue
	Hit                 // a read found a copy; Value: ns since it was fetched, Attempt: 1 if the source has something else now
	Miss                // a read found no copy, or waited for the one that another fetched; Value: 1 if the cache did not answer
	Fill                // a cache took what was fetched; Value: ns until the copy ends, -1: never
	Mismatch            // a hit was checked, and the source had something else
	Deadlock            // a wait for a lock closed a circle of waits; Value: how many wait in it
	Notice              // a process came to know that it had lost a claim; Value: ns since it lost it
	Strand              // the run ended with a job that waits, has had no effect, and that nobody can run
	Alert               // an alert fired; Value: ns for which its condition had held
	Found               // a reconciler found something; Attempt: what (see FindingOf), Value: ns for which it had been so
	Repair              // a reconciler put right what it had found; Attempt: what
	Rebalance           // the members of a queue's group changed; Value: ns for which nobody gets anything
	Elect               // a member of a store became its leader; Attempt: which, from 1, Value: ns since the one before lost its majority
	Forget              // a fail-over undid what had happened to a lock; Token: the newest that is known still, Value: 1 if a claim stands
	OrphanEnd           // a lock is no orphan any more; Value: ns for which it was, Attempt: 1 if it still is and the run ends
	Kinds               // how many kinds there are
)

// LevelOf says which level a Level fact speaks of.
const (
	LevelWaiting  = iota // messages that wait in a queue
	LevelRunning         // handlers at once, of a group
	LevelUp              // processes up, of a group
	LevelInSystem        // jobs of a type that wait or run
	LevelBusy            // servers at work, of a service
	LevelCalls           // calls that wait at a service
	LevelOldest          // when the message was taken that has been in a queue for longest, in ns; NoMessage if there is none
	LevelLimit           // what limits let be in flight at a service, or slots that a group uses, summed (the change)
	LevelSlots           // slots of each process of a group, 0: unlimited; told when a setting changes them
	LevelServers         // servers of a service, 0: unlimited; likewise
)

// NoMessage is the level LevelOldest of an empty queue.
const NoMessage = math.MaxInt64

// FindingOf says what a reconciler has found.
const (
	FoundUnacked    = iota // a job with an effect whose message is still in its queue
	FoundIncomplete        // a job without an effect, or without all of them, whose message is gone
	FoundOrphan            // a lock whose holder is dead or gone
	FoundCopy              // a copy in a cache that contradicts its source
	Findings               // how many there are
)

// RankOf says what a row's update is ordered by.
const (
	RankSequence = iota
	RankStatus
)

// Word is the kind's name in at(), in metrics and in stories.
func (k Kind) Word() string { return words[k] }

var words = [Kinds]string{
	"none", "publish", "publish_refused", "suppress", "deliver", "start", "complete", "fail", "ack", "ack_refused",
	"return", "expire", "retry", "dead_letter", "drop", "effect", "idempotency_hit", "write_refused", "stale_ignored",
	"stale_write", "fence_violation", "write", "grant", "renew", "renew_fail", "lost_alive", "release", "revoke", "refuse",
	"orphan", "lock_timeout", "believe", "suspect", "trust", "heartbeat", "crash", "boot", "stop", "pause", "resume", "call",
	"serve", "served", "time_out", "open", "half_open", "close", "takeover", "became", "level", "event_begin", "event_end", "done",
	"update", "regress", "replay", "hit", "miss", "fill", "mismatch",
	"deadlock", "notice", "strand", "alert", "found", "repair",
	"rebalance",
	"elect", "forget",
	"orphan_end",
}

// KindOf is the kind with the given word; ok is false if there is none.
func KindOf(word string) (k Kind, ok bool) {
	for i, w := range words {
		if w == word {
			return Kind(i), i != 0
		}
	}
	return None, false
}
