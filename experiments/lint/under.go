package lint

import (
	"slices"

	"github.com/tenggat/tenggat/model/scenario"
)

// Under what settings rules are judged besides those that stand: an incident that a scenario plays is in the settings of
// an event, and a group of workers may see settings of its own.

// under are the findings that a scenario has only under the settings of one event, or only as one group sees it; calm are
// those that it has anyway.
func under(s *scenario.Scenario, calm []Finding) (all []Finding) {
	add := func(other *scenario.Scenario, name string, counts func(*Finding) bool) {
		for _, f := range judge(other) {
			known := slices.ContainsFunc(calm, func(g Finding) bool { return g.same(&f) && g.Severity <= f.Severity })
			if !known && counts(&f) {
				f.Under, f.Variants = name, []string{s.Variant}
				all = append(all, f)
			}
		}
	}
	for i, e := range s.Events {
		if e.Act != scenario.ActSet || i >= 64 {
			continue
		}
		during, err := s.Overlay(1 << i)
		if err != nil {
			continue // without its file a scenario has no other settings
		}
		ends := e.For != nil
		add(during, "events."+e.Name, func(f *Finding) bool {
			if f.Severity == Hint || ends && f.Rule.lasting {
				return false
			}
			f.Severity = Warning // it takes the event
			return true
		})
	}
	for i, g := range s.Workers {
		if seen := s.View(i); seen != s {
			alone := *seen
			alone.Workers = []*scenario.Group{seen.Workers[i]}
			add(&alone, "workers."+g.Name, func(f *Finding) bool {
				f.proposals = inView(g, f.proposals)
				return !f.Rule.lasting // it is not the only group that does the work
			})
		}
	}
	return all
}

// inView puts before each proposal the same for one group alone.
func inView(g *scenario.Group, proposals [][]scenario.Assignment) (all [][]scenario.Assignment) {
	for _, proposal := range proposals {
		own := slices.Clone(proposal)
		for i := range own {
			own[i].Path = "workers." + g.Name + ".with." + own[i].Path
		}
		all = append(all, own, proposal)
	}
	return all
}
