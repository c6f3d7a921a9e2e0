package scenario

import (
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim/dist"
)

// Forever is the duration without end, and the default of every bound that a
// file does not mention.
const Forever = dist.Forever

// Unlimited is the count without bound; it fits in an int on every platform.
const Unlimited = 1<<31 - 1

// Scenario is one variant of a file with every layer applied: presets merged,
// formulas evaluated, defaults filled in. It is read-only, so that replications
// may share it.
type Scenario struct {
	Name    string
	Variant string
	Seed    uint64
	Run     Run
	Network Network

	Queues   []*Queue
	Locks    []*Lock
	Services []*Service
	Monitors []*Monitor
	Workers  []*Group
	Jobs     []*Job
	Events   []*Event

	origin *origin
}

// Run says how long a replication lasts and how many there are.
type Run struct {
	From         time.Duration // the first instant; may be negative
	Duration     time.Duration // the run covers [From, From+Duration)
	Warmup       time.Duration // counts leave out [From, From+Warmup)
	Replications int
	MaxEvents    uint64
}

// Network is the default of every link and its exceptions.
type Network struct {
	Latency dist.Dist // one way, per message
	Loss    float64   // share of messages that vanish
	Timeout time.Duration
	Links   []*Link
}

// Link is an exception to the network's defaults. With Between set it holds
// both ways.
type Link struct {
	Name     string
	From, To []Target // empty: any
	Both     bool     // between: From and To in either direction
	Only     Kinds    // message kinds it speaks of
	Latency  *dist.Dist
	Loss     *float64
	Burst    *Burst
}

// Burst makes a link lossy in bursts: after Every it loses Loss of its
// messages for Length, and again.
type Burst struct {
	Every, Length dist.Dist
	Loss          float64
}

// Kinds is a set of message kinds.
type Kinds uint16

// The kinds of message; a reply is of its request's kind.
const (
	Deliver Kinds = 1 << iota
	Ack
	Publish
	Poll
	Acquire
	Renew
	Release
	Heartbeat
	Probe
	Call
	AllKinds = 1<<iota - 1
)

// Queue is a broker's queue.
type Queue struct {
	Name       string
	Prefetch   int           // most unacknowledged deliveries in one process; 0: the process's slots
	Patience   time.Duration // a buffered delivery without a slot for so long is left to its lease
	Ack        AckAt
	Picks      Picks
	Lease      *Lease   // nil: deliveries have no deadline of their own
	Session    []string // monitors whose suspicion gives back all that the process holds
	Attempts   Attempts
	DeadLetter string // "keep", "drop", "park" or the name of a queue
	Retry      *Retry // nil: returned messages are available at once
	RetryOn    RetryOn
	Order      Order
	ReturnsTo  Side
	ByWorker   bool // schedule: worker (a job with a later start is held in the worker's memory)
	Capacity   int  // longest queue of waiting messages
	DropOldest bool // overflow: drop_oldest instead of refuse
	InFlight   int  // most unacknowledged in all
	DrainTo    int  // waiting plus running jobs at which drain_s ends; -1: from the run itself
	Timeout    time.Duration
	Clock      Clock
}

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
	Wall    bool // clock: wall
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
	Name     string
	Names    []Template    // fields are unbound (-1); see Step.Names
	Notified bool          // wait: notified
	Once     bool          // wait: none
	Poll     Period        // wait: PERIOD
	WaitFor  time.Duration // longest wait
	Lease    *Lease        // nil: permanent
	Session  []string
	Rising   bool // token
	Anybody  bool // release by anybody
	Timeout  time.Duration
	Clock    Clock
}

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
	Name      string
	Servers   int // Unlimited: no queueing
	Time      Script
	Steps     []Step
	Speed     float64 // factor on its work; 0: no call ends
	Capacity  int     // waiting places
	LIFO      bool
	Drop      bool // abandoned: drop when its turn comes
	Errors    float64
	Error     policies.Class
	Checks    Checks
	Remembers time.Duration
	Serves    Serves
	Timeout   time.Duration // the caller's patience
	Retry     *Retry        // the caller's
	Breaker   *Breaker      // the caller's
	Clock     Clock
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
	Probes      int
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

// Group is a number of equal worker processes.
type Group struct {
	Name    string
	Count   int
	Slots   int // Unlimited: no bound
	Takes   []string
	Drain   time.Duration
	Restart time.Duration // downtime after a crash step or a killing time limit; Forever: never
	Paused  Paused
	Clock   Clock
}

// Paused is how a group takes no work.
type Paused uint8

const (
	NotPaused Paused = iota
	PausedKeep
	PausedRelease
	PausedDrain
)

