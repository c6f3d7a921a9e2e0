package model

import (
	"cmp"
	"fmt"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/retry"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

type chance = exact.Chance

// world is one replication in motion: the components of a scenario, the
// records that move between them, and the kernel that keeps the time.
type world struct {
	base  *scenario.Scenario
	sc    *scenario.Scenario // with the sets of the active events in place
	sets  uint64             // the active ones
	ramps []scenario.Ramp    // those of them that are not done
	from  sim.Time
	sim   *sim.Sim
	luck  [lucks]chance

	observers []history.Observer
	net       network
	lossy     bool // a message may vanish
	nodes     []node
	places    []history.Place // by node
	queues    []*broker
	locks     []*lockStore
	services  []*service
	caches    []*cache
	monitors  []*monitor
	groups    []*group
	procs     []*process
	types     []*jobType
	faults    []fault
	reviewers []*reconciler
	missing   []int32 // jobs kept for them: acknowledged, and without all of their effects
	audits    bool    // one of them looks for such jobs
	limiters  []*limiter
	sources   []source
	ledger    ledger

	packets    pool[packet]
	calls      pool[call]
	jobs       pool[job]
	messages   pool[message]
	deliveries pool[delivery]
	execs      pool[execution]
	lockPool   pool[lock]
	watches    pool[watch]
	flights    pool[flight]

	nextJob  int64
	arrived  uint64 // jobs that came from outside
	lastExec uint64
	lockUses uint64
	bids     int64    // for locks whose members agree by majority
	eager    int      // processes with credit
	arrival  sim.Time // of the message sent last
	instant  sim.Time // of the newest event
	atOnce   int      // events before it at the same instant
	err      error    // the run has passed a bound of the model: what is left is skipped

	// Buffers and rules made once.
	answers      []lease.Answer
	tries        []retry.Command
	breaks       []backpressure.Command
	permits      []backpressure.LimiterCommand
	hit          []int32
	rules        map[*scenario.Retry]*retry.Rule
	breakerRules map[*scenario.Breaker]*backpressure.BreakerRule
	fact         history.Fact
}

// group is a number of equal processes.
type group struct {
	cfg      *scenario.Group
	view     *scenario.Scenario // as its processes see it
	types    []seenType
	keys     []keyVersions // by cache
	keeping  []keeping     // by queue and type
	index    int16
	rule     worker.Rule
	procs    []int32
	count    int
	asked    int                     // by the settings
	goal     int                     // of the autoscaler
	pauses   *backpressure.PauseRule // nil: its processes do not pause themselves
	paused   scenario.Paused
	prefetch int              // 0: as many as there are slots
	poll     *scenario.Period // between looks; nil: processes are told of work
	buffers  bool             // they look into their buffer, not into the queues
	queues   []*broker
	starts   []*jobType // that its processes start themselves
	running  int32
	up       int32
}

// The purposes of chance. Each keeps its own luck: adding a draw for one
// shifts nothing for another. The order is part of every golden file; append.
const (
	luckArrival = iota
	luckBatch
	luckField
	luckWork
	luckShare
	luckCall
	luckNet
	luckLease
	luckSlack
	luckOrder
	luckPick
	luckRetry
	luckWait
	luckPhase
	luckBeat
	luckFault
	luckLength
	luckTarget
	luckClock
	luckBurst
	luckPoll
	luckProbe
	luckLock
	luckClose
	luckBreaker
	luckPublish
	luckReplay
	luckCache
	luckLook
	luckSlot
	lucks
)

// The kinds of event; the words are for messages.
const (
	evPacket sim.Kind = iota
	evTimeout
	evTurnedAway
	evArrival
	evMessage
	evDelivery
	evDeadline
	evWork
	evWake
	evService
	evLock
	evBeat
	evSilence
	evFault
	evFaultEnd
	evThaw
	evBoot
	evBurst
	evIdle
	evProbe
	evRested
	evOrder
	evElection
	evRamp
	evSpread
	evMemberBack
	evReconcile
	evLook
	evRebalanced
	evTurn
	evRestEnds
	evScale
	evSeek
	evUnanswered
	evStopped
)

var kindWords = []string{"message", "time-out", "refused connection", "arrival", "message deadline", "delivery deadline", "worker deadline",
	"end of work", "end of wait", "end of service", "lock deadline", "heartbeat", "silence", "scenario event", "end of scenario event",
	"end of pause", "boot", "burst", "poll time-out", "probe", "retry", "order", "election", "step of a setting", "event on its next target",
	"end of a member's outage", "reconciliation",
	"look", "rebalance", "turn at a limit", "end of a worker's pause", "autoscaler", "look for a lock", "heartbeat without an answer"}

// maxAtOnce bounds the events of one instant: a model that feeds itself without
// time going by has no end.
const maxAtOnce = 1_000_000

// Handle makes the world the kernel's handler.
func (w *world) Handle(ev sim.Event) {
	if now := w.sim.Now(); now != w.instant {
		w.instant, w.atOnce = now, 0
	} else if w.atOnce++; w.atOnce == maxAtOnce {
		w.err = cmp.Or(w.err, fmt.Errorf("%d events happen at one instant, %v, the last of them %q: something repeats itself without taking time; give it some work or a delay",
			maxAtOnce, now, kindWords[ev.Kind]))
	}
	w.dispatch(ev)
}

func (w *world) dispatch(ev sim.Event) {
	if w.err != nil {
		return
	}
	switch ev.Kind {
	case evPacket:
		w.onPacket(ev)
	case evTimeout:
		w.onTimeout(ev)
	case evTurnedAway:
		w.onTurnedAway(ev)
	case evArrival:
		w.onArrival(ev)
	case evMessage:
		w.onMessage(ev)
	case evDelivery:
		w.onDelivery(ev)
	case evDeadline:
		w.onDeadline(ev)
	case evWork:
		w.onWork(ev)
	case evWake:
		w.onWake(ev)
	case evService:
		w.onService(ev)
	case evLock:
		w.onLock(ev)
	case evBeat:
		w.onBeat(ev)
	case evSilence:
		w.onSilence(ev)
	case evFault:
		w.onFault(ev)
	case evFaultEnd:
		w.onFaultEnd(ev)
	case evThaw:
		w.onThaw(ev)
	case evBoot:
		w.onBoot(ev)
	case evBurst:
		w.onBurst(ev.To)
	case evIdle:
		w.onIdle(ev)
	case evProbe:
		w.onProbe(ev)
	case evRested:
		w.onRested(ev)
	case evOrder:
		w.onOrder(ev)
	case evStopped:
		w.onStopped(ev)
	case evReconcile:
		w.onReconcile(ev)
	case evLook:
		w.onLook(ev)
	case evRebalanced:
		w.onRebalanced(ev)
	case evTurn:
		w.onTurn(ev)
	case evRestEnds:
		w.onRestEnds(ev)
	case evScale:
		w.onScale(ev)
	case evSeek:
		w.onSeek(ev)
	case evUnanswered:
		w.onUnanswered(ev)
	case evRamp:
		w.onRamp(ev)
	case evSpread:
		w.onSpread(ev)
	case evElection:
		w.onElection(ev)
	case evMemberBack:
		w.onMemberBack(ev)
	}
}

// newWorld builds the world of one replication; nothing has happened yet.
func newWorld(sc *scenario.Scenario, o Options, observers []history.Observer) *world {
	w := &world{base: sc, sc: sc, from: sim.Time(sc.Run.From), observers: observers,
		rules: map[*scenario.Retry]*retry.Rule{}, breakerRules: map[*scenario.Breaker]*backpressure.BreakerRule{}}
	w.sim = sim.New(w, sim.Options{Start: w.from, Seed: sc.Seed, Replication: o.Replication, MaxEvents: sc.Run.MaxEvents, Kinds: kindWords, Cut: o.Cut})
	for i := range w.luck {
		w.luck[i] = w.sim.Chance(uint64(i))
	}
	w.ledger.effects = map[uint64]int32{}
	w.buildComponents()
	for i, g := range sc.Workers {
		w.groups = append(w.groups, &group{cfg: g, index: int16(i), paused: g.Paused})
	}
	w.buildTypes()
	for _, g := range w.groups {
		w.buildGroup(g)
	}
	w.bindSessions()
	w.buildReconcilers()
	w.buildFaults()
	w.lossy = w.net.mayLose(sc)
	w.net.init(w, &sc.Network)
	return w
}

// start boots the fleet and starts what runs by itself.
func (w *world) start() {
	w.scheduleFaults()
	w.startReconcilers()
	for _, p := range w.procs {
		w.boot(p)
	}
	w.watchComponents()
	w.startSources()
	w.startScaling()
}
