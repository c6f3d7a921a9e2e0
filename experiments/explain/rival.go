package explain

import (
	"math"

	"github.com/tenggat/tenggat/model/history"
)

// none is the number of no job.
const none = -1

// rival is the other job without which a harm would be none: the one that
// believed first that it owned the lock, or had the first effect of the key. Its
// part of the story is told from its start to its end.
type rival struct {
	subject  *history.Fact
	job      int64 // none: the harm needs no other
	in       process
	from, to int64
	starts   map[int64]begun // of the jobs under way, the last one
}

// begun is a start of a job.
type begun struct {
	at int64
	in process
}

// see takes a fact of the run.
func (r *rival) see(f *history.Fact) {
	who := process{f.Group, f.Process}
	switch {
	case f.At > r.subject.At && (r.job == none || r.to < math.MaxInt64): // all is known
	case f.Kind == history.Crash && who == r.in, f.Job == r.job && (f.Kind == history.Complete || f.Kind == history.Fail):
		r.to = min(r.to, f.At)
	case f.Kind == history.Start:
		r.starts[f.Job] = begun{f.At, who}
	case f.Kind == history.Done:
		delete(r.starts, f.Job)
	case f.At <= r.subject.At && r.precedes(f):
		r.job = none
		if start, ok := r.starts[f.Job]; ok && f.Job != r.subject.Job {
			r.job, r.in, r.from, r.to = f.Job, start.in, start.at, math.MaxInt64
		}
	}
}

// precedes says that a fact is the one that makes the subject's a harm.
func (r *rival) precedes(f *history.Fact) bool {
	if f.Kind != r.subject.Kind || f.Place != r.subject.Place || f.Key != r.subject.Key {
		return false
	}
	switch f.Kind {
	case history.Effect:
		return f.Value == 1
	case history.Believe:
		return f.Place.Noun == history.Lock && f.Value > 0 && f.Attempt == 1
	}
	return false
}

// concerns says that a fact tells what the rival did and what befell it.
func (r *rival) concerns(f *history.Fact) bool {
	if r.job == none || f.At < r.from || f.At > r.to {
		return false
	}
	in := r.in == process{f.Group, f.Process}
	switch f.Kind {
	case history.Start, history.Complete, history.Fail, history.Notice:
		return f.Job == r.job
	case history.Pause, history.Resume, history.Crash:
		return in
	case history.Grant, history.Expire, history.LostAlive, history.Release, history.Revoke, history.RenewFail:
		return in && f.Place.Noun == history.Lock
	case history.Effect:
		return f.Job == r.job && (f.Key == r.subject.Key || r.subject.Kind == history.Believe)
	}
	return false
}
