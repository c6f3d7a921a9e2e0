package metric

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenggat/tenggat/model/history"
)

// recorder keeps the facts of the kinds that Want asks for.
type recorder struct {
	wants [history.Kinds]bool
	facts [history.Kinds][]kept
}

// kept is what At and ByJob need of a fact.
type kept struct {
	at      int64
	job     int64
	place   history.Place
	process int32
	kind    int16 // of job
	group   int16
}

func newRecorder(kinds []history.Kind) recorder {
	var r recorder
	for _, k := range kinds {
		r.wants[k] = true
	}
	return r
}

func (r *recorder) keep(f *history.Fact) {
	r.facts[f.Kind] = append(r.facts[f.Kind], kept{f.At, f.Job, f.Place, f.Process, f.Type, f.Group})
}

// label is one label of At, resolved.
type label struct {
	scope   Scopes
	index   int16
	process int32 // of a group, from 0; -1 for all
}

// resolve finds what a label such as "jobs.pay" or "workers.w/1" names.
func (l *layout) resolve(text string) (found label, ok bool) {
	text, number, numbered := strings.Cut(text, "/")
	found.process = -1
	if numbered {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return found, false
		}
		found.process = int32(n - 1)
	}
	for _, b := range blocksOf(l.names) {
		name, this := strings.CutPrefix(text, b.prefix)
		if !this || b.scopes == Global {
			continue
		}
		i := slices.Index(b.names, name)
		found.scope, found.index = b.scopes, int16(i)
		return found, i >= 0 && (!numbered || b.scopes == Groups)
	}
	return found, false
}

// carries says whether a kept fact has a label. As for counts, a fact of a job
// has the label of the job's queue unless it happened at another.
func (l *layout) carries(k *kept, want label) bool {
	switch want.scope {
	case Jobs:
		return k.kind == want.index
	case Groups:
		return k.group == want.index && (want.process < 0 || k.process == want.process)
	case Queues:
		if k.place.Noun != history.Queue {
			return k.kind >= 0 && l.queueOf[k.kind] == int32(want.index)
		}
	}
	return want.scope == nounScopes[k.place.Noun] && k.place.Index == want.index
}

// At gives the instants in ns, ascending, of the facts of a kind that carry
// all labels: "jobs.pay", "workers.w" or its first process "workers.w/1",
// "queues.q", "locks.l", "services.s", "monitors.m", "events.e". The whole run
// is covered. It is nil for a kind that was not in Want.Facts and for a label
// that names nothing.
func (r *Result) At(kind history.Kind, labels ...string) []int64 {
	var wanted []label
	for _, text := range labels {
		l, ok := r.layout.resolve(text)
		if !ok {
			return nil
		}
		wanted = append(wanted, l)
	}
	var instants []int64
	facts := r.facts[kind]
next:
	for i := range facts {
		for _, l := range wanted {
			if !r.layout.carries(&facts[i], l) {
				continue next
			}
		}
		instants = append(instants, facts[i].at)
	}
	return instants
}

// ByJob gives the instants in ns of the facts of a kind that speak of a job,
// in the order of the jobs and, within one, of time.
func (r *Result) ByJob(kind history.Kind) []int64 {
	facts := slices.Clone(r.facts[kind])
	slices.SortStableFunc(facts, func(a, b kept) int { return int(min(max(a.job-b.job, -1), 1)) })
	var instants []int64
	for i := range facts {
		if facts[i].job >= 0 {
			instants = append(instants, facts[i].at)
		}
	}
	return instants
}
