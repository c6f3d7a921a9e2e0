package scenario

import (
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim/dist"
)

// Queue is a broker's queue.
type Queue struct {
	Name        string
	Prefetch    int           // most unacknowledged deliveries in one process; 0: the process's slots
	Patience    time.Duration // a buffered delivery without a slot for so long is left to its lease
	PollTimeout time.Duration // longest wait of one question for work, positive
	Ack         AckAt
	Picks       Picks
	Poll        *Period // nil: notified
	Partitions  *Partitions
	Lease       *Lease   // nil: deliveries have no deadline of their own
	Session     []string // monitors whose suspicion gives back all that the process holds
	Attempts    Attempts
	DeadLetter  string // "keep", "drop", "park" or the name of a queue
	Retry       *Retry // nil: returned messages are available at once
	RetryOn     RetryOn
	Order       Order
	ReturnsTo   Side
	ByWorker    bool   // schedule: worker (a job with a later start is held in the worker's memory)
	Dedup       *Dedup // nil: every job is taken
	Capacity    int    // longest queue of waiting messages
	DropOldest  bool   // overflow: drop_oldest instead of refuse
	InFlight    int    // most unacknowledged in all
	DrainTo     int    // waiting plus running jobs at which drain_s ends; -1: from the run itself
	Serves      Serves
	Timeout     time.Duration
	Clock       Clock
}

// Dedup drops jobs whose id is known already.
type Dedup struct {
	Window  time.Duration
	ID      *Template // with the holes unbound; nil: the job's key
	Refresh bool
	Frees   Frees
}

// Frees is when an id is free again before its window ends.
type Frees uint8

const (
	FreesNever Frees = iota
	FreesAtStart
	FreesAtEnd
)

// AckAt is when the worker acknowledges.
type AckAt uint8

const (
	AckEnd AckAt = iota
	AckStart
	AckReceive
)

// Picks is which process gets the next message among those with room.
type Picks uint8

const (
	ByTurn Picks = iota
	ByRandom
	ByFirst
	ByAny // drawn over all processes, busy or not
)

// Order of the messages in a queue.
type Order uint8

const (
	FIFO Order = iota
	LIFO
	RandomOrder
	ByPriority
	ByKey
)

// Side of the queue where a returned message comes back.
type Side uint8

const (
	Place Side = iota // by its age, as if it had never left
	Front
	Back
)

// Attempts is the bound on counted events of a message.
type Attempts struct {
	Limit  int // one counted event more dead-letters
	Count  Counted
	Within time.Duration
}

// Counted is the set of events that count as an attempt.
type Counted uint8

const (
	CountReceive Counted = 1 << iota
	CountStart
	CountExpiry
	CountFailure
	CountRecovery
)

// RetryOn is the set of returns that wait for the queue's retry delay.
type RetryOn uint8

const (
	RetryFailure RetryOn = 1 << iota
	RetryExpiry
	RetryReturn
)

// Lease is who may work until when: of a delivery or of a lock.
type Lease struct {
	Length     Script // how long a grant lasts; the k-th for the k-th delivery
	Forever    bool   // length: none
	From       Start
	Renew      *Beat         // nil: never renewed
	RenewBy    time.Duration // length asked for by a renewal; 0: the length
	Covers     Covers
	Cap        time.Duration
	RangeLow   time.Duration
	RangeHigh  time.Duration
	Outside    Outside
	Replaced   time.Duration // with Outside == OutsideReplace
	Check      Check
	Slack      *dist.Dist // negative slack: SlackMinus
	SlackMinus bool
	ExpiresBy  ExpiresBy
	Believe    time.Duration // after the anchor; Forever with UntilTold and Always; 0: the length of each grant, where these differ
	Anchor     Anchor
	OnLoss     Loss
	Late       [3]Settle // lapsed, free, taken
	Scope      Scope
	Delay      time.Duration
	AtLeast    time.Duration
}

// Start of the lease clock of a delivery.
type Start uint8

const (
	FromReceive Start = iota
	FromStart
	FromEnqueue
)

// Covers says which deliveries a beat renews.
type Covers uint8

const (
	CoversHeld Covers = iota // buffered ones too
	CoversRunning
)

// Outside is the fate of a length outside the accepted range.
type Outside uint8

const (
	OutsideRefuse Outside = iota
	OutsideClamp
	OutsideReplace
)

// Check is when a grantor or observer looks: at once, at ticks, or at boot.
type Check struct {
	Every  Period // Every.Every == 0: at once
	AtOnce bool
	Boot   bool
	Beat   bool // at the owner's own heartbeat (monitors)
	Batch  int  // most given back per look; Unlimited
}

// ExpiresBy is who finds a lease expired.
type ExpiresBy uint8

const (
	ByStore ExpiresBy = iota
	ByWaiter
	ByWaiterOwn
	ByRecord
)

// Anchor of the holder's belief.
type Anchor uint8

const (
	SinceSent Anchor = iota
	SinceReply
	UntilTold
	Always
)

// Loss is what a holder does that knows that it lost.
type Loss uint8

const (
	LossStop Loss = iota
	LossFinish
	LossIgnore
)

// Settle is what the grantor does with a settlement that comes late.
type Settle uint8

const (
	SettleAccept Settle = iota
	SettleIgnore
	SettleReject
	SettleSteal
)

// Scope is what a lapse gives back.
type Scope uint8

const (
	ScopeMessage Scope = iota
	ScopeChannel
	ScopeProcess
)

