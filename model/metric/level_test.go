package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// Two processes are up from 0 s, one from 6 s on. Two handlers run in [2, 4) s
// and one in [4, 8) s: 8 handler-seconds of 16 slot-seconds. Two jobs are in
// the system in [1, 4) s, one in [4, 8) s; one of them waits in [1, 2) s.
func TestLevels(t *testing.T) {
	r := run(t, 0, 10, Want{},
		level(0, history.LevelUp, history.Place{}, 1), level(0, history.LevelUp, history.Place{}, 2),
		level(1, history.LevelInSystem, atQueue, 1), level(1, history.LevelInSystem, atQueue, 1), level(1, history.LevelWaiting, atQueue, 1),
		level(2, history.LevelWaiting, atQueue, 0), level(2, history.LevelRunning, history.Place{}, 2),
		level(4, history.LevelRunning, history.Place{}, 1), level(4, history.LevelInSystem, atQueue, -1),
		level(6, history.LevelUp, history.Place{}, 1),
		level(8, history.LevelRunning, history.Place{}, 0), level(8, history.LevelInSystem, atQueue, -1))
	expect(t, r, map[string]float64{
		"running": 0.8, "workers.w.running": 0.8, "running_max": 2, "workers.w.utilisation": 0.5,
		"in_system.mean": 1, "queues.q.in_system.mean": 1, "jobs.pay.in_system.max": 2, "jobs.tick.in_system.max": 0,
		"queue_depth.mean": 0.1, "queues.q.queue_depth.max": 1, "backlog_peak": 2, "queues.q.backlog_peak": 2,
	})
}

// A level that stands when the window begins counts from there on; a maximum
// that has passed does not.
func TestLevelsAfterWarmUp(t *testing.T) {
	r := run(t, 4, 10, Want{}, level(1, history.LevelWaiting, atQueue, 9), level(2, history.LevelWaiting, atQueue, 3), level(7, history.LevelWaiting, atQueue, 0))
	expect(t, r, map[string]float64{"queue_depth.mean": 1.5, "queue_depth.max": 3})
}

// Jobs that a process starts itself are in the system, and in no backlog.
func TestBacklogIsOfQueues(t *testing.T) {
	own := level(1, history.LevelInSystem, history.Place{}, 1)
	own.Type = 1
	r := run(t, 0, 2, Want{}, own, level(1, history.LevelInSystem, atQueue, 1))
	expect(t, r, map[string]float64{"in_system.max": 2, "in_system.mean": 1, "backlog_peak": 1, "jobs.tick.in_system.mean": 0.5})
}

// One of two servers works in [0, 4) s, both in [4, 6) s; three calls wait in
// [4, 6) s.
func TestServiceLevels(t *testing.T) {
	r := run(t, 0, 10, Want{},
		level(0, history.LevelBusy, atService, 1), level(4, history.LevelBusy, atService, 2), level(4, history.LevelCalls, atService, 3),
		level(6, history.LevelBusy, atService, 0), level(6, history.LevelCalls, atService, 0))
	expect(t, r, map[string]float64{"services.s.utilisation": 0.4, "services.s.queue_depth.mean": 0.6, "services.s.queue_depth.max": 3})
}

// Slots are set to three a process at 2 s and back to one at 4 s, when process 0
// runs three handlers; they end at 5, 6 and 8 s. Process 1 is idle.
func TestUtilisationAfterSlotsAreSetDown(t *testing.T) {
	facts := []history.Fact{level(0, history.LevelUp, history.Place{}, 2), level(2, history.LevelSlots, history.Place{}, 3)}
	for range 3 {
		facts = append(facts, believes(2, atQueue, 1, 1, 1))
	}
	facts = append(facts, level(2, history.LevelRunning, history.Place{}, 3), level(4, history.LevelSlots, history.Place{}, 1))
	for i, end := range []float64{5, 6, 8} {
		facts = append(facts, believes(end, atQueue, 1, -1, 0), level(end, history.LevelRunning, history.Place{}, int64(2-i)))
	}
	// At work are 3 for 3 s, 2 for 1 s and 1 for 2 s. There are 2 slots for 2 s, 6 for 2 s, 3 + 1 for 1 s, 2 + 1 for 1 s, 1 + 1 for 4 s.
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{"workers.w.utilisation": 13.0 / (4 + 12 + 4 + 3 + 8)})
	expect(t, run(t, 4, 10, Want{}, facts...), map[string]float64{"workers.w.utilisation": 7.0 / 15})
}

