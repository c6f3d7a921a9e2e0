package experiments

import (
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/figure"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
)

// nouns begin the names of metrics of one component, such as
// locks.account.grants.
var nouns = []string{"queues", "locks", "services", "monitors", "events", "jobs", "workers", "caches", "alerts", "reconcilers"}

// said is a metric in words: "mean takeover time", of "locks.account".
type said struct {
	what string
	of   string // the component; empty: the whole scenario
	unit string // "s", "per run", "per second", "share"…; may be empty
}

// say puts a column into words, from the catalogue's label.
func say(c metric.Column) said {
	s := said{what: c.Name, unit: unitWords[c.Unit]}
	if parts := strings.SplitN(c.Name, ".", 3); len(parts) == 3 && slices.Contains(nouns, parts[0]) {
		s.of, s.what = parts[0]+"."+parts[1], parts[2]
	}
	local := s.what
	s.what = strings.ReplaceAll(strings.TrimSuffix(local, "_s"), "_", " ")
	for _, e := range metric.Catalogue() {
		label, _, _ := strings.Cut(e.Label, " [")
		part, isPart := strings.CutPrefix(local, e.Name+".")
		switch {
		case e.Shape == metric.Distribution && isPart:
			s.what = partWords[part] + " " + label
			if c.Unit == "s" {
				s.what += " time"
			}
		case e.Shape == metric.Number && local == e.Name:
			s.what = label
			if c.Unit == "s" {
				s.what += " time"
			}
		case e.Shape == metric.Count && local == e.Name:
			s.what, s.unit = label, "per run"
		case e.Shape == metric.Count && local == e.Name+"_per_s":
			s.what = label
		case e.Shape == metric.Count && local == e.Name+"_max_per_s":
			s.what = label + " in the busiest second"
		}
	}
	return s
}

var partWords = map[string]string{"mean": "mean", "p50": "median", "p95": "p95", "p99": "p99", "p999": "p99.9", "max": "longest"}

var unitWords = map[string]string{"s": "s", "1/s": "per second", "1/day": "per day", "1/job": "per job", "share": "share"}

// axis is a metric as a figure names it. Ticks in seconds carry their unit.
func (s said) axis() figure.Axis {
	a := figure.Axis{Name: s.what, Unit: s.unit}
	if s.of != "" {
		a.Name += ", " + s.of
	}
	return a
}

// String is a metric in the middle of a sentence.
func (s said) String() string {
	if s.of == "" {
		return s.what
	}
	return s.what + " (" + s.of + ")"
}

// value is a number of the metric in a sentence.
func (s said) value(c report.Cell) string {
	if s.unit == "" || s.unit == "share" {
		return c.String()
	}
	return c.String() + " " + s.unit
}
