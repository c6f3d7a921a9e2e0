package explain

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// tell runs the replication again twice: first for the facts of the subject,
// which name the processes and locks that it met, then for what happened to
// those meanwhile.
func (s *Story) tell(sc *scenario.Scenario, q Question, first *history.Fact) error {
	w := &words{names: model.Names(sc), events: sc.Events}
	s.Subject = w.subject(first)
	own := &episode{subject: first, rival: rival{subject: first, job: none, starts: map[int64]begun{}}}
	if err := q.run(sc, s.Replication, own); err != nil {
		return err
	}
	around := &surroundings{meeting: meetings(own), events: sc.Events}
	if err := q.run(sc, s.Replication, around); err != nil {
		return err
	}
	all := slices.Concat(own.facts, around.open, around.facts)
	slices.SortFunc(all, func(a, b told) int { return cmp.Compare(a.place, b.place) })
	for i, t := range all {
		context := !same(&t.Fact, first)
		s.Lines = append(s.Lines, Line{At: time.Duration(t.At), Text: w.sentence(&t.Fact, context, remarkOn(all, i)), Context: context,
			Harm: s.Harm != "" && t.Fact == *first})
	}
	s.routine(w, all, first)
	return nil
}

// told is a fact and its place in the run, which orders what happened at one
// instant.
type told struct {
	history.Fact
	place int
}

// mostFacts bounds a story: one that is longer than this is read by nobody.
const mostFacts = 2000

// silent are the kinds that count and do not tell.
var silent = map[history.Kind]bool{
	history.None: true, history.Level: true, history.Became: true, history.WriteReached: true,
}

// untold says that an episode leaves a fact out: one of a silent kind, or what
// the subject believes, but for the overlap that is explained.
func (e *episode) untold(f *history.Fact) bool {
	return silent[f.Kind] || f.Kind == history.Believe && *f != *e.subject
}

// episode keeps the subject's own facts: of a job all of them; of a process that
// a monitor suspects those from its last heartbeat before to the trust after; of
// one that held a lock those at that lock, from the grant to the end of an orphan.
type episode struct {
	subject *history.Fact
	rival   rival
	facts   []told
	seen    int
	before  told // the last heartbeat or grant
	over    bool
}

// Observe takes a fact.
func (e *episode) Observe(f *history.Fact) {
	e.seen++
	e.rival.see(f)
	if e.over || e.untold(f) || len(e.facts) >= mostFacts || !same(f, e.subject) {
		return
	}
	switch {
	case e.subject.Job >= 0:
	case f.Kind == history.Beat, f.Kind == history.Grant && f.At < e.subject.At:
		e.before = told{*f, e.seen}
		return
	case f.At < e.subject.At:
		return
	case len(e.facts) == 0 && e.before.Kind != history.None:
		e.facts = append(e.facts, e.before)
	}
	e.facts = append(e.facts, told{*f, e.seen})
	e.over = e.subject.Job < 0 && (f.Kind == history.Trust || f.Kind == history.OrphanEnd)
}

// meeting is what the subject met: when it lived, where it ran, what it locked.
type meeting struct {
	subject   *history.Fact
	rival     rival
	from, to  int64
	started   int64 // first start of the job; before it nobody else's lock matters
	processes map[process]bool
	locks     map[uint64]bool
	jobs      map[int64]bool // that a suspected process had in hand
	held      []held
}

type process struct {
	group  int16
	member int32
}

// longHeld is how long a job lies in a process before a story asks why.
const longHeld = time.Second

// held is a while for which a job lay in a process that did not start it.
type held struct {
	in       process
	from, to int64
}

func meetings(own *episode) meeting {
	m := meeting{subject: own.subject, rival: own.rival, from: own.facts[0].At, to: own.facts[len(own.facts)-1].At, started: math.MaxInt64,
		processes: map[process]bool{}, locks: map[uint64]bool{}, jobs: map[int64]bool{}}
	if own.subject.Job < 0 && !own.over {
		m.to = math.MaxInt64 // nobody trusted it again
	}
	for i := range own.facts {
		f := &own.facts[i].Fact
		who := process{f.Group, f.Process}
		if f.Process >= 0 {
			m.processes[who] = true
		}
		if f.Place.Noun == history.Lock {
			m.locks[f.Key] = true
		}
		switch f.Kind {
		case history.Deliver:
			m.held = append(m.held, held{who, f.At, m.to})
		case history.Start, history.Expire, history.Return:
			m.started = min(m.started, f.At)
			if n := len(m.held); n > 0 {
				m.held[n-1].to = min(m.held[n-1].to, f.At)
			}
		}
	}
	m.held = slices.DeleteFunc(m.held, func(h held) bool { return h.to-h.from < int64(longHeld) })
	return m
}

// surroundings collects what happened to others and belongs to the story: what
// froze, killed or suspected a process that the subject met, what kept it busy,
// who else had its lock, its rival, and the events of the scenario. Of what came before
// the story it keeps what still lasts then.
type surroundings struct {
	meeting
	events []*scenario.Event
	seen   int
	facts  []told
	open   []told // what began before the story
}

