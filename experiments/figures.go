package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// Figure is a figure and the name of its file, without an ending.
type Figure struct {
	Name  string
	Table figure.Table
}

// Figures are the plots that the file asks for, one for each metric, and one
// for each variant that the sweep crosses with; of a run without a sweep, the
// jobs in the system over the time of replication 0.
func (s *Study) Figures(points []*Point) []Figure {
	if len(s.Axes) == 0 {
		return s.timelines(points)
	}
	var figures []Figure
	for _, variant := range variantsOf(points) {
		for _, plot := range s.File.Sweep.Plots {
			shown, fixed := s.slice(plot, points, variant)
			for _, y := range plot.Y {
				f := s.figure(plot, y, shown)
				if variant != baseVariant {
					f.Table.Title += ", " + variant
				}
				f.Table.Note = strings.Join(append([]string{f.Table.Note}, fixed...), "; ")
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

// slice are the points that a plot shows. An axis that the plot does not vary
// stands at its first value, and fixed says at which.
func (s *Study) slice(plot scenario.Plot, points []*Point, variant string) (shown []*Point, fixed []string) {
	varied := s.varied(plot)
	for i, path := range s.Axes {
		if first := s.Specs[0].Axes[i].Value; !slices.Contains(varied, path) {
			text := path + " at " + first + s.amongValues(path)
			if plot.Kind == pareto && plot.By == "" {
				text += " (with it as by: all are shown)"
			}
			fixed = append(fixed, text)
		}
	}
	for _, p := range points {
		if p == nil || p.Variant != variant {
			continue
		}
		keep := true
		for i, a := range p.Axes {
			keep = keep && (slices.Contains(varied, a.Path) || a.Value == s.Specs[0].Axes[i].Value)
		}
		if keep {
			shown = append(shown, p)
		}
	}
	return shown, fixed
}

// amongValues says of how many values of an axis one is the first; nothing if it
// has no other.
func (s *Study) amongValues(path string) string {
	for _, axis := range s.File.Sweep.Axes {
		if n := len(axis.Values); n > 1 && slices.Contains(axis.Paths, path) {
			return fmt.Sprintf(", the first of %d", n)
		}
	}
	return ""
}

// varied are the paths that change within a plot: its x, its by, and for two
// metrics against each other one axis more, along which a series moves.
func (s *Study) varied(plot scenario.Plot) []string {
	varied := s.along(plot)
	for _, axis := range s.File.Sweep.Axes {
		if slices.Contains(axis.Paths, plot.X) || slices.Contains(axis.Paths, plot.By) {
			varied = append(varied, axis.Paths...)
		}
	}
	return varied
}

// along are the paths of the axis along which a series of a Pareto plot moves:
// the first that is not its by.
func (s *Study) along(plot scenario.Plot) []string {
	if plot.Kind != pareto {
		return nil
	}
	for _, axis := range s.File.Sweep.Axes {
		if !slices.Contains(axis.Paths, plot.By) {
			return slices.Clone(axis.Paths)
		}
	}
	return nil
}

const pareto = "pareto"

func (s *Study) figure(plot scenario.Plot, y string, points []*Point) Figure {
	t := figure.Table{
		Title: s.File.Name,
		Kind:  map[string]figure.Kind{"": figure.Line, "line": figure.Line, "heat": figure.Heat, pareto: figure.Pareto}[plot.Kind],
		X:     figure.Axis{Name: plot.X},
		Y:     figure.Axis{Name: y},
		By:    figure.Axis{Name: plot.By},
	}
	numeric := s.numericAxis(plot.X, &t.X)
	var small caption
	for _, p := range points {
		c := p.Column(y)
		if c < 0 {
			continue
		}
		t.Y = say(p.Columns[c]).axis()
		point := figure.Point{Y: small.estimate(p, c)}
		x := p.Column(plot.X)
		if x >= 0 {
			t.X, point.X = say(p.Columns[x]).axis(), small.estimate(p, x)
		}
		place := ""
		for i, a := range p.Axes {
			reading := s.reading(p, i)
			switch {
			case a.Path == plot.By:
				point.By = reading
			case a.Path == plot.X && (!numeric || t.Kind == figure.Heat):
				point.XText, place = reading, reading
			case a.Path == plot.X:
				point.X, place = figure.Exact(s.axisValue(p, i)), reading
			}
			if slices.Contains(s.along(plot), a.Path) {
				point.Label = strings.TrimPrefix(point.Label+" "+reading, " ")
				place = point.Label
			}
		}
		if place = strings.TrimSpace(place + " " + point.By); math.IsNaN(point.Y.Mean) {
			small.lacks(p, y, place)
		} else if x >= 0 && math.IsNaN(point.X.Mean) {
			small.lacks(p, plot.X, place)
		}
		t.Points = append(t.Points, point)
	}
	t.X.Log, t.Y.Log = strings.Contains(plot.Log, "x"), strings.Contains(plot.Log, "y")
	labels := s.along(plot)
	if plot.Kind == pareto && labels == nil {
		families(&t)
		labels = []string{plot.By}
	}
	if len(points) > 0 {
		t.Note = small.text(t.Kind, numeric, points[0].Replications())
		if plot.Kind == pareto {
			t.Note += "; beside the points: " + strings.Join(labels, " and ") + ", bold where no other point is better in both"
		}
	}
	return Figure{Table: t}
}

// reading is the value of the i-th swept path of a point as a figure's ticks
// read: as written, but a bare number, as a preset's own name has it, with its
// unit.
func (s *Study) reading(p *Point, i int) string {
	var axis figure.Axis
	if _, err := strconv.ParseFloat(p.Axes[i].Value, 64); err != nil {
		return p.Axes[i].Value
	}
	if s.numericAxis(p.Axes[i].Path, &axis) && axis.Unit != "" {
		return figure.Text(s.axisValue(p, i), axis.Unit)
	}
	return p.Axes[i].Value
}

// families splits the only axis of a Pareto plot, of which each value would be
// a series of one point: "fixed 3s" and "fixed 6s" are the points 3s and 6s of
// the series fixed.
func families(t *figure.Table) {
	named := false
	for i := range t.Points {
		p := &t.Points[i]
		p.By, p.Label = family(p.By)
		named = named || p.By != ""
	}
	if !named {
		t.By.Name = ""
	}
}

// family is a value in two: the text before its last number, and the rest.
func family(value string) (name, rest string) {
	words := strings.Fields(value)
	for i, word := range slices.Backward(words) {
		if strings.ContainsAny(word[:1], "0123456789") {
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		}
	}
	return value, ""
}

// estimate is a metric as a figure shows it: the median where some replications
// are infinite, and the interval cut to what the metric can be. Of a count that
// was never seen only the bound is known, which says how many replications there
// were and nothing of the setting: it is not drawn.
func (small *caption) estimate(p *Point, c int) figure.Estimate {
	e := p.Estimate(c)
	if e.Infinite > 0 {
		small.medians = true
		e = p.Median(c)
	}
	if e.N > 0 {
		small.ns = append(small.ns, e.N)
	}
	if e.Kind == stat.KindZero {
		small.unseen = true
		return figure.Exact(0)
	}
	if e.N == 1 { // No interval is drawn rather than one without ends.
		return figure.Exact(e.Mean)
	}
	least, most := reach(p.Columns[c])
	small.cut = small.cut || e.Low < least || e.High > most
	return figure.Estimate{Mean: e.Mean, Low: max(e.Low, least), High: min(e.High, most)}
}

// reach is the least and the most that a metric can be: instants may lie before
// the scenario's zero, shares end at one, and nothing else is negative.
func reach(c metric.Column) (least, most float64) {
	name := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	switch {
	case strings.HasPrefix(name, "first_"), strings.HasPrefix(name, "last_"):
		return math.Inf(-1), math.Inf(1)
	case c.Unit == "share":
		return 0, 1
	}
	return 0, math.Inf(1)
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
		own, _, named := spec.Scenario.Own(path)
		duration = duration || named && strings.HasSuffix(own.Unit, "s") // "s", "ms", …: the value is in seconds
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
	value, err := s.spec(p).Scenario.Setting(p.Axes[i].Path)
	if v, ok := value.(float64); err == nil && ok {
		return v
	}
	panic(fmt.Sprintf("experiments: %s of a point is no number although the axis is numeric", p.Axes[i].Path))
}
