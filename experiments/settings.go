package experiments

import (
	"slices"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

// Settings lists every resolved value of the first spec with the layer that it
// comes from, and of the others what differs from that.
func (s *Study) Settings() report.Table {
	t := report.Table{Head: []string{"variant", "setting", "value", "from"}}
	base := s.Specs[0].Scenario.Settings()
	for i, spec := range s.Specs {
		for _, x := range spec.Scenario.Settings() {
			same := slices.ContainsFunc(base, func(y scenario.Setting) bool { return x == y })
			if i == 0 || !same {
				t.Add(report.Text("%s", spec.Variant), report.Text("%s", x.Path), report.Text("%s", x.Value), report.Text("%s", x.From))
			}
		}
	}
	return t
}
