package metric

import "github.com/tenggat/tenggat/model/history"

// counter names what is counted, in every scope.
type counter uint8

const (
	noCounter counter = iota
	offered
	publishRefused
	suppressed
	deliveries
	starts
	completions
	failures
	acks
	acksRefused
	returns
	expiries
	retried
	deadLettered
	deadLetteredUnstarted
	drops
	finished
	lostJobs
	effects
	duplicateEffects
	writes
	idempotencyHits
	writesRefused
	staleIgnored
	staleWritesAttempted
	staleWritesAccepted
	staleWritesRefused
	fenceViolations
	grants
	releases
	revocations
	renewals
	renewFailures
	lostAlive
	lockAcquireFailures
	lockTimeouts
	orphans
	takeovers
	suspicions
	falseFailovers
	trusts
	heartbeats
	crashes
	boots
	stops
	pauses
	resumes
	calls
	callsServed
	callsAnswered
	callErrors
	dependencyTimeouts
	refused
	breakerOpens
	halfOpens
	breakerCloses
	eventBegins
	duplicateStarts

	// Parts of other metrics, and no metrics themselves.
	secondStarts  // of a job
	doneUnstarted // jobs done that had never started
	doneAgain     // jobs done that had started more than once
	callsAgain    // calls with an attempt number over 1
	jobsCalling   // the first call of a job to a service
	probes        // calls that a half-open breaker let through

	// Metrics again: what comes later is added behind, see hash.
	cacheHits
	cacheMisses
	cacheFills
	staleHits
	cacheMismatches
	regressions
	replayed
	deadlocks
	stranded
	alertsFired
	falseAlerts
	foundUnacked
	foundIncomplete
	foundOrphans
	foundCopies
	repaired
	rebalances
	orphansLeft
	counters
)

// plain are the kinds of which every fact counts.
var plain = [history.Kinds]counter{
	history.Publish: offered, history.PublishRefused: publishRefused, history.Suppress: suppressed,
	history.Deliver: deliveries, history.Start: starts, history.Complete: completions, history.Fail: failures,
	history.Ack: acks, history.AckRefused: acksRefused, history.Return: returns, history.Expire: expiries,
	history.Retry: retried, history.DeadLetter: deadLettered, history.Drop: drops, history.Effect: effects,
	history.IdempotencyHit: idempotencyHits, history.WriteRefused: writesRefused, history.StaleIgnored: staleIgnored,
	history.StaleWrite: staleWritesAttempted, history.FenceViolation: fenceViolations, history.WriteReached: writes,
	history.Grant: grants, history.Renew: renewals, history.RenewFail: renewFailures, history.LostAlive: lostAlive,
	history.Release: releases, history.Revoke: revocations, history.Orphaned: orphans, history.LockTimeout: lockTimeouts,
	history.Suspect: suspicions, history.Trust: trusts, history.Beat: heartbeats, history.Crash: crashes,
	history.Boot: boots, history.Stop: stops, history.Pause: pauses, history.Resume: resumes, history.Call: calls,
	history.Serve: callsServed, history.Served: callsAnswered, history.Open: breakerOpens, history.HalfOpen: halfOpens,
	history.Close: breakerCloses, history.TakeOver: takeovers, history.EventBegin: eventBegins, history.Done: finished,
	history.Regress: regressions, history.Rebalance: rebalances, history.Replay: replayed,
	history.Deadlock: deadlocks, history.Strand: stranded, history.Alert: alertsFired, history.Repair: repaired,
	history.Hit: cacheHits, history.Miss: cacheMisses, history.Fill: cacheFills, history.Mismatch: cacheMismatches,
}

// timed are the kinds whose Value is a duration with a distribution.
var timed = [history.Kinds]dist{
	history.Start: wait, history.Complete: serviceTime, history.Ack: endToEnd, history.Grant: lockWait, history.OrphanEnd: orphanTime,
	history.TakeOver: takeover, history.Resume: pauseTime, history.Suspect: detection, history.Notice: revokeNotice,
	history.Rebalance: rebalanceTime,
}

// safety are the counts of harm, which cover the whole run.
var safety = [counters]bool{lostJobs: true, duplicateEffects: true, fenceViolations: true, regressions: true}

// dist names a distribution of durations.
type dist uint8

const (
	noDist dist = iota
	wait
	serviceTime
	endToEnd
	deliveriesPerJob
	takeover
	detection
	mistakeRecurrence
	mistakeDuration
	lockWait
	orphanTime
	pauseTime
	revokeNotice
	alertDelay
	rebalanceTime
	dists
)

// gaugeID names a level.
type gaugeID uint8

const (
	running     gaugeID = iota // handlers at once
	up                         // processes up
	inSystem                   // jobs that wait or run
	backlog                    // the same, of jobs that go through a queue
	waiting                    // messages that wait
	busy                       // servers at work
	waitingCall                // calls that wait
	overlap                    // locks and jobs with more than one believer
	mistaken                   // processes wrongly suspected
	openBreaker                // breakers open
	limits                     // calls or slots that limits allow
	capacity                   // slots of processes that are up, and servers
	gauges
)

// gap names a longest time.
type gap uint8

const (
	heartbeatGap gap = iota
	progressGap
	gaps
)
