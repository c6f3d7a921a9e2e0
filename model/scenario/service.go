package scenario

import (
	"slices"

	"github.com/tenggat/tenggat/policies"
)

var serviceBlock = define(block{
	name: "service",
	main: "time",
	keys: []key{
		{name: "servers", form: countValue.form, initial: "unlimited", help: "calls served at once"},
		{name: "time", form: scriptValue.form, initial: "0s", help: "of one call"},
		{name: "steps", form: stepsForm, fixed: true, help: "steps of its own for each call, after time; so services call services"},
		{name: "speed", form: factorValue.form, initial: "100%", help: "factor on its work; 0: no call ends"},
		{name: "capacity", form: countValue.form, initial: "unlimited", help: "places to wait for a server; a call beyond them fails at once"},
		{name: "order", form: serviceOrder.form, initial: "fifo", help: "which waiting call is next"},
		{name: "abandoned", form: abandonedValue.form, initial: "serve", help: "a call whose caller has gone: served, or dropped when its turn comes"},
		{name: "errors", form: shareValue.form, initial: "0", help: "share of calls that fail"},
		{name: "error", form: classValue.form, initial: "transient", help: "class of those failures"},
		{name: "checks", form: checksValue.form, initial: "none", help: "what a write must pass: key (unique), token (not older than the newest seen), token_granted (than the newest granted), sequence (newer), version (unchanged since read), status (never backwards)"},
		{name: "remembers", form: durationValue.form, initial: "forever", help: "life of a key"},
		{name: "in_progress", form: durationValue.form, initial: "forever", help: "life of the mark of a once whose job has not ended"},
		{name: "serves", form: servesValue.form, initial: "all", help: "what it answers at all"},
		timeoutKey,
		{name: "retry", client: true, form: retryBlock.form, help: "of its callers"},
		{name: "breaker", client: true, form: breakerBlock.form, help: "of its callers"},
		{name: "concurrency", client: true, form: concurrencyBlock.form, fixed: true, help: "how many calls of one process may be in flight"},
		{name: "accepts", form: acceptsBlock.form, help: "calls per second that it takes; beyond that a call fails at once"},
		{name: "deadline", client: true, form: boolValue.form, initial: "false", help: "the caller's remaining time goes with the call: it bounds the calls that the service makes for it, and nothing is begun for a caller who has gone"},
		clockKey,
	},
	later: slices.Concat(laterHost, []string{"preset", "own"}),
})

var (
	serviceOrder   = choice[uint8]("order", "fifo", "lifo")
	abandonedValue = choice[uint8]("fate of a call", "serve", "drop")
	servesValue    = choice[Serves]("answers", "all", "reads", "none")
	classValue     = errorClass("transient", "permanent", "coordination")
	checksValue    = func() value[uint8] {
		c := choice[uint8]("check", "none", "key", "token", "token_granted", "sequence", "version", "status")
		c.many = set
		return c
	}()
)

// errorClass is a choice among error classes; policies.OK is none of them.
func errorClass(words ...string) value[policies.Class] {
	c := choice[policies.Class]("error class", words...)
	index := c.parse
	c.parse = func(text string) (policies.Class, error) {
		class, err := index(text)
		return class + policies.Transient, err
	}
	return c
}

func (v view) service(name string) *Service {
	s := &Service{
		Name:       name,
		Servers:    get(v, "servers", countValue),
		Time:       getList(v, "time", scriptValue),
		Speed:      get(v, "speed", factorValue),
		Capacity:   get(v, "capacity", countValue),
		LIFO:       get(v, "order", serviceOrder) == 1,
		Drop:       get(v, "abandoned", abandonedValue) == 1,
		Errors:     get(v, "errors", shareValue),
		Error:      get(v, "error", classValue),
		Checks:     v.checks(),
		Remembers:  get(v, "remembers", durationValue),
		InProgress: get(v, "in_progress", durationValue),
		Serves:     get(v, "serves", servesValue),
		Timeout:    get(v, "timeout", durationValue),
		Deadline:   get(v, "deadline", boolValue),
		Clock:      v.clock(),
	}
	v.atLeastOne("servers")
	if v.has("steps") {
		s.Steps = v.steps("steps", owner{service: name})
	}
	if r, ok := v.sub("retry", retryBlock); ok {
		s.Retry, _ = r.retry(1)
	}
	if b, ok := v.sub("breaker", breakerBlock); ok {
		s.Breaker = b.breaker()
	}
	if c, ok := v.sub("concurrency", concurrencyBlock); ok {
		s.Concurrency = c.concurrency()
	}
	if a, ok := v.sub("accepts", acceptsBlock); ok {
		s.Accepts = a.accepts()
	}
	rule := s.KeyRule()
	v.refused(rule.Check())
	return s
}

func (v view) checks() Checks {
	var c Checks
	list := getList(v, "checks", checksValue)
	for _, i := range list {
		switch {
		case i > 0:
			c |= 1 << (i - 1)
		case len(list) > 1:
			v.wrong("checks", "none stands alone, not in a list")
		}
	}
	return c
}