// Beat is a sender with a period: of renewals or of heartbeats.
type Beat struct {
	Every   Period
	Handler bool // sender: handler (only between jobs)
	Timeout time.Duration
	OnError OnError
	Again   []time.Duration // on_error: retry after these
}

// OnError is what a beat does after an error.
type OnError uint8

const (
	NextBeat OnError = iota
	RetryBeat
	StopBeat
	ReleaseAll
)

// Period is a spacing of ticks and where the first one lies.
type Period struct {
	Every  dist.Dist
	From   *time.Duration // the first tick; nil: one period after the owner's start
	Random bool           // from random: a uniform phase
}

// Script is a list whose k-th value is for the k-th of its kind; the last one
// repeats. A single value is a script of one.
type Script []dist.Dist

// At is the value for the k-th (k = 0, 1, …).
func (s Script) At(k int) *dist.Dist { return &s[min(k, len(s)-1)] }

// Lock is a lock store with one lock, or with one for each rendered name.
type Lock struct {
	Name       string
	Names      []Template    // fields are unbound (-1); see Step.Names
	Notified   bool          // wait: notified
	Once       bool          // wait: none
	TurnedAway TurnedAway    // a job that did not get it in its one try
	Poll       Period        // wait: PERIOD
	WaitFor    time.Duration // longest wait
	Lease      *Lease        // nil: permanent
	Session    []string
	Rising     bool        // token
	Register   bool        // its holders show their token before anything else
	Anybody    bool        // release by anybody
	Members    *Membership // nil: a single node
	Attach     int         // index of the member that callers talk to, -1 for the leader
	Serves     Serves
	Timeout    time.Duration
	Clock      Clock
}

// TurnedAway is what becomes of a job that did not get a lock in its one try.
type TurnedAway uint8

const (
	TurnedAwayDrop TurnedAway = iota // forgotten, as if nobody needed it
	TurnedAwaySkip                   // acknowledged: the holder does its work too
	TurnedAwayFail                   // a coordination error
)

// Clock of a node: which one is read, and what is wrong with it.
type Clock struct {
	Wall   bool
	Base   time.Duration // the offset is Base plus a draw; 0 or less
	Offset Script        // of the wall clock, per process
	Drift  float64
}

// Service is any dependency: a station of servers with a queue, or one that
// remembers what it was told.
type Service struct {
	Name        string
	Servers     int // Unlimited: no queueing
	Time        Script
	Steps       []Step
	Speed       float64 // factor on its work; 0: no call ends
	Capacity    int     // waiting places
	LIFO        bool
	Drop        bool // abandoned: drop when its turn comes
	Errors      float64
	Error       policies.Class
	Checks      Checks
	Remembers   time.Duration
	InProgress  time.Duration // life of the mark of a once whose job has not ended
	Serves      Serves
	Timeout     time.Duration // the caller's patience
	Retry       *Retry        // the caller's
	Breaker     *Breaker      // the caller's
	Concurrency *Concurrency  // the caller's
	Accepts     *Accepts      // nil: all
	Deadline    bool          // the caller's remaining time is passed down
	Clock       Clock
}

// Checks is what a write must pass.
type Checks uint8

const (
	CheckKey Checks = 1 << iota
	CheckToken
	CheckTokenGranted
	CheckSequence
	CheckVersion
	CheckStatus
)

// Serves is what a component answers.
type Serves uint8

const (
	ServesAll Serves = iota
	ServesReads
	ServesNone
)

// Retry is when a failed attempt is tried again; see policies/retry.
type Retry struct {
	Attempts    int // first included; 0: unlimited
	Delays      []time.Duration
	Growth      float64
	Cap         time.Duration // 0: none
	Low, High   float64       // jitter: uniform on [Low·v, High·v + Add]
	Add         time.Duration
	Decorrelate bool
	Elapsed     time.Duration // 0: none
	Only        policies.ClassSet
	Budget      *Budget
}

// Budget bounds the retries of one owner.
type Budget struct {
	Ratio              float64
	Tokens, Cost, Earn float64
	RefundLast         bool
	Floor              float64 // retries per second always allowed
	PerService         bool    // scope: service (all processes share it); else one per process
}

// Breaker stops calls to a failing dependency; see policies/backpressure.
type Breaker struct {
	Consecutive int
	Share       float64
	Of          int
	Within      time.Duration
	Open        Script
	Probes      int // Unlimited: everybody
	ProbeLimit  time.Duration
	ReopenRatio bool
	CountOld    bool
	PerService  bool
}

// Monitor watches for silence.
type Monitor struct {
	Name       string
	Watches    []Target
	Heartbeat  Beat
	Suspect    Suspect
	Check      Check
	Evidence   time.Duration
	Disconnect bool
	Observer   []Target // processes; empty: a node of its own
	Guard      time.Duration
	Then       []int // events that a suspicion sets off
	Clock      Clock
}

// Suspect is the rule that turns silence into suspicion; see policies/detect.
type Suspect struct {
	By        DetectorKind
	Timeout   time.Duration // fixed: silence; chen: the shift
	Missed    int
	Level     float64
	Window    int
	MinSD     time.Duration
	Allowance time.Duration
	Confirm   int // observers that must suspect
}

// DetectorKind names a rule of policies/detect.
type DetectorKind uint8

const (
	Fixed DetectorKind = iota
	Missed
	PhiNormal
	PhiLogistic
	PhiExponential
	Chen
)
