package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ramp is the colour scale: luminance falls steadily from one end to the other, so that order survives grey print.
var ramp = []color.NRGBA{
	{0xfd, 0xf6, 0xd8, 255},
	{0xf6, 0xd0, 0x8a, 255},
	{0xe9, 0x96, 0x5c, 255},
	{0xc2, 0x52, 0x5a, 255},
	{0x7e, 0x24, 0x64, 255},
	{0x2c, 0x0d, 0x4a, 255},
}

// colour returns the colour of a share of the scale in [0, 1].
func colour(share float64) color.NRGBA {
	at := share * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	part := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + part*(float64(b)-float64(a)))) }
	a, b := ramp[i], ramp[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// drawHeat draws one cell for each point, its number in it where it fits, and the colour bar. A cell off the scale is
// hatched; a cell without a measurement stays white with a dash.
func (f *figure) drawHeat(c draw.Canvas) {
	f.drawColumns(c)
	height := f.rowHeight()
	for i, row := range f.rows {
		at := vg.Point{X: f.area.Min.X - tickLength - 3, Y: f.area.Max.Y - height*(vg.Length(i)+0.5)}
		c.FillText(aligned(tickText, draw.XRight), at, shorten(row))
	}
	for _, p := range f.Points {
		x := f.columnAt(slices.Index(f.columns, f.Table.column(p))) - f.slot()/2
		y := f.area.Max.Y - height*vg.Length(slices.Index(f.rows, p.By)+1)
		f.drawCell(c, rectangle(x, y, f.slot(), height), p.Y.Mean)
	}
	a := f.area
	c.StrokeLines(frameLine, []vg.Point{a.Min, {X: a.Max.X, Y: a.Min.Y}, a.Max, {X: a.Min.X, Y: a.Max.Y}, a.Min})
	f.drawColourBar(c)
}

// seam is how far cells overlap, so that no white shows between two of one colour.
const seam = vg.Length(0.3)

func (f *figure) rowHeight() vg.Length {
	return (f.area.Max.Y - f.area.Min.Y) / vg.Length(len(f.rows))
}

func rectangle(x, y, width, height vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + width, Y: y + height}}
}

func (f *figure) drawCell(c draw.Canvas, cell vg.Rectangle, v float64) {
	text, ink := "–", ink
	switch {
	case math.IsInf(v, 1):
		hatch(c, cell)
		return
	case f.y.on(v):
		share := f.y.share(v)
		c.SetColor(colour(share))
		c.Fill(vg.Rectangle{Min: cell.Min, Max: cell.Max.Add(vg.Point{X: seam, Y: seam})}.Path())
		if share > 0.5 {
			ink = white
		}
		text = label(v, f.Y.Unit, roughDigits)
	case !math.IsNaN(v): // zero on a logarithmic scale: not even the first colour
		text = zeroLabel
	}
	style := aligned(noteText, draw.XCenter)
	style.Color = ink
	if size := cell.Size(); style.Width(text)+3 <= size.X && lineHeight-2 <= size.Y {
		c.FillText(style, vg.Point{X: (cell.Min.X + cell.Max.X) / 2, Y: (cell.Min.Y + cell.Max.Y) / 2}, text)
	}
}

// hatch fills a rectangle with slanted lines.
func hatch(c draw.Canvas, r vg.Rectangle) {
	c.SetColor(shade)
	c.Fill(r.Path())
	clip := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	size := r.Size()
	for d := vg.Length(5); d < size.X+size.Y; d += 5 {
		from := vg.Point{X: r.Min.X + d - size.Y, Y: r.Max.Y}
		to := vg.Point{X: r.Min.X + d, Y: r.Min.Y}
		clip.StrokeLines(draw.LineStyle{Color: frame, Width: 0.7}, clip.ClipLinesXY([]vg.Point{from, to})...)
	}
}

// Sizes of the colour bar.
const (
	barWidth = vg.Length(14)
	barSteps = 100
)

func (f *figure) colourBarWidth() vg.Length {
	widest := nameText.Width(axisName(f.Y)) - barWidth - 6
	for _, t := range f.y.ticks {
		widest = max(widest, tickText.Width(t.label))
	}
	if f.y.off {
		widest = max(widest, tickText.Width(offLabel))
	}
	return legendIndent + barWidth + 6 + widest
}

// drawColourBar draws the scale of the colours, with the strips for what is off it.
func (f *figure) drawColourBar(c draw.Canvas) {
	x := f.area.Max.X + legendIndent
	c.FillText(nameText, vg.Point{X: x, Y: f.area.Max.Y + 6 + lineHeight/2}, axisName(f.Y))
	step := (f.y.to - f.y.from) / barSteps
	for i := range barSteps {
		if len(f.y.ticks) == 0 { // Nothing was measured that has a colour.
			break
		}
		c.SetColor(colour((float64(i) + 0.5) / barSteps))
		part := rectangle(x, f.y.from+step*vg.Length(i), barWidth, f.y.to-f.y.from-step*vg.Length(i))
		c.Fill(part.Path()) // Up to the top, so that no seam shows between two parts.
	}
	ticks := slices.Clone(f.y.ticks)
	if f.y.off {
		hatch(c, rectangle(x, f.y.to, barWidth, strip))
		ticks = append(ticks, tick{math.Inf(1), offLabel})
	}
	if f.y.zero {
		ticks = append(ticks, tick{0, zeroLabel})
	}
	for _, t := range ticks {
		y := f.y.at(t.value)
		c.StrokeLine2(frameLine, x+barWidth, y, x+barWidth+3, y)
		c.FillText(tickText, vg.Point{X: x + barWidth + 6, Y: y}, t.label)
	}
	bar := rectangle(x, f.area.Min.Y, barWidth, f.area.Max.Y-f.area.Min.Y)
	c.StrokeLines(frameLine, []vg.Point{bar.Min, {X: bar.Max.X, Y: bar.Min.Y}, bar.Max, {X: bar.Min.X, Y: bar.Max.Y}, bar.Min})
}
