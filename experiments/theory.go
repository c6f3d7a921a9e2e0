package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/theory"
	"github.com/tenggat/tenggat/model/scenario"
)

// closedForm is what theory says of a scenario in its steady state.
type closedForm struct {
	values map[string]float64 // by metric
	source string             // formula and where it comes from
}

// cell is the value of a metric, empty where theory has none.
func (f *closedForm) cell(name string) report.Cell {
	if v, ok := f.values[name]; ok {
		return report.Number(v)
	}
	return report.Cell{}
}

// theoryOf is the closed form of a scenario that has one: a single queue with
// Poisson arrivals and exponential work, in which nothing fails (M/M/c). It is
// nil for every other scenario, and for one whose queue grows for ever.
func theoryOf(sc *scenario.Scenario) *closedForm {
	if len(sc.Queues) != 1 || len(sc.Workers) != 1 || len(sc.Jobs) != 1 || !onlySets(sc, plainQueue(sc)) {
		return nil
	}
	job, group := sc.Jobs[0], sc.Workers[0]
	if len(job.Arrivals) != 1 || len(job.Steps) != 1 || len(job.Steps[0].Work) != 1 || group.Slots == scenario.Unlimited {
		return nil
	}
	q := theory.MMC{Arrivals: job.Arrivals[0].Rate, Service: 1 / job.Steps[0].Work[0].Mean(), Workers: group.Count * group.Slots}
	if q.Load() >= float64(q.Workers) {
		return nil
	}
	inSystem := q.Load() + q.Arrivals*q.MeanWait()
	return &closedForm{
		values: map[string]float64{
			"wait_s.mean": q.MeanWait(), "waited_share": q.WaitShare(),
			"service_s.mean": 1 / q.Service, "end_to_end_s.mean": q.MeanWait() + 1/q.Service,
			"in_system.mean": inSystem, "queue_depth.mean": inSystem - q.Load(), "running": q.Load(),
			"workers." + group.Name + ".utilisation": q.Utilisation(), "goodput_per_s": q.Arrivals,
		},
		source: fmt.Sprintf("theory: the steady state of M/M/%d, by Erlang's formula (Kleinrock, Queueing Systems, vol. 1, 1975, section 3.5).", q.Workers),
	}
}

// plainQueue are the settings that such a scenario may set, each with the first
// word and the number of words that its value must have; "": any.
func plainQueue(sc *scenario.Scenario) map[string]string {
	job, group := "jobs."+sc.Jobs[0].Name, "workers."+sc.Workers[0].Name
	return map[string]string{
		"seed": "", "run.duration": "", "run.warmup": "", "run.replications": "", "run.max_events": "",
		group + ".count": "", group + ".slots": "", job + ".queue": "", job + ".arrivals": "poisson", job + ".steps.work": "exp",
	}
}

// onlySets says that a scenario leaves everything but these settings at its
// default, and that values of random ones are of the law named, two words long.
func onlySets(sc *scenario.Scenario, allowed map[string]string) bool {
	return !slices.ContainsFunc(sc.Settings(), func(x scenario.Setting) bool {
		if x.From == "default" {
			return false
		}
		law, ok := allowed[x.Path]
		words := strings.Fields(x.Value)
		return !ok || law != "" && (len(words) != 2 || words[0] != law)
	})
}