// A service has two servers, four from 2 s on and one from 4 s on, when all four
// are busy; three are until 6 s, and none from 8 s on.
func TestUtilisationAfterServersAreTakenAway(t *testing.T) {
	facts := []history.Fact{level(2, history.LevelServers, atService, 4), level(2, history.LevelBusy, atService, 4), level(4, history.LevelServers, atService, 1),
		level(5, history.LevelBusy, atService, 3), level(6, history.LevelBusy, atService, 1), level(8, history.LevelBusy, atService, 0)}
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{"services.s.utilisation": 17.0 / (4 + 8 + 4 + 3 + 4)})
	expect(t, run(t, 4, 10, Want{}, facts...), map[string]float64{"services.s.utilisation": 9.0 / 11})
}

func believes(s float64, place history.Place, key uint64, value int64, n int32) history.Fact {
	f := in(s, history.Believe, place, 0, value)
	f.Key, f.Attempt = key, n
	if place.Noun != history.Lock {
		f.Type = 0
	}
	return f
}

// Lock 5 has two believers in [2, 4) s and lock 6 in [3, 6) s, three in
// [5, 6) s: 5 lock-seconds with more than one, the last 1.5 s of them measured
// from 4.5 s on.
func TestHoldersAndOverlap(t *testing.T) {
	facts := []history.Fact{
		believes(1, atLock, 5, 1, 1), believes(2, atLock, 5, 1, 2), believes(2, atLock, 6, 1, 1), believes(3, atLock, 6, 1, 2),
		believes(4, atLock, 5, -1, 1), believes(5, atLock, 6, 1, 3), believes(6, atLock, 6, -1, 2), believes(6, atLock, 6, -1, 1),
	}
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{"holders_max": 3, "locks.l.holders_max": 3, "overlap_s": 5, "locks.l.overlap_s": 5,
		"jobs.pay.holders_max": 0, "queues.q.overlap_s": 0})
	expect(t, run(t, 4.5, 10, Want{}, facts...), map[string]float64{"holders_max": 3, "overlap_s": 1.5})
	expect(t, run(t, 7, 10, Want{}, facts...), map[string]float64{"holders_max": 3, "overlap_s": 0})
}

// Name 5 is held in [1, 4) and [6, 8) s, name 6 from 7 s to the end. A grant that
// replaces another goes on, and what ends nothing counts for nothing.
func TestLockUtilisation(t *testing.T) {
	at := func(s float64, kind history.Kind, key uint64) history.Fact {
		f := in(s, kind, atLock, 0, 0)
		f.Key = key
		return f
	}
	facts := []history.Fact{
		at(1, history.Grant, 5), at(3, history.Grant, 5), at(4, history.Expire, 5), at(5, history.Release, 5),
		at(6, history.Grant, 5), at(7, history.Grant, 6), at(8, history.Release, 5),
	}
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{"locks.l.utilisation": 0.5})
	expect(t, run(t, 5, 10, Want{}, facts...), map[string]float64{"locks.l.utilisation": 0.6})
	expect(t, run(t, 0, 10, Want{}), map[string]float64{"locks.l.utilisation": 0})
}

// Handing over at one instant, in either order, makes no second holder; what
// stands at the end of the run has lasted until then.
func TestHoldersMustLast(t *testing.T) {
	r := run(t, 0, 10, Want{}, believes(1, atLock, 5, 1, 1), believes(2, atLock, 5, 1, 2), believes(2, atLock, 5, -1, 1),
		believes(3, atLock, 5, -1, 0), believes(3, atLock, 5, 1, 1))
	expect(t, r, map[string]float64{"holders_max": 1, "overlap_s": 0})
	r = run(t, 0, 10, Want{}, believes(1, atQueue, 5, 1, 1), believes(9, atQueue, 5, 1, 2))
	expect(t, r, map[string]float64{"holders_max": 2, "queues.q.holders_max": 2, "jobs.pay.holders_max": 2, "locks.l.holders_max": 0, "overlap_s": 1})
}
