package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// A lock is an orphan while a claim stands whose holder is dead, or gone: it has
// sent its release, and that was lost on the way.

// orphaned tells, once, that the standing claim of a lock has no holder, if that
// is so. Who calls it knows that no release will arrive.
func (w *world) orphaned(k *lock) {
	p := w.procs[k.holder]
	died := p.diedAt(k.life)
	gone := min(died, k.left)
	if gone == sim.Never || k.orphan != sim.Never {
		return
	}
	k.orphan = max(gone, k.since) // it may have been granted to a dead process
	f := w.lockFact(history.Orphaned, k, p, 0)
	if died == sim.Never {
		f.Value = 1
	}
	w.record(f)
}

// orphanedByDeath tells it where no release is on its way that may arrive yet.
func (w *world) orphanedByDeath(k *lock) {
	if k.left == sim.Never {
		w.orphaned(k)
	}
}

// leavesLocks tells of the locks that a life which has ended leaves behind.
func (w *world) leavesLocks(p *process, life uint32) {
	for _, s := range w.locks {
		for _, i := range s.locks {
			k := w.lockPool.at(i)
			if _, _, held := k.grant.Holder(); held && k.holder == p.id && k.life == life {
				w.orphanedByDeath(k)
			}
		}
	}
}

// releaseOver finds out whether the claim that a release spoke of stands although
// nothing is left of the release.
func (w *world) releaseOver(c *call) {
	k := w.lockPool.at(c.lock)
	if _, serial, held := k.grant.Holder(); held && serial == c.serial && k.left != sim.Never {
		w.orphaned(k)
	}
}

// claimOver tells, when a grantor or another has ended a claim, that the lock is
// no orphan any more; false says that it was none.
func (w *world) claimOver(k *lock) bool {
	if k.died == sim.Never {
		k.died = w.procs[k.holder].diedAt(k.life)
	}
	w.orphaned(k) // a release that is on its way has nothing left to release
	return w.endOrphan(k, w.sim.Now(), 0)
}

// endOrphan tells that a lock kept others out up to an instant; open is 1 if it
// still does when the run ends.
func (w *world) endOrphan(k *lock, until sim.Time, open int32) bool {
	if k.orphan == sim.Never {
		return false
	}
	f := w.lockFact(history.OrphanEnd, k, w.procs[k.holder], int64(until-k.orphan))
	f.Attempt = open
	k.orphan = sim.Never
	w.record(f)
	return true
}

// closeOrphans ends with the run what has not ended before.
func (w *world) closeOrphans() {
	now := w.sim.Now()
	for _, s := range w.locks {
		for _, i := range s.locks {
			k := w.lockPool.at(i)
			if until := w.keepsOut(s, k); until < now {
				w.endOrphan(k, max(until, k.orphan), 0)
			} else {
				w.endOrphan(k, now, 1)
			}
		}
	}
}

// keepsOut is the instant from which on anybody who asks gets a lock, although
// the claim before has not been ended yet because nobody has asked; Never where
// only time or the store can tell. A record runs out by a clock that is right.
func (w *world) keepsOut(s *lockStore, k *lock) sim.Time {
	if s.byMajority() {
		return w.majorityFree(s, k.name)
	}
	if l := w.procs[max(k.holder, 0)].group.lock(s).Lease; l != nil && l.ExpiresBy == scenario.ByRecord {
		return sim.Time(k.end)
	}
	return sim.Never
}

// majorityFree is the deadline with which, the last of them, more than half of the
// members came to grant a lock to anybody; Never if that is not so now.
func (w *world) majorityFree(s *lockStore, name uint64) sim.Time {
	var free []sim.Time
	for i, box := range s.cluster.votes {
		at := w.from
		if g := box[name]; g != nil {
			if _, _, held := g.Holder(); held {
				at = w.when(s.cluster.nodes[i], g.Until())
			}
		}
		if at != sim.Never && w.looks(&s.cfg.Lease.Check, s.phase, at) > w.sim.Now() {
			at = sim.Never
		}
		free = append(free, at)
	}
	slices.Sort(free)
	return free[len(free)/2]
}
