package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// tell runs the replication again twice: first for the facts of the subject,
// which name the processes and locks that it met, then for what happened to
// those meanwhile.
func (s *Story) tell(sc *scenario.Scenario, first *history.Fact) error {
	w := words{names: model.Names(sc)}
	s.Subject = w.subject(first)
	own := collector{want: func(f *history.Fact) bool { return tells(f) && same(f, first) }}
	if _, err := model.Run(sc, model.Options{Replication: s.Replication, Observer: &own}); err != nil {
		return err
	}
	met := meetings(own.facts)
	around := collector{want: func(f *history.Fact) bool { return !same(f, first) && met.matters(f) }}
	if _, err := model.Run(sc, model.Options{Replication: s.Replication, Observer: &around}); err != nil {
		return err
	}
	for i := range own.facts {
		s.Lines = append(s.Lines, Line{At: time.Duration(own.facts[i].At), Text: w.sentence(&own.facts[i])})
	}
	for i := range around.facts {
		s.Lines = append(s.Lines, Line{At: time.Duration(around.facts[i].At), Text: w.sentence(&around.facts[i]), Context: true})
	}
	slices.SortStableFunc(s.Lines, func(a, b Line) int { return cmp.Compare(a.At, b.At) })
	return nil
}

// collector keeps the facts that are wanted, up to a bound.
type collector struct {
	want  func(*history.Fact) bool
	facts []history.Fact
}

// mostFacts bounds a story: one that is longer than this is read by nobody.
const mostFacts = 2000

// Observe takes a fact.
func (c *collector) Observe(f *history.Fact) {
	if len(c.facts) < mostFacts && c.want(f) {
		c.facts = append(c.facts, *f)
	}
}

// tells leaves out the facts that count and do not tell.
func tells(f *history.Fact) bool {
	switch f.Kind {
	case history.Level, history.Believe, history.Became, history.Beat, history.WriteReached:
		return false
	}
	return true
}

// meeting is what the subject met: when it lived, where it ran, what it locked.
type meeting struct {
	from, to  int64
	processes map[process]bool
	locks     map[uint64]bool
}

type process struct {
	group  int16
	member int32
}

func meetings(facts []history.Fact) meeting {
	m := meeting{processes: map[process]bool{}, locks: map[uint64]bool{}}
	for i := range facts {
		f := &facts[i]
		if i == 0 {
			m.from = f.At
		}
		m.to = f.At
		if f.Process >= 0 {
			m.processes[process{f.Group, f.Process}] = true
		}
		if f.Place.Noun == history.Lock {
			m.locks[f.Key] = true
		}
	}
	return m
}

// matters says that a fact about others belongs to the story: what froze, killed
// or suspected a process that it ran in, who else had its lock, and the events
// of the scenario.
func (m meeting) matters(f *history.Fact) bool {
	if f.At > m.to {
		return false
	}
	switch f.Kind {
	case history.EventBegin, history.EventEnd:
		return f.At >= m.from
	case history.Pause, history.Resume, history.Crash, history.Boot, history.Stop, history.Suspect, history.Trust:
		return f.At >= m.from && m.processes[process{f.Group, f.Process}]
	case history.Grant, history.Expire, history.Release, history.Orphaned, history.LostAlive, history.Revoke, history.RenewFail:
		return f.At >= m.from && f.Place.Noun == history.Lock && m.locks[f.Key]
	}
	return false
}
