package experiments

import (
	"fmt"
	"slices"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

// checkRank says which names of the file's rank are no metric of any variant.
func (s *Study) checkRank() error {
	var problems scenario.Problems
	for _, name := range s.File.Rank {
		if !s.measured(name) {
			problems = append(problems, s.File.WrongRank(name, "unknown metric %q%s", name, Suggest(name, s.Specs[0].Expects.language.names)))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

func (l *language) has(name string) bool { return slices.Contains(l.names, name) }

// Ranking puts the variants of a file that names metrics to rank them by into an
// order: by the first metric, among those that it cannot tell apart by the
// second, and so on. Two differ only if one is noticeably larger and their paired
// difference is beyond luck; those that no metric tells apart share a rank. A
// variant that lacks a metric stands behind those that have it.
func (s *Study) Ranking(points []*Point) report.Table {
	left := s.choices(points)
	t := report.Table{Title: "ranking", Head: []string{"rank", "variant"}, Notes: []string{
		fmt.Sprintf("Smaller is better, the left column first; a difference counts when it is beyond luck and more than %.0f %%.", 100*(noticeable-1))}}
	for _, name := range s.File.Rank {
		t.Head = append(t.Head, name)
	}
	for rank := 1; len(left) > 0; {
		best := slices.Clone(left)
		for _, name := range s.File.Rank {
			best = s.least(best, name)
		}
		for _, c := range best {
			p := c.points[0]
			row := []report.Cell{report.Number(float64(rank)), report.Text("%s", p.Variant)}
			for _, name := range s.File.Rank {
				if column := p.Column(name); column >= 0 {
					row = append(row, cell(p, column))
				} else {
					row = append(row, report.Text("–"))
				}
			}
			t.Add(row...)
		}
		rank += len(best)
		left = slices.DeleteFunc(left, func(c *choice) bool { return slices.Contains(best, c) })
	}
	return t
}
