package figure_test

import (
	"fmt"
	"math"

	"github.com/tenggat/tenggat/experiments/figure"
)

func ExampleSVG() {
	table := figure.Table{
		Title: "Time to drain after a partition",
		X:     figure.Axis{Name: "queues.orders.lease", Unit: figure.Seconds},
		Y:     figure.Axis{Name: "events.partition.drain_s.p50", Unit: figure.Seconds},
		Points: []figure.Point{
			{X: figure.Exact(30), Y: figure.Estimate{Mean: 240, Low: 210, High: 280}},
			{X: figure.Exact(300), Y: figure.Estimate{Mean: math.Inf(1), Low: 900, High: math.Inf(1)}},
		},
	}
	svg, err := figure.SVG(table)
	fmt.Println(len(svg) > 0, err)

	table.X.Log = true
	table.Points[0].X = figure.Exact(0)
	_, err = figure.SVG(table)
	fmt.Println(err)
	// Output:
	// true <nil>
	// figure "Time to drain after a partition": point 1 (x 0, by ""): X is not positive and its axis is logarithmic: use a linear axis or a text
}
