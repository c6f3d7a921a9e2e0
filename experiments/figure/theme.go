package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Greys of everything that is not data.
var (
	white = color.NRGBA{255, 255, 255, 255}
	ink   = grey(0x1a) // text that must be read
	soft  = grey(0x55) // tick labels, notes
	frame = grey(0x80)
	grid  = grey(0xe4)
	shade = grey(0xea) // hatched cells
)

func grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }

func faded(c color.NRGBA, alpha uint8) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, alpha} }

// Texts. Liberation Sans is embedded in the drawing library: nothing depends on what the machine has installed.
var (
	fonts      = font.NewCache(liberation.Collection())
	titleText  = style("LiberationSans-Bold", 12, ink)
	nameText   = style("LiberationSans-Regular", 9.5, ink)
	headText   = style("LiberationSans-Bold", 9, ink)
	tickText   = style("LiberationSans-Regular", 9, soft)
	noteText   = style("LiberationSans-Regular", 8, soft)
	strongText = style("LiberationSans-Bold", 8, ink)
)

// lineHeight is the distance between two lines of small text.
const lineHeight = vg.Length(13)

func style(face string, size vg.Length, c color.Color) text.Style {
	for _, f := range liberation.Collection() {
		if f.Name() == face {
			f.Font.Size = size
			return text.Style{Color: c, Font: f.Font, YAlign: middle, Handler: text.Plain{Fonts: fonts}}
		}
	}
	panic("figure: no embedded font " + face)
}

func aligned(s text.Style, x text.XAlignment) text.Style {
	s.XAlign = x
	return s
}

// middle puts the middle of digits and small letters, not that of the whole line, at the height given.
const middle = text.YAlignment(-0.42)

// look is how one series is drawn. Two series differ in hue, luminance, dashes and marker, so that they stay apart in
// grey print and for readers who do not see all hues.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	marker marker
}

// Neighbours differ in lightness: about 18, 54, 40, 71, 34, 64, 24 and 54 on the scale from 0 (black) to 100 (white).
var hues = []color.NRGBA{
	{0x0a, 0x2a, 0x5e, 255}, // navy
	{0xcc, 0x6a, 0x00, 255}, // orange
	{0x9b, 0x2f, 0x86, 255}, // plum
	{0x5b, 0xbb, 0xe0, 255}, // sky
	{0x1a, 0x5c, 0x3a, 255}, // green
	{0xe0, 0x7b, 0xa4, 255}, // rose
	{0x3a, 0x3a, 0x3a, 255}, // charcoal
	{0x8f, 0x84, 0x20, 255}, // olive
}

var dashes = [][]vg.Length{nil, {6, 2.5}, {1.5, 2}, {8, 2.5, 1.5, 2.5}, {3.5, 2}, {10, 2, 1.5, 2, 1.5, 2}}

func lookOf(series int) look {
	second := series / len(hues) // the second eight share hues with the first, not dashes or markers
	return look{
		color:  hues[series%len(hues)],
		dashes: dashes[(series+second)%len(dashes)],
		marker: markers[(series+second)%len(markers)],
	}
}

func (l look) line(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: width, Dashes: l.dashes}
}

// marker is a closed shape around the origin, or a circle; hollow ones are filled with white.
type marker struct {
	corners []vg.Point
	hollow  bool
}

const markerRadius = vg.Length(3.4)

var markers = []marker{
	{},
	{corners: polygon(4, 45)},
	{corners: polygon(3, 90), hollow: true},
	{corners: polygon(4, 90)},
	{hollow: true},
	{corners: polygon(3, 270)},
	{corners: polygon(4, 45), hollow: true},
	{corners: polygon(3, 90)},
}

// polygon returns the corners of a regular polygon with the first one at so many degrees.
func polygon(corners int, degrees float64) []vg.Point {
	shape := make([]vg.Point, corners)
	for i := range shape {
		sin, cos := math.Sincos((degrees + 360*float64(i)/float64(corners)) * math.Pi / 180)
		shape[i] = vg.Point{X: vg.Length(1.2 * cos), Y: vg.Length(1.2 * sin)}
	}
	return shape
}

// DrawGlyph implements draw.GlyphDrawer.
func (m marker) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	if m.corners == nil {
		path.Move(vg.Point{X: at.X + sty.Radius, Y: at.Y})
		path.Arc(at, sty.Radius, 0, 2*math.Pi)
	}
	for i, corner := range m.corners {
		p := vg.Point{X: at.X + sty.Radius*corner.X, Y: at.Y + sty.Radius*corner.Y}
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
	if m.hollow {
		c.SetColor(white)
	}
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.1})
	c.Stroke(path)
}

func (l look) mark(c draw.Canvas, at vg.Point) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: l.color, Radius: markerRadius, Shape: l.marker}, at)
}
