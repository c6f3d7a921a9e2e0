package scenario

import (
	"fmt"
	"slices"
	"strings"
)

var eventBlock = define(block{
	name: "event",
	keys: []key{
		{name: "at", form: signedScript.form, help: "when; a list: at each of them"},
		{name: "every", form: periodValue.form, help: "again and again; the first time at `at`, if that is given"},
		{name: "times", form: countValue.form, initial: "unlimited", help: "how often, with every"},
		{name: "rate", form: rateValue.form, help: "at random, for each target by itself, over its un-paused, up time: 1/d of eight processes is eight a day, of workers.w/any one"},
		{name: "for", form: distValue.form, help: "how long: the outage, the downtime of a crash, the pause, the setting; to the end of the run if absent"},
		{name: "over", form: durationValue.form, initial: "0s", help: "spread: crash, stop and pause strike one target after another; numbers that are set go in a straight line, in 20 steps"},
		{name: "set", form: setForm, help: "settings that change: {path: value}"},
		{name: "crash", form: targetsValue.form, help: "dead at once"},
		{name: "stop", form: targetsValue.form, help: "drained and stopped"},
		{name: "pause", form: targetsValue.form, help: "nothing runs; messages and timers wait"},
		{name: "revoke", form: revokeBlock.form, help: "grants of locks and queues taken away by an operator"},
		{name: "jump", form: jumpBlock.form, help: "wall clocks step; with for, back again"},
		{name: "replay", form: replayBlock.form, help: "dead letters put back into their queue"},
		{name: "flush", form: flushBlock.form, help: "copies in a cache that are lost"},
		{name: "cut", form: cutBlock.form, help: "a link is cut"},
	},
})

var setForm = &form{name: "paths and values", raw: true}

var cutBlock = define(block{
	name: "cut",
	keys: []key{
		{name: "between", form: ends, help: "two ends, cut both ways; an end may be a list"},
		{name: "from", form: targetsValue.form, help: "instead: only messages from here"},
		{name: "to", form: targetsValue.form, help: "… to there"},
		{name: "how", form: cutValue.form, initial: "drop", help: "drop: silence, the caller waits for its time-out; refuse: fails at once"},
		{name: "only", form: kindsValue.form, help: "message kinds; all if absent"},
	},
})

var cutValue = choice[Cut]("way", "drop", "refuse")

// act is one of the things that an event can do.
type act struct {
	name  string // its key
	is    Act
	block *block // what the key holds, nil when it is no block
	read  func(of view, e *Event)
}

// acts are all of them; an event has the key of one.
var acts = []act{
	{name: "set", is: ActSet},
	{name: "crash", is: ActCrash},
	{name: "stop", is: ActStop},
	{name: "pause", is: ActPause},
	{"revoke", ActRevoke, revokeBlock, view.revoke},
	{"jump", ActJump, jumpBlock, view.jump},
	{"replay", ActReplay, replayBlock, view.replay},
	{"flush", ActFlush, flushBlock, view.flush},
	{"cut", ActCut, cutBlock, view.cut},
}

func (v view) event(name string) *Event {
	e := &Event{
		Name:  name,
		HasAt: v.has("at"),
		Times: get(v, "times", countValue),
		Rate:  get(v, "rate", rateValue),
		Every: optional(v, "every", periodValue),
	}
	v.when(e)
	v.does(e)
	return e
}

// does reads what happens, and for how long.
func (v view) does(e *Event) {
	e.For, e.Over = optional(v, "for", distValue), get(v, "over", durationValue)
	a, one := v.act()
	if !one {
		return
	}
	e.Act = a.is
	switch {
	case a.block != nil:
		if of, ok := v.sub(a.name, a.block); ok {
			a.read(of, e)
		}
		if e.Over > 0 {
			v.wrong("over", "only set, crash, stop and pause can be spread over a time")
		}
	case a.is == ActSet:
		e.Sets = v.sets()
		e.sets = v.n.get("set")
	default:
		v.strikes(e, a.name)
	}
}

// strikes reads whom a crash, a stop or a pause is for.
func (v view) strikes(e *Event, name string) {
	e.On = v.targets(name)
	for _, t := range e.On {
		member := t.Member != "" && e.Act != ActStop
		if t.Name != "" && t.Noun != "workers" && t.Index != HolderOf && !member {
			v.wrong(name, "%s: only worker processes, lock holders and members of a store %s; %s", t, name, t.instead())
		}
	}
}

// instead is how a component comes to a standstill that no event strikes down.
func (t Target) instead() string {
	switch t.Noun {
	case "monitors":
		return "cut its links instead"
	case "services":
		return fmt.Sprintf("write set: {%s.speed: 0} for one that hangs, {%s.serves: none} for one that does not answer, or cut its links", t, t)
	}
	return fmt.Sprintf("write set: {%s.serves: none}, or cut its links", t)
}

// when reads the times of an event.
func (v view) when(e *Event) {
	var err error
	if e.Base, e.At, err = align(getList(v, "at", signedScript)); err != nil {
		v.wrong("at", "%s", err)
	}
	if e.Every != nil {
		v.ticks("every", *e.Every)
	}
	switch {
	case v.has("rate") && (e.HasAt || e.Every != nil):
		v.wrong("rate", "an event comes either at random (rate) or at fixed times (at, every)")
	case !v.has("rate") && !e.HasAt && e.Every == nil:
		v.problem(v.n, v.path, "when? give at, every or rate")
	case e.HasAt && e.Every != nil && len(e.At) > 1:
		v.wrong("at", "with every there is one first time, not a list")
	}
	v.atLeastOne("times")
}

// act is the one thing that happens; false if there is none, or more.
func (v view) act() (act, bool) {
	var found []act
	var names []string
	for _, a := range acts {
		names = append(names, a.name)
		if v.has(a.name) {
			found = append(found, a)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	if !slices.ContainsFunc(eventBlock.later, v.has) { // else already reported
		v.problem(v.n, v.path, "an event does one of %s; this one has %d", strings.Join(names, ", "), len(found))
	}
	return act{}, false
}

func (v view) sets() []Assignment {
	n, path := v.at("set", setForm)
	if n.kind != mapping || len(n.pairs) == 0 {
		v.problem(n, path, "expected {path: value, …} with one setting or more")
		return nil
	}
	var sets []Assignment
	for _, p := range n.pairs {
		sets = append(sets, Assignment{p.key, p.value.flow()})
	}
	return sets
}

func (v view) cut(e *Event) {
	e.How, e.Only = get(v, "how", cutValue), v.kinds("only")
	switch {
	case v.has("between") && !v.has("from") && !v.has("to"):
		e.On, e.To = v.ends("between")
		e.Both = true
	case !v.has("between") && v.has("from") && v.has("to"):
		e.On, e.To = v.targets("from"), v.targets("to")
	default:
		v.problem(v.n, v.path, "a cut has either between: [a, b], or from and to")
	}
}
