package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark is one estimate with its place on paper.
type mark struct {
	x vg.Length
	y Estimate
}

// drawLines draws a Line or a Timeline, the bands of all series before their lines. Between categories there is
// nothing, so there a series is dots with bars, the series of one category side by side.
func (f *figure) drawLines(c draw.Canvas) {
	all := make([][]mark, len(f.series))
	for i := range f.series {
		all[i] = f.marks(i)
	}
	if f.columns == nil {
		for i, marks := range all {
			f.drawBands(c, marks, lookOf(i))
		}
		for i, marks := range all {
			for _, run := range f.runs(marks) {
				c.StrokeLines(lookOf(i).line(1.5), f.path(run))
			}
		}
	}
	for i, marks := range all {
		f.drawMarks(c, marks, i)
	}
}

// marks returns the estimates of one series from left to right.
func (f *figure) marks(series int) []mark {
	var marks []mark
	for _, p := range f.Points {
		if p.By != f.series[series] {
			continue
		}
		x := vg.Length(0)
		if f.columns != nil {
			x = f.columnAt(slices.Index(f.columns, f.Table.column(p))) + f.aside(series)
		} else {
			x = f.x.at(p.X.Mean)
		}
		marks = append(marks, mark{x, p.Y})
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.x, b.x) })
	return marks
}

// aside is how far a series stands from the middle of its category, or of its place in a strip.
func (f *figure) aside(series int) vg.Length {
	step := vg.Length(9)
	if f.columns != nil {
		step = min(step, 0.8*f.slot()/vg.Length(len(f.series)))
	}
	return step * (vg.Length(series) - vg.Length(len(f.series)-1)/2)
}

// runs cuts a series where an estimate has no place on the main part.
func (f *figure) runs(marks []mark) [][]mark {
	var runs [][]mark
	open := false
	for _, m := range marks {
		if !f.y.on(m.y.Mean) {
			open = false
			continue
		}
		if !open {
			runs = append(runs, nil)
			open = true
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], m)
	}
	return runs
}

func (f *figure) path(run []mark) []vg.Point {
	path := make([]vg.Point, len(run))
	for i, m := range run {
		path[i] = vg.Point{X: m.x, Y: f.y.at(m.y.Mean)}
	}
	return path
}

// drawBands fills the intervals of one series.
func (f *figure) drawBands(c draw.Canvas, marks []mark, look look) {
	for _, run := range f.runs(marks) {
		if !slices.ContainsFunc(run, func(m mark) bool { return m.y.Low < m.y.High }) {
			continue
		}
		outline := make([]vg.Point, 0, 2*len(run))
		for _, m := range run {
			outline = append(outline, vg.Point{X: m.x, Y: f.y.edge(m.y.High)})
		}
		for _, m := range slices.Backward(run) {
			outline = append(outline, vg.Point{X: m.x, Y: f.y.edge(m.y.Low)})
		}
		c.FillPolygon(faded(look.color, 0x30), outline)
	}
}

// drawMarks draws markers, and bars for intervals that no band shows: those of categories and of lonely points. Where
// points stand close a line without markers is easier to follow; dashes tell its series apart in grey.
func (f *figure) drawMarks(c draw.Canvas, marks []mark, series int) {
	look := lookOf(series)
	dense := f.dense()
	for _, run := range f.runs(marks) {
		for _, m := range run {
			if f.columns != nil || len(run) == 1 {
				f.drawBar(c, m, look)
			}
		}
	}
	wasOff := false
	for _, m := range marks {
		on := f.y.on(m.y.Mean)
		switch {
		case math.IsNaN(m.y.Mean):
		case on && !dense:
			look.mark(c, vg.Point{X: m.x, Y: f.y.at(m.y.Mean)})
		case !on && (!dense || !wasOff):
			f.drawOff(c, m, series)
		}
		wasOff = !on
	}
}

// mostMarkers is how many markers of a series can stand on its line.
const mostMarkers = 40

// dense says that some series has too many points for markers.
func (f *figure) dense() bool {
	counts := map[string]int{}
	for _, p := range f.Points {
		if counts[p.By]++; counts[p.By] > mostMarkers && f.columns == nil && f.Kind != Pareto {
			return true
		}
	}
	return false
}

func (f *figure) drawBar(c draw.Canvas, m mark, look look) {
	if m.y.Low == m.y.High {
		return
	}
	low, high := f.y.edge(m.y.Low), f.y.edge(m.y.High)
	bar := draw.LineStyle{Color: look.color, Width: 1}
	c.StrokeLine2(bar, m.x, low, m.x, high)
	for _, end := range []vg.Length{low, high} {
		c.StrokeLine2(bar, m.x-2.5, end, m.x+2.5, end)
	}
}

// drawOff puts the marker of a value that is off the scale into its strip. Several series may be off at one place:
// they stand side by side.
func (f *figure) drawOff(c draw.Canvas, m mark, series int) {
	x := m.x
	if f.columns == nil {
		x = max(f.area.Min.X+markerRadius, min(f.area.Max.X-markerRadius, x+f.aside(series)))
	}
	lookOf(series).mark(c, vg.Point{X: x, Y: f.y.at(m.y.Mean)})
}
