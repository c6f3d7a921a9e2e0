package figure

import (
	"fmt"
	"math"
	"strings"
)

// edgeCases are tables at the ends of what is allowed: one point, no spread, nothing measured, huge, tiny and crowded.
func edgeCases() map[string]Table {
	of := func(kind Kind, edit func(*Table), ps ...Point) Table {
		t := Table{Title: "Edge case", Kind: kind, X: Axis{Name: "x"}, Y: Axis{Name: "y", Unit: "jobs"}, Points: ps}
		if edit != nil {
			edit(&t)
		}
		return t
	}
	at := func(x, y float64) Point { return Point{X: Exact(x), Y: Exact(y), Label: fmt.Sprintf("%g/%g", x, y)} }
	log := func(t *Table) { t.X.Log, t.Y.Log = true, true }
	secs := func(t *Table) { t.X.Unit, t.Y.Unit = Seconds, Seconds }
	logSecs := func(t *Table) { log(t); secs(t) }
	inf, nan := math.Inf(1), math.NaN()
	c := map[string]Table{}
	for _, k := range []struct {
		name string
		kind Kind
	}{{"line", Line}, {"heat", Heat}, {"pareto", Pareto}, {"time", Timeline}} {
		c[k.name+" single point"] = of(k.kind, nil, at(5, 3))
		c[k.name+" single zero log"] = of(k.kind, log, at(5, 0))
		c[k.name+" all equal"] = of(k.kind, secs, at(5, 7), at(6, 7), at(7, 7))
		c[k.name+" all infinite"] = of(k.kind, nil, at(5, inf), at(6, inf))
		c[k.name+" all missing"] = of(k.kind, nil, at(5, nan), at(6, nan))
		c[k.name+" huge"] = of(k.kind, nil, at(1e99, 9e99), at(2e99, 1), at(1, 1e-99))
		c[k.name+" small"] = of(k.kind, secs, at(1e-99, 9e-99), at(2e-99, 1e-99))
		c[k.name+" wide log"] = of(k.kind, log, at(1e-99, 9e-99), at(2e99, 1e99), at(1, 2))
		c[k.name+" wide log seconds"] = of(k.kind, logSecs, at(1e-6, 1e-6), at(1e-3, 1e2), at(1e5, 1e8), at(3600, 1e4))
		c[k.name+" narrow"] = of(k.kind, nil, at(1000000, 1000000), at(1000001, 1000001))
		c[k.name+" negative"] = of(k.kind, nil, at(-5, -3), at(2, 8))
		c[k.name+" narrow log"] = of(k.kind, log, at(1.1, 2.1), at(1.3, 2.4), at(1.45, 2.9))
	}
	c["pareto infinite both"] = of(Pareto, log, at(inf, 3), at(4, inf), at(0, 5), at(5, 0), at(2, 2), at(inf, inf), at(0, 0))
	long := of(Line, func(t *Table) {
		t.Title = strings.Repeat("A title that goes on ", 12)
		t.Note = strings.Repeat("and a note that goes on ", 12)
		t.By.Name = "rollout.order"
	})
	for i := range 120 {
		long.Points = append(long.Points, Point{XText: fmt.Sprintf("consumers > dual_cache > producers > canary > %d", i), Y: Estimate{float64(i % 17), float64(i%17) - 1, float64(i%17) + 1}, By: "one"})
	}
	long.Y.Name = strings.Repeat("workers.stable.", 6)
	c["line permutations"] = long
	many := of(Line, func(t *Table) { t.By.Name = "lease" })
	for i := range 16 {
		for x := range 6 {
			many.Points = append(many.Points, Point{X: Exact(float64(x)), Y: Exact(float64(i) + math.Sin(float64(x+i))), By: fmt.Sprint(i, "s")})
		}
	}
	c["line many series"] = many
	grid := of(Pareto, nil)
	for i := range 40 {
		x := float64(i%8) + 0.3*math.Sin(float64(i))
		grid.Points = append(grid.Points, Point{X: Exact(x), Y: Exact(8 - x + float64(i/8)), Label: fmt.Sprintf("lease %ds, gc %d", i%8, i/8)})
	}
	c["pareto crowd"] = grid
	more := samplePareto()
	more.X.More = true
	c["pareto more"] = more
	big := of(Heat, func(t *Table) { t.Y.Log = true })
	for i := range 60 {
		for k := range 60 {
			big.Points = append(big.Points, Point{XText: fmt.Sprint("col ", i), By: fmt.Sprint("row ", k), Y: Exact(float64(i * k))})
		}
	}
	c["heat big"] = big
	return c
}
