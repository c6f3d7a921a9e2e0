package check

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

// lockKey names a lock: a store has many.
type lockKey struct {
	place history.Place
	key   uint64
}

// lock is what is known of one lock.
type lock struct {
	token     policies.Token // highest granted; 0: none yet, or the store has none
	granted   bool           // a grant stands at the store
	believers int32
}

// lock judges a fact at a lock store.
func (j *Judge) lock(f *history.Fact) {
	switch f.Kind {
	case history.Grant, history.Renew, history.Release, history.Expire, history.Revoke, history.Believe, history.Forget:
	default:
		return
	}
	key := lockKey{f.Place, f.Key}
	l := j.locks[key]
	if l == nil {
		l = new(lock)
		j.locks[key] = l
	}
	switch f.Kind {
	case history.Grant:
		j.granted(f, l)
	case history.Renew:
		l.granted = true // also when it had lapsed and was free
	case history.Believe:
		j.believe(f, &l.believers)
	case history.Forget: // the store no longer knows of later ones
		l.token, l.granted = f.Token, f.Value == 1
	default:
		l.granted = false
	}
}

func (j *Judge) granted(f *history.Fact, l *lock) {
	if f.Token > 0 {
		if f.Token <= l.token {
			j.object(Token, f, "token %d after token %d", f.Token, l.token)
		}
		if l.granted {
			j.object(Grant, f, "token %d while the grant before it stands", f.Token)
		}
		l.token = max(l.token, f.Token)
	}
	l.granted = true
}
