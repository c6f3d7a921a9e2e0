package model

import (
	"cmp"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/fence"
)

// ledger is the ground truth about effects: how often each operation has had
// one at each place, whatever the services know or check.
type ledger struct {
	effects map[uint64]int32
}

// land records an effect of a job's operation. own says that the key is the
// job's own and shared with no other job: then the job's record counts it.
func (w *world) land(place history.Place, j *job, key uint64, own bool) {
	var n int32
	if own {
		j.effects++
		n = j.effects
	} else {
		at := key ^ uint64(place.Noun)<<56 ^ uint64(place.Index)<<40
		w.ledger.effects[at]++
		n = w.ledger.effects[at]
	}
	j.landed, j.landedAt = true, w.sim.Now()
	f := w.jobFact(history.Effect, place, j, int64(n))
	f.Key = key
	w.record(f)
}

// write decides what becomes of a write that reached its service, and lands
// its effect. The order of the checks: token, version, key, then
// sequence and status.
func (w *world) write(s *service, c *call) {
	f := w.callFact(history.WriteReached, c, 0)
	w.record(f)
	if c.lock >= 0 && !w.passes(s, c, f) {
		if !c.step.Ignore {
			c.class = policies.Coordination
		}
		return
	}
	if s.cfg.Checks&scenario.CheckVersion != 0 && c.version != s.versionOf(c.read) {
		f.Kind = history.WriteRefused
		w.record(f)
		if !c.step.Ignore {
			c.class = policies.Transient
		}
		return
	}
	if s.cfg.Checks&scenario.CheckKey != 0 && !s.keys.Apply(w.now(s.node), c.key) {
		f.Kind = history.IdempotencyHit
		w.record(f)
		w.wrote(w.jobs.at(c.job), c.step)
		return
	}
	if !w.advances(s, c, f) {
		w.wrote(w.jobs.at(c.job), c.step)
		return
	}
	s.writes++
	if s.versions != nil {
		s.versions[cmp.Or(c.row, c.key)]++
	}
	j := w.jobs.at(c.job)
	w.wrote(j, c.step)
	w.land(s.place, j, c.effect, w.types[j.kind].own)
	w.update(s, c, f)
	if c.parcel.kind != nil {
		w.relay(s, c)
	}
}

// passes checks the token of a write, and records what the truth is: whether
// the grant was the newest, and whether a higher token had been accepted.
func (w *world) passes(s *service, c *call, f history.Fact) bool {
	k := w.lockPool.at(c.lock)
	stale := c.serial != k.grant.Newest()
	gate := k.gate(s.place.Index)
	seen := gate.accepted.Highest()
	if s.cfg.Checks&scenario.CheckTokenGranted != 0 {
		gate.known.Register(k.grant.Token())
	}
	ok := !s.checksTokens() || gate.known.Check(c.token)
	if stale {
		f.Kind, f.Value = history.StaleWrite, 0
		if ok {
			f.Value = 1
		}
		w.record(f)
	}
	if !ok {
		f.Kind, f.Value = history.WriteRefused, 0
		w.record(f)
		return false
	}
	if c.token < seen {
		f.Kind, f.Value = history.FenceViolation, int64(seen)
		w.record(f)
	}
	gate.accepted.Register(c.token)
	return true
}

// gate is what one service knows of a lock's tokens: known is what its check
// goes by, accepted the truth about the tokens that it let through.
type gate struct{ known, accepted fence.Gate }

func (k *lock) gate(service int16) *gate { return grown(&k.gates, int(service)) }
