package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var frontierLine = draw.LineStyle{Color: grey(0x40), Width: 1, Dashes: []vg.Length{4, 2}}

// drawPareto draws the frontier, a thin line through the points of each series in the table's order, intervals in both
// directions, the markers and their labels; the labels of efficient points are bold.
func (f *figure) drawPareto(c draw.Canvas) {
	efficient := f.frontier()
	stairs := f.stairs(efficient)
	if len(stairs) > 0 {
		c.StrokeLines(frontierLine, stairs)
	}
	for i, series := range f.series {
		if path := f.way(series); len(path) > 1 {
			c.StrokeLines(draw.LineStyle{Color: faded(lookOf(i).color, 0xa0), Width: wayWidth}, path)
		}
	}
	labels := labelPlan{area: f.area}
	for i := 1; i < len(stairs); i++ {
		labels.avoid(stairs[i-1], stairs[i], 0.5, 2)
	}
	for _, p := range f.Points {
		at, ok := f.spot(p)
		if !ok {
			continue
		}
		thin := draw.LineStyle{Color: faded(lookOf(slices.Index(f.series, p.By)).color, 0x70), Width: 0.8}
		for _, ends := range [][2]vg.Point{
			{{X: f.x.edge(p.X.Low), Y: at.Y}, {X: f.x.edge(p.X.High), Y: at.Y}},
			{{X: at.X, Y: f.y.edge(p.Y.Low)}, {X: at.X, Y: f.y.edge(p.Y.High)}},
		} {
			c.StrokeLines(thin, ends[:])
			labels.avoid(ends[0], ends[1], 0.5, 0.2)
		}
		labels.avoid(at, at, markerRadius+1, 2)
	}
	for _, p := range f.Points {
		if at, ok := f.spot(p); ok {
			lookOf(slices.Index(f.series, p.By)).mark(c, at)
		}
	}
	for _, i := range efficient {
		at, _ := f.spot(f.Points[i])
		labels.write(c, strongText, at, f.Points[i].Label)
	}
	for i, p := range f.Points {
		if at, ok := f.spot(p); ok && !slices.Contains(efficient, i) {
			labels.write(c, noteText, at, p.Label)
		}
	}
}

// wayWidth is the width of the line through the points of a series.
const wayWidth = vg.Length(0.8)

// way is the places of a series in the table's order: how both metrics move along its setting.
func (f *figure) way(series string) []vg.Point {
	var path []vg.Point
	for _, p := range f.Points {
		if at, ok := f.spot(p); ok && p.By == series {
			path = append(path, at)
		}
	}
	return path
}

// spot is the place of a point, if it has one.
func (f *figure) spot(p Point) (vg.Point, bool) {
	if math.IsNaN(p.X.Mean) || math.IsNaN(p.Y.Mean) {
		return vg.Point{}, false
	}
	return vg.Point{X: f.x.at(p.X.Mean), Y: f.y.at(p.Y.Mean)}, true
}

// frontier returns the indices of the efficient points, best X first: those to which no other point is at least as
// good in both metrics and better in one. Points with an infinite or missing mean take no part.
func (f *figure) frontier() []int {
	cost := func(a Axis, v float64) float64 {
		if a.More {
			return -v
		}
		return v
	}
	var known []int
	for i, p := range f.Points {
		if sum := p.X.Mean + p.Y.Mean; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			known = append(known, i)
		}
	}
	var best []int
	for _, i := range known {
		x, y := cost(f.X, f.Points[i].X.Mean), cost(f.Y, f.Points[i].Y.Mean)
		beaten := slices.ContainsFunc(known, func(j int) bool {
			qx, qy := cost(f.X, f.Points[j].X.Mean), cost(f.Y, f.Points[j].Y.Mean)
			return qx <= x && qy <= y && (qx < x || qy < y)
		})
		if !beaten {
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(i, j int) int {
		return cmp.Compare(cost(f.X, f.Points[i].X.Mean), cost(f.X, f.Points[j].X.Mean))
	})
	return best
}

