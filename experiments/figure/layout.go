package figure

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Sizes of the paper. The area for data has a fixed size, so that figures side by side compare; margins follow the
// texts.
const (
	areaWidth   = vg.Length(430)
	areaHeight  = vg.Length(250)
	columnWidth = vg.Length(11) // least width of a category: one line of text standing upright
	rowHeight   = vg.Length(14) // least height of a row of a heat map
	margin      = vg.Length(10)
	tickLength  = vg.Length(4)
)

// layOut measures all texts of a valid table and gives everything its place.
func layOut(t Table) *figure {
	f := &figure{Table: t}
	f.series, f.columns = t.labels()
	f.rows = f.series
	width := max(areaWidth, columnWidth*vg.Length(len(f.columns)))
	height := areaHeight
	if t.Kind == Heat {
		height = max(areaHeight, rowHeight*vg.Length(len(f.rows)))
	}
	f.fitScales(width, height)

	left := margin + f.leftWidth()
	bottom := margin + f.footHeight()
	f.area = vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + width, Y: bottom + height}}
	f.x.move(f.area.Min.X, f.area.Max.X)
	f.y.move(f.area.Min.Y, f.area.Max.Y)

	f.legend = f.entries()
	f.width = f.area.Max.X + margin + max(f.legendWidth(), f.tickOverhang())
	f.width = max(f.width, left+max(nameText.Width(axisName(t.Y)), nameText.Width(axisName(t.X)))+margin)
	f.title = wrap(t.Title, titleText, f.width-2*margin)
	f.placeBanners()
	f.height = max(f.area.Max.Y+f.headHeight(), bottom+f.legendHeight()+margin)
	return f
}

func (f *figure) fitScales(width, height vg.Length) {
	var xs, ys []float64
	for _, p := range f.Points {
		ys = append(ys, p.Y.Mean)
		if !math.IsNaN(p.Y.Mean) && f.Kind != Heat {
			ys = appendEnds(ys, f.Y, p.Y)
		}
		if f.columns == nil {
			xs = append(xs, p.X.Mean)
		}
		if f.Kind == Pareto && !math.IsNaN(p.X.Mean) {
			xs = appendEnds(xs, f.X, p.X)
		}
	}
	fromZero := fit{fromZero: true, pad: 0.05, length: height, vertical: true}
	if f.Kind == Heat { // Colours need no room.
		fromZero.pad = 0
	}
	f.y = newScale(f.Y, ys, fromZero)
	switch f.Kind {
	case Line:
		f.x = newScale(f.X, xs, fit{pad: 0.04, at: distinct(xs), length: width})
	case Pareto:
		fromZero.length, fromZero.vertical = width, false
		f.x = newScale(f.X, xs, fromZero)
	case Timeline:
		f.x = newScale(f.X, xs, fit{length: width})
	}
}

// appendEnds adds the ends of an interval that fit on the scale. An end that does not is drawn to the edge and needs
// no strip.
func appendEnds(values []float64, a Axis, e Estimate) []float64 {
	for _, v := range []float64{e.Low, e.High} {
		if !math.IsInf(v, 0) && (v > 0 || !a.Log) {
			values = append(values, v)
		}
	}
	return values
}

func distinct(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// leftWidth is the room that the labels of the vertical axis need.
func (f *figure) leftWidth() vg.Length {
	var widest vg.Length
	if f.Kind == Heat {
		for _, row := range f.rows {
			widest = max(widest, tickText.Width(shorten(row)))
		}
		return widest + tickLength + 3
	}
	for _, t := range f.y.ticks {
		widest = max(widest, tickText.Width(t.label))
	}
	if f.y.off {
		widest = max(widest, tickText.Width(offLabel))
	}
	return widest + tickLength + 3
}

// footHeight is the room under the area: tick labels, the name of the axis, the note.
func (f *figure) footHeight() vg.Length {
	foot := f.columnLabelHeight() + tickLength + 3 + lineHeight
	if notes := f.notes(); len(notes) > 0 {
		foot += noteGap + lineHeight*vg.Length(len(notes))
	}
	return foot
}

const noteGap = vg.Length(3)

// notes are the lines of the small print.
func (f *figure) notes() []string {
	return wrap(f.Note, noteText, areaWidth)
}

// columnLabelHeight is the depth of the labels under the area: one line, or the longest label if they stand upright.
func (f *figure) columnLabelHeight() vg.Length {
	if !f.upright() {
		return lineHeight
	}
	deepest := lineHeight
	for _, column := range f.columns {
		deepest = max(deepest, tickText.Width(shorten(column)))
	}
	return deepest + 3
}

// upright reports whether the categories of X are too wide to stand side by side.
func (f *figure) upright() bool {
	slot := max(areaWidth/vg.Length(max(1, len(f.columns))), columnWidth)
	for _, column := range f.columns {
		if tickText.Width(shorten(column))+6 > slot {
			return true
		}
	}
	return false
}

// tickOverhang is how far the last label of X may reach beyond the area.
func (f *figure) tickOverhang() vg.Length {
	if f.columns != nil || len(f.x.ticks) == 0 {
		return 0
	}
	return tickText.Width(f.x.ticks[len(f.x.ticks)-1].label) / 2
}

// headHeight is the room above the area: names of windows, the name of the vertical axis, the title.
func (f *figure) headHeight() vg.Length {
	return 6 + lineHeight*vg.Length(f.bannerRows) + lineHeight + 4 + titleHeight*vg.Length(len(f.title)) + margin
}

const titleHeight = vg.Length(16)

// axisName is the name of a quantity with its unit. Ticks in seconds carry the unit themselves.
func axisName(a Axis) string {
	if a.Unit == "" || a.Unit == Seconds {
		return clean(a.Name)
	}
	return clean(a.Name + " (" + a.Unit + ")")
}

// clean makes one line of a text.
func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

// longest label of a category or series, in characters.
const longest = 60

// shorten cuts a label that would leave no room for data.
func shorten(s string) string {
	letters := []rune(clean(s))
	if len(letters) <= longest {
		return string(letters)
	}
	return string(letters[:longest-1]) + "…"
}

// wrap breaks a text at spaces into lines of at most the given width; a longer word is cut.
func wrap(s string, style text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		for style.Width(word) > width {
			letters := []rune(word)
			word = string(letters[:len(letters)*3/4]) + "…"
		}
		longer := strings.TrimSpace(line + " " + word)
		if style.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
