package scenario

import (
	"errors"
	"slices"
	"time"
)

// The lease of a delivery and the lease of a lock have the same keys, and
// differ in what a holder does that knows of its loss.
var (
	deliveryLease = define(block{name: "delivery lease", main: "length", keys: leaseKeys("ignore")})
	lockLease     = define(block{name: "lock lease", main: "length", keys: leaseKeys("stop")})
)

func leaseKeys(onLoss string) []key {
	return []key{
		{name: "length", client: true, form: lengthValue.form, initial: "30s", help: "how long a grant lasts; none: tied to the holder's session, or for ever"},
		{name: "from", form: startValue.form, initial: "receive", help: "what starts the clock of a delivery's lease"},
		{name: "renew", client: true, form: renewBlock.form, help: "the beat that extends it"},
		{name: "cap", form: durationValue.form, initial: "forever", help: "longest total from the first grant; a longer renewal is refused"},
		{name: "range", form: rangeValue.form, initial: "0s..forever", help: "lengths that the grantor accepts"},
		{name: "outside", form: outsideValue.form, initial: "refuse", help: "what becomes of a length outside the range; a duration replaces it silently"},
		{name: "check", form: checkBlock.form, initial: "0s", help: "when the grantor looks for expired ones"},
		{name: "slack", form: slackValue.form, initial: "0s", help: "expiry comes so much after (negative: before) the deadline"},
		{name: "expires_by", client: true, form: expiresValue.form, initial: "store", help: "who finds it expired: the store; a waiter, from its first observation, by the recorded or by its own length; the record's absolute end against the waiter's wall clock"},
		{name: "believe_for", client: true, form: believeValue.form, initial: "=length", help: "time after the last good request was sent (from reply: was answered) when the holder stops believing; told: only a refusal ends it"},
		{name: "on_loss", client: true, form: lossValue.form, initial: onLoss, help: "what a holder does that knows of its loss; finish: this work, and takes no more until it has ended"},
		{name: "late_settle", form: lateBlock.form, initial: "{}", help: "what becomes of an ack, return or renewal that comes late"},
		{name: "scope", form: scopeValue.form, initial: "message", help: "what a lapse gives back; channel: all that the process has not acknowledged; process: it also leaves its group"},
		{name: "delay", form: durationValue.form, initial: "0s", help: "locks: closed for so long after an unclean end"},
		{name: "at_least", form: durationValue.form, initial: "0s", help: "locks: shortest hold"},
	}
}

var (
	startValue   = choice[Start]("start", "receive", "start", "enqueue")
	expiresValue = choice[ExpiresBy]("observer", "store", "waiter", "waiter_own", "record")
	lossValue    = choice[Loss]("reaction", "stop", "finish", "ignore")
	scopeValue   = choice[Scope]("scope", "message", "channel", "process")
	settleValue  = choice[Settle]("settlement", "accept", "ignore", "reject", "steal")
	coversValue  = choice[Covers]("deliveries", "held", "running")
	errorValue   = choice[OnError]("reaction", "next", "retry", "stop", "release")
	senderValue  = choice[uint8]("sender", "thread", "handler")
	clockValue   = choice[uint8]("clock", "monotonic", "wall")
)

// beatKeys are the rows that renewals and heartbeats share.
var beatKeys = []key{
	{name: "every", form: periodValue.form, help: "period"},
	{name: "clock", form: clockValue.form, initial: "monotonic", help: "clock of the sender that it runs on"},
	{name: "sender", form: senderValue.form, initial: "thread", help: "handler: only between jobs"},
	{name: "timeout", form: durationValue.form, initial: "=network.timeout", help: "a beat unanswered for so long has failed"},
	{name: "on_error", form: errorValue.form, initial: "next", help: "next: wait for the next beat; retry: after `retry`; stop: no more beats; release: give up what is held"},
	{name: "retry", form: scriptDuration.form, help: "waits of on_error: retry"},
}

var renewBlock = define(block{
	name: "renew",
	main: "every",
	keys: append(beatKeys[:len(beatKeys):len(beatKeys)],
		key{name: "by", form: durationValue.form, help: "length asked for by a renewal; the lease's length if absent"},
		key{name: "covers", form: coversValue.form, initial: "held", help: "held: buffered deliveries too"},
	),
})

var lateBlock = define(block{
	name:   "late_settle",
	spread: true,
	keys: []key{
		{name: "lapsed", form: settleValue.form, initial: "accept", help: "the deadline has passed, nobody looked yet"},
		{name: "free", form: settleValue.form, initial: "accept", help: "given back, nobody has it"},
		{name: "taken", form: settleValue.form, initial: "ignore", help: "somebody else has it; steal: accepted, and the new claim is lost"},
	},
})

var checkBlock = define(block{
	name: "check",
	main: "every",
	keys: []key{
		{name: "every", form: lookValue.form, initial: "0s", help: "0s: at once; a period; boot: when a process boots; a list of these"},
		{name: "batch", form: countValue.form, initial: "unlimited", help: "most given back per look"},
	},
})

