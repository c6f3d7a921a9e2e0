package model

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// job is one piece of work. Its record lives while any message, delivery,
// execution or retry holds a copy (refs), and is judged when the last one goes.
type job struct {
	serial    int64
	kind      int16 // job type
	refs      int32
	published sim.Time
	notBefore sim.Time // a publish with `after`: it may not start before
	luck      uint64   // names its chance: what it meets hangs on it, and not on how many jobs there are besides
	key       uint64
	fields    [maxFields]int64
	nth       int64 // of its type, from 0
	starts    int32
	running   int32         // executions at once
	diedAt    sim.Time      // when a process died that ran it; Never
	failed    int32         // attempts of a job that its process starts itself
	waited    time.Duration // before the last of them
	effects   int32         // of this job's own key, when no other job can share it
	landedAt  sim.Time      // when the last of its effects came; once it is audited, when it was
	wrote     uint64        // which of its writes have got through
	audited   bool          // its last copy is gone, and a reconciler is to find it
	found     bool          // one has
	landed    bool          // its effect is in the world, by whatever copy
	dead      bool          // dead-lettered
	skipped   bool          // turned away by a lock whose holder does its work too
	accepted  bool          // its acknowledgement was accepted
	id        idOf          // by which its queue knows it, with dedup
}

const maxFields = 6

// jobType is what jobs of one type have in common.
type jobType struct {
	cfg     *scenario.Job
	index   int16
	queue   *broker // nil: started by processes
	group   *group
	sources []source
	serial  int64 // of the next job of this type, for serial fields
	own     bool  // no other job shares a job's key
	writes  bool  // its steps write; else its effect lands when it completes
	ops     []op  // as everybody but a group with glasses runs it
	level   int32 // jobs that wait or run
}

// source is one stream of arrivals; with `by`, each process has its own.
type source struct {
	kind   int16
	proc   int32 // -1: the queue's producer
	cfg    *scenario.Arrivals
	stream uint64 // names its luck
	count  uint64 // arrivals so far
	next   int    // of the instants of `at`
	epoch  int32  // a changed load makes what was scheduled void
}

// startSources begins the arrivals of every type for the producer.
func (w *world) startSources() {
	for _, t := range w.types {
		if t.queue != nil {
			w.addSources(t, -1, 0)
		}
	}
}

// addSources begins a type's arrivals for a process (or the producer, -1) that
// is the k-th of its kind.
func (w *world) addSources(t *jobType, proc int32, k int) {
	list := t.cfg.Arrivals
	if t.cfg.PerProc && len(list) > 0 {
		list = list[min(k, len(list)-1):][:1]
	}
	for n := range list {
		w.sources = append(w.sources, source{kind: t.index, proc: proc, cfg: &list[n],
			stream: uint64(t.index)<<40 | uint64(n)<<32 | uint64(uint32(proc))})
		w.schedule(int32(len(w.sources)-1), false)
	}
}

// schedule sets the next arrival of a source.
func (w *world) schedule(i int32, again bool) {
	s := &w.sources[i]
	cfg := s.cfg
	if cfg.Kind != scenario.ArriveAt && s.count >= uint64(cfg.Times) {
		return
	}
	var at sim.Time
	luck := w.luck[luckArrival].With(s.stream).With(s.count)
	now := w.sim.Now()
	switch cfg.Kind {
	case scenario.ArriveAt:
		if s.next == len(cfg.At) {
			return
		}
		at = sim.Time(cfg.At[s.next])
		if s.proc >= 0 {
			at = w.wallInstant(s.proc, at)
		}
		if at < now {
			if again || s.count == 0 && at < w.from {
				s.next++
				w.schedule(i, true)
				return
			}
			at = now
		}
	case scenario.ArriveEvery:
		_, constant := cfg.Every.Every.IsConstant()
		switch {
		case s.count == 0:
			at = w.firstTick(&cfg.Every, luck, now)
		case constant && cfg.Every.From != nil: // its ticks lie on a grid, whatever pause or death delayed the last
			at = w.firstTick(&cfg.Every, luck, now+1)
		default:
			at = now.Add(cfg.Every.Every.Draw(luck))
		}
	case scenario.ArrivePoisson:
		at = now.Add(exponential(luck, cfg.Rate))
	case scenario.ArriveLoop:
		at = now
		if again {
			at = now.Add(cfg.After.Draw(luck))
		} else if cfg.From != nil {
			at = max(now, sim.Time(*cfg.From))
		}
	}
	if at >= sim.Time(cfg.Until) && cfg.Until != scenario.Forever {
		return
	}
	w.sim.At(at, sim.Arrival, sim.Event{Kind: evArrival, To: i, A: int64(s.epoch)})
}

