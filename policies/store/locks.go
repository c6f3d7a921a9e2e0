package store

import (
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// LockTable is the reference lock store: one lease.Grant per name.
type LockTable struct {
	rule    *lease.GrantRule
	grants  map[string]*lease.Grant
	answers []lease.Answer
}

// NewLockTable returns an empty table; the rule must pass Check.
func NewLockTable(rule *lease.GrantRule) *LockTable {
	return &LockTable{rule: rule, grants: map[string]*lease.Grant{}}
}

// Acquire grants a lock that nobody holds; else ErrHeld.
func (t *LockTable) Acquire(now policies.Instant, name string, owner int64, length time.Duration) (Claim, error) {
	a := t.ask(now, name, lease.Ask{Kind: lease.Acquire, Owner: owner, Until: now.Add(length)})
	if a.Kind != lease.Granted {
		return Claim{}, ErrHeld
	}
	return Claim{Name: name, Owner: owner, Serial: a.Serial, Token: a.Token}, nil
}

// Renew extends a claim; ErrStale when it is over.
func (t *LockTable) Renew(now policies.Instant, c Claim, length time.Duration) error {
	return t.settle(now, c, lease.Ask{Kind: lease.Renew, Until: now.Add(length)})
}

// Release ends a claim; ErrStale when it is over already.
func (t *LockTable) Release(now policies.Instant, c Claim) error {
	return t.settle(now, c, lease.Ask{Kind: lease.Release, Clean: true})
}

// Holder is the owner who holds the lock at now.
func (t *LockTable) Holder(now policies.Instant, name string) (owner int64, ok bool) {
	g := t.look(now, name)
	owner, _, ok = g.Holder()
	return owner, ok
}

func (t *LockTable) settle(now policies.Instant, c Claim, ask lease.Ask) error {
	ask.Owner, ask.Serial, ask.Token = c.Owner, c.Serial, c.Token
	return staleness(t.ask(now, c.Name, ask))
}

// ask looks for expiry first: between two requests nobody can tell whether it
// was noticed at once.
func (t *LockTable) ask(now policies.Instant, name string, ask lease.Ask) lease.Answer {
	t.answers = t.look(now, name).Step(now, ask, t.answers[:0])
	return t.answers[0]
}

func (t *LockTable) look(now policies.Instant, name string) *lease.Grant {
	g := t.grants[name]
	if g == nil {
		g = new(lease.Grant)
		g.Reset(t.rule)
		t.grants[name] = g
	}
	t.answers = g.Step(now, lease.Ask{Kind: lease.Lapse}, t.answers[:0])
	return g
}

func staleness(a lease.Answer) error {
	if a.Kind == lease.Refused {
		return ErrStale
	}
	return nil
}
