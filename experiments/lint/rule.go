package lint

import "github.com/tenggat/tenggat/model/scenario"

// Rule is one thing that must hold between settings.
type Rule struct {
	ID     string
	Title  string // what must hold
	Why    string // what happens otherwise, in one sentence
	Source string // field cases (C..) and texts that it comes from
	find   func(v *view) []found

	lasting    bool // speaks of the long run: not of what ends, nor of some of the workers
	everywhere bool // a finding counts only if no variant that has the setting from the same line is without it
}

// found is one place where a rule does not hold.
type found struct {
	severity Severity
	paths    []string                // settings compared; the first one is to blame
	sum      string                  // the arithmetic
	changes  [][]scenario.Assignment // proposals, the best first; the linter tries them
}

// set is an assignment.
func set(path, value string) scenario.Assignment {
	return scenario.Assignment{Path: path, Value: value}
}

// change is a proposal of one assignment or more.
func change(sets ...scenario.Assignment) []scenario.Assignment { return sets }

// rules is the table of all rules, in the order of docs/lint.md.
var rules = []Rule{
	// Leases of deliveries and locks.
	leaseCoversRun, leaseCoversBuffer, lockCoversWork, leaseWithinCap, leaseInRange, leaseCoversLimit, deliveryEnds, lockEnds,
	renewThird, renewRetryFits, renewOneError, beatsWhileRunning, renewedWithoutLimit, recoveryWait, lateSettle,
	holderStopsFirst, groupsAgree, takeoverInTime, waitIsPoll, pauseWithinLease, ownUnit,
	// Detectors.
	suspectMargin, suspectLosses, evidenceLasts, doubtInTime,
	// Attempts and retries.
	receiveLimit, permanentBound, crashBound, coordinationBound, callBound, retryProduct, retryJitter, breakerCloses,
	// Effects.
	lockFenced, writeRepeatable, keyOfBusiness, keyOutlivesRetries, keyDurable,
	// What queues, guards and caches remember.
	dedupWindow, onceInProgress, cacheWiped, cacheJitter,
	// Time-outs among themselves.
	callWithinLease, callWithinLimit, drainCoversRun, oneTimeout,
	// Stores and events.
	membersMajority, eventInRun,
	// Settings without effect.
	changesNothing,
	// Load.
	workersSuffice, serversSuffice, lockSuffices,
}
