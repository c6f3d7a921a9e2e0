package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/model/scenario"
)

// Figure is a figure and the name of its file, without an ending.
type Figure struct {
	Name  string
	Table figure.Table
}

// Figures are the plots that the file asks for, one for each metric, and one
// for each variant that the sweep crosses with.
func (s *Study) Figures(points []*Point) []Figure {
	if s.File.Sweep == nil || len(s.Axes) == 0 {
		return nil
	}
	var figures []Figure
	for _, variant := range variantsOf(points) {
		for _, plot := range s.File.Sweep.Plots {
			for _, y := range plot.Y {
				f := s.figure(plot, y, s.slice(plot, points, variant))
				if variant != baseVariant {
					f.Table.Title += ", " + variant
				}
				if len(f.Table.Points) > 0 {
					f.Name = fmt.Sprintf("%02d-%s", len(figures)+1, strings.ReplaceAll(y, ".", "_"))
					figures = append(figures, f)
				}
			}
		}
	}
	return figures
}

func variantsOf(points []*Point) []string {
	var variants []string
	for _, p := range points {
		if p != nil && !slices.Contains(variants, p.Variant) {
			variants = append(variants, p.Variant)
		}
	}
	return variants
}

// slice are the points that a plot shows: an axis that is neither its x nor its
// by stands at its first value. A Pareto figure shows every point.
func (s *Study) slice(plot scenario.Plot, points []*Point, variant string) []*Point {
	var shown []*Point
	first := map[string]string{}
	for _, p := range points {
		if p == nil || p.Variant != variant {
			continue
		}
		keep := true
		for _, a := range p.Axes {
			if _, seen := first[a.Path]; !seen {
				first[a.Path] = a.Value
			}
			free := a.Path == plot.X || a.Path == plot.By || s.zippedWith(a.Path, plot.X) || s.zippedWith(a.Path, plot.By)
			keep = keep && (free || plot.Kind == "pareto" || a.Value == first[a.Path])
		}
		if keep {
			shown = append(shown, p)
		}
	}
	return shown
}

// zippedWith says that two paths change together.
func (s *Study) zippedWith(a, b string) bool {
	return slices.ContainsFunc(s.File.Sweep.Axes, func(axis scenario.Axis) bool {
		return slices.Contains(axis.Paths, a) && slices.Contains(axis.Paths, b)
	})
}

func (s *Study) figure(plot scenario.Plot, y string, points []*Point) Figure {
	t := figure.Table{
		Title: s.File.Name,
		Kind:  map[string]figure.Kind{"": figure.Line, "line": figure.Line, "heat": figure.Heat, "pareto": figure.Pareto}[plot.Kind],
		X:     figure.Axis{Name: plot.X, Log: strings.Contains(plot.Log, "x")},
		Y:     figure.Axis{Name: y, Log: strings.Contains(plot.Log, "y")},
		By:    figure.Axis{Name: plot.By},
	}
	numeric := s.numericAxis(plot.X, &t.X)
	for _, p := range points {
		c := p.Column(y)
		if c < 0 {
			continue
		}
		t.Y.Unit = shownUnit(p.Columns[c])
		t.Note = fmt.Sprintf("bands: 95 %% interval, %d replications", p.Replications())
		point := figure.Point{Y: estimateFor(p, c)}
		if x := p.Column(plot.X); x >= 0 {
			point.X, t.X.Unit = estimateFor(p, x), shownUnit(p.Columns[x])
		}
		for i, a := range p.Axes {
			switch {
			case a.Path == plot.By:
				point.By = a.Value
			case a.Path == plot.X && !numeric || a.Path == plot.X && t.Kind == figure.Heat:
				point.XText = a.Value
			case a.Path == plot.X:
				point.X = figure.Exact(s.axisValue(p, i))
			case plot.Kind == "pareto":
				point.Label = strings.TrimPrefix(point.Label+" "+a.Value, " ")
			}
		}
		t.Points = append(t.Points, point)
	}
	return Figure{Table: t}
}

// estimateFor is a metric as a figure shows it: the median where some
// replications are infinite.
func estimateFor(p *Point, c int) figure.Estimate {
	e := p.Estimate(c)
	if e.Infinite > 0 {
		e = p.Median(c)
	}
	if e.N == 1 { // No interval is drawn rather than one without ends.
		return figure.Exact(e.Mean)
	}
	return figure.Estimate{Mean: e.Mean, Low: e.Low, High: e.High}
}

// numericAxis says whether every value of a swept path is a number, and sets
// the axis's unit.
func (s *Study) numericAxis(path string, axis *figure.Axis) bool {
	if !slices.Contains(s.Axes, path) {
		return true // a metric
	}
	duration := false
	for _, spec := range s.Specs {
		value, err := spec.Scenario.Setting(path)
		if err != nil {
			return false
		}
		if _, ok := value.(float64); !ok {
			return false
		}
		for _, a := range spec.Axes {
			if a.Path == path {
				duration = duration || strings.TrimLeft(a.Value, "0123456789.") != "" && strings.HasSuffix(a.Value, "s")
			}
		}
	}
	if duration {
		axis.Unit = figure.Seconds
	}
	return true
}

// axisValue is the resolved value of the i-th swept path of a point.
func (s *Study) axisValue(p *Point, i int) float64 {
	for _, spec := range s.Specs {
		if spec.Variant == p.Variant && slices.Equal(spec.Axes, p.Axes) {
			value, err := spec.Scenario.Setting(p.Axes[i].Path)
			if v, ok := value.(float64); err == nil && ok {
				return v
			}
		}
	}
	panic(fmt.Sprintf("experiments: %s of a point is no number although the axis is numeric", p.Axes[i].Path))
}
