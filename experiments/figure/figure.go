package figure

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// dpi of a PNG: sharp on paper at column width and not wider than a page of a report.
const dpi = 144

// SVG draws a table as scalable vector graphics. The text stays text; where Liberation Sans is not installed, the
// viewer takes Arial or Helvetica, whose letters have the same widths. The error says what in the table to change.
func SVG(t Table) ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	f := layOut(t)
	canvas := vgsvg.New(f.width, f.height)
	f.draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure: writing SVG: %w", err)
	}
	family := []byte("font-family:Liberation Sans")
	return bytes.ReplaceAll(out.Bytes(), family, append(family, ",Arial,Helvetica,sans-serif"...)), nil
}

// PNG draws a table as an image of 144 dots per inch. The error says what in the table to change.
func PNG(t Table) ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	f := layOut(t)
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))}
	f.draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure: writing PNG: %w", err)
	}
	return out.Bytes(), nil
}

// figure is a table with its place on paper. Lengths are measured from the lower left corner.
type figure struct {
	Table
	width, height vg.Length
	area          vg.Rectangle // what the frame encloses, without the strips for values off the scale
	x, y          scale        // y of a Heat is its colour scale
	columns, rows []string     // categories of X, if it has any; rows of a Heat
	series        []string     // labels of By in order of appearance
	title         []string     // one line each
	banners       []banner     // names of windows
	bannerRows    int
	legend        []entry
}

// draw puts the figure on paper, from the back to the front.
func (f *figure) draw(c draw.Canvas) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	f.drawHeader(c)
	switch f.Kind {
	case Line:
		f.drawAxes(c)
		f.drawLines(c)
	case Timeline:
		f.drawWindows(c)
		f.drawAxes(c)
		f.drawLines(c)
	case Pareto:
		f.drawAxes(c)
		f.drawPareto(c)
	case Heat:
		f.drawHeat(c)
	}
	f.drawLegend(c)
}
