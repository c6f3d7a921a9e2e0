package store

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/worker"
)

// QueueRule says how a QueueTable hands out.
type QueueRule struct {
	// Claim is the rule of each delivery's claim.
	Claim lease.GrantRule
	// Length is how long a delivery's claim lasts.
	Length time.Duration
	// Deliveries is the number of deliveries of one message; instead of one
	// more it is dead-lettered. 0: unlimited.
	Deliveries int
	// RetryAfter is how long a message settled with Retry waits.
	RetryAfter time.Duration
}

// QueueTable is the reference queue: messages in the order of publication, one
// lease.Grant each; what comes back keeps its place.
type QueueTable struct {
	rule     *QueueRule
	messages []*message
	dead     []Delivery
	last     int64
	answers  []lease.Answer
}

type message struct {
	id       int64
	body     []byte
	attempts int
	ready    policies.Instant // not to be handed out before
	claim    lease.Grant
}

// NewQueueTable returns an empty queue.
func NewQueueTable(rule *QueueRule) *QueueTable { return &QueueTable{rule: rule} }

// Publish adds a message and returns its id: 1, 2, …
func (t *QueueTable) Publish(now policies.Instant, body []byte) int64 {
	t.last++
	m := &message{id: t.last, body: body, ready: now}
	m.claim.Reset(&t.rule.Claim)
	t.messages = append(t.messages, m)
	return t.last
}

// Receive hands out up to most messages that nobody has.
func (t *QueueTable) Receive(now policies.Instant, most int) []Delivery {
	var handed []Delivery
	kept := t.messages[:0]
	for _, m := range t.messages {
		t.ask(now, m, lease.Ask{Kind: lease.Lapse})
		_, _, held := m.claim.Holder()
		free := !held && m.ready <= now && m.claim.ClosedUntil() <= now && len(handed) < most
		if free && t.rule.Deliveries > 0 && m.attempts >= t.rule.Deliveries {
			t.dead = append(t.dead, m.delivery())
			continue
		}
		kept = append(kept, m)
		if !free {
			continue
		}
		t.ask(now, m, lease.Ask{Kind: lease.Acquire, Until: now.Add(t.rule.Length)})
		m.attempts++
		handed = append(handed, m.delivery())
	}
	clear(t.messages[len(kept):])
	t.messages = kept
	return handed
}

// Extend lets a delivery's claim end length after now; ErrStale when it is over.
func (t *QueueTable) Extend(now policies.Instant, d Delivery, length time.Duration) error {
	m := t.find(d.ID)
	if m == nil {
		return ErrStale
	}
	t.ask(now, m, lease.Ask{Kind: lease.Lapse})
	return staleness(t.ask(now, m, lease.Ask{Kind: lease.Renew, Serial: d.Receipt, Token: m.claim.Token(), Until: now.Add(length)}))
}

// Settle ends a delivery; ErrStale when its claim is over and the rule rejects
// what comes late.
func (t *QueueTable) Settle(now policies.Instant, d Delivery, how worker.Fate) error {
	m := t.find(d.ID)
	if m == nil {
		return ErrStale
	}
	t.ask(now, m, lease.Ask{Kind: lease.Lapse})
	a := t.ask(now, m, lease.Ask{Kind: lease.Release, Serial: d.Receipt, Token: m.claim.Token(), Clean: true})
	if a.Kind != lease.Released {
		return staleness(a)
	}
	switch how {
	case worker.Retry:
		m.ready = now.Add(t.rule.RetryAfter)
	case worker.DeadLetter:
		t.dead = append(t.dead, m.delivery())
		t.remove(m)
	case worker.Ack, worker.Drop:
		t.remove(m)
	}
	return nil
}

// Deadline is the next instant at which a message may become free; Never when
// only a settlement or a publication can bring one.
func (t *QueueTable) Deadline() policies.Instant {
	next := policies.Never
	for _, m := range t.messages {
		if _, _, held := m.claim.Holder(); held {
			next = min(next, m.claim.Until())
		} else {
			next = min(next, max(m.ready, m.claim.ClosedUntil()))
		}
	}
	return next
}

// Len is the number of messages that are not settled.
func (t *QueueTable) Len() int { return len(t.messages) }

// Dead lists the dead letters.
func (t *QueueTable) Dead() []Delivery { return t.dead }

func (m *message) delivery() Delivery {
	_, serial, _ := m.claim.Holder()
	return Delivery{ID: m.id, Body: m.body, Attempt: m.attempts, Receipt: serial}
}

func (t *QueueTable) find(id int64) *message {
	i := slices.IndexFunc(t.messages, func(m *message) bool { return m.id == id })
	if i < 0 {
		return nil
	}
	return t.messages[i]
}

func (t *QueueTable) remove(m *message) {
	t.messages = slices.DeleteFunc(t.messages, func(other *message) bool { return other == m })
}

// ask steps the message's claim and returns the first answer, if any.
func (t *QueueTable) ask(now policies.Instant, m *message, ask lease.Ask) lease.Answer {
	t.answers = m.claim.Step(now, ask, t.answers[:0])
	if len(t.answers) == 0 {
		return lease.Answer{}
	}
	return t.answers[0]
}
