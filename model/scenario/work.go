package scenario

import (
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim/dist"
)

// Group is a number of equal worker processes.
type Group struct {
	Name        string
	Count       int
	Slots       int // Unlimited: no bound
	Takes       []string
	Handles     []string // types of jobs that it knows; empty: all
	Unknown     Fate     // of a delivery of another type
	Drain       time.Duration
	Doubt       worker.Doubt
	Restart     time.Duration // downtime after a crash step or a killing time limit; Forever: never
	Paused      Paused
	Bind        Bind
	PauseWhen   *PauseWhen
	Concurrency *Concurrency // nil: all slots
	Scale       *Scale       // nil: Count changes only by events
	Needs       []string     // locks that each process must hold to take work
	Clock       Clock
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
	Verb             Verb
	Work             Script
	Forever          bool // work: forever
	To               string
	Share            float64 // of calls made; fail: of executions that fail
	Timeout          time.Duration
	Retry            *Retry
	Key              *Template     // write, once, publish; nil: the job's key, of a publish the published job's own
	Token            string        // lock whose token a write carries
	After            time.Duration // publish: not before so long after it
	Outbox           bool          // write: it brings the next publish along
	Sequence, Status *Rank         // write; nil: it carries none
	Ignore           bool          // refused: ignore
	Class            policies.Class
	Times            int
	Every            time.Duration
	Steps            []Step
	Host             bool       // crash: host
	Names            []Template // lock: the lock's names with the holes bound to this job's fields
}

// Rank is where a write stands among the updates of one thing.
type Rank struct {
	N    int64    // a fixed number; or, with a hole:
	Text Template // what fills its only hole
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
	Once
	PublishStep
	Register // no verb of a file: locks.N.register puts it behind the steps that take the lock
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
	Over  time.Duration // crash, stop, pause, set: spread over this time
	By    time.Duration // jump
	After dist.Dist     // of a monitor's suspicion, where that sets it off
	Share float64       // replay: of the dead letters; flush: of the copies; revoke: of the grants

	sets *node
}

// Assignment is one path that an event sets.
type Assignment struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

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
	ActReplay
	ActFlush
)

// Cut is how a cut link behaves.
type Cut uint8

const (
	CutDrop Cut = iota
	CutRefuse
)

// Target names who an event or a link speaks of.
type Target struct {
	Noun    string // "workers", "locks", "queues", "services", "monitors", "caches"
	Name    string
	Index   TargetIndex
	Lo, Hi  int    // processes or members Lo..Hi, counted from 1
	Member  string // of a store, as the file names it
	Version string // flush: one key version of a cache
}

// TargetIndex says which members of the named thing are meant.
type TargetIndex uint8

const (
	AllOf TargetIndex = iota
	Members
	AnyOf
	HolderOf
)
