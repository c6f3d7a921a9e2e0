package lease_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// A new grantor whose clock is 100 s ahead keeps what remains of a lease, or
// gives its full length again.
func TestInherit(t *testing.T) {
	for _, c := range []struct{ full, want policies.Instant }{
		{full: -policies.Never, want: at(110)}, // granted at 0 for 10
		{full: at(104 + 10), want: at(114)},    // it took over at 4
		{full: at(104 + 2), want: at(110)},     // never less than what remains
	} {
		var g lease.Grant
		g.Reset(&lease.GrantRule{Rising: true, Delay: time.Second})
		g.Step(at(0), lease.Ask{Kind: lease.Acquire, Owner: 1, Until: at(10)}, nil)
		g.Inherit(100*time.Second, c.full)
		assert.Equal(t, c.want, g.Until())
		assert.Empty(t, g.Step(c.want-1, lease.Ask{Kind: lease.Lapse}, nil))
		assert.Equal(t, lease.Expired, g.Step(c.want, lease.Ask{Kind: lease.Lapse}, nil)[0].Kind)
		assert.Equal(t, c.want.Add(time.Second), g.ClosedUntil())
	}
	var free lease.Grant
	free.Reset(&lease.GrantRule{})
	free.Inherit(time.Hour, at(5))
	assert.Equal(t, policies.Never, free.Until(), "what is free stays so")
}

// What was forgotten is refused to its holder for good, though nobody has it,
// and neither its serial nor a record's version comes again; its token does.
func TestForget(t *testing.T) {
	var g lease.Grant
	g.Reset(&lease.GrantRule{Rising: true})
	g.Step(at(0), lease.Ask{Kind: lease.Acquire, Owner: 1, Until: at(10)}, nil)
	g.Step(at(1), lease.Ask{Kind: lease.Release, Owner: 1, Serial: 1, Token: 1}, nil)
	known, seen := g, map[uint64]bool{g.Version(): true}
	lost := g.Step(at(2), lease.Ask{Kind: lease.Acquire, Owner: 2, Until: at(12)}, nil)[0]
	seen[g.Version()] = true

	g.Forget(known)
	assert.False(t, seen[g.Version()], "a version that was seen")
	_, _, held := g.Holder()
	assert.False(t, held)
	assert.Equal(t, lease.Refused, g.Step(at(3), lease.Ask{Kind: lease.Renew, Owner: 2, Serial: lost.Serial, Token: lost.Token, Until: at(13)}, nil)[0].Kind)
	next := g.Step(at(4), lease.Ask{Kind: lease.Acquire, Owner: 3, Until: at(14)}, nil)[0]
	assert.Greater(t, next.Serial, lost.Serial)
	assert.Equal(t, lost.Token, next.Token, "the number was forgotten with the grant")
	assert.Equal(t, lease.Refused, g.Step(at(5), lease.Ask{Kind: lease.Renew, Owner: 2, Serial: lost.Serial, Token: lost.Token, Until: at(15)}, nil)[0].Kind)
	assert.Equal(t, lease.Renewed, g.Step(at(6), lease.Ask{Kind: lease.Renew, Owner: 3, Serial: next.Serial, Token: next.Token, Until: at(16)}, nil)[0].Kind)
}
