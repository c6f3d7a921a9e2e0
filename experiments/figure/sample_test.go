package figure

import (
	"fmt"
	"math"
)

// Sample tables with numbers as a sweep would give them. They are made by formula, not measured.

func sampleLine() Table {
	t := Table{
		Title: "Duplicate starts against the visibility timeout",
		Note:  "bands: 95 % interval over 20 replications; partition of 5m at 1h",
		X:     Axis{Name: "queues.orders.lease", Unit: Seconds, Log: true},
		Y:     Axis{Name: "duplicate_rate", Unit: "share of jobs"},
		By:    Axis{Name: "services.ledger.retry.jitter"},
	}
	for i, by := range []string{"none", "equal", "full", "decorrelated"} {
		for _, x := range []float64{5, 10, 20, 30, 60, 120, 300} {
			mean := (0.35 - 0.06*float64(i)) * math.Exp(-x/(25+5*float64(i)))
			t.Points = append(t.Points, Point{X: Exact(x), Y: Estimate{mean, mean * 0.85, mean*1.15 + 0.002}, By: by})
		}
	}
	return t
}

func sampleOffScale() Table {
	t := Table{
		Title: "Time to drain the backlog after the partition",
		Note:  "bands: 95 % interval over 20 replications; off scale: the backlog never drained",
		X:     Axis{Name: "queues.orders.lease", Unit: Seconds, Log: true},
		Y:     Axis{Name: "events.partition.drain_s.p50", Unit: Seconds, Log: true},
		By:    Axis{Name: "services.ledger.retry.jitter"},
	}
	for i, by := range []string{"none", "full"} {
		for k, x := range []float64{5, 10, 20, 30, 60, 120, 300} {
			y := Estimate{60 + 4*x*float64(i+1), 40 + 3*x*float64(i+1), 90 + 6*x*float64(i+1)}
			switch {
			case k < 2-i:
				y = Estimate{math.Inf(1), 900, math.Inf(1)}
			case k == 2-i:
				y.High = math.Inf(1)
			case k == 5 && i == 1:
				y = Estimate{math.NaN(), math.NaN(), math.NaN()}
			case k == 6:
				y = Exact(0)
			}
			t.Points = append(t.Points, Point{X: Exact(x), Y: y, By: by})
		}
	}
	return t
}

func sampleCategories() Table {
	t := Table{
		Title: "False failovers by detector",
		Note:  "bars: 95 % interval over 8 replications of 24h",
		X:     Axis{Name: "monitors.health.suspect"},
		Y:     Axis{Name: "false_failover_per_day", Unit: "1/d"},
		By:    Axis{Name: "events.gc.for"},
	}
	for i, x := range []string{"fixed 3s", "fixed 10s", "chen 1s", "chen 8s", "phi_normal 4", "phi_normal 8", "phi_exponential 2", "none"} {
		for k, by := range []string{"exp 2s", "exp 4s", "exp 8s"} {
			mean := 40 / float64(1+i) * float64(1+k)
			y := Estimate{mean, mean * 0.7, mean * 1.3}
			if x == "none" {
				y = Estimate{0, 0, 0.4 * float64(1+k)}
			}
			if i == 2 && k == 2 {
				y = Estimate{math.Inf(1), 80, math.Inf(1)}
			}
			t.Points = append(t.Points, Point{XText: x, Y: y, By: by})
		}
	}
	return t
}

func sampleHeat() Table {
	t := Table{
		Title: "Leases lost alive over lease length and pauses of the collector",
		Note:  "mean over 20 replications; hatched: unbounded, –: not measured",
		Kind:  Heat,
		X:     Axis{Name: "locks.account.lease", Unit: Seconds},
		Y:     Axis{Name: "leases_lost_alive", Unit: "1/d"},
		By:    Axis{Name: "events.gc.for"},
	}
	for i, by := range []string{"exp 500ms", "exp 1s", "exp 2s", "exp 4s", "lognormal median 1s p99 20s"} {
		for k, x := range []float64{2, 4, 8, 16, 30, 90} {
			v := 800 * math.Exp(-x/(2+2*float64(i)))
			if i == 4 && k == 0 {
				v = math.Inf(1)
			}
			if i == 0 && k == 5 {
				v = math.NaN()
			}
			t.Points = append(t.Points, Point{X: Exact(x), Y: Exact(v), By: by})
		}
	}
	return t
}

func samplePareto() Table {
	t := Table{
		Title: "Speed of detection against false alarms",
		Note:  "lines: 95 % interval over 8 replications of 24h",
		Kind:  Pareto,
		X:     Axis{Name: "detection_s.mean", Unit: Seconds},
		Y:     Axis{Name: "false_failover_per_day", Unit: "1/d"},
		By:    Axis{Name: "detector"},
	}
	add := func(by, label string, x, y float64) {
		t.Points = append(t.Points, Point{X: Estimate{x, x * 0.95, x * 1.05}, Y: Estimate{y, y * 0.8, y * 1.2}, By: by, Label: label})
	}
	for _, s := range []float64{3, 6, 10, 20, 40} {
		add("fixed", fmt.Sprintf("fixed %gs", s), s-0.8, 60*math.Exp(-s/6))
	}
	for _, s := range []float64{1, 3, 8, 20} {
		add("chen", fmt.Sprintf("chen %gs", s), s+1.4, 48*math.Exp(-s/4))
	}
	for _, s := range []float64{4, 8, 12} {
		add("phi_normal", fmt.Sprintf("phi_normal %g", s), 2+s/3, 52*math.Exp(-s/5))
	}
	for _, s := range []float64{1, 2, 8} {
		add("phi_exponential", fmt.Sprintf("phi_exponential %g", s), 4+3*s, 30*math.Exp(-s/2))
	}
	return t
}

func sampleTimeline() Table {
	t := Table{
		Title: "Queue depth through a partition and a slow database",
		Note:  "mean over 20 replications, one point a minute; bands: 95 % interval",
		Kind:  Timeline,
		X:     Axis{Name: "time", Unit: Seconds},
		Y:     Axis{Name: "queues.orders.queue_depth", Unit: "jobs"},
		By:    Axis{Name: "variant"},
		Windows: []Window{
			{"partition", 3600, 3900},
			{"slow database", 3840, 4500},
			{"deploy", 7200, 7200},
			{"gc", 1000, 1020}, {"gc", 5000, 5030}, {"gc", 9000, 9015},
		},
	}
	for i, by := range []string{"base", "full jitter", "larger lease"} {
		for m := range 180 {
			at := float64(m) * 60
			depth := 12 + 4*math.Sin(float64(m)/3+float64(i))
			if at >= 3600 {
				up := math.Min(at-3600, 900)
				depth += math.Max(0, up*(1.4-0.3*float64(i))-math.Max(0, at-4500)*0.4)
			}
			t.Points = append(t.Points, Point{X: Exact(at), Y: Estimate{depth, depth * 0.9, depth * 1.1}, By: by})
		}
	}
	return t
}

var samples = map[string]func() Table{
	"line": sampleLine, "offscale": sampleOffScale, "categories": sampleCategories,
	"heat": sampleHeat, "pareto": samplePareto, "timeline": sampleTimeline,
}
