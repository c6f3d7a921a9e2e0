package explain

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// Question says what is to be explained: a job by its number, or the first harm
// of a kind.
type Question struct {
	Variant     string
	Sets        []scenario.Assignment
	Replication uint64 // where to look first; below scenario.MaxReplications
	Job         int64  // from 0; where Harm is named, that finds it
	Harm        string // a metric of Harms, of one component perhaps: jobs.pay.duplicate_effects
	Candidates  []Change
	Interrupted func() bool // asked now and then whether to give up; nil: never
}

// run runs one replication for an observer.
func (q *Question) run(sc *scenario.Scenario, replication uint64, o history.Observer) error {
	_, err := model.Run(sc, model.Options{Replication: replication, Observer: o, Interrupted: q.Interrupted})
	return err
}

// Story is the answer.
type Story struct {
	Scenario    string  `json:"scenario"`
	Variant     string  `json:"variant"`
	Seed        uint64  `json:"seed"`
	Replication uint64  `json:"replication"`
	Subject     string  `json:"subject"` // "job 17 (invoice)"
	Harm        string  `json:"harm"`    // what is explained, "" for a job asked for by number
	Lines       []Line  `json:"lines"`
	Counts      []Count `json:"counts"`    // harms of each kind in the whole replication, the one explained first
	Causes      []Trial `json:"causes"`    // events without which it would not have happened
	Prevented   []Trial `json:"prevented"` // candidates that spare the subject, halve the harm at least, and add less: nothing worse first, then the fewest settings
	Escaped     []Trial `json:"escaped"`   // the others that spare the subject
	Tried       int     `json:"tried"`     // candidates
}

// Line is one thing that happened.
type Line struct {
	At      time.Duration `json:"at_ns"`
	Text    string        `json:"text"`
	Context bool          `json:"context"` // it happened to somebody else, and matters here
	Harm    bool          `json:"harm"`    // it is what --first asked for

	routine string // what it is one of, where it went as it should: "calls of services.ledger, all answered"
	counts  bool   // it is the one line of its routine that is counted
}

// Mark is the sign that a line bears in text: ">" for the harm, "|" for what
// happened to somebody else, a space for the subject's own. A line of a digest
// that stands for others has a text that begins with "…".
func (l *Line) Mark() string {
	switch {
	case l.Harm:
		return ">"
	case l.Context:
		return "|"
	}
	return " "
}

// Explain answers a question about a file.
func Explain(f *scenario.File, q Question) (*Story, error) {
	sc, err := f.Resolve(q.Variant, q.Sets...)
	if err != nil {
		return nil, err
	}
	if q.Replication >= scenario.MaxReplications {
		return nil, fmt.Errorf("replication %d: replications are numbered from 0 to %d", q.Replication, scenario.MaxReplications-1)
	}
	asked, err := askedFor(sc, q)
	if err != nil {
		return nil, err
	}
	first, replication, err := search(sc, q, asked)
	if err != nil {
		return nil, err
	}
	s := &Story{Scenario: sc.Name, Variant: q.Variant, Seed: sc.Seed, Replication: replication, Harm: q.Harm}
	if err := s.tell(sc, q, first); err != nil {
		return nil, err
	}
	if q.Harm == "" {
		return s, nil
	}
	return s, s.try(f, sc, q, asked, first)
}

// same says that two facts tell of the same subject: the job, or the process at a
// monitor or a lock where there is none.
func same(a, b *history.Fact) bool {
	if b.Job >= 0 {
		return a.Job == b.Job
	}
	return a.Group == b.Group && a.Process == b.Process && a.Place == b.Place && (b.Place.Noun != history.Lock || a.Key == b.Key)
}

// search finds the fact to explain, in the replication asked for or a later one.
func search(sc *scenario.Scenario, q Question, asked Harm) (*history.Fact, uint64, error) {
	for r := q.Replication; r < q.Replication+uint64(max(1, sc.Run.Replications)); r++ {
		s := seeker{watch: watch{Harm: asked}}
		if err := q.run(sc, r, &s); err != nil {
			return nil, 0, err
		}
		if s.found {
			return &s.fact, r, nil
		}
		if q.Harm == "" {
			break
		}
	}
	if q.Harm == "" {
		return nil, 0, fmt.Errorf("scenario %s has no job %d in replication %d; jobs are numbered from 0 in the order of publishing", sc.Name, q.Job, q.Replication)
	}
	return nil, 0, fmt.Errorf("no %s in %d replications of %s: there is nothing to explain", q.Harm, max(1, sc.Run.Replications), sc.Name)
}

// seeker keeps the first fact that is looked for.
type seeker struct {
	watch
	fact  history.Fact
	found bool
}

// Observe takes a fact.
func (s *seeker) Observe(f *history.Fact) {
	if s.found {
		return
	}
	if struck := s.see(f); len(struck) > 0 {
		s.fact, s.found = struck[0], true
	}
}
