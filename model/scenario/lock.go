package scenario

var lockBlock = define(block{
	name:   "lock",
	preset: "lock",
	keys: []key{
		presetKey, ownKey,
		{name: "names", client: true, form: templateList.form, fixed: true, help: "names taken, in this order; a template makes one lock per key; the lock's own name if absent"},
		{name: "wait", client: true, form: waitBlock.form, initial: "notified", help: "how a candidate waits"},
		{name: "lease", form: lockLease.form, initial: "30s", help: "how long a grant lasts; none: permanent"},
		{name: "session", form: sessionBlock.form, help: "a monitor block, or names of monitors: the lock dies with the first suspicion"},
		{name: "token", form: tokenValue.form, initial: "rising", help: "rising: a later grant has a higher number"},
		{name: "register", client: true, form: boolValue.form, initial: "false", help: "a holder shows its token to each service that its job writes to under the lock, before the next step: from then on an earlier holder's write is refused"},
		{name: "release", form: releaseValue.form, initial: "owner", help: "who may release"},
		{name: "members", form: membersBlock.form, help: "nodes that the store consists of; one if absent"},
		attachKey,
		{name: "serves", form: servesValue.form, initial: "all", help: "what it answers; reads: the record can be seen, nothing is granted, renewed or ended"},
		timeoutKey, clockKey,
	},
	later: []string{"host"},
})

var waitBlock = define(block{
	name:       "wait",
	main:       "poll",
	noneIsMain: true,
	keys: []key{
		{name: "poll", form: pollValue.form, initial: "notified", help: "notified: in the order of asking; a period: at once and then every so long (with `from` only at the ticks); none: one try"},
		{name: "for", form: durationValue.form, initial: "forever", help: "longest wait"},
		{name: "refused", form: turnedAwayValue.form, initial: "drop", help: "with one try, what becomes of a job that did not get the lock; drop: forgotten, and lost if nothing else has its effect; skip: acknowledged, since the holder does its work too; fail: a coordination error, as after any other wait"},
	},
})

var (
	tokenValue      = choice[uint8]("token", "none", "rising")
	releaseValue    = choice[uint8]("releaser", "owner", "anybody")
	turnedAwayValue = choice[TurnedAway]("fate", "drop", "skip", "fail")
	pollValue       = value[poll]{&form{name: "wait", unit: inSeconds, open: true, words: []string{"notified", "none"}}, parsePoll}
)

// poll is how a candidate looks again.
type poll struct {
	notified, once bool
	period         Period
}

func parsePoll(text string) (poll, error) {
	switch text {
	case "notified":
		return poll{notified: true}, nil
	case "none":
		return poll{once: true}, nil
	}
	p, err := parsePeriod(text)
	if err == nil {
		err = ticks(p)
	}
	return poll{period: p}, err
}

func (v view) lock(name string) *Lock {
	l := &Lock{
		Name:     name,
		Session:  v.session("lock", name),
		Rising:   get(v, "token", tokenValue) == 1,
		Register: get(v, "register", boolValue),
		Anybody:  get(v, "release", releaseValue) == 1,
		WaitFor:  Forever,
		Serves:   get(v, "serves", servesValue),
		Timeout:  get(v, "timeout", durationValue),
		Clock:    v.clock(),
	}
	if l.Names = getList(v, "names", templateList); l.Names == nil {
		l.Names = []Template{{Text: name, Parts: []Part{{Literal: name}}}}
	}
	if w, ok := v.sub("wait", waitBlock); ok {
		p := get(w, "poll", pollValue)
		l.Notified, l.Once, l.Poll = p.notified, p.once, p.period
		l.WaitFor = get(w, "for", durationValue)
		l.TurnedAway = get(w, "refused", turnedAwayValue)
		if l.TurnedAway != TurnedAwayDrop && !l.Once {
			w.wrong("refused", "only one try (poll: none) is refused; a wait that ends is a coordination error")
		}
	}
	if b, ok := v.sub("lease", lockLease); ok {
		l.Lease = b.lease()
	}
	l.Members = v.members()
	l.Attach = v.attached(l.Members)
	if m := l.Members; m != nil && m.Agree == ByMajority {
		switch {
		case l.Notified:
			v.wrong("wait", "members that agree by majority notify nobody: give a period, or none")
		case l.Lease != nil && l.Lease.ExpiresBy != ByStore:
			v.wrong("lease", "members that agree by majority judge expiry themselves: leave out expires_by")
		case l.Session != nil:
			v.wrong("session", "members that agree by majority know no sessions")
		}
	}
	rule := l.GrantRule()
	v.refused(rule.Check())
	return l
}
