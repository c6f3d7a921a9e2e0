package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/lease"
)

// revoke takes the grants of an event's targets away, as an operator does: a
// lock is free, a delivery is back in its queue. Nobody tells the holders.
func (w *world) revoke(f *fault, n uint64) {
	luck := w.luck[luckTarget].With(uint64(f.index)).With(n)
	spared := func(key uint64) bool {
		c := luck.With(key)
		return f.cfg.Share < 1 && c.U01() >= f.cfg.Share
	}
	for _, t := range f.cfg.On {
		if t.Noun == "queues" {
			w.revokeDeliveries(w.queueNamed(t.Name), spared)
		} else {
			w.revokeLocks(w.locks[w.lockStoreNamed(t.Name)], spared)
		}
	}
}

func (w *world) revokeLocks(s *lockStore, spared func(key uint64) bool) {
	for _, i := range s.locks {
		k := w.lockPool.at(i)
		if spared(k.name) {
			continue
		}
		w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Revoke})
		w.revoked(i, k, s)
	}
}

// revoked tells of a grant that was taken away, and lets the next in.
func (w *world) revoked(i int32, k *lock, s *lockStore) {
	if len(w.answers) == 0 {
		return
	}
	w.record(w.lockFact(history.Revoke, k, w.procs[k.holder], 0))
	if !w.claimOver(k) {
		w.lockSlips(k)
	}
	if s.byMajority() {
		w.revokeVotes(s, k.name)
	}
	w.freed(i, k, s)
}

func (w *world) revokeDeliveries(q *broker, spared func(key uint64) bool) {
	for k := 0; k < len(q.held); {
		i := q.held[k]
		m := w.messages.at(i)
		j := w.jobs.at(m.job)
		if spared(uint64(j.serial)) {
			k++
			continue
		}
		p := w.procs[m.holder]
		f := w.jobFact(history.Revoke, q.place, j, 0)
		f.Group, f.Process, f.Delivery = p.group.index, p.member, m.hands
		w.answers = m.grant.Step(w.now(q.node), lease.Ask{Kind: lease.Revoke}, w.answers[:0])
		w.record(f)
		w.giveBack(q, i, m, 0, scenario.RetryReturn)
	}
	w.deal(q)
}
