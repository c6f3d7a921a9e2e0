package explain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/scenario"
)

// bench runs the replication that is explained under one change after another.
type bench struct {
	file        *scenario.File
	sc          *scenario.Scenario // as explained
	question    Question
	replication uint64
	subject     subject
	before      []Count // without a change
	tried       int
	known       map[string]*Trial // by all settings that result; nil: the subject is not spared
	spared      []*Trial
}

// candidate tries a change that leaves the fault in place; and where a variant
// spares the subject, each of its settings alone, since one may do the work of all.
func (b *bench) candidate(c Change) error {
	fromVariant := c.Variant != ""
	if fromVariant {
		c = b.honest(c)
	}
	if len(c.Sets) == 0 || slices.ContainsFunc(c.Sets, b.hides) {
		return nil
	}
	if changed, err := b.resolve(c); err == nil && !fromVariant {
		c.Sets = b.fewest(c.Sets, settled(changed))
	}
	whole, err := b.try(c)
	if err != nil || whole == nil {
		return err
	}
	b.keep(whole)
	if !fromVariant || len(c.Sets) == 1 || !b.lessens(whole) {
		return nil
	}
	for _, a := range c.Sets {
		switch part, err := b.try(Change{Name: c.Name, Sets: []scenario.Assignment{a}}); {
		case err != nil:
			return err
		case part != nil && part.Left() <= whole.Left():
			b.keep(part)
		}
	}
	return nil
}

// keep puts a trial among those that spare the subject.
func (b *bench) keep(t *Trial) {
	if !slices.Contains(b.spared, t) {
		b.spared = append(b.spared, t)
	}
}

// lessens says that a trial leaves at most half of the harm, and adds less that
// cannot be made good. To spare the subject alone is nothing: any change of timing
// can, and somebody else takes the harm.
func (b *bench) lessens(t *Trial) bool {
	added := 0
	for i, c := range t.Counts[1:] {
		if slices.ContainsFunc(Harms, func(h Harm) bool { return h.final && h.Metric == c.Metric }) {
			added += max(0, c.Times-b.before[1+i].Times)
		}
	}
	was := b.before[0].Times
	return 2*t.Left() <= was && added < was-t.Left()
}

// honest is what a variant changes without what takes the fault away, written as
// the fewest settings that do the same, if settings can. It has none if nothing is
// left that fits the variant explained.
func (b *bench) honest(c Change) Change {
	changed, err := b.resolve(c)
	if err != nil {
		return Change{}
	}
	c.Sets = differences(b.sc, changed)
	rest := slices.DeleteFunc(slices.Clone(c.Sets), b.hides)
	whole := len(rest) == len(c.Sets)
	part, err := b.resolve(Change{Sets: rest})
	switch {
	case err == nil && (!whole || settled(part) == settled(changed)):
		return Change{Name: c.Name, Sets: b.fewest(rest, settled(part))}
	case whole:
		return c // only the variant itself can do it
	}
	return Change{}
}

// fewest leaves out what only follows from other settings.
func (b *bench) fewest(sets []scenario.Assignment, want string) []scenario.Assignment {
	for i := 0; i < len(sets); {
		fewer := slices.Delete(slices.Clone(sets), i, i+1)
		if sc, err := b.resolve(Change{Sets: fewer}); err == nil && settled(sc) == want {
			sets = fewer
		} else {
			i++
		}
	}
	return sets
}

// hides says that a setting removes or alters what goes wrong or what is asked
// for, and not what comes of it: an event that there is, the network, the errors
// of a service, a clock, the arrivals. So does a step that takes no lock any more,
// or carries no token, without which nobody can tell whether it was stale.
func (b *bench) hides(a scenario.Assignment) bool {
	parts := strings.Split(a.Path, ".")
	last := parts[len(parts)-1]
	switch {
	case parts[0] == "events":
		return slices.ContainsFunc(b.sc.Events, func(e *scenario.Event) bool { return len(parts) > 1 && e.Name == parts[1] })
	case parts[0] == "network" && last != "timeout", parts[0] == "services" && last == "errors", parts[0] == "jobs" && last == "arrivals",
		last == "offset", last == "drift":
		return true
	}
	return a.Value == "none" && (last == "lock" || last == "token")
}

// try runs one change, unless what results has been run before. It returns nil if
// the subject is not there or not spared.
func (b *bench) try(c Change) (*Trial, error) {
	changed, err := b.resolve(c)
	if err != nil {
		return nil, nil // it does not fit this variant
	}
	result := settled(changed)
	if t, ok := b.known[result]; ok {
		if t != nil && !slices.Contains(strings.Split(t.Name, ", "), c.Name) {
			t.Name += ", " + c.Name
		}
		return t, nil
	}
	b.known[result] = nil
	b.tried++
	asked, err := askedFor(changed, b.question)
	if err != nil {
		return nil, nil // it takes away what the harm is counted at
	}
	under := newCounter(changed, asked, b.subject)
	switch err := b.question.run(changed, b.replication, under); {
	case errors.Is(err, model.ErrInterrupted):
		return nil, err
	case err != nil:
		return nil, nil // it does not end within the scenario's bounds
	case under.hit || !under.came:
		return nil, nil
	}
	t := &Trial{c, under.counts()}
	b.known[result] = t
	return t, nil
}

// resolve is the scenario under a change.
func (b *bench) resolve(c Change) (*scenario.Scenario, error) {
	if c.Variant != "" {
		return b.file.Resolve(c.Variant, b.question.Sets...)
	}
	return b.file.Resolve(b.question.Variant, slices.Concat(b.question.Sets, c.Sets)...)
}

// settled is all that a scenario settles, as text.
func settled(sc *scenario.Scenario) string {
	var all strings.Builder
	for _, s := range sc.Settings() {
		fmt.Fprintf(&all, "%s=%s\n", s.Path, s.Value)
	}
	return all.String()
}

// differences are the settings by which a scenario differs from another, without
// those that only follow from a preset or a default there and here. Shorter paths
// come first, since to set the whole of a thing undoes what was set of its parts.
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
		if _, stays := is[s.Path]; stays || !written(s) || inside(s.Path, is) {
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
	slices.SortStableFunc(sets, func(a, b scenario.Assignment) int {
		return cmp.Compare(strings.Count(a.Path, "."), strings.Count(b.Path, "."))
	})
	return sets
}

// inside says that a path lies in what is one value now: lease.length, where the
// lease is none.
func inside(path string, is map[string]scenario.Setting) bool {
	for i := strings.LastIndex(path, "."); i > 0; i = strings.LastIndex(path[:i], ".") {
		if _, known := is[path[:i]]; known {
			return true
		}
	}
	return false
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
