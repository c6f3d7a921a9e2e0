package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/figure"
)

// caption is what the small print under a figure says of its numbers. It fills
// while the points are drawn.
type caption struct {
	cut     bool // some interval reached beyond what the metric can be
	unseen  bool // some count was never other than zero
	medians bool // some replication never ended
	ns      []int
	missing []string // places of which there is nothing to draw
	refused []string // places with too few samples for a quantile
}

// lacks notes that a metric has no value at a place of the figure.
func (c *caption) lacks(p *Point, metric, place string) {
	if slices.Contains(p.Refused, metric) {
		c.refused = append(c.refused, place)
	} else {
		c.missing = append(c.missing, place)
	}
}

// text is the caption of a figure of points with so many replications.
func (c *caption) text(kind figure.Kind, numeric bool, replications int) string {
	parts := []string{c.intervals(kind, numeric, replications)}
	if c.medians {
		parts = append(parts, "median where it never ended in some")
	}
	if c.unseen && kind != figure.Heat {
		parts = append(parts, "0: none seen, up to 3 in so many replications are possible")
	}
	if len(c.missing) > 0 {
		parts = append(parts, "nothing to measure at "+enough(c.missing))
	}
	if len(c.refused) > 0 {
		parts = append(parts, "too few samples for a quantile at "+enough(c.refused))
	}
	return strings.Join(parts, "; ")
}

// intervals says what a figure shows of the spread, and over how many
// replications where not all have the metric.
func (c *caption) intervals(kind figure.Kind, numeric bool, replications int) string {
	over := fmt.Sprintf("%d replications", replications)
	if len(c.ns) > 0 {
		switch fewest, most := slices.Min(c.ns), slices.Max(c.ns); {
		case fewest < most:
			over = fmt.Sprintf("%d to %d of %s, those that have it", fewest, most, over)
		case fewest < replications:
			over = fmt.Sprintf("%d of %s, those that have it", fewest, over)
		}
	}
	mark := "bars"
	switch {
	case replications == 1:
		return "one replication: no intervals"
	case kind == figure.Heat:
		return "means of " + over
	case kind == figure.Line && numeric:
		mark = "bands"
	}
	text := mark + ": 95 % interval over " + over
	if c.cut {
		text += ", cut at what the metric can be"
	}
	return text
}

// enough is a list of which a reader sees the beginning.
func enough(places []string) string {
	const most = 6
	if len(places) <= most {
		return strings.Join(places, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), len(places)-most)
}
