package explain

import (
	"fmt"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

// say is a sentence with holes; see telling.fill.
func say(text string) func(*telling) string {
	return func(t *telling) string { return t.fill(text) }
}

// either is one of two sentences, chosen by the fact.
func either(is func(*telling) bool, yes, no string) func(*telling) string {
	return func(t *telling) string {
		if is(t) {
			return t.fill(yes)
		}
		return t.fill(no)
	}
}

// value is a test that the fact's value is v.
func value(v int64) func(*telling) bool { return func(t *telling) bool { return t.Value == v } }

// refused is a refusal, by the component that it comes from.
func refused(t *telling) string {
	switch t.Place.Noun {
	case history.Lock:
		return t.fill("{where} refuses {who}: another holds it")
	case history.Service:
		return t.fill("{where} does not take the call of {who}: a breaker is open, a limit is reached, or the key is in progress")
	}
	return t.fill("{where} refuses {who}")
}

// lapsed is the end of a claim by its grantor.
func lapsed(t *telling) string {
	switch {
	case t.Value == 0:
		return t.fill("{where} ends the claim of {who}, who is dead")
	case t.remark == letGo && t.Place.Noun == history.Lock:
		return t.fill("{where} ends the claim of {who}, who is alive and had given it back: {where} has not heard of that")
	case t.remark == letGo:
		return t.fill("{where} ends the claim of {who}, who is alive and had settled it: {where} has not heard of that")
	}
	return t.fill("{where} ends the claim of {who}, who is alive: it has not been renewed in time")
}

// found is what a reconciler finds, by what it looks for.
func found(t *telling) string {
	return t.fill([history.Findings]string{
		history.FoundUnacked:    "{where} finds that {it} has had its effect and is still in its queue, for {span} now",
		history.FoundIncomplete: "{where} finds that {its} message is gone and an effect is missing, for {span} now",
		history.FoundOrphan:     "{where} finds a lock that nobody living holds, for {span} now",
		history.FoundCopy:       "{where} finds a copy that contradicts its source, for {span} now",
	}[t.Attempt])
}

// repaired is what a reconciler does about it.
func repaired(t *telling) string {
	return t.fill([history.Findings]string{
		history.FoundUnacked:    "{where} acknowledges {its} message",
		history.FoundIncomplete: "{where} publishes {it} again",
		history.FoundOrphan:     "{where} takes the grant of that holder away",
		history.FoundCopy:       "{where} drops the copy",
	}[t.Attempt])
}

// notTaken is a settlement that the queue does not accept.
func notTaken(t *telling) string {
	switch {
	case t.Value == 0:
		return t.fill("{where} does not take what {who} says: the message is gone")
	case t.remark == unheard:
		return t.fill("{where} does not hear what {who} says: it does not serve")
	}
	return t.fill("{where} does not take what {who} says: its claim is over")
}

// believes is what a process believes of a lock, or that it runs a job.
func believes(t *telling) string {
	switch {
	case t.Value < 0:
		return t.fill("{who} no longer believes that it owns {where}")
	case t.Place.Noun != history.Lock:
		return t.fill("{who} runs {it} while another does: {attempt} at once")
	case t.Attempt > 1:
		return t.fill("{who} believes that it owns {where}, and so does another: {attempt} at once")
	}
	return t.fill("{who} believes that it owns {where}")
}

// breaker is whose breaker it is.
func breaker(what string) func(*telling) string {
	return either(func(t *telling) bool { return t.Process < 0 },
		"the breaker that all callers of {where} share "+what, "the breaker of {who} before {where} "+what)
}

// sentences has one for each kind of fact that a story tells.
var sentences = map[history.Kind]func(*telling) string{
	// Jobs and queues.
	history.Publish: either(func(t *telling) bool { return t.Place.Noun == history.Queue },
		"{it} is published to {where}", "it is time for {it}, which a process begins by itself"),
	history.PublishRefused: say("{where} refuses {it}: there is no room, or its lease is out of range"),
	history.Suppress:       say("{where} drops {it}: it knows the id already"),
	history.Deliver:        say("{where} hands {it} to {who} (delivery {delivery})"),
	history.Start: either(func(t *telling) bool { return t.Attempt > 1 },
		"{who} starts {it}: start {attempt} of this job", "{who} starts {it}"),
	history.Complete: say("{who} has finished {it}, after {span}"),
	history.Fail: func(t *telling) string {
		return t.fill(fmt.Sprintf("{who} gives {it} up with a %v error", policies.Class(t.Value)))
	},
	history.Ack: either(func(t *telling) bool { return t.Process < 0 },
		"{where} counts {it} as acknowledged: the message is gone", "{where} takes the acknowledgement of {who}: the message is gone"),
	history.AckRefused: notTaken,
	history.Return:     say("{it} is back in {where}"),
	history.Retry:      say("{it} waits {span} before the next try ({where})"),
	history.DeadLetter: either(value(1),
		"{where} sets {it} aside, though it has never started", "{where} sets {it} aside as a dead letter"),
	history.Replay: say("{it} is taken from the dead letters and put back into {where}"),
	history.Drop:   say("{it} is dropped"),
	history.Strand: say("the run ends, and nobody can run {it}: it waits in {where} without an effect"),
	history.TakeOver: either(func(t *telling) bool { return t.Place.Noun == history.Lock },
		"{who} takes over {where}, {span} after the death of its holder", "{who} takes over, {span} after the death"),
	history.Done: either(func(t *telling) bool { return t.Delivery == 1 },
		"the last copy is gone without an effect: {it} is lost", "the last copy is gone, {span} after publishing"),
	history.Rebalance: say("the members of the group of {where} have changed: for {span} nobody gets anything"),

	// Effects.
	history.Effect: either(func(t *telling) bool { return t.Value > 1 },
		"{its} effect lands once more at {where}: {value} times for one key", "{its} effect lands at {where}"),
	history.IdempotencyHit: say("{where} knows the key: nothing happens twice"),
	history.WriteRefused: either(func(t *telling) bool { return t.Token == 0 },
		"{where} refuses the write of {who}: it carries no token, or the version has changed", "{where} refuses the write of {who} with token {token}"),
	history.StaleIgnored: say("{where} ignores the write of {who}: the row is no older"),
	history.StaleWrite: either(value(1),
		"{where} accepts a stale write of {who}: somebody was granted the lock after token {token}", "a stale write of {who} arrives at {where}, with token {token}"),
	history.FenceViolation: say("{where} has accepted token {token} after token {value}"),
	history.Update: either(func(t *telling) bool { return t.Attempt == history.RankStatus },
		"the row at {where} has status {value} now", "the row at {where} has number {value} now"),
	history.Regress: either(func(t *telling) bool { return t.Attempt == history.RankStatus },
		"with that the row has gone back: it had status {value}", "with that the row has gone back: it had number {value}"),

	// Claims on locks and deliveries.
	history.Grant: say("{where} is granted to {who} with token {token}, after {span}"),
	history.Renew: say("{who} renews its claim at {where}"),
	history.RenewFail: either(value(1),
		"a renewal of {who} at {where} fails", "{where} refuses a renewal of {who}: the claim is over"),
	history.Expire: lapsed,
	history.LostAlive: either(func(t *telling) bool { return t.Place.Noun == history.Lock },
		"{who} has lost {where} and may not know", "{who} has lost {it} and may not know"),
	history.Believe: believes,
	history.Notice:  say("{who} learns that it has lost its claim, {span} after it did"),
	history.Release: say("{who} gives back {where}"),
	history.Revoke:  say("an operator takes {where} from {who}"),
	history.Refuse:  refused,
	history.Orphaned: either(value(1),
		"{where} has not heard that {who} gave it back, and stays closed", "{where} stays closed: {who}, who holds it, is dead"),
	history.OrphanEnd: either(func(t *telling) bool { return t.Attempt == 1 },
		"{where} has been closed by nobody for {span} and still is, at the end of the run", "{where} was closed by nobody for {span}"),
	history.LockTimeout: say("{who} gives up waiting for {where} after {span}"),
	history.Deadlock:    say("{who} waits for {where}, and with that {value} wait for each other in a circle"),
	history.Elect:       say("member {attempt} of {where} becomes its leader, {span} after there was none"),
	history.Forget: either(value(1),
		"the fail-over of {where} undoes what happened to the lock: the newest token known is {token}, and a claim stands",
		"the fail-over of {where} undoes what happened to the lock: the newest token known is {token}, and nobody holds it"),

	// Processes and who watches them.
	history.Beat: say("a heartbeat of {who} reaches {where}: the last one for now"),
	history.Suspect: either(func(t *telling) bool { return t.Value < 0 },
		"{where} takes {who} for dead; it is alive", "{where} takes {who} for dead, {span} after it died"),
	history.Trust:  say("{where} trusts {who} again, after {span}"),
	history.Crash:  say("{who} dies"),
	history.Boot:   say("{who} boots"),
	history.Stop:   say("{who} has drained and stops"),
	history.Pause:  say("{who} freezes: nothing in it runs"),
	history.Resume: say("{who} goes on, after {span}"),

	// Calls, breakers and caches.
	history.Call:  say("{who} calls {where} (attempt {attempt})"),
	history.Serve: say("{where} begins to serve the call"),
	history.Served: func(t *telling) string {
		return t.fill(fmt.Sprintf("{who} has the answer of {where} after {span}: %v", policies.Class(t.Attempt)))
	},
	history.TimeOut: func(t *telling) string {
		switch {
		case t.remark == ofRenewal:
			return t.fill("{who} has waited {span} for {where} to answer its renewal, and waits no longer")
		case t.Place.Noun == history.Lock, t.Place.Noun == history.Queue:
			return t.fill("{who} has waited {span} for {where} to answer its request, and waits no longer")
		}
		return t.fill("{who} has waited {span} for {where}, and waits no longer")
	},
	history.Open:     breaker("opens"),
	history.HalfOpen: breaker("lets a probe through"),
	history.Close:    breaker("closes"),
	history.Hit: either(func(t *telling) bool { return t.Attempt == 1 },
		"{who} finds a copy in {where}, {span} old; the source has something else by now", "{who} finds a copy in {where}, {span} old"),
	history.Miss:     either(value(1), "{where} does not answer {who}", "{who} finds no copy in {where}"),
	history.Fill:     say("{where} takes the copy that {who} has fetched"),
	history.Mismatch: say("{who} has asked the source: the copy in {where} was wrong"),

	// The scenario, and who looks after it.
	history.EventBegin: say("{where} begins: {does}"),
	history.EventEnd:   say("{where} ends"),
	history.Alert:      say("{where} fires; its condition has held for {span}"),
	history.Found:      found,
	history.Repair:     repaired,
}
