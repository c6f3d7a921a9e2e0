package explain

import (
	"strings"
	"testing"

	"github.com/tenggat/tenggat/model/scenario"
)

// Two jobs of which the freeze strikes the one that w/1 has in hand: the first,
// and with less work the second. Its effects are at two services.
const oneOfTwo = `
name: two
run: {duration: 2m}
queues: {q: {lease: 10s}}
services: {ledger: {}, mail: {}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s and at 1200ms and at 2500ms, key: 'order-{job}', steps: [work: 4s, write: ledger, write: mail]}}
events: {gc: {at: 3s, pause: workers.w/1, for: 20s}, late: {at: 60s, for: 5s, pause: workers.w/2}}
variants:
  quick: {jobs.pay.steps.work: 1s}
  keyed: {services.ledger.checks: key}
  calm: {events.gc: none}
  calm_and_keyed: {events.gc.for: 1s, services.ledger.checks: key}
  later: {jobs.pay.arrivals: at 40s}
  fresh: {jobs.pay.steps.write.key: '{job}-{attempt}', jobs.pay.steps.write.2.key: '{job}-{attempt}'}
  all: {services.ledger.checks: key, services.mail.checks: key, workers.w.slots: 2}
`

// Three start a nightly job under a lock in Redis, whose holder freezes.
const nightly = `
name: nightly
run: {duration: 10m}
locks: {nightly: {preset: redis-set-nx-px, own: {PX: 120000}, wait: {poll: none, refused: skip}}}
services: {ledger: {}}
workers: {w: {count: 3}}
jobs: {night: {by: w, arrivals: [at 0s, at 60s, at 125s], key: night, steps: [lock: nightly, work: 90s, write: {to: ledger, token: nightly}]}}
events: {migration: {at: 20s, pause: workers.w/1, for: 45s}}
variants:
  ttl: {locks.nightly.own.PX: 300000}
  unlocked: {jobs.night.steps: [work: 90s, write: ledger]}
`

// A remedy leaves the fault, the load and what tells the harm as they are (calm,
// later, fresh are none), and lessens the harm, not only the subject's (quick);
// of a variant the part that does it is named. An event alone is a cause.
func TestWhatIsARemedy(t *testing.T) {
	story := explained(t, oneOfTwo, "duplicate_effects")
	_, trials, _ := strings.Cut(asText(story), "24s after publishing\n")
	const want = `set off by events.gc [{events.gc none}]: 0 of 2, worse: []
prevented by keyed, calm_and_keyed, all [{services.ledger.checks key}]: 1 of 2, worse: []
prevented by all [{services.ledger.checks key} {services.mail.checks key} {workers.w.slots 2}]: 0 of 2, worse: [{{duplicate_starts 2} 1} {{overlaps 2} 1} {{leases_lost_alive 2} 1}]
escaped by quick [{jobs.pay.steps.work 1s}]: 2 of 2, worse: []
`
	if trials != want {
		t.Errorf("tried:\n%s", trials)
	}
}

// The story of a lock's harm begins where the other holder began, and tells what
// became of its claim; a lock that nobody takes is no remedy of it, and a preset's
// own name stands for the setting that it is.
func TestRivals(t *testing.T) {
	golden(t, "testdata/nightly_overlap.txt", asText(explained(t, nightly, "overlap_s")))
	golden(t, "testdata/nightly_effect.txt", asText(explained(t, nightly, "duplicate_effects")))
}

// An exchange of the harm for another that cannot be made good is no remedy.
func TestAnExchangeIsNoRemedy(t *testing.T) {
	story := explained(t, `
name: exchange
run: {duration: 1m}
queues: {q: {lease: 10s}}
services: {ledger: {}}
workers: {w: {count: 2}}
jobs: {pay: {queue: q, arrivals: at 1s, steps: [work: 4s, write: ledger]}}
events: {death: {at: 3s, crash: workers.w/1, for: 5s}}
variants: {early: {queues.q.ack: start}}
`, "duplicate_starts")
	if len(story.Prevented) > 0 || len(story.Escaped) != 1 || story.Escaped[0].Left() != 0 {
		t.Errorf("prevented by %v, escaped by %v", story.Prevented, story.Escaped)
	}
}

// The story of an orphan is one of the lock: from the grant to its end.
func TestOrphan(t *testing.T) {
	golden(t, "testdata/orphan.txt", asText(explained(t, orphaned, "locks.l.orphan_locks")))
}

// A holder dies, and comes back before the lease ends.
const orphaned = `
name: orphaned
run: {duration: 1m}
locks: {l: {lease: 20s}}
workers: {w: {count: 2}}
jobs: {pay: {by: w, arrivals: [at 1s, at 5s], steps: [lock: l, work: 4s]}}
events: {death: {at: 3s, crash: workers.w/1, for: 5s}}
variants: {shorter: {locks.l.lease: 1500ms}}
`

func explained(t *testing.T, text, harm string) *Story {
	f, err := scenario.Parse("case.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var candidates []Change
	for _, v := range f.Variants[1:] {
		candidates = append(candidates, Change{Name: v, Variant: v})
	}
	story, err := Explain(f, Question{Variant: "base", Harm: harm, Candidates: candidates})
	if err != nil {
		t.Fatal(err)
	}
	return story
}
