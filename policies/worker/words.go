package worker

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// Process stands where a job's id stands, for leases of the process itself.
const Process int32 = -1

// InputKind names what happened.
type InputKind uint8

const (
	// Tick: the Deadline is reached.
	Tick InputKind = iota
	// Boot: the process has started.
	Boot
	// Stop: the process is asked to end.
	Stop
	// Kill: the process is dead; nothing more is said to anybody.
	Kill
	// Woken: the process runs again after a pause.
	Woken
	// Pause: take no new work. Unpause: take work again.
	Pause
	Unpause
	// Coordination tells whether the control plane is healthy (OK).
	Coordination
	// Heartbeat tells whether Monitor answered the newest heartbeat (OK).
	Heartbeat
	// Buffered: a delivery waits in the process (Job, Rule, At); its lease is
	// kept from now on, if it has one. Offered may follow. One that is Acked
	// cannot go back.
	Buffered
	// Offered: a job could start now (Job, Hard, Kill, Fates; Rule and At
	// unless its lease is kept since it was Buffered).
	Offered
	// Ended: the handler of Job is gone, with Class. For a buffered job: the
	// buffer gave it up.
	Ended
	// Acquiring: the handler of Job, or the Process, wants a lock (Rule).
	Acquiring
	// Again: the request for Lease, still unanswered, is sent once more now.
	Again
	// Denied: Request for Lease is not granted.
	Denied
	// Granted, Renewed, Refused and Failed are the answers to Request for
	// Lease; Granted brings a Token, Failed stands for no answer.
	Granted
	Renewed
	Refused
	Failed
	// Unlock: Lease is needed no more.
	Unlock
	// Revoked: the grantor took Lease away, unasked.
	Revoked
)

func (k InputKind) String() string {
	return [...]string{"tick", "boot", "stop", "kill", "woken", "pause", "unpause", "coordination", "heartbeat", "buffered", "offered", "ended",
		"acquiring", "again", "denied", "granted", "renewed", "refused", "failed", "unlock", "revoked"}[k]
}

// Input is one thing that happened. Which fields count is said at its kind.
type Input struct {
	Kind    InputKind
	Class   policies.Class
	OK      bool
	Acked   bool             // Buffered: the queue has forgotten it
	Kill    bool             // Offered: at its hard limit the job takes the process with it
	Fates   [4]Fate          // Offered: what becomes of this job, by class; Usual: as the Rule says
	Job     int32            // given by the driver: small, reused, or Process
	Lease   int32            // given by the machine in an Acquire or Start
	Request int32            // given by the machine in an Acquire or Renew
	Rule    int32            // index into Rule.Leases; 0: no lease
	Monitor int32            // given by the driver: small
	Hard    time.Duration    // Offered: 0: as the Rule says; below 0: no limit
	At      policies.Instant // Buffered, Offered: the instant from which the lease of the delivery counts
	Token   policies.Token
}

// CommandKind names what the driver must do.
type CommandKind uint8

const (
	// Start the handler of Job; Lease is that of its delivery, 0 for none.
	Start CommandKind = iota
	// Decline: Job is not wanted now. For the Process: it may ask again later.
	Decline
	// StopJob: tell the handler of Job to stop (Cause), and say Ended when it
	// is gone.
	StopJob
	// Acquire: send Request for Lease, which Job wants by Rule.
	Acquire
	// Locked: Job may go on, Lease is its own with Token.
	Locked
	// Renew: send Request for Lease.
	Renew
	// Release: give Lease back, if its grant has Token.
	Release
	// Settle: tell the queue what became of Job (How).
	Settle
	// Lost: Lease is no longer believed in (Why). What follows from it is
	// commanded separately.
	Lost
	// Became: the State is another one.
	Became
)

func (k CommandKind) String() string {
	return [...]string{"start", "decline", "stop-job", "acquire", "locked", "renew", "release", "settle", "lost", "became"}[k]
}

// Cause is why a job is told to stop.
type Cause uint8

const (
	// CauseNone: it is not.
	CauseNone Cause = iota
	// CauseLost: a lease that it depends on is lost.
	CauseLost
	// CauseHard: its time is up.
	CauseHard
	// CauseDrain: the time to drain is up.
	CauseDrain
	// CauseKilled: the process is dead.
	CauseKilled
)

func (c Cause) String() string {
	return [...]string{"none", "lost", "hard-limit", "drain", "killed"}[c]
}

// State is the state of the process.
type State uint8

const (
	// Stopped: not booted, or ended.
	Stopped State = iota
	// Ready: takes work.
	Ready
	// Processing: no free slot.
	Processing
	// Draining: takes no work, ends what it has.
	Draining
	// Fenced: its own lease is lost; nothing that runs may take effect.
	Fenced
)

func (s State) String() string {
	return [...]string{"stopped", "ready", "processing", "draining", "fenced"}[s]
}

// Command is one thing that the driver must do. Which fields count is said at
// its kind.
type Command struct {
	Kind    CommandKind
	Why     lease.Why
	Cause   Cause
	How     Fate
	State   State
	Job     int32
	Lease   int32
	Request int32
	Rule    int32
	Token   policies.Token
}

// String is the command as logs show it.
func (c Command) String() string {
	who := fmt.Sprintf("%v job=%d", c.Kind, c.Job)
	if c.Job == Process {
		who = fmt.Sprintf("%v job=process", c.Kind)
	}
	switch c.Kind {
	case Start:
		return fmt.Sprintf("%s lease=%d", who, c.Lease)
	case StopJob:
		return fmt.Sprintf("%s cause=%v", who, c.Cause)
	case Acquire:
		return fmt.Sprintf("%s lease=%d request=%d rule=%d", who, c.Lease, c.Request, c.Rule)
	case Locked, Release:
		return fmt.Sprintf("%s lease=%d token=%d", who, c.Lease, c.Token)
	case Renew:
		return fmt.Sprintf("%s lease=%d request=%d", who, c.Lease, c.Request)
	case Settle:
		return fmt.Sprintf("%s how=%v", who, c.How)
	case Lost:
		return fmt.Sprintf("%s lease=%d why=%v", who, c.Lease, c.Why)
	case Became:
		return fmt.Sprintf("%v %v", c.Kind, c.State)
	}
	return who
}
