package figure

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFrontier places eight points by hand: a to d descend, e and f lie above them, g is infinite, h was not measured.
func TestFrontier(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	table := Table{Title: "frontier", Kind: Pareto, X: Axis{Name: "x"}, Y: Axis{Name: "y"}}
	for _, p := range []struct {
		label string
		x, y  float64
	}{{"a", 1, 8}, {"b", 2, 5}, {"c", 4, 3}, {"d", 7, 1}, {"e", 5, 5}, {"f", 2, 6}, {"g", 0, inf}, {"h", nan, 0}} {
		table.Points = append(table.Points, Point{X: Exact(p.x), Y: Exact(p.y), Label: p.label})
	}
	for _, c := range []struct {
		moreX, moreY bool
		want         string
	}{
		{false, false, "abcd"},
		{true, false, "d"},
		{false, true, "a"},
		{true, true, "defa"},
	} {
		table.X.More, table.Y.More = c.moreX, c.moreY
		f := layOut(table)
		got := ""
		for _, i := range f.frontier() {
			got += table.Points[i].Label
		}
		require.Equal(t, c.want, got, "more x %v, more y %v", c.moreX, c.moreY)
	}
}
