package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// reconciler compares, now and then, what queues, locks and caches say with
// what has happened. It sees all of it at one instant, and what it finds it
// counts once. A lock's grant is taken away only from exactly the holder that
// was found dead.
type reconciler struct {
	cfg   *scenario.Reconciler
	place history.Place
	looks uint64
}

// buildReconcilers makes them; they begin to look in start.
func (w *world) buildReconcilers() {
	for i, c := range w.sc.Reconcilers {
		w.reviewers = append(w.reviewers, &reconciler{cfg: c, place: history.Place{Noun: history.Reconciler, Index: int16(i)}})
		w.audits = w.audits || c.Finds&scenario.FindsIncomplete != 0
	}
}

func (w *world) startReconcilers() {
	for i, r := range w.reviewers {
		at := w.firstTick(&r.cfg.Every, w.luck[luckPhase].With(uint64(history.Reconciler)).With(uint64(i)), w.from)
		w.sim.At(at, sim.Deadline, sim.Event{Kind: evReconcile, To: int32(i)})
	}
}

// onReconcile is one look.
func (w *world) onReconcile(ev sim.Event) {
	r := w.reviewers[ev.To]
	r.looks++
	every := r.cfg.Every.Every.Draw(w.luck[luckPhase].With(uint64(history.Reconciler)).With(uint64(ev.To)).With(r.looks))
	w.sim.At(w.sim.Now().Add(every), sim.Deadline, ev)
	if r.cfg.Finds&scenario.FindsUnacked != 0 {
		w.findUnacked(r)
	}
	if r.cfg.Finds&scenario.FindsIncomplete != 0 {
		w.findIncomplete(r)
	}
	if r.cfg.Finds&scenario.FindsOrphanLocks != 0 {
		w.findOrphans(r)
	}
	if r.cfg.Finds&scenario.FindsCache != 0 {
		w.findCopies(r)
	}
}

// finds tells of a finding that has been so since an instant, unless that is too
// young. True says that it is to be repaired, which it tells as well.
func (w *world) finds(r *reconciler, what int32, f history.Fact, since sim.Time, known *bool) (repair bool) {
	lasted := w.sim.Now().Sub(since)
	if lasted < r.cfg.Age {
		return false
	}
	f.Place, f.Attempt, f.Group, f.Process = r.place, what, -1, -1
	if !*known {
		*known = true
		f.Kind, f.Value = history.Found, int64(lasted)
		w.record(f)
	}
	if r.cfg.Repairs {
		f.Kind, f.Value = history.Repair, 0
		w.record(f)
	}
	return r.cfg.Repairs
}

// findUnacked finds jobs that have had their effects and whose message is still
// in its queue, and acknowledges them.
func (w *world) findUnacked(r *reconciler) {
	for _, q := range w.queues {
		w.all(q, func(i int32, m *message) {
			j := w.jobs.at(m.job)
			if !w.complete(j) || !w.finds(r, history.FoundUnacked, w.jobFact(history.Found, r.place, j, 0), j.landedAt, &m.found) {
				return
			}
			j.accepted = true
			w.recordJob(history.Ack, q.place, j, int64(w.sim.Now()-j.published))
			w.withdraw(q, i, m)
			w.bury(i)
		})
		w.deal(q)
	}
}

// complete says that all the effects of a job are there.
func (w *world) complete(j *job) bool {
	n := 0
	for i := range w.types[j.kind].ops {
		if w.types[j.kind].ops[i].step.Verb == scenario.Write {
			n++
		}
	}
	return j.landed && (n < 2 || j.wrote == 1<<n-1)
}

// wrote notes which of its writes a job has got through.
func (w *world) wrote(j *job, s *scenario.Step) {
	j.landed, j.landedAt = true, w.sim.Now()
	bit := uint64(1)
	for i := range w.types[j.kind].ops {
		switch o := &w.types[j.kind].ops[i]; {
		case o.step == s:
			j.wrote |= bit
			return
		case o.step.Verb == scenario.Write:
			bit <<= 1
		}
	}
}

// audit keeps a job whose last copy is gone although it was acknowledged and an
// effect is missing, so that a reconciler can find it.
func (w *world) audit(i int32, j *job) bool {
	if !w.audits || !j.accepted || j.dead || j.audited || w.complete(j) {
		return false
	}
	j.refs, j.audited, j.landedAt = 1, true, w.sim.Now()
	w.inSystem(w.types[j.kind], -1)
	w.missing = append(w.missing, i)
	return true
}

// findIncomplete finds jobs that were acknowledged and lack an effect, and
// publishes them again: they run from the beginning.
func (w *world) findIncomplete(r *reconciler) {
	w.missing = slices.DeleteFunc(w.missing, func(i int32) bool {
		j := w.jobs.at(i)
		if !w.finds(r, history.FoundIncomplete, w.jobFact(history.Found, r.place, j, 0), j.landedAt, &j.found) {
			return false
		}
		j.accepted, j.audited, j.found = false, false, false
		w.inSystem(w.types[j.kind], 1)
		q := w.types[j.kind].queue
		w.holdJob(i)
		n := w.newMessage(q, i)
		w.enqueue(q, n, w.messages.at(n))
		w.dropJob(i) // the message holds it now
		return true
	})
}

// findOrphans finds locks whose holder is dead, or has sent its release, and
// takes the grant away from that holder and no other.
func (w *world) findOrphans(r *reconciler) {
	for _, s := range w.locks {
		for _, i := range s.locks {
			k := w.lockPool.at(i)
			_, serial, ok := k.grant.Holder()
			if !ok {
				continue
			}
			p := w.procs[k.holder]
			since := min(p.diedAt(k.life), k.left)
			known := k.found == serial
			if since == sim.Never || !w.finds(r, history.FoundOrphan, history.Fact{Job: -1, Type: -1, Key: k.name}, since, &known) {
				if known {
					k.found = serial
				}
				continue
			}
			w.answers = w.stepLock(s, k, lease.Ask{Kind: lease.Revoke})
			w.revoked(i, k, s)
		}
	}
}

// findCopies finds copies in caches that contradict their source, and drops
// them. Copies that a warm cache has had since the start are not looked at:
// they are not on record.
func (w *world) findCopies(r *reconciler) {
	for _, s := range w.caches {
		now := w.now(s.node)
		for i := range s.copies.size {
			k := s.copies.at(i)
			if !k.head || now < k.seen || now >= k.ends || k.value == w.truth(s, k.key) {
				continue
			}
			if w.finds(r, history.FoundCopy, history.Fact{Job: -1, Type: -1, Key: k.key}, k.born, &k.found) {
				s.forget(i)
			}
		}
	}
}
