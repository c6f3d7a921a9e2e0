package idempotency

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// Rule says how long a table remembers.
type Rule struct {
	// Remembers is how long a done key is known, counted from when it was
	// marked done; 0 = for ever.
	Remembers time.Duration
	// Refresh: every repeat of a done key starts its time anew.
	Refresh bool
	// InProgress is how long a begun key keeps others out if it is neither
	// completed nor forgotten; 0 = for ever.
	InProgress time.Duration
}

// Check reports the first setting that cannot be meant.
func (r *Rule) Check() error {
	if r.Remembers < 0 {
		return fmt.Errorf("idempotency: remembers for %v; give a positive duration, or 0 for ever", r.Remembers)
	}
	if r.InProgress < 0 {
		return fmt.Errorf("idempotency: in progress for %v; give a positive duration, or 0 for ever", r.InProgress)
	}
	return nil
}

// State is what a table knows of a key.
type State uint8

const (
	// Absent: never seen, forgotten, or expired.
	Absent State = iota
	// InProgress: somebody has begun and not ended.
	InProgress
	// Done: the effect is there.
	Done
)

func (s State) String() string { return [...]string{"absent", "in progress", "done"}[s] }

// Claim names one Begin, so that a claim that has expired cannot undo the one
// that took its place. 0 is no claim.
type Claim uint64

// Table is the record of the keys of one store.
type Table struct {
	rule   *Rule
	marks  map[uint64]mark
	done   map[uint64]struct{} // keys that are done for ever and nobody's claim: most keys of a long run
	expiry queue
	claims Claim
}

type mark struct {
	until policies.Instant
	claim Claim
	state State
}

// Reset empties the table, under a checked rule.
func (t *Table) Reset(rule *Rule) {
	*t = Table{rule: rule, marks: map[uint64]mark{}, done: map[uint64]struct{}{}}
}

// Apply is the unique key of a table: true means that the key was not done and
// now is, so the effect is to be applied; false, that it is a duplicate. A key
// in progress is completed.
func (t *Table) Apply(now policies.Instant, key uint64) bool {
	if t.rule.Remembers == 0 && len(t.marks) == 0 { // one look at the key says it all
		before := len(t.done)
		t.done[key] = struct{}{}
		return len(t.done) > before
	}
	if t.look(now, key).state == Done {
		return false
	}
	t.put(now, key, mark{state: Done}, t.rule.Remembers)
	return true
}

// Take is Apply by somebody who may give the key back before its time (Abandon),
// such as a queue that knows an id only until its job starts. A duplicate gets
// the claim 0.
func (t *Table) Take(now policies.Instant, key uint64) Claim {
	if t.look(now, key).state == Done {
		return 0
	}
	t.claims++
	t.put(now, key, mark{state: Done, claim: t.claims}, t.rule.Remembers)
	return t.claims
}

// Begin claims a key before work. Absent: the caller has the claim and is to
// do the work. InProgress or Done: it is not, and the claim is 0.
func (t *Table) Begin(now policies.Instant, key uint64) (State, Claim) {
	if m := t.look(now, key); m.state != Absent {
		return m.state, 0
	}
	t.claims++
	t.put(now, key, mark{state: InProgress, claim: t.claims}, t.rule.InProgress)
	return Absent, t.claims
}

// Complete marks a key done: the effect is there, whoever brought it and
// whether or not the claim had expired.
func (t *Table) Complete(now policies.Instant, key uint64) {
	t.sweep(now)
	t.put(now, key, mark{state: Done}, t.rule.Remembers)
}

// Abandon gives a claim back, so that the key is absent again. It does nothing
// if the claim has been completed, or is not the one that stands.
func (t *Table) Abandon(key uint64, c Claim) {
	if m := t.marks[key]; c != 0 && m.claim == c {
		delete(t.marks, key)
	}
}

// Forget removes a key, whatever its state.
func (t *Table) Forget(key uint64) {
	delete(t.marks, key)
	delete(t.done, key)
}

// Lose removes the keys for which lost is true, whatever their state: a store
// that keeps them in memory alone has lost them.
func (t *Table) Lose(lost func(key uint64) bool) {
	for key := range t.marks { // order-free: each key is judged by itself
		if lost(key) {
			delete(t.marks, key)
		}
	}
	for key := range t.done { // order-free: each key is judged by itself
		if lost(key) {
			delete(t.done, key)
		}
	}
}

// Seen is what the table knows of a key, and leaves no trace.
func (t *Table) Seen(now policies.Instant, key uint64) State {
	return t.find(now, key).state
}

// find is the mark of a key that is valid at now, the zero mark if none is.
func (t *Table) find(now policies.Instant, key uint64) mark {
	if _, ok := t.done[key]; ok {
		return mark{until: policies.Never, state: Done}
	}
	if m := t.marks[key]; now < m.until {
		return m
	}
	return mark{}
}

// Len is the number of keys held, some of which may have expired unnoticed.
func (t *Table) Len() int { return len(t.marks) + len(t.done) }

// look is a repeat's look at a key: it drops what has expired and refreshes
// what the rule says.
func (t *Table) look(now policies.Instant, key uint64) mark {
	t.sweep(now)
	m := t.find(now, key)
	if m.state == Done && t.rule.Refresh {
		t.put(now, key, m, t.rule.Remembers)
	}
	return m
}

func (t *Table) put(now policies.Instant, key uint64, m mark, length time.Duration) {
	if m.state == Done && m.claim == 0 && length == 0 {
		delete(t.marks, key)
		t.done[key] = struct{}{}
		return
	}
	m.until = policies.Never
	if length > 0 {
		m.until = now.Add(length)
		t.expiry.push(due{m.until, key})
	}
	t.marks[key] = m
}

// sweep drops up to two marks that have expired: one more than a call can add,
// so the table shrinks to what is valid without ever stopping to clean up.
func (t *Table) sweep(now policies.Instant) {
	for range 2 {
		d, ok := t.expiry.first()
		if !ok || now < d.until {
			return
		}
		t.expiry.pop()
		if m, ok := t.marks[d.key]; ok && now >= m.until {
			delete(t.marks, d.key)
		}
	}
}