// Job is a type of job.
type Job struct {
	Name      string
	Queue     string     // or
	By        string     // the group whose processes start it themselves
	Arrivals  []Arrivals // sources; with By, the k-th list entry is for the k-th process
	PerProc   bool       // Arrivals is a script over the processes of By
	Fields    []Field
	Key       Template
	Expires   time.Duration
	ExpiresDL bool // dead-letter instead of drop
	Priority  int
	StartAt   *time.Duration // start: at T
	StartIn   *time.Duration // start: after D [received]
	Received  bool
	Limit     time.Duration // hard time-out; Forever
	Kill      bool
	Fates     [4]Fate // by policies.Class; [OK] is unused
	GiveUp    Fate    // when retry gives up
	Retry     *Retry  // overrides the queue's
	Lease     *Lease  // overrides the queue's
	Steps     []Step
}

// Fate is what becomes of a job.
type Fate uint8

const (
	FateRetry Fate = iota
	FateReturn
	FateHold
	FateDrop
	FateDeadLetter
	FateDrain
	FateLeave
)

// Arrivals is one source of jobs.
type Arrivals struct {
	Kind  ArrivalKind
	At    []time.Duration
	Every Period
	Rate  float64 // per second
	After dist.Dist
	From  *time.Duration
	Times int // Unlimited
	Until time.Duration
	Batch int     // jobs per arrival
	Mean  float64 // of a geometric batch; 0: fixed
}

// ArrivalKind names a form of arrivals.
type ArrivalKind uint8

const (
	ArriveAt ArrivalKind = iota
	ArriveEvery
	ArrivePoisson
	ArriveLoop
)

// Field is a business field of a job.
type Field struct {
	Name string
	Kind FieldKind
	N    int64   // serial N (0: no end), uniform N, zipf N
	List []int64 // a script over the jobs
	Zipf *dist.Zipf
}

// FieldKind names a form of field.
type FieldKind uint8

const (
	Serial FieldKind = iota
	UniformField
	ZipfField
	ListField
)

// Template is text with {field} holes. Its value is a 64-bit hash of the
// rendered text, so that no text is built in a run.
type Template struct {
	Text  string
	Parts []Part // literal text, then a hole, alternating as written
}

// Part is a literal, or the hole of a field.
type Part struct {
	Literal string
	Hole    Hole
	Field   int    // index into the job's fields, with HoleField
	Name    string // of the hole, as written
}

// Hole says what fills a template's hole.
type Hole uint8

const (
	NoHole Hole = iota
	HoleField
	HoleJob
	HoleAttempt
	HoleDelivery
	HoleWorker
	HoleStep
	HolePublish
)

// Step is one step of a job or of a service.
type Step struct {
	Verb    Verb
	Work    Script
	Forever bool // work: forever
	To      string
	Share   float64 // of calls made; fail: of executions that fail
	Timeout time.Duration
	Retry   *Retry
	Key     *Template // write; nil: the job's key
	Token   string    // lock whose token a write carries
	Ignore  bool      // refused: ignore
	Class   policies.Class
	Times   int
	Every   time.Duration
	Steps   []Step
	Host    bool       // crash: host
	Names   []Template // lock: the lock's names with the holes bound to this job's fields
}

// Verb names a step.
type Verb uint8

const (
	Work Verb = iota
	CallService
	Write
	LockStep
	Unlock
	Repeat
	AckNow
	Fail
	CrashStep
	Read
)

// Event is what happens at a time.
type Event struct {
	Name  string
	Base  time.Duration // the instant is Base plus a draw of At; 0 or less
	At    Script
	HasAt bool
	Every *Period
	Times int
	Rate  float64    // per second and target
	For   *dist.Dist // nil: to the end of the run
	Act   Act
	On    []Target // crash, stop, pause; cut: one end
	To    []Target // cut: the other end
	Both  bool     // cut: between
	How   Cut
	Only  Kinds
	Sets  []Assignment
}

// Assignment is one path that an event sets.
type Assignment struct{ Path, Value string }

// Act is what an event does.
type Act uint8

const (
	ActSet Act = iota
	ActCrash
	ActStop
	ActPause
	ActCut
	ActJump
	ActRevoke
)

// Cut is how a cut link behaves.
type Cut uint8

const (
	CutDrop Cut = iota
	CutRefuse
)

// Target names who an event or a link speaks of.
type Target struct {
	Noun   string // "workers", "locks", "queues", "services", "monitors"
	Name   string
	Index  TargetIndex
	Lo, Hi int // processes Lo..Hi, counted from 1
}

// TargetIndex says which members of the named thing are meant.
type TargetIndex uint8

const (
	AllOf TargetIndex = iota
	Members
	AnyOf
	HolderOf
)

// Overlay is the scenario with the values of some events' sets put in their
// place: bit i of active stands for Events[i]. The result is shared and
// read-only; equal sets give the same pointer.
func (s *Scenario) Overlay(active uint64) (*Scenario, error) { return s.overlay(active) }
