package figure

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// banner is the name of a window above the area.
type banner struct {
	text string
	x    vg.Length // where the window begins
	left vg.Length // where the text begins
	row  int       // 0 is next to the area
}

// placeBanners names each kind of window once, where it first occurs, and stacks names that would touch. It goes from
// right to left: names run to the right, so the line from a higher name down to its window meets no lower name.
func (f *figure) placeBanners() {
	windows := slices.Clone(f.Windows)
	slices.SortStableFunc(windows, func(a, b Window) int { return cmp.Compare(a.From, b.From) })
	named := map[string]bool{}
	var first []Window
	for _, w := range windows {
		if w.Name != "" && !named[w.Name] && f.x.shows(w) {
			named[w.Name] = true
			first = append(first, w)
		}
	}
	var starts []vg.Length // of the leftmost name in each row
	for _, w := range slices.Backward(first) {
		name := shorten(w.Name)
		width := noteText.Width(name)
		x := f.x.edge(w.From)
		left := max(margin, min(x, f.width-margin-width))
		row := slices.IndexFunc(starts, func(start vg.Length) bool { return left+width+6 <= start })
		if row < 0 {
			row = len(starts)
			starts = append(starts, 0)
		}
		starts[row] = left
		f.banners = append(f.banners, banner{name, x, left, row})
	}
	f.bannerRows = len(starts)
}

// shows reports whether any of the window lies on the scale.
func (s scale) shows(w Window) bool { return w.To >= s.low && w.From <= s.high }

// drawWindows shades the windows, darker where they overlap, and writes their names. Edges are drawn as lines, so that
// a short window and an instant are seen.
func (f *figure) drawWindows(c draw.Canvas) {
	edge := draw.LineStyle{Color: grey(0x9c), Width: 0.7}
	low, high := f.area.Min.Y, f.area.Max.Y
	for _, w := range f.Windows {
		if !f.x.shows(w) {
			continue
		}
		from, to := f.x.edge(w.From), f.x.edge(w.To)
		c.SetColor(faded(ink, 0x18))
		c.Fill(rectangle(from, low, to-from, high-low).Path())
		c.StrokeLine2(edge, from, low, from, high)
		c.StrokeLine2(edge, to, low, to, high)
	}
	for _, b := range f.banners {
		y := f.area.Max.Y + 4 + lineHeight*(vg.Length(b.row)+0.5)
		c.StrokeLine2(edge, b.x, f.area.Max.Y, b.x, y-lineHeight/2+1)
		c.FillText(noteText, vg.Point{X: b.left, Y: y}, b.text)
	}
}
