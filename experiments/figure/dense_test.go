package figure

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A series of more than 40 points is a line without markers: what its markers
// would draw is not in the file.
func TestManyPointsHaveNoMarkers(t *testing.T) {
	size := func(kind Kind, n int) int {
		table := Table{Title: "t", Kind: kind, X: Axis{Name: "time", Unit: Seconds}, Y: Axis{Name: "jobs"}, By: Axis{Name: "variant"}}
		for _, by := range []string{"a", "b"} {
			for k := range n {
				table.Points = append(table.Points, Point{X: Exact(float64(k)), Y: Exact(float64(k % 3)), By: by})
			}
		}
		svg, err := SVG(table)
		require.NoError(t, err)
		return len(svg)
	}
	for _, kind := range []Kind{Line, Timeline} {
		assert.Less(t, size(kind, 41), size(kind, 40), "82 points without markers against 80 with them")
	}
}
