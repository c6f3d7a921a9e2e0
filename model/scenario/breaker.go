package scenario

var breakerBlock = define(block{
	name: "breaker",
	keys: []key{
		{name: "trip", form: tripBlock.form, help: "when it opens"},
		{name: "open", form: scriptValue.form, help: "how long; the k-th for the k-th opening"},
		{name: "probes", form: countValue.form, initial: "1", help: "calls let through when half open; all must succeed; unlimited: everybody, and one success is enough"},
		{name: "probe_limit", form: durationValue.form, initial: "forever", help: "longest time half open"},
		{name: "reopen", form: reopenValue.form, initial: "any", help: "what opens it again: any failed probe, or the share of trip, once as many probes have ended as trip needs calls"},
		{name: "old_calls", form: oldCallsValue.form, initial: "ignore", help: "results of calls from before a change of state"},
		{name: "scope", form: scopeOfValue.form, initial: "process", help: "who shares it"},
	},
})

var tripBlock = define(block{
	name: "trip",
	main: "consecutive",
	keys: []key{
		{name: "consecutive", form: wholeValue.form, help: "failures in a row"},
		{name: "share", form: shareValue.form, help: "share of failures; instead of consecutive"},
		{name: "of", form: wholeValue.form, initial: "1", help: "least calls for share to speak"},
		{name: "within", form: durationValue.form, initial: "forever", help: "only calls so recent count"},
	},
})

var (
	reopenValue   = choice[uint8]("rule", "any", "ratio")
	oldCallsValue = choice[uint8]("rule", "ignore", "count")
)

func (v view) breaker() *Breaker {
	v.required("trip", "open")
	b := &Breaker{
		Open:        getList(v, "open", scriptValue),
		Probes:      get(v, "probes", countValue),
		ProbeLimit:  get(v, "probe_limit", durationValue),
		ReopenRatio: get(v, "reopen", reopenValue) == 1,
		CountOld:    get(v, "old_calls", oldCallsValue) == 1,
		PerService:  get(v, "scope", scopeOfValue) == 1,
	}
	v.atLeastOne("probes")
	if t, ok := v.sub("trip", tripBlock); ok {
		b.Consecutive = get(t, "consecutive", wholeValue)
		b.Share = get(t, "share", shareValue)
		b.Of = get(t, "of", wholeValue)
		b.Within = get(t, "within", durationValue)
		t.atLeastOne("consecutive", "of")
		if t.has("consecutive") == t.has("share") {
			t.problem(t.n, t.path, "a breaker trips at either consecutive failures or a share of them")
		}
	}
	rule := b.Rule()
	v.refused(rule.Check())
	return b
}
