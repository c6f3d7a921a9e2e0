package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is one line of the legend: a sample and what it stands for.
type entry struct {
	name   string
	sample func(c draw.Canvas, from, to vg.Point) // draws between two points at one height
}

const (
	sampleWidth  = vg.Length(26)
	legendIndent = vg.Length(16) // from the area to the legend
)

// entries returns the legend. It lies beside the area, where no data can be under it, and is absent when there is
// only one series without a name.
func (f *figure) entries() []entry {
	var list []entry
	if f.Kind == Heat {
		return nil
	}
	for i, name := range f.series {
		if name == "" && len(f.series) == 1 {
			continue
		}
		look := lookOf(i)
		list = append(list, entry{shorten(name), func(c draw.Canvas, from, to vg.Point) {
			switch {
			case f.Kind == Pareto && len(f.way(name)) > 1:
				c.StrokeLine2(draw.LineStyle{Color: look.color, Width: wayWidth}, from.X, from.Y, to.X, to.Y)
			case f.Kind != Pareto && f.columns == nil:
				c.StrokeLine2(look.line(1.5), from.X, from.Y, to.X, to.Y)
			}
			if f.dense() {
				return
			}
			look.mark(c, vg.Point{X: (from.X + to.X) / 2, Y: from.Y})
		}})
	}
	if f.Kind == Pareto && len(f.frontier()) > 0 {
		list = append(list, entry{"efficient frontier", func(c draw.Canvas, from, to vg.Point) {
			c.StrokeLine2(frontierLine, from.X, from.Y, to.X, to.Y)
		}})
	}
	return list
}

func (f *figure) legendWidth() vg.Length {
	if f.Kind == Heat {
		return f.colourBarWidth()
	}
	if len(f.legend) == 0 {
		return 0
	}
	width := headText.Width(axisName(f.By))
	for _, e := range f.legend {
		width = max(width, sampleWidth+6+tickText.Width(e.name))
	}
	return legendIndent + width
}

func (f *figure) legendHeight() vg.Length {
	return lineHeight * vg.Length(len(f.legend)+1)
}

func (f *figure) drawLegend(c draw.Canvas) {
	if len(f.legend) == 0 {
		return
	}
	at := vg.Point{X: f.area.Max.X + legendIndent, Y: max(f.area.Max.Y, f.area.Min.Y+f.legendHeight()) - lineHeight/2}
	if heading := axisName(f.By); heading != "" {
		c.FillText(headText, at, heading)
		at.Y -= lineHeight
	}
	for _, e := range f.legend {
		e.sample(c, at, vg.Point{X: at.X + sampleWidth, Y: at.Y})
		c.FillText(tickText, vg.Point{X: at.X + sampleWidth + 6, Y: at.Y}, e.name)
		at.Y -= lineHeight
	}
}
