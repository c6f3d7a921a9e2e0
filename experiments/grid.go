package experiments

import (
	"fmt"
	"slices"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// baseVariant is the file as written.
const baseVariant = "base"

// always marks expectations of every variant and every point of a sweep.
const always = "always"

// Variants is the study of a file's variants, base first, with sets applied to
// each. Each variant is judged by its own expectations and those of "always".
func Variants(file *scenario.File, sets []scenario.Assignment) (*Study, error) {
	s := &Study{File: file}
	for _, variant := range file.Variants {
		if err := s.add(variant, nil, sets, file.Expects); err != nil {
			return nil, err
		}
	}
	return s, s.checkRank()
}

// Grid is the study of a file's sweep: every variant that it crosses with, and
// for each the axes in file order, the last one turning fastest. A point is not
// the variant itself any more, so that only expectations of "always" apply.
func Grid(file *scenario.File, sets []scenario.Assignment) (*Study, error) {
	if file.Sweep == nil || len(file.Sweep.Axes) == 0 {
		return nil, fmt.Errorf("%s has no sweep: add `sweep: {axes: [...]}`, or use `tenggat run`", file.Name)
	}
	s := &Study{File: file}
	for _, axis := range file.Sweep.Axes {
		s.Axes = append(s.Axes, axis.Paths...)
	}
	everywhere := slices.DeleteFunc(slices.Clone(file.Expects), func(e scenario.Expect) bool { return e.Variant != always })
	variants := file.Sweep.Variants
	if len(variants) == 0 {
		variants = []string{baseVariant}
	}
	for _, variant := range variants {
		for _, values := range combinations(file.Sweep.Axes) {
			if err := s.add(variant, values, sets, everywhere); err != nil {
				return nil, err
			}
		}
	}
	if err := s.checkSets(sets); err != nil {
		return nil, err
	}
	return s, s.checkPlots()
}

// checkSets refuses settings that make points of the grid equal: they stand
// above the axes, and would draw a flat line that says nothing of the axis.
func (s *Study) checkSets(sets []scenario.Assignment) error {
	if len(sets) == 0 {
		return nil
	}
	points := map[string]*Spec{}
	for _, spec := range s.Specs {
		same := points[spec.Hash]
		if same != nil && same.Variant == spec.Variant {
			return fmt.Errorf("with --set, the points %s and %s of the sweep are one and the same: leave out the --set of what the sweep varies, or change the axis in the file",
				same.Title(), spec.Title())
		}
		points[spec.Hash] = spec
	}
	return nil
}

// checkPlots says which names of the plots are neither a metric of any point nor,
// for x, an axis: a figure without them would be drawn of nothing.
func (s *Study) checkPlots() error {
	var problems scenario.Problems
	for _, plot := range s.File.Sweep.Plots {
		names := s.Specs[0].Expects.language.names
		if !s.measured(plot.X) && !slices.Contains(s.Axes, plot.X) {
			problems = append(problems, plot.Wrong("x", plot.X, "%q is neither a metric nor an axis of this sweep%s", plot.X, Suggest(plot.X, slices.Concat(s.Axes, names))))
		}
		for _, y := range plot.Y {
			if !s.measured(y) {
				problems = append(problems, plot.Wrong("y", y, "unknown metric %q%s", y, Suggest(y, names)))
			}
		}
	}
	if len(problems) == 0 {
		problems = s.checkFigures()
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

// checkFigures draws every plot in thought, so that one that nobody could read,
// such as one of forty series, is not found after hours of running. What only
// the values decide is left to the drawing.
func (s *Study) checkFigures() (problems scenario.Problems) {
	points := s.standIns()
	for _, plot := range s.File.Sweep.Plots {
		for _, variant := range variantsOf(points) {
			shown, _ := s.slice(plot, points, variant)
			for _, y := range plot.Y {
				table := s.figure(plot, y, shown).Table
				if len(table.Points) == 0 {
					continue // of a thing that this variant does not have
				}
				if err := table.Check(); err != nil {
					problem := plot.Wrong("y", y, "%s", err)
					if !slices.Contains(problems, problem) {
						problems = append(problems, problem)
					}
				}
			}
		}
	}
	return problems
}

// standIns are points of which every plotted metric has one value, different
// from those of the others.
func (s *Study) standIns() []*Point {
	points := make([]*Point, len(s.Specs))
	for i, spec := range s.Specs {
		p := &Point{Variant: spec.Variant, Axes: spec.Axes}
		for _, plot := range s.File.Sweep.Plots {
			for _, column := range spec.Columns {
				if column.Name == plot.X || slices.Contains(plot.Y, column.Name) {
					p.Columns = append(p.Columns, column)
					p.Values = append(p.Values, []float64{float64(i + 1)})
				}
			}
		}
		points[i] = p
	}
	return points
}

// measured says that some point has a metric of this name.
func (s *Study) measured(name string) bool {
	return slices.ContainsFunc(s.Specs, func(spec *Spec) bool { return spec.Expects.language.has(name) })
}

// combinations are the settings of all points, the last axis turning fastest.
func combinations(axes []scenario.Axis) [][]scenario.Assignment {
	points := [][]scenario.Assignment{nil}
	for _, axis := range axes {
		var longer [][]scenario.Assignment
		for _, point := range points {
			for _, values := range axis.Values {
				extended := slices.Clone(point)
				for i, path := range axis.Paths {
					extended = append(extended, scenario.Assignment{Path: path, Value: values[i]})
				}
				longer = append(longer, extended)
			}
		}
		points = longer
	}
	return points
}

// add resolves one spec and compiles its expectations.
func (s *Study) add(variant string, axes, sets []scenario.Assignment, expects []scenario.Expect) error {
	sc, err := s.File.Resolve(variant, append(slices.Clone(axes), sets...)...)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(expects), func(e scenario.Expect) bool { return e.Variant != variant && e.Variant != always })
	compiled, err := Compile(sc, model.Columns(sc, metric.Want{}), own)
	if err != nil {
		return err
	}
	alerts, err := compileAlerts(sc)
	if err != nil {
		return err
	}
	s.Specs = append(s.Specs, &Spec{
		Variant: variant, Axes: axes, Scenario: sc, Hash: sc.Hash(), Expects: compiled, Columns: model.Columns(sc, compiled.Want), alerts: alerts,
	})
	return nil
}