// stairs is the edge of what the efficient points beat: between two of them it turns where both metrics are as bad as
// the worse of the two, and beyond the last ones it runs to the end of the area.
func (f *figure) stairs(efficient []int) []vg.Point {
	worst := vg.Point{X: f.area.Max.X, Y: f.area.Max.Y}
	if f.X.More {
		worst.X = f.area.Min.X
	}
	if f.Y.More {
		worst.Y = f.area.Min.Y
	}
	var path []vg.Point
	for i, index := range efficient {
		at, _ := f.spot(f.Points[index])
		if i == 0 {
			path = append(path, vg.Point{X: at.X, Y: worst.Y})
		} else {
			path = append(path, vg.Point{X: at.X, Y: path[len(path)-1].Y})
		}
		path = append(path, at)
	}
	if n := len(path); n > 0 {
		path = append(path, vg.Point{X: worst.X, Y: path[n-1].Y})
	}
	return path
}

// labelPlan finds room for labels, one after the other.
type labelPlan struct {
	area      vg.Rectangle
	obstacles []obstacle
}

// obstacle is something that a label should not cover, and how bad a square point of cover is.
type obstacle struct {
	box    vg.Rectangle
	weight vg.Length
}

// avoid adds a level or upright line, or a point, with so much room around it.
func (l *labelPlan) avoid(a, b vg.Point, room, weight vg.Length) {
	low := vg.Point{X: min(a.X, b.X) - room, Y: min(a.Y, b.Y) - room}
	high := vg.Point{X: max(a.X, b.X) + room, Y: max(a.Y, b.Y) + room}
	l.obstacles = append(l.obstacles, obstacle{vg.Rectangle{Min: low, Max: high}, weight})
}

// write puts a label at the nearest free place around its marker, with a leader line if that is not next to it.
func (l *labelPlan) write(c draw.Canvas, style text.Style, at vg.Point, s string) {
	s = shorten(s)
	if s == "" {
		return
	}
	width, height := style.Width(s), vg.Length(9)
	var best vg.Rectangle
	lowest := vg.Length(math.Inf(1))
	for ring := range 6 {
		away := markerRadius + 3 + 9*vg.Length(ring)
		for turn := range 16 {
			sin, cos := math.Sincos(float64(turn) * math.Pi / 8)
			box := rectangle(
				at.X+away*vg.Length(cos)-width*vg.Length(1-cos)/2,
				at.Y+away*vg.Length(sin)-height*vg.Length(1-sin)/2,
				width, height)
			if cost := l.cost(box) + 4*vg.Length(ring) + vg.Length(turn)/100; cost < lowest {
				best, lowest = box, cost
			}
		}
	}
	l.obstacles = append(l.obstacles, obstacle{best, 1})
	near := vg.Point{X: max(best.Min.X, min(best.Max.X, at.X)), Y: max(best.Min.Y, min(best.Max.Y, at.Y))}
	if dx, dy := near.X-at.X, near.Y-at.Y; dx*dx+dy*dy > 9*9 {
		c.StrokeLine2(draw.LineStyle{Color: frame, Width: 0.5}, at.X, at.Y, near.X, near.Y)
	}
	c.FillText(style, vg.Point{X: best.Min.X, Y: (best.Min.Y + best.Max.Y) / 2}, s)
}

// cost is what a box covers. Outside the area is forbidden.
func (l *labelPlan) cost(box vg.Rectangle) vg.Length {
	if box.Min.X < l.area.Min.X+1 || box.Max.X > l.area.Max.X-1 || box.Min.Y < l.area.Min.Y+1 || box.Max.Y > l.area.Max.Y-1 {
		return 1e6
	}
	var sum vg.Length
	for _, o := range l.obstacles {
		sum += o.weight * common(box, o.box)
	}
	return sum
}

// common is the area that two boxes share.
func common(a, b vg.Rectangle) vg.Length {
	width := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	height := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if width <= 0 || height <= 0 {
		return 0
	}
	return width * height
}
