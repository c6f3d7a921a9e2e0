package explain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// Change is a setting, or a few that belong together, that may prevent the
// harm, and who proposes it.
type Change struct {
	Name    string                `json:"name"`              // "variant longer", "lint lease-covers-run"
	Variant string                `json:"variant,omitempty"` // another variant of the file, or "" for the one explained
	Sets    []scenario.Assignment `json:"sets"`              // of a trial under a variant: what is different there
}

// Trial is a change that prevents the harm, and what it does to the others: a
// harm that one job is spared may strike another.
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

// try runs the replication again under each candidate, and keeps those under
// which the subject is spared: single settings first, then what leaves the least
// of the harm.
func (s *Story) try(f *scenario.File, sc *scenario.Scenario, q Question, asked Harm, first *history.Fact) error {
	before := newCounter(asked, first)
	if err := q.run(sc, s.Replication, before); err != nil {
		return err
	}
	s.Counts = before.counts()
	for _, c := range q.Candidates {
		changed, err := f.Resolve(cmp.Or(c.Variant, q.Variant), slices.Concat(q.Sets, c.Sets)...)
		if err != nil {
			continue // it does not fit this variant
		}
		s.Tried++
		under := newCounter(asked, first)
		switch err := q.run(changed, s.Replication, under); {
		case errors.Is(err, model.ErrInterrupted):
			return err
		case err != nil:
			continue // it does not end within the scenario's bounds
		}
		if under.hit {
			continue
		}
		if c.Variant != "" {
			c.Sets = differences(sc, changed)
		}
		same := slices.IndexFunc(s.Prevented, func(t Trial) bool { return slices.Equal(t.Sets, c.Sets) })
		if same >= 0 {
			s.Prevented[same].Name += ", " + c.Name
			continue
		}
		s.Prevented = append(s.Prevented, Trial{c, under.counts()})
	}
	slices.SortStableFunc(s.Prevented, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(len(a.Sets), len(b.Sets)), cmp.Compare(a.Left(), b.Left()))
	})
	return nil
}

// differences are the settings by which a scenario differs from another, without
// those that only follow from a preset or a default there and here.
func differences(from, to *scenario.Scenario) (sets []scenario.Assignment) {
	before, after := from.Settings(), to.Settings()
	was, is := byPath(before), byPath(after)
	for _, s := range after {
		old, known := was[s.Path]
		if (!known || old.Value != s.Value) && (written(s) || known && written(old)) {
			sets = append(sets, scenario.Assignment{Path: s.Path, Value: s.Value})
		}
	}
	for _, s := range before {
		if _, stays := is[s.Path]; stays || !written(s) {
			continue
		}
		gone := scenario.Assignment{Path: s.Path, Value: "none"}
		if thing := named(s.Path); !slices.ContainsFunc(after, func(t scenario.Setting) bool { return named(t.Path) == thing }) {
			gone.Path = thing // the whole of it, in one
		}
		if !slices.Contains(sets, gone) {
			sets = append(sets, gone)
		}
	}
	return sets
}

// named is the thing that a setting belongs to: events.gc of events.gc.at.
func named(path string) string {
	parts := strings.SplitN(path, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

func byPath(settings []scenario.Setting) map[string]scenario.Setting {
	all := make(map[string]scenario.Setting, len(settings))
	for _, s := range settings {
		all[s.Path] = s
	}
	return all
}

// written says that somebody has chosen a setting.
func written(s scenario.Setting) bool {
	return s.From != "default" && !strings.HasPrefix(s.From, "preset ")
}

// counter counts the harms of a run, and notes whether the subject takes the one
// that is explained.
type counter struct {
	subject *history.Fact
	hit     bool
	watches []watch // the first for the harm that is explained
	times   []int
}

func newCounter(asked Harm, subject *history.Fact) *counter {
	c := &counter{subject: subject, watches: []watch{{Harm: asked}}}
	for _, h := range Harms {
		if !slices.ContainsFunc(c.watches, func(w watch) bool { return w.count() == h.count() }) {
			c.watches = append(c.watches, watch{Harm: h})
		}
	}
	c.times = make([]int, len(c.watches))
	return c
}

// Observe takes a fact.
func (c *counter) Observe(f *history.Fact) {
	for i := range c.watches {
		for _, struck := range c.watches[i].see(f) {
			c.times[i]++
			c.hit = c.hit || i == 0 && same(&struck, c.subject)
		}
	}
}

func (c *counter) counts() []Count {
	all := make([]Count, len(c.watches))
	for i := range c.watches {
		all[i] = Count{c.watches[i].count(), c.times[i]}
	}
	return all
}
