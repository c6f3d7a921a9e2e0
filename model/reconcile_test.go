package model

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// chaotic is a load with lost acknowledgements, early ones, deaths and locks
// without an end. All of it is over at 5 m; the only look is at 9 m.
const chaotic = `
run: 10m
network: {latency: exp 5ms, loss: 2%}
queues: {late: {lease: forever}, early: {ack: start}}
locks: {l: {names: ['l:{k}'], lease: none, wait: {poll: 500ms, for: 5s}}}
services: {db: {timeout: 2s}, log: {timeout: 2s}}
workers: {w: {count: 4, slots: 2}}
jobs:
  a: {queue: late, arrivals: poisson 0.5/s until 4m, fields: {k: uniform 20}, errors: {coordination: hold, transient: hold}, steps: [lock: l, work: exp 1s, write: {to: db, token: l}]}
  b: {queue: early, arrivals: poisson 1/s until 4m, errors: {transient: drop}, steps: [work: exp 1s, write: db, work: exp 500ms, write: log]}
events:
  death: {rate: 20/h, crash: workers.w, for: 5s}
  deaf: {at: [30s, 100s, 200s], for: 10s, cut: {from: workers.w, to: queues.late, only: ack}}
reconcilers: {r: {every: 9m, age: 30s, repairs: false}}
`

// What a reconciler finds is what the facts say, thing by thing.
func TestFindingsEqualTheTruth(t *testing.T) {
	total := [history.Findings]int{}
	for seed := range 20 {
		sc := resolve(t, "chaotic", chaotic, scenario.Assignment{Path: "seed", Value: fmt.Sprint(seed + 1)})
		tr := truth{jobs: map[int64]*fate{}, locks: map[uint64]*holding{}}
		if _, err := Run(sc, Options{Observer: &tr}); err != nil {
			t.Fatal(err)
		}
		for what := range total {
			if !maps.Equal(tr.found[what], tr.want[what]) {
				t.Errorf("seed %d: finding %d: found %v, and the facts say %v", seed+1, what, sorted(tr.found[what]), sorted(tr.want[what]))
			}
			total[what] += len(tr.found[what])
		}
	}
	for what, n := range total[:history.FoundCopy] {
		if n < 20 {
			t.Errorf("finding %d came %d times in all: too few to say much", what, n)
		}
	}
}

// A reconciler that repairs leaves nothing of what it looks for, and loses no job.
func TestRepairsLeaveNothing(t *testing.T) {
	for seed := range 10 {
		sc := resolve(t, "chaotic", chaotic, scenario.Assignment{Path: "seed", Value: fmt.Sprint(seed + 1)},
			scenario.Assignment{Path: "reconcilers.r", Value: "{every: 1m, age: 30s, repairs: true, finds: [unacked, incomplete, orphan_locks]}"},
			scenario.Assignment{Path: "network.loss", Value: "0"},
			scenario.Assignment{Path: "events.death", Value: "none"},
			scenario.Assignment{Path: "events.strike", Value: "{every: 20s, times: 10, for: 5s, crash: workers.w/any}"})
		r, err := Run(sc, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Violations {
			t.Errorf("seed %d: %v", seed+1, v)
		}
		if lost, _ := r.Metrics.Value("lost_jobs"); lost != 0 {
			t.Errorf("seed %d: %v jobs are lost though a reconciler looks for them", seed+1, lost)
		}
	}
}

func sorted[K int64 | uint64](set map[K]bool) []K { return slices.Sorted(maps.Keys(set)) }

// truth works out from the facts what there is to find at the look, and notes what
// was found.
type truth struct {
	jobs        map[int64]*fate
	locks       map[uint64]*holding
	found, want [history.Findings]map[uint64]bool
	looked      bool
}

type fate struct {
	kind                        int16
	places                      map[history.Place]bool
	latest, ended               int64
	acked, gone, dead, finished bool
	running                     int32
}

type holding struct {
	process     int32
	since, gone int64
	stands      bool
}

const lookAt, age = int64(540e9), int64(30e9)

func (tr *truth) Observe(f *history.Fact) {
	if f.At >= lookAt && !tr.looked {
		tr.looked = true
		tr.reckon()
	}
	if f.Kind == history.Found {
		id := uint64(f.Job)
		if f.Attempt == history.FoundOrphan {
			id = f.Key
		}
		tr.found[f.Attempt][id] = true
		return
	}
	if f.At >= lookAt {
		return
	}
	if f.Place.Noun == history.Lock {
		tr.lock(f)
	}
	if f.Kind == history.Crash {
		for _, h := range tr.locks { // order-free: each is changed by itself
			if h.stands && h.process == f.Process && h.gone < 0 {
				h.gone = f.At
			}
		}
	}
	if f.Job >= 0 {
		tr.job(f)
	}
}

func (tr *truth) lock(f *history.Fact) {
	h := tr.locks[f.Key]
	switch f.Kind {
	case history.Grant:
		tr.locks[f.Key] = &holding{process: f.Process, since: f.At, gone: -1, stands: true}
	case history.Release, history.Revoke, history.Expire:
		h.stands = false
	case history.Believe: // it lets go: its release is on the way, or lost
		if f.Value < 0 && h != nil && h.stands && h.process == f.Process && h.gone < 0 {
			h.gone = f.At
		}
	}
}

func (tr *truth) job(f *history.Fact) {
	j := tr.jobs[f.Job]
	if j == nil {
		j = &fate{kind: f.Type, places: map[history.Place]bool{}, latest: -1}
		tr.jobs[f.Job] = j
	}
	switch f.Kind {
	case history.Effect:
		j.places[f.Place] = true
		j.latest = f.At
	case history.Ack:
		j.acked = true
	case history.Drop:
		j.gone = true
	case history.Done:
		j.finished = true
	case history.Believe:
		if f.Place.Noun != history.Lock {
			j.running = f.Attempt
			j.ended = f.At
		}
	}
}

// reckon says what there is to find now. A job of type a is complete with one
// effect, one of type b with two.
func (tr *truth) reckon() {
	for i := range tr.found {
		tr.found[i], tr.want[i] = map[uint64]bool{}, map[uint64]bool{}
	}
	for id, j := range tr.jobs { // order-free: a set
		complete := len(j.places) == 1+int(j.kind)
		switch {
		case j.finished || j.gone:
		case complete && !j.acked && lookAt-j.latest >= age:
			tr.want[history.FoundUnacked][uint64(id)] = true
		case !complete && j.acked && j.running == 0 && lookAt-j.ended >= age:
			tr.want[history.FoundIncomplete][uint64(id)] = true
		}
	}
	for key, h := range tr.locks { // order-free: a set
		if h.stands && h.gone >= 0 && lookAt-h.gone >= age {
			tr.want[history.FoundOrphan][key] = true
		}
	}
}
