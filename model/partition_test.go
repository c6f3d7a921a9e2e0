package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// firstStarts notes the order in which jobs of each key begin for the first
// time, and how many of a queue's jobs were done.
type firstStarts struct {
	t    *testing.T
	seed uint64
	last map[uint64]int64 // job by key
	done int
}

func (o *firstStarts) Observe(f *history.Fact) {
	switch {
	case f.Kind == history.Ack:
		o.done++
	case f.Kind == history.Start && f.Attempt == 1:
		if before, ok := o.last[f.Key]; ok && f.Job < before {
			o.t.Errorf("seed %d: job %d of key %d begins after job %d", o.seed, f.Job, f.Key%1000, before)
		}
		o.last[f.Key] = f.Job
	}
}

// Whatever the members do (boot, drain, die, lose and regain their session, are
// put out of their group), jobs of one key begin in the order of their
// publishing, and in the end all are done.
func TestPartitionsKeepTheOrderOfKeys(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 9))
		yaml := fmt.Sprintf(`
seed: %d
run: 30m
network: {latency: %s}
queues: {q: {partitions: {count: %d, rebalance: %s}, prefetch: %d, lease: {length: %s, scope: process, on_loss: finish}, session: {heartbeat: 1s, suspect: 4s}}}
workers: {w: {count: %d, slots: %d}}
jobs: {j: {queue: q, arrivals: poisson 4/s until 2m, fields: {k: uniform 12}, key: 'k{k}', steps: [work: exp 1s]}}
events:
  grow: {at: %ds, for: %ds, set: {workers.w.count: %d}}
  death: {every: 17s, times: 6, crash: workers.w/any, for: %s}
  silence: {at: %ds, for: 7s, cut: {between: [workers.w/1, [queues.q, monitors.q_session]]}}
`, seed, []string{"0s", "5ms", "exp 100ms"}[r.IntN(3)], 1+r.IntN(8), []string{"0s", "3s"}[r.IntN(2)], 1+r.IntN(4), []string{"30s", "3s"}[r.IntN(2)],
			1+r.IntN(4), 1+r.IntN(3), 10+r.IntN(60), 10+r.IntN(60), 1+r.IntN(6), []string{"0s", "8s"}[r.IntN(2)], 5+r.IntN(80))
		o := &firstStarts{t: t, seed: seed, last: map[uint64]int64{}}
		w := newWorld(resolve(t, fmt.Sprint("seed ", seed), yaml, scenario.Assignment{Path: "run.max_events", Value: "3_000_000"}), Options{}, []history.Observer{o})
		w.start()
		if err := w.sim.Run(w.from.Add(w.sc.Run.Duration)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if w.queues[0].depth() > 0 || len(w.queues[0].held) > 0 || o.done == 0 {
			t.Errorf("seed %d: %d wait, %d are held, %d done\n%s", seed, w.queues[0].depth(), len(w.queues[0].held), o.done, yaml)
		}
	}
}