// onArrival brings the jobs of one arrival.
func (w *world) onArrival(ev sim.Event) {
	s := &w.sources[ev.To]
	if ev.A != int64(s.epoch) {
		return
	}
	if s.proc >= 0 {
		p := w.procs[s.proc]
		if !p.up {
			p.missed = append(p.missed, ev.To)
			return
		}
		if w.park(p.node, ev, 0) {
			return
		}
	}
	t := w.types[s.kind]
	n := max(1, s.cfg.Batch)
	if s.cfg.Kind == scenario.ArriveAt && s.cfg.Times < scenario.Unlimited {
		n *= s.cfg.Times // so many at each instant
	}
	if s.cfg.Mean > 0 {
		n = geometric(w.luck[luckBatch].With(s.stream).With(s.count), s.cfg.Mean)
	}
	s.count++
	s.next++
	if s.cfg.Kind != scenario.ArriveLoop {
		w.schedule(ev.To, true)
		s = &w.sources[ev.To]
	}
	for range n {
		if w.err != nil {
			return
		}
		j := w.newJob(t, w.arrived)
		w.arrived++
		if s.proc < 0 {
			w.publish(t.queue, j)
		} else {
			w.procs[s.proc].begin(w, j, ev.To)
		}
	}
}

// maxJobs bounds the jobs that wait or run at once, and so the memory of a run
// whose load is more than its servers can ever do.
const maxJobs = 2_000_000

// newJob makes a job of type t, published now.
func (w *world) newJob(t *jobType, luck uint64) int32 {
	if w.jobs.inUse() >= maxJobs && w.err == nil {
		w.err = fmt.Errorf("at %v there are %d jobs that wait or run: they come faster than they are done", w.sim.Now(), maxJobs)
	}
	i := w.jobs.take()
	j := w.jobs.at(i)
	*j = job{serial: w.nextJob, kind: t.index, nth: t.serial, published: w.sim.Now(), luck: luck, diedAt: sim.Never}
	w.nextJob++
	for f := range t.cfg.Fields {
		j.fields[f] = fieldValue(&t.cfg.Fields[f], t.serial, w.luck[luckField].With(uint64(t.index)<<8|uint64(f)).With(uint64(t.serial)))
	}
	t.serial++
	j.key = render(&t.cfg.Key, j, nil)
	w.inSystem(t, 1)
	return i
}

func fieldValue(f *scenario.Field, serial int64, luck exact.Chance) int64 {
	switch f.Kind {
	case scenario.Serial:
		if f.N > 0 {
			return serial%f.N + 1
		}
		return serial + 1
	case scenario.UniformField:
		return luck.IntN(f.N) + 1
	case scenario.ZipfField:
		return f.Zipf.Draw(luck) + 1
	default:
		return f.List[min(serial, int64(len(f.List)-1))]
	}
}

// holdJob and dropJob count the copies of a job.
func (w *world) holdJob(i int32) { w.jobs.at(i).refs++ }

func (w *world) dropJob(i int32) {
	j := w.jobs.at(i)
	j.refs--
	if j.refs > 0 || w.audit(i, j) {
		return
	}
	t := w.types[j.kind]
	lost := int64(0)
	if t.queue != nil && !j.landed && !j.dead && !j.skipped {
		lost = 1
	}
	w.record(history.Fact{Kind: history.Done, Job: j.serial, Type: j.kind, Place: t.place(), Group: -1, Process: -1,
		Value: int64(w.sim.Now() - j.published), Attempt: j.starts, Delivery: int32(lost)})
	if !j.audited {
		w.inSystem(t, -1)
	}
	w.jobs.give(i)
}

func (t *jobType) place() history.Place {
	if t.queue == nil {
		return history.Place{}
	}
	return t.queue.place
}
