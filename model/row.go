package model

import (
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// row is what a service holds of one thing whose updates have an order: the
// number of the newest one, and its status.
type row [2]int64 // by history.RankOf; unranked: none yet

// unranked is the rank of an update that carries none, and of a row that had none.
const unranked = -1 << 63

// rankChecks are the checks of a service that keep a row from going back.
var rankChecks = [2]scenario.Checks{history.RankSequence: scenario.CheckSequence, history.RankStatus: scenario.CheckStatus}

// ranked makes a write an update of a row. Two updates of one row are two
// effects: the key of each is the row's with its ranks.
func (c *call) ranked(s *scenario.Step, j *job, x *execution) {
	c.row = c.key
	for k, r := range [2]*scenario.Rank{history.RankSequence: s.Sequence, history.RankStatus: s.Status} {
		c.rank[k] = unranked
		if r != nil {
			c.rank[k] = rankOf(r, j, x)
		}
		rank := uint64(c.rank[k])
		c.key, c.effect = uint64(exact.Chance(c.key).With(rank)), uint64(exact.Chance(c.effect).With(rank))
	}
}

// rankOf is the number that a rank stands for.
func rankOf(r *scenario.Rank, j *job, x *execution) int64 {
	if len(r.Text.Parts) == 0 {
		return r.N
	}
	return fill(&r.Text.Parts[0], j, x)
}

// rowOf is a row as it stands.
func (s *service) rowOf(key uint64) row {
	if r, known := s.rows[key]; known {
		return r
	}
	return row{unranked, unranked}
}

// advances says whether an update is newer than its row, as far as the service
// checks that; a write that updates no row always is.
func (w *world) advances(s *service, c *call, f history.Fact) bool {
	if c.row == 0 {
		return true
	}
	r := s.rowOf(c.row)
	for k, check := range rankChecks {
		if s.cfg.Checks&check != 0 && c.rank[k] != unranked && c.rank[k] <= r[k] {
			f.Kind = history.StaleIgnored
			w.record(f)
			return false
		}
	}
	return true
}

// update writes the row, and records when it goes back.
func (w *world) update(s *service, c *call, f history.Fact) {
	if c.row == 0 {
		return
	}
	r := s.rowOf(c.row)
	f.Key = c.row
	for k, check := range rankChecks {
		if c.rank[k] == unranked {
			continue
		}
		f.Attempt, f.Delivery = int32(k), 0
		if s.cfg.Checks&check != 0 {
			f.Delivery = 1
		}
		f.Kind, f.Value = history.Update, c.rank[k]
		w.record(f)
		if c.rank[k] < r[k] {
			f.Kind, f.Value = history.Regress, r[k]
			w.record(f)
		}
		r[k] = c.rank[k]
	}
	s.rows[c.row] = r
}