func (v view) lease() *Lease {
	l := &Lease{
		From:      get(v, "from", startValue),
		Cap:       get(v, "cap", durationValue),
		ExpiresBy: get(v, "expires_by", expiresValue),
		OnLoss:    get(v, "on_loss", lossValue),
		Scope:     get(v, "scope", scopeValue),
		Delay:     get(v, "delay", durationValue),
		AtLeast:   get(v, "at_least", durationValue),
	}
	v.length(l)
	v.accepted(l)
	v.believe(l)
	if slack := get(v, "slack", slackValue); slack.minus || !isZero(slack.dist) {
		l.Slack, l.SlackMinus = &slack.dist, slack.minus
	}
	if c, ok := v.sub("check", checkBlock); ok {
		l.Check = c.check()
	}
	if late, ok := v.sub("late_settle", lateBlock); ok {
		l.Late = [3]Settle{get(late, "lapsed", settleValue), get(late, "free", settleValue), get(late, "taken", settleValue)}
	}
	if r, ok := v.sub("renew", renewBlock); ok {
		beat := r.beat()
		if beat.Handler {
			r.wrong("sender", "a renewal that the handler sends is not yet supported: between its jobs there is nothing to renew")
		}
		l.Renew = &beat
		l.RenewBy = get(r, "by", durationValue)
		l.Covers = get(r, "covers", coversValue)
	}
	if grant := l.GrantRule(); l.Forever || len(l.Length) > 0 {
		holder := l.HolderRule()
		v.refused(errors.Join(grant.Check(), holder.Check()))
	}
	return l
}

func (v view) length(l *Lease) {
	for _, d := range getList(v, "length", lengthValue) {
		if d == nil {
			l.Forever = true
			continue
		}
		switch {
		case !v.sound("length"):
		case d.Max() == 0:
			v.wrong("length", "a lease of 0s ends before it begins; write none for a lease without end")
		case d.MeanDuration() == 0:
			v.wrong("length", "the mean of %q is not known, or below 1ns; a holder needs one", d)
		}
		l.Length = append(l.Length, *d)
	}
	if l.Forever && len(l.Length) > 0 && v.sound("length") {
		v.wrong("length", "none stands alone, not in a list")
	}
}

// accepted reads the range of lengths and what becomes of others.
func (v view) accepted(l *Lease) {
	r := get(v, "range", rangeValue)
	l.RangeLow, l.RangeHigh = r.low, r.high
	o := get(v, "outside", outsideValue)
	l.Outside, l.Replaced = o.kind, o.instead
}

// believe reads how long a holder trusts its lease. The default is the length;
// where that is random or a list, 0 stands for the length of each grant.
func (v view) believe(l *Lease) {
	n := v.n.get("believe_for")
	if n != nil && n.at == byDefault {
		switch d, constant := l.constant(); {
		case l.Forever:
			l.Believe = Forever
		case constant:
			l.Believe = d
		}
		return
	}
	b := get(v, "believe_for", believeValue)
	l.Believe, l.Anchor = b.length, b.anchor
	if v.sound("believe_for") && l.Believe == 0 {
		v.wrong("believe_for", "a holder must believe for longer than 0s")
	}
}

// constant is the length where all grants have the same.
func (l *Lease) constant() (time.Duration, bool) {
	if len(l.Length) != 1 {
		return 0, false
	}
	return l.Length[0].IsConstant()
}

func (v view) check() Check {
	c := Check{Batch: get(v, "batch", countValue)}
	for _, look := range getList(v, "every", lookValue) {
		switch {
		case look.boot:
			c.Boot = true
		case look.beat:
			c.Beat = true
		case look.period.Every.Max() == 0:
			c.AtOnce = true
		default:
			c.Every = look.period
		}
	}
	v.atLeastOne("batch")
	return c
}

func (v view) beat() Beat {
	b := Beat{
		Every:   get(v, "every", periodValue),
		Handler: get(v, "sender", senderValue) == 1,
		Timeout: get(v, "timeout", durationValue),
		OnError: get(v, "on_error", errorValue),
		Again:   getList(v, "retry", scriptDuration),
	}
	v.required("every")
	if v.has("every") {
		v.ticks("every", b.Every)
		if every := &b.Every.Every; v.sound("every") && every.Max() > 0 && every.MeanDuration() == 0 {
			v.wrong("every", "the mean of %q is not known, or below 1ns; a beat needs one", every)
		}
	}
	if get(v, "clock", clockValue) == 1 {
		v.wrong("clock", "a beat by the wall clock is not yet supported")
	}
	switch {
	case b.OnError == RetryBeat && len(b.Again) == 0:
		v.wrong("on_error", "retry needs the waits: retry: 2s")
	case slices.Contains(b.Again, 0) && v.sound("retry"):
		v.wrong("retry", "give more than 0s, or a beat that fails is sent without end in one instant")
	}
	return b
}

// ticks reports a period that takes no time.
func (v view) ticks(name string, p Period) {
	if v.sound(name) && p.Every.Max() == 0 {
		v.wrong(name, "%s", ticks(p))
	}
}
