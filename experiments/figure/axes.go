package figure

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Names of the strips beyond the ends of a scale.
const (
	offLabel  = "off scale"
	zeroLabel = "0"
)

var (
	gridLine  = draw.LineStyle{Color: grid, Width: 0.6}
	frameLine = draw.LineStyle{Color: frame, Width: 0.8}
)

// drawHeader writes the title, the name of the vertical axis and the small print. The name lies above its axis, not
// along it: it is read without turning the head and may be as long as the figure is wide.
func (f *figure) drawHeader(c draw.Canvas) {
	y := f.height - margin - titleHeight/2
	for _, line := range f.title {
		c.FillText(titleText, vg.Point{X: margin, Y: y}, line)
		y -= titleHeight
	}
	name := f.Y
	if f.Kind == Heat {
		name = f.By
	}
	above := f.area.Max.Y + 6 + lineHeight*vg.Length(f.bannerRows) + lineHeight/2
	c.FillText(nameText, vg.Point{X: margin, Y: above}, axisName(name))

	below := margin + lineHeight/2
	notes := f.notes()
	for i := range notes {
		c.FillText(noteText, vg.Point{X: f.area.Min.X, Y: below}, notes[len(notes)-1-i])
		below += lineHeight
	}
	if len(notes) > 0 {
		below += noteGap
	}
	width := nameText.Width(axisName(f.X))
	center := max(f.area.Min.X, (f.area.Min.X+f.area.Max.X-width)/2)
	c.FillText(nameText, vg.Point{X: center, Y: below}, axisName(f.X))
}

// drawAxes draws the grid, the frame, the strips and the labels of both axes.
func (f *figure) drawAxes(c draw.Canvas) {
	a := f.area
	for _, t := range f.y.ticks {
		f.drawYTick(c, f.y.at(t.value), t.label, gridLine)
	}
	if f.columns != nil {
		f.drawColumns(c)
	}
	for _, t := range f.x.ticks {
		f.drawXTick(c, f.x.at(t.value), t.label, gridLine)
	}
	c.StrokeLines(frameLine, []vg.Point{a.Min, {X: a.Max.X, Y: a.Min.Y}, a.Max, {X: a.Min.X, Y: a.Max.Y}, a.Min})
	none := draw.LineStyle{}
	if f.y.off {
		c.StrokeLine2(frameLine, a.Min.X, f.y.to, a.Max.X, f.y.to)
		f.drawYTick(c, f.y.to+strip/2, offLabel, none)
	}
	if f.y.zero {
		c.StrokeLine2(frameLine, a.Min.X, f.y.from, a.Max.X, f.y.from)
		f.drawYTick(c, f.y.from-strip/2, zeroLabel, none)
	}
	if f.x.off {
		c.StrokeLine2(frameLine, f.x.to, a.Min.Y, f.x.to, a.Max.Y)
		f.drawXTick(c, f.x.to+strip/2, "∞", none)
	}
	if f.x.zero {
		c.StrokeLine2(frameLine, f.x.from, a.Min.Y, f.x.from, a.Max.Y)
		f.drawXTick(c, f.x.from-strip/2, zeroLabel, none)
	}
}

func (f *figure) drawYTick(c draw.Canvas, y vg.Length, label string, line draw.LineStyle) {
	c.StrokeLine2(line, f.area.Min.X, y, f.area.Max.X, y)
	c.StrokeLine2(frameLine, f.area.Min.X-tickLength, y, f.area.Min.X, y)
	c.FillText(aligned(tickText, draw.XRight), vg.Point{X: f.area.Min.X - tickLength - 3, Y: y}, label)
}

func (f *figure) drawXTick(c draw.Canvas, x vg.Length, label string, line draw.LineStyle) {
	c.StrokeLine2(line, x, f.area.Min.Y, x, f.area.Max.Y)
	c.StrokeLine2(frameLine, x, f.area.Min.Y-tickLength, x, f.area.Min.Y)
	c.FillText(aligned(tickText, draw.XCenter), vg.Point{X: x, Y: f.area.Min.Y - tickLength - lineHeight/2}, label)
}

// slot is the width of one category.
func (f *figure) slot() vg.Length {
	return (f.area.Max.X - f.area.Min.X) / vg.Length(len(f.columns))
}

// columnAt is the centre of the i-th category.
func (f *figure) columnAt(i int) vg.Length {
	return f.area.Min.X + f.slot()*(vg.Length(i)+0.5)
}

// drawColumns writes the categories, upright if they are too wide, and lines between them.
func (f *figure) drawColumns(c draw.Canvas) {
	upright := f.upright()
	for i, name := range f.columns {
		x := f.columnAt(i)
		if i > 0 {
			c.StrokeLine2(gridLine, x-f.slot()/2, f.area.Min.Y, x-f.slot()/2, f.area.Max.Y)
		}
		at := vg.Point{X: x, Y: f.area.Min.Y - tickLength - lineHeight/2}
		style := aligned(tickText, draw.XCenter)
		if upright {
			at.Y = f.area.Min.Y - tickLength
			style = turned(aligned(tickText, draw.XRight))
		}
		c.FillText(style, at, shorten(name))
	}
}

// turned writes a text upwards.
func turned(s text.Style) text.Style {
	const quarter = 1.5707963267948966 // π/2
	s.Rotation = quarter
	return s
}
