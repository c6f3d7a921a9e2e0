package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// Harm is a metric whose first event can be explained.
type Harm struct {
	Metric  string
	counts  string // what one fact of it is, where the metric is no count: "overlaps"
	is      func(*history.Fact) bool
	lasts   bool // a fact of it counts when it has not been undone in the same instant
	final   bool // it cannot be made good: a job or a row has taken it
	neutral bool // more of it is not worse by itself: of a takeover, or of a suspicion that is right
}

// Harms is what --first may ask for, of the whole scenario or, with the name of
// a component before it, of that alone.
var Harms = []Harm{
	{Metric: "duplicate_effects", final: true, is: func(f *history.Fact) bool { return f.Kind == history.Effect && f.Value > 1 }},
	{Metric: "duplicate_starts", is: func(f *history.Fact) bool { return f.Kind == history.Start && f.Attempt > 1 }},
	{Metric: "lost_jobs", final: true, is: func(f *history.Fact) bool { return f.Kind == history.Done && f.Delivery == 1 }},
	{Metric: "dead_lettered", final: true, is: kind(history.DeadLetter)},
	{Metric: "stranded_jobs", final: true, is: kind(history.Strand)},
	{Metric: "stale_writes_accepted", final: true, is: func(f *history.Fact) bool { return f.Kind == history.StaleWrite && f.Value == 1 }},
	{Metric: "fence_violations", final: true, is: kind(history.FenceViolation)},
	{Metric: "regressions", final: true, is: kind(history.Regress)},
	{Metric: "overlap_s", counts: "overlaps", is: overlaps, lasts: true},
	{Metric: "holders_max", counts: "overlaps", is: overlaps, lasts: true},
	{Metric: "leases_lost_alive", is: kind(history.LostAlive)},
	{Metric: "false_failovers", is: func(f *history.Fact) bool { return f.Kind == history.Suspect && f.Value < 0 }},
	{Metric: "lock_timeouts", is: kind(history.LockTimeout)},
	{Metric: "deadlocks", is: kind(history.Deadlock)},
	{Metric: "orphan_locks", is: kind(history.Orphaned)},
	{Metric: "suspicions", is: kind(history.Suspect), neutral: true},
	{Metric: "takeovers", is: kind(history.TakeOver), neutral: true},
}

func kind(k history.Kind) func(*history.Fact) bool {
	return func(f *history.Fact) bool { return f.Kind == k }
}

// overlaps says that a second process has begun to believe that it owns a lock,
// or to run a job.
func overlaps(f *history.Fact) bool {
	return f.Kind == history.Believe && f.Value > 0 && f.Attempt == 2
}

// count is the name of the number of its facts.
func (h *Harm) count() string {
	component := strings.TrimSuffix(h.Metric, local(h.Metric))
	if h.counts != "" {
		return component + h.counts
	}
	return h.Metric
}

// local is a metric without its component.
func local(metric string) string { return metric[strings.LastIndex(metric, ".")+1:] }

// askedFor is what a question asks for, as the harm that its facts are.
func askedFor(sc *scenario.Scenario, q Question) (Harm, error) {
	if q.Harm == "" {
		if q.Job < 0 { // as facts of no job have it
			return Harm{}, fmt.Errorf("job %d: jobs are numbered from 0 in the order of publishing", q.Job)
		}
		return Harm{is: func(f *history.Fact) bool { return f.Job == q.Job }}, nil
	}
	var names []string
	for _, h := range Harms {
		if h.Metric != local(q.Harm) {
			names = append(names, h.Metric)
			continue
		}
		if h.Metric == q.Harm {
			return h, nil
		}
		has, err := of(sc, q.Harm)
		if err != nil {
			return Harm{}, err
		}
		is := h.is
		h.Metric, h.is = q.Harm, func(f *history.Fact) bool { return is(f) && has(f) }
		return h, nil
	}
	return Harm{}, fmt.Errorf("--first %s: explain knows %s, and those of one component, such as jobs.J.duplicate_effects",
		q.Harm, strings.Join(names, ", "))
}

// scopes are the components that have metrics of harm, by their nouns.
var scopes = map[string]metric.Scopes{"queues": metric.Queues, "locks": metric.Locks, "services": metric.Services,
	"monitors": metric.Monitors, "jobs": metric.Jobs, "workers": metric.Groups}

// of says whether a fact counts for the component that a metric names.
func of(sc *scenario.Scenario, name string) (func(*history.Fact) bool, error) {
	component := strings.TrimSuffix(name, "."+local(name))
	noun, thing, _ := strings.Cut(component, ".")
	catalogue := metric.Catalogue()
	i := slices.IndexFunc(catalogue, func(e metric.Entry) bool { return e.Name == local(name) })
	if e := catalogue[i]; e.Scopes&scopes[noun] == 0 {
		return nil, fmt.Errorf("--first %s: %s has no such metric; %s is counted %s", name, component, local(name), strings.Join(e.Scopes.Words(), ", "))
	}
	names := model.Names(sc)
	w := words{names: names}
	known := w.things(noun)
	if i = slices.Index(known, thing); i < 0 {
		return nil, fmt.Errorf("--first %s: there is no %s; known: %s", name, component, strings.Join(known, ", "))
	}
	return belongs(&names, noun, int16(i)), nil
}

// belongs is the rule by which metrics give facts to components: a fact of a job
// counts for the job's queue unless it happened at another, and what a process
// believes of a lock for the lock alone.
func belongs(names *history.Names, noun string, index int16) func(*history.Fact) bool {
	places := map[string]history.Noun{"queues": history.Queue, "locks": history.Lock, "services": history.Service, "monitors": history.Monitor}
	at := history.Place{Noun: places[noun], Index: index}
	return func(f *history.Fact) bool {
		switch {
		case at.Noun != history.Nowhere && f.Place == at:
			return true
		case f.Kind == history.Believe && f.Place.Noun == history.Lock:
			return false
		case noun == "jobs":
			return f.Type == index
		case noun == "workers":
			return f.Group == index
		case noun == "queues":
			return f.Place.Noun != history.Queue && f.Type >= 0 && names.Jobs[f.Type].Queue == int(index)
		}
		return false
	}
}

// watch finds the facts of a harm as they happen.
type watch struct {
	Harm
	begun []history.Fact // in the present instant, and not known to last
}

// see takes a fact of the run, and returns the harm that is known by it.
func (w *watch) see(f *history.Fact) (struck []history.Fact) {
	if !w.lasts {
		if w.is(f) {
			struck = append(struck, *f)
		}
		return struck
	}
	if len(w.begun) > 0 && f.At > w.begun[0].At {
		struck, w.begun = w.begun, nil
	}
	switch {
	case w.is(f):
		w.begun = append(w.begun, *f)
	case f.Kind == history.Believe && f.Value < 0 && f.Attempt == 1:
		w.begun = slices.DeleteFunc(w.begun, func(b history.Fact) bool { return b.Place == f.Place && b.Key == f.Key })
	}
	return struck
}
