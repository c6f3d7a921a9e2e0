package explain

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

// words turns facts into sentences.
type words struct{ names history.Names }

// subject names what a story is about.
func (w words) subject(f *history.Fact) string {
	if f.Job >= 0 {
		return fmt.Sprintf("job %d (%s)", f.Job, w.names.Jobs[f.Type].Name)
	}
	return w.process(f)
}

func (w words) process(f *history.Fact) string {
	if f.Group < 0 {
		return "nobody"
	}
	return fmt.Sprintf("workers.%s/%d", w.names.Groups[f.Group].Name, f.Process+1)
}

func (w words) place(p history.Place) string {
	switch p.Noun {
	case history.Queue:
		return "queues." + w.names.Queues[p.Index].Name
	case history.Lock:
		return "locks." + w.names.Locks[p.Index]
	case history.Service:
		return "services." + w.names.Services[p.Index].Name
	case history.Monitor:
		return "monitors." + w.names.Monitors[p.Index]
	case history.Cache:
		return "caches." + w.names.Caches[p.Index]
	case history.Event:
		return "events." + w.names.Events[p.Index]
	}
	return "the process"
}

// sentence is a fact in words.
func (w words) sentence(f *history.Fact) string {
	who, where, span := w.process(f), w.place(f.Place), readable(time.Duration(f.Value))
	if tell, ok := sentences[f.Kind]; ok {
		return tell(who, where, span, f)
	}
	return fmt.Sprintf("%s: %s at %s", f.Kind.Word(), who, where)
}

// readable drops the digits of a span that nobody reads, but keeps what is not a
// span (a class, a number) as it is.
func readable(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(time.Microsecond)
	}
	return d
}

