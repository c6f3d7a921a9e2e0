package model

import (
	"errors"
	"fmt"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// Options of one replication.
type Options struct {
	Replication uint64
	Cut         uint64 // stop quietly after so many events; 0: do not
	Want        metric.Want
	Observer    history.Observer // told every fact; nil: nobody

	// Alerts makes what evaluates the scenario's alerts. It stands between the
	// run and its observers: it hands every fact on and tells of alerts between
	// them. Nil: no alert fires. Nothing that it does can change the run.
	Alerts func(to history.Observer) Alerts

	// Interrupted is asked now and then whether somebody wants the run to end;
	// then Run returns ErrInterrupted. Nil: nobody does.
	Interrupted func() bool
}

// ErrInterrupted says that a run was not finished because Options.Interrupted
// said so.
var ErrInterrupted = errors.New("interrupted")

// Alerts watches a run for its scenario's alerts. End is told the end of the
// run.
type Alerts interface {
	history.Observer
	End(at int64) error
}

// audience is several observers as one.
type audience []history.Observer

// Observe tells each of them.
func (a audience) Observe(f *history.Fact) {
	for _, o := range a {
		o.Observe(f)
	}
}

// Result is what one replication gave.
type Result struct {
	Metrics    *metric.Result
	Trace      uint64 // hash over every event, in order
	Hash       uint64 // hash over the integers behind the metrics
	Events     uint64
	Violations []check.Violation
}

// Run runs one replication of a scenario. Equal scenarios, seeds and numbers of
// replication give equal results, on every machine. The error says where and
// why a run that passed its bounds was stopped.
func Run(sc *scenario.Scenario, o Options) (*Result, error) {
	meter, judge := metric.New(Names(sc), window(sc), o.Want), check.New()
	observers := []history.Observer{meter, judge}
	if o.Observer != nil {
		observers = append(observers, o.Observer)
	}
	var alerts Alerts
	if o.Alerts != nil {
		alerts = o.Alerts(audience(observers))
		observers = []history.Observer{alerts}
	}
	w := newWorld(sc, o, observers)
	w.start()
	end := w.from.Add(sc.Run.Duration)
	switch err := w.run(end, o.Interrupted); {
	case errors.Is(err, ErrInterrupted):
		return nil, err
	case err != nil:
		return nil, w.explain(err)
	}
	at := w.sim.Now()
	if at == end {
		w.close()
	}
	if alerts != nil {
		if err := alerts.End(int64(at)); err != nil {
			return nil, err
		}
	}
	r := &Result{Metrics: meter.Result(int64(at)), Trace: w.sim.Hash(), Events: w.sim.Events(), Violations: judge.Judge()}
	r.Hash = r.Metrics.Hash()
	return r, nil
}

// askings is how often a run asks whether it is interrupted.
const askings = 1000

// run runs to the end in slices of virtual time, which is the same as in one.
func (w *world) run(end sim.Time, interrupted func() bool) error {
	slice := end.Sub(w.from)
	if interrupted != nil {
		slice = max(slice/askings, 1)
	}
	for at := w.from; at < end && !w.sim.Halted(); {
		if interrupted != nil && interrupted() {
			return ErrInterrupted
		}
		at = min(at.Add(slice), end)
		if err := w.sim.Run(at); err != nil {
			return err
		}
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// Columns is what the metrics of a scenario will be, without running it.
func Columns(sc *scenario.Scenario, want metric.Want) []metric.Column {
	return metric.New(Names(sc), window(sc), want).Columns()
}

func window(sc *scenario.Scenario) metric.Window {
	return metric.Window{From: sc.Run.From, Warm: sc.Run.From + sc.Run.Warmup, To: sc.Run.From + sc.Run.Duration}
}

// explain names the scenario, and the queue that grew, in the error of a run
// that passed its bounds.
func (w *world) explain(err error) error {
	grown, most := "", 0
	note := func(noun, name string, n int) {
		if n > most {
			grown, most = noun+"."+name, n
		}
	}
	for _, q := range w.queues {
		note("queues", q.cfg.Name, q.depth())
	}
	for _, s := range w.services {
		note("services", s.cfg.Name, s.queue.n)
	}
	for _, g := range w.groups {
		n := 0
		for _, id := range g.procs {
			n += w.procs[id].own.n/2 + w.procs[id].buffer.n
		}
		note("workers", g.cfg.Name, n)
	}
	var problems scenario.Problems
	if most == 0 || errors.As(err, &problems) {
		return fmt.Errorf("scenario %s: %w", w.base.Name, err)
	}
	return fmt.Errorf("scenario %s: %w; the longest queue is %s with %d waiting: if it grows for ever, give it more servers or less load",
		w.base.Name, err, grown, most)
}

// Names gives the names behind the indices of a run's facts.
func Names(sc *scenario.Scenario) history.Names {
	var n history.Names
	for _, q := range sc.Queues {
		n.Queues = append(n.Queues, history.QueueName{Name: q.Name, DrainTo: q.DrainTo, Split: q.Partitions != nil})
	}
	for _, l := range sc.Locks {
		n.Locks = append(n.Locks, l.Name)
	}
	for i, s := range sc.Services {
		n.Services = append(n.Services, history.ServiceName{Name: s.Name, Servers: numberOf(s.Servers), Limited: limitedFor(sc, i)})
	}
	for _, c := range sc.Caches {
		n.Caches = append(n.Caches, c.Name)
	}
	for _, m := range sc.Monitors {
		n.Monitors = append(n.Monitors, m.Name)
	}
	for _, e := range sc.Events {
		n.Events = append(n.Events, e.Name)
	}
	for _, r := range sc.Reconcilers {
		n.Reconcilers = append(n.Reconcilers, r.Name)
	}
	for _, a := range sc.Alerts {
		n.Alerts = append(n.Alerts, a.Name)
	}
	for _, j := range sc.Jobs {
		n.Jobs = append(n.Jobs, history.JobName{Name: j.Name, Queue: queueIndex(sc, j.Queue)})
	}
	for i := range sc.Workers {
		g := sc.View(i).Workers[i]
		n.Groups = append(n.Groups, history.Group{Name: g.Name, Count: g.Count, Slots: numberOf(g.Slots), Limited: limited(g.Concurrency)})
	}
	return n
}

// numberOf is a number of slots or servers as names and facts have it: 0 for
// unlimited.
func numberOf(n int) int {
	if n >= scenario.Unlimited {
		return 0
	}
	return n
}

// limitedFor says that somebody limits the calls to a service.
func limitedFor(sc *scenario.Scenario, service int) bool {
	for i := range sc.Workers {
		if limited(sc.View(i).Services[service].Concurrency) {
			return true
		}
	}
	return limited(sc.Services[service].Concurrency)
}

// limited says that there is a limit that can be told: throttle has none.
func limited(c *scenario.Concurrency) bool { return c != nil && c.Kind != scenario.Throttle }

func queueIndex(sc *scenario.Scenario, name string) int {
	for i, q := range sc.Queues {
		if q.Name == name {
			return i
		}
	}
	return -1
}
