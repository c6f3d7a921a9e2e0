package explain

import (
	"cmp"
	"slices"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// Change is a setting, or a few that belong together, that may prevent the
// harm, and who proposes it.
type Change struct {
	Name    string                `json:"name"`              // "variant longer", "lint lease-covers-run", of a cause "events.gc"
	Variant string                `json:"variant,omitempty"` // another variant of the file, or "" for the one explained
	Sets    []scenario.Assignment `json:"sets"`              // of a trial under a variant: what is different there
}

// Trial is a change under which the subject is spared, and what it does to others:
// a harm that one job is spared may strike another.
type Trial struct {
	Change
	Counts []Count `json:"counts"` // harms of each kind in the same replication, under the change
}

// Count is how often a harm occurs in a replication, its warm-up included.
type Count struct {
	Metric string `json:"metric"`
	Times  int    `json:"times"`
}

// Left is how often the harm that is explained occurs under the change.
func (t *Trial) Left() int { return t.Counts[0].Times }

// Rise is how often a harm occurs under a change, and without it.
type Rise struct {
	Count
	Was int
}

// Worse are the harms of other kinds that occur more often under a change than
// without it.
func (s *Story) Worse(t Trial) (worse []Rise) {
	for i, c := range t.Counts[1:] {
		if was := s.Counts[1+i].Times; c.Times > was {
			worse = append(worse, Rise{c, was})
		}
	}
	return worse
}

// try looks for what set the harm off and for what would have prevented it: it
// runs the replication again without each event, and under each candidate.
func (s *Story) try(f *scenario.File, sc *scenario.Scenario, q Question, asked Harm, first *history.Fact) error {
	b := &bench{file: f, sc: sc, question: q, replication: s.Replication, subject: subjectOf(&words{names: model.Names(sc)}, first),
		known: map[string]*Trial{settled(sc): nil}}
	before := newCounter(sc, asked, b.subject)
	if err := q.run(sc, s.Replication, before); err != nil {
		return err
	}
	s.Counts = before.counts()
	b.before = s.Counts
	for _, e := range sc.Events {
		t, err := b.try(Change{Name: "events." + e.Name, Sets: []scenario.Assignment{{Path: "events." + e.Name, Value: "none"}}})
		if err != nil {
			return err
		}
		if t != nil && b.lessens(t) {
			s.Causes = append(s.Causes, *t)
		}
	}
	b.tried = 0
	for _, c := range q.Candidates {
		if err := b.candidate(c); err != nil {
			return err
		}
	}
	s.Tried = b.tried
	for _, t := range b.spared {
		if b.lessens(t) {
			s.Prevented = append(s.Prevented, *t)
		} else {
			s.Escaped = append(s.Escaped, *t)
		}
	}
	all := slices.Clone(s.Prevented)
	s.Prevented = slices.DeleteFunc(s.Prevented, func(t Trial) bool { return slices.ContainsFunc(all, t.outdoneBy) })
	slices.SortStableFunc(s.Prevented, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(min(1, len(s.Worse(a))), min(1, len(s.Worse(b)))), cmp.Compare(len(a.Sets), len(b.Sets)), cmp.Compare(a.Left(), b.Left()))
	})
	return nil
}

// outdoneBy says that another trial does as much with a part of the settings.
func (t Trial) outdoneBy(o Trial) bool {
	return len(o.Sets) < len(t.Sets) && o.Left() <= t.Left() &&
		!slices.ContainsFunc(o.Sets, func(a scenario.Assignment) bool { return !slices.Contains(t.Sets, a) })
}

// subject is who takes a harm, and where: by their names, since another variant
// may number its components otherwise.
type subject struct {
	who, where string
	key        uint64 // of a second effect: its business key, or 0
}

func subjectOf(w *words, f *history.Fact) subject {
	s := subject{who: w.subject(f), where: w.place(f.Place)}
	if f.Kind == history.Effect {
		s.key = f.Key
	}
	return s
}

// counter counts the harms of a run, and notes whether the subject is there and
// takes the one that is explained. Of two effects with one key it is the first
// that must be there: what never happens does not happen twice.
type counter struct {
	words   words
	subject subject
	came    bool
	hit     bool
	watches []watch // the first for the harm that is explained
	times   []int
}

func newCounter(sc *scenario.Scenario, asked Harm, who subject) *counter {
	c := &counter{words: words{names: model.Names(sc)}, subject: who, watches: []watch{{Harm: asked}}}
	for _, h := range Harms {
		if !h.neutral && !slices.ContainsFunc(c.watches, func(w watch) bool { return w.count() == h.count() }) {
			c.watches = append(c.watches, watch{Harm: h})
		}
	}
	c.times = make([]int, len(c.watches))
	return c
}

// Observe takes a fact.
func (c *counter) Observe(f *history.Fact) {
	c.came = c.came || c.shows(f)
	for i := range c.watches {
		for _, struck := range c.watches[i].see(f) {
			c.times[i]++
			c.hit = c.hit || i == 0 && subjectOf(&c.words, &struck) == c.subject
		}
	}
}

// shows says that the subject is there, by a fact.
func (c *counter) shows(f *history.Fact) bool {
	if c.subject.key != 0 {
		return f.Kind == history.Effect && f.Key == c.subject.key && c.words.place(f.Place) == c.subject.where
	}
	return (f.Kind == history.Publish || f.Job < 0) && c.words.subject(f) == c.subject.who
}

func (c *counter) counts() []Count {
	all := make([]Count, len(c.watches))
	for i := range c.watches {
		all[i] = Count{c.watches[i].count(), c.times[i]}
	}
	return all
}