// sentences has one for each kind of fact that a story tells.
var sentences = map[history.Kind]func(who, where string, span time.Duration, f *history.Fact) string{
	history.Publish: func(who, where string, _ time.Duration, _ *history.Fact) string { return "published to " + where },
	history.PublishRefused: func(_, where string, _ time.Duration, _ *history.Fact) string {
		return where + " refuses it: there is no room, or its lease is out of range"
	},
	history.Deliver: func(who, where string, _ time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s hands it to %s (delivery %d)", where, who, f.Delivery)
	},
	history.Start: func(who, _ string, _ time.Duration, f *history.Fact) string {
		if f.Attempt > 1 {
			return fmt.Sprintf("%s starts it: start %d of this job", who, f.Attempt)
		}
		return who + " starts it"
	},
	history.Complete: func(who, _ string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s has finished, after %v", who, span)
	},
	history.Fail: func(who, _ string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s gives it up with a %v error", who, policies.Class(span))
	},
	history.Ack: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return where + " takes the acknowledgement of " + who + ": the message is gone"
	},
	history.AckRefused: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return where + " does not take what " + who + " says: its claim is over"
	},
	history.Return: func(_, where string, _ time.Duration, _ *history.Fact) string { return "it is back in " + where },
	history.Expire: func(who, where string, span time.Duration, _ *history.Fact) string {
		if span == 0 {
			return fmt.Sprintf("%s ends the claim of %s, who is dead", where, who)
		}
		return fmt.Sprintf("%s ends the claim of %s, who is alive: it has not been renewed in time", where, who)
	},
	history.LostAlive: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return who + " has lost it and may not know"
	},
	history.Retry: func(_, where string, span time.Duration, f *history.Fact) string {
		return fmt.Sprintf("it waits %v before it is tried again (%s)", span, where)
	},
	history.DeadLetter: func(_, where string, span time.Duration, _ *history.Fact) string {
		if span == 1 {
			return where + " sets it aside, though it has never started"
		}
		return where + " sets it aside: its attempts are used up"
	},
	history.Drop: func(who, where string, _ time.Duration, _ *history.Fact) string { return "it is dropped" },
	history.Effect: func(_, where string, span time.Duration, _ *history.Fact) string {
		if span > 1 {
			return fmt.Sprintf("its effect lands once more at %s: %d times for one key", where, int64(span))
		}
		return "its effect lands at " + where
	},
	history.IdempotencyHit: func(_, where string, _ time.Duration, _ *history.Fact) string {
		return where + " knows the key: nothing happens twice"
	},
	history.WriteRefused: func(who, where string, _ time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s refuses the write of %s with token %d", where, who, f.Token)
	},
	history.StaleWrite: func(who, where string, span time.Duration, f *history.Fact) string {
		if span == 1 {
			return fmt.Sprintf("%s accepts a stale write of %s: somebody was granted the lock after token %d", where, who, f.Token)
		}
		return fmt.Sprintf("a stale write of %s, with token %d", who, f.Token)
	},
	history.FenceViolation: func(_, where string, span time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s has accepted token %d after token %d", where, f.Token, int64(span))
	},
	history.Grant: func(who, where string, span time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s is granted to %s with token %d, after %v", where, who, f.Token, span)
	},
	history.Renew: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return who + " renews its claim at " + where
	},
	history.RenewFail: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return "a renewal of " + who + " at " + where + " fails"
	},
	history.Release: func(who, where string, _ time.Duration, _ *history.Fact) string { return who + " gives back " + where },
	history.Revoke: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return "an operator takes " + where + " from " + who
	},
	history.Refuse: func(who, where string, _ time.Duration, _ *history.Fact) string { return where + " refuses " + who },
	history.Orphaned: func(who, where string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s was closed for %v by %s, who was gone", where, span, who)
	},
	history.LockTimeout: func(who, where string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s gives up waiting for %s after %v", who, where, span)
	},
	history.Suspect: func(who, where string, span time.Duration, _ *history.Fact) string {
		if span < 0 {
			return fmt.Sprintf("%s takes %s for dead; it is alive", where, who)
		}
		return fmt.Sprintf("%s takes %s for dead, %v after it died", where, who, span)
	},
	history.Trust: func(who, where string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s trusts %s again, after %v", where, who, span)
	},
	history.Crash: func(who, _ string, _ time.Duration, _ *history.Fact) string { return who + " dies" },
	history.Boot:  func(who, _ string, _ time.Duration, _ *history.Fact) string { return who + " boots" },
	history.Stop:  func(who, _ string, _ time.Duration, _ *history.Fact) string { return who + " has drained and stops" },
	history.Pause: func(who, _ string, _ time.Duration, _ *history.Fact) string {
		return who + " freezes: nothing in it runs"
	},
	history.Resume: func(who, _ string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s goes on, after %v", who, span)
	},
	history.Hit: func(who, where string, span time.Duration, f *history.Fact) string {
		if f.Attempt == 1 {
			return fmt.Sprintf("%s finds a copy in %s, %v old; the source has something else by now", who, where, span)
		}
		return fmt.Sprintf("%s finds a copy in %s, %v old", who, where, span)
	},
	history.Miss: func(who, where string, span time.Duration, _ *history.Fact) string {
		if span == 1 {
			return where + " does not answer " + who
		}
		return who + " finds no copy in " + where
	},
	history.Fill: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return where + " takes the copy that " + who + " has fetched"
	},
	history.Mismatch: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return who + " has asked the source: the copy in " + where + " was wrong"
	},
	history.Call: func(who, where string, _ time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s calls %s (attempt %d)", who, where, f.Attempt)
	},
	history.Serve: func(_, where string, _ time.Duration, _ *history.Fact) string {
		return where + " begins to serve the call"
	},
	history.Served: func(who, where string, span time.Duration, f *history.Fact) string {
		return fmt.Sprintf("%s has the answer of %s after %v: %v", who, where, span, policies.Class(f.Attempt))
	},
	history.TimeOut: func(who, where string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s has waited %v for %s, and waits no longer", who, span, where)
	},
	history.Open: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return "the breaker of " + who + " before " + where + " opens"
	},
	history.HalfOpen: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return "the breaker of " + who + " before " + where + " lets a probe through"
	},
	history.Close: func(who, where string, _ time.Duration, _ *history.Fact) string {
		return "the breaker of " + who + " before " + where + " closes"
	},
	history.TakeOver: func(who, _ string, span time.Duration, _ *history.Fact) string {
		return fmt.Sprintf("%s takes over, %v after the death", who, span)
	},
	history.EventBegin: func(_, where string, _ time.Duration, _ *history.Fact) string { return where + " begins" },
	history.EventEnd:   func(_, where string, _ time.Duration, _ *history.Fact) string { return where + " ends" },
	history.Done: func(_, _ string, span time.Duration, f *history.Fact) string {
		if f.Delivery == 1 {
			return "the last copy is gone without an effect: the job is lost"
		}
		return fmt.Sprintf("the last copy is gone, %v after publishing", span)
	},
}
