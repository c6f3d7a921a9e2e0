package model

import (
	"fmt"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// troubled is a world in which messages are lost and processes die and freeze,
// until all is quiet at a minute. Orders come once, or twice under two messages.
const troubled = `
run: {duration: 20m}
network: {latency: exp 5ms, loss: 5%%, timeout: 1s}
queues:
  orders: {lease: {length: 5s, on_loss: ignore}, retry: {delay: 500ms, jitter: full, only: failure}}
  mails: {lease: 5s, timeout: 1s}
services:
  db: {checks: key, time: exp 10ms, in_progress: 10s}
  mailer: {time: 1ms}
workers: {w: {count: 3, takes: [orders]}, m: {count: 1, takes: [mails]}}
jobs:
  order: {queue: orders, arrivals: poisson 3/s until 1m, fields: {order: uniform 150}, key: 'order:{order}', steps: [%s]}
  mail: {queue: mails, steps: [write: mailer]}
events:
  deaths: {every: 2s, times: 25, crash: workers.w/any, for: 1s}
  freezes: {rate: 240/h, pause: workers.w, for: 3s..9s}
  quiet: {at: 1m, set: {network.loss: 0}}
`

// tally counts what happened to operations.
type tally struct {
	orders, effects, repeats, mailed int64
	seen                             map[uint64]bool
}

func (o *tally) Observe(f *history.Fact) {
	switch f.Kind {
	case history.Publish:
		if f.Type == 0 && !o.seen[f.Key] {
			o.seen[f.Key] = true
			o.orders++
		}
		if f.Type == 1 && !o.seen[f.Key] {
			o.seen[f.Key] = true
			o.mailed++
		}
	case history.Effect:
		if f.Type == 0 {
			o.effects++
			if f.Value > 1 {
				o.repeats++
			}
		}
	}
}

// Whatever is lost, dies or freezes: under an inbox every order has its effect
// once, and with an outbox its mail is sent. A key that is new at each attempt
// gives no such promise, and neither does a mail that is sent behind the write.
func TestInboxAndOutbox(t *testing.T) {
	var repeats, unsent [3]int64
	steps := []string{
		"once: db, work: exp 300ms, write: {to: db, outbox: true}, work: exp 300ms, publish: {job: mail, key: 'mail:{order}'}",
		"once: db, work: exp 300ms, write: db, work: exp 300ms, publish: {job: mail, key: 'mail:{order}'}",
		"work: exp 300ms, write: {to: db, key: '{job}-{attempt}'}, publish: {job: mail, key: 'mail:{order}'}",
	}
	for k, text := range steps {
		for seed := range 20 {
			o := &tally{seen: map[uint64]bool{}}
			sc := resolve(t, "troubled", fmt.Sprintf(troubled, text), scenario.Assignment{Path: "seed", Value: fmt.Sprint(seed)})
			w := newWorld(sc, Options{}, []history.Observer{o})
			w.start()
			run(t, w, 20*time.Minute)
			repeats[k] += o.repeats
			unsent[k] += o.orders - o.mailed
			if k < 2 && o.effects != o.orders {
				t.Errorf("seed %d: %s: %d effects of %d orders", seed, text, o.effects, o.orders)
			}
		}
	}
	if repeats[0] != 0 || repeats[1] != 0 || unsent[0] != 0 {
		t.Errorf("repeated effects %v and mails never sent %v; want none under an inbox, none with an outbox", repeats, unsent)
	}
	if repeats[2] == 0 || unsent[1] == 0 {
		t.Errorf("repeated effects %v and mails never sent %v: the trouble is not enough to tell good from bad", repeats, unsent)
	}
}

// Jobs that arrive are the same ones, and do the same, whether or not they
// publish others.
func TestPublishedJobsShiftNothing(t *testing.T) {
	works := func(steps string) map[int64]int64 {
		o := &arrivals{of: map[int64]int64{}}
		sc := resolve(t, "published", `
queues: {q: {}, r: {}}
workers: {w: {count: 1, slots: unlimited, takes: [q]}, v: {count: 2, takes: [r]}}
jobs:
  a: {queue: q, arrivals: poisson 1/s, fields: {k: uniform 9}, steps: [work: exp 1s`+steps+`]}
  b: {queue: r, steps: [work: exp 1s]}
run: 2m`)
		w := newWorld(sc, Options{}, []history.Observer{o})
		w.start()
		run(t, w, 2*time.Minute)
		return o.of
	}
	alone, with := works(""), works(", publish: b")
	if len(alone) < 60 || len(alone) != len(with) {
		t.Fatalf("%d and %d jobs done", len(alone), len(with))
	}
	for at, length := range alone {
		if with[at] != length {
			t.Errorf("the job that began at %v works %v alone and %v among others", time.Duration(at), time.Duration(length), time.Duration(with[at]))
		}
	}
}

// arrivals is how long the jobs of the first type worked, by when they began.
type arrivals struct{ of map[int64]int64 }

func (o *arrivals) Observe(f *history.Fact) {
	if f.Kind == history.Complete && f.Type == 0 {
		o.of[f.At-f.Value] = f.Value
	}
}
