package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// Study is a list of settings under which one file is run.
type Study struct {
	File  *scenario.File
	Axes  []string // the swept paths, in file order
	Specs []*Spec

	run func(*scenario.Scenario, model.Options) (*model.Result, error) // model.Run, except in tests of the engine
}

// Spec is one resolved scenario that is going to be run.
type Spec struct {
	Variant  string
	Axes     []scenario.Assignment // values of the swept paths, in the order of Study.Axes
	Scenario *scenario.Scenario
	Hash     string // of the resolved scenario
	Expects  *Expectations
	Columns  []metric.Column

	alerts *alerts
}

// Options say how a study is run; none of them changes its results.
type Options struct {
	Workers  int                   // replications at once; 0: one per processor
	Store    *Store                // keeps finished points and gives them back; nil: none
	Progress func(done, total int) // told at the start and after every replication, from several goroutines; may be nil
	Levels   bool                  // keep the levels of replication 0
}

// ErrInterrupted says that the context ended before all points were done.
var ErrInterrupted = model.ErrInterrupted

// mostReplications bounds the list of what is to be run.
const mostReplications = 10_000_000

// BugError is a panic of the simulator, with what is needed to see it again.
type BugError struct {
	Spec        *Spec
	Replication int
	Panic       any
	Stack       []byte
}

// Error names the scenario and the replication.
func (e *BugError) Error() string {
	return fmt.Sprintf("the simulator stopped at an impossible state in %s, replication %d: %v", e.Spec.Title(), e.Replication, e.Panic)
}

// Title is the scenario's name with its variant and the values of the axes.
func (s *Spec) Title() string {
	title := s.Scenario.Name
	if s.Variant != baseVariant {
		title += " " + s.Variant
	}
	for _, a := range s.Axes {
		title += " " + a.Path + "=" + a.Value
	}
	return title
}

// Run runs every spec and returns its points in the order of Specs. When the
// context ends, replications in flight are given up, points that lack one are
// nil, and the error is ErrInterrupted. When a replication fails, the error is
// that of the earliest one, as it would be with a single worker.
func (s *Study) Run(ctx context.Context, o Options) ([]*Point, error) {
	e := &engine{study: s, options: o, points: make([]*Point, len(s.Specs)), partial: make([]*partial, len(s.Specs))}
	if e.run = s.run; e.run == nil {
		e.run, e.whole = model.Run, true
	}
	for _, spec := range s.Specs {
		if e.total += spec.Scenario.Run.Replications; e.total > mostReplications {
			return nil, fmt.Errorf("%d points have more than %d replications in all; ask for fewer", len(s.Specs), mostReplications)
		}
	}
	for i, spec := range s.Specs {
		n := spec.Scenario.Run.Replications
		if p := o.Store.load(spec); p != nil {
			e.points[i] = p
			e.done.Add(int64(n))
			continue
		}
		e.partial[i] = &partial{results: make([]*model.Result, n)}
		e.partial[i].missing.Store(int64(n))
		for r := range n {
			e.tasks = append(e.tasks, task{i, r})
		}
	}
	if o.Progress != nil {
		o.Progress(int(e.done.Load()), e.total)
	}
	e.work(ctx)
	if e.failure != nil {
		return e.points, e.failure
	}
	for _, p := range e.points {
		if p == nil {
			return e.points, ErrInterrupted
		}
	}
	return e.points, nil
}

// engine is a running study.
type engine struct {
	study   *Study
	run     func(*scenario.Scenario, model.Options) (*model.Result, error)
	whole   bool // its results have their histograms
	options Options
	tasks   []task // by spec, then replication: taken in this order
	next    atomic.Int64
	done    atomic.Int64
	total   int
	points  []*Point
	partial []*partial

	mutex    sync.Mutex
	failure  error
	failedAt int // index of the failed task
}

type task struct{ spec, replication int }

// partial is a point whose replications are being run.
type partial struct {
	results []*model.Result
	levels  *levelMeter // of replication 0, if they are kept
	missing atomic.Int64
}

// work takes the tasks in order, a few at a time.
func (e *engine) work(ctx context.Context) {
	workers := e.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	for range min(workers, len(e.tasks)) {
		group.Go(func() {
			for {
				k := int(e.next.Add(1) - 1)
				if k >= len(e.tasks) || ctx.Err() != nil || e.failed() {
					return
				}
				switch err := e.do(ctx, e.tasks[k]); {
				case errors.Is(err, ErrInterrupted):
					return
				case err != nil:
					e.fail(k, err)
				}
			}
		})
	}
	group.Wait()
}

// do runs one replication; the last one of a point finishes the point. A panic
// becomes a *BugError, so that finished points survive it.
func (e *engine) do(ctx context.Context, t task) (err error) {
	spec, part := e.study.Specs[t.spec], e.partial[t.spec]
	defer func() {
		if p := recover(); p != nil {
			err = &BugError{Spec: spec, Replication: t.replication, Panic: p, Stack: debug.Stack()}
		}
	}()
	o := model.Options{Replication: uint64(t.replication), Want: spec.want(), Alerts: spec.alerts.watch(),
		Interrupted: func() bool { return ctx.Err() != nil }}
	if e.options.Levels && t.replication == 0 {
		part.levels = newLevelMeter(spec.Scenario)
		o.Observer = part.levels
	}
	result, err := e.run(spec.Scenario, o)
	if err != nil {
		return fmt.Errorf("%s, replication %d: %w", spec.Title(), t.replication, err)
	}
	part.results[t.replication] = result
	if e.options.Progress != nil {
		e.options.Progress(int(e.done.Add(1)), e.total)
	}
	if part.missing.Add(-1) > 0 {
		return nil
	}
	point := newPoint(spec, part.results)
	if e.whole {
		point.refuse(part.results)
	}
	if part.levels != nil {
		point.Levels = part.levels.finish()
	}
	e.points[t.spec], e.partial[t.spec] = point, nil
	return e.options.Store.save(spec, point)
}

func (e *engine) failed() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.failure != nil
}

// fail keeps the failure of the earliest task: all tasks before it have been
// taken, and whoever has them finishes them.
func (e *engine) fail(k int, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.failure == nil || k < e.failedAt {
		e.failure, e.failedAt = err, k
	}
}