// Observe takes a fact.
func (s *surroundings) Observe(f *history.Fact) {
	s.seen++
	if f.At > s.to || len(s.facts) >= mostFacts || same(f, s.subject) || !s.rival.concerns(f) && !s.matters(f) {
		return
	}
	if f.At >= s.begins(f) {
		s.facts = append(s.facts, told{*f, s.seen})
		return
	}
	s.open = slices.DeleteFunc(s.open, func(o told) bool { return ends(f, &o.Fact) })
	if lasts[f.Kind] && (f.Kind != history.Believe || f.Value > 0) {
		s.open = append(s.open, told{*f, s.seen})
	}
}

// begins is when the story begins for a fact of others.
func (s *surroundings) begins(f *history.Fact) int64 {
	switch {
	case s.subject.Job < 0:
		return s.from
	case s.rival.job != none && (f.Kind == history.EventBegin || f.Kind == history.EventEnd):
		return min(s.from, s.rival.from)
	case s.rival.concerns(f):
		return s.rival.from
	case f.Place.Noun == history.Lock:
		return s.started
	case f.Job >= 0: // what a process did that did not start the subject
		for _, h := range s.held {
			if h.in == (process{f.Group, f.Process}) && f.At <= h.to {
				return h.from
			}
		}
	}
	return s.from
}

// lasts are the facts that hold until another ends them.
var lasts = map[history.Kind]bool{
	history.EventBegin: true, history.Pause: true, history.Crash: true, history.Stop: true, history.Suspect: true,
	history.Grant: true, history.Start: true, history.Believe: true,
}

// ends says that a fact ends what an earlier one began, or takes its place.
func ends(f, begun *history.Fact) bool {
	one := f.Group == begun.Group && f.Process == begun.Process
	switch begun.Kind {
	case history.EventBegin:
		return f.Kind == history.EventEnd && f.Place == begun.Place
	case history.Pause:
		return one && (f.Kind == history.Resume || f.Kind == history.Crash)
	case history.Crash, history.Stop:
		return one && f.Kind == history.Boot
	case history.Suspect:
		return one && f.Place == begun.Place && f.Kind == history.Trust
	case history.Grant:
		return f.Place == begun.Place && f.Key == begun.Key
	case history.Believe:
		return f.Kind == history.Believe && f.Place == begun.Place && f.Key == begun.Key && one
	case history.Start:
		return f.Job == begun.Job || one && f.Kind == history.Crash
	}
	return false
}

// matters says that a fact about others belongs to the story.
func (s *surroundings) matters(f *history.Fact) bool {
	met := s.processes[process{f.Group, f.Process}]
	switch f.Kind {
	case history.EventBegin, history.EventEnd:
		return !strikesProcesses(s.events[f.Place.Index])
	case history.Pause, history.Resume, history.Crash, history.Boot, history.Stop, history.Suspect, history.Trust:
		return met
	case history.Rebalance, history.Elect, history.Forget:
		return f.Key == 0 || s.locks[f.Key]
	case history.Believe:
		if s.subject.Kind != history.Believe || f.Place.Noun != history.Lock || !s.locks[f.Key] {
			return false
		}
		s.processes[process{f.Group, f.Process}] = true // from here on it matters what happens to it
		return true
	case history.Grant, history.Expire, history.Release, history.Orphaned, history.OrphanEnd, history.LostAlive, history.Revoke, history.RenewFail:
		if f.Place.Noun == history.Lock && s.subject.Job >= 0 {
			return s.locks[f.Key]
		}
	}
	if s.subject.Job >= 0 {
		return s.keepsBusy(f)
	}
	return s.inHand(f, met)
}

// keepsBusy says that a fact tells what a process did that had the subject and
// did not start it.
func (s *surroundings) keepsBusy(f *history.Fact) bool {
	switch f.Kind {
	case history.Start, history.Complete, history.Fail:
		return slices.ContainsFunc(s.held, func(h held) bool { return h.in == (process{f.Group, f.Process}) && f.At <= h.to })
	}
	return false
}

// inHand says that a fact tells what became of a job that a suspected process
// had in hand.
func (s *surroundings) inHand(f *history.Fact, met bool) bool {
	if f.Job < 0 {
		return false
	}
	switch f.Kind {
	case history.Start:
		if met && f.At <= s.subject.At {
			s.jobs[f.Job] = true
		}
		return s.jobs[f.Job]
	case history.Complete, history.Fail:
		return s.jobs[f.Job]
	case history.Expire, history.LostAlive, history.Notice, history.Revoke, history.Return, history.TakeOver:
		return s.jobs[f.Job] && f.At >= s.from
	case history.Effect:
		return s.jobs[f.Job] && f.Value > 1
	}
	return false
}

// strikesProcesses says that the processes' own facts tell of an event, so that
// its begin and end would only be said twice.
func strikesProcesses(e *scenario.Event) bool {
	switch e.Act {
	case scenario.ActCrash, scenario.ActStop, scenario.ActPause:
		return !slices.ContainsFunc(e.On, func(t scenario.Target) bool { return t.Noun != "workers" })
	}
	return false
}
