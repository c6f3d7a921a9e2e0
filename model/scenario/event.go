package scenario

import (
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

// acts are the keys of an event that say what happens; one of them is there.
var acts = []string{"set", "crash", "stop", "pause", "revoke", "jump", "replay", "flush", "cut"}

func (v view) event(name string) *Event {
	e := &Event{
		Name:  name,
		HasAt: v.has("at"),
		Times: get(v, "times", countValue),
		Rate:  get(v, "rate", rateValue),
	}
	v.when(e)
	v.lasts(e)
	v.does(e)
	return e
}

// does reads what happens.
func (v view) does(e *Event) {
	act := v.act()
	switch act {
	case "set":
		e.Act = ActSet
		e.Sets = v.sets()
		e.sets = v.n.get("set")
	case "crash":
		e.Act = ActCrash
	case "stop":
		e.Act = ActStop
	case "pause":
		e.Act = ActPause
	case "revoke":
		e.Act = ActRevoke
		if r, ok := v.sub("revoke", revokeBlock); ok {
			r.revoke(e)
		}
	case "jump":
		e.Act = ActJump
		if j, ok := v.sub("jump", jumpBlock); ok {
			j.jump(e)
		}
	case "replay":
		e.Act = ActReplay
		if r, ok := v.sub("replay", replayBlock); ok {
			r.replay(e)
		}
	case "flush":
		e.Act = ActFlush
		if f, ok := v.sub("flush", flushBlock); ok {
			f.flush(e)
		}
	case "cut":
		e.Act = ActCut
		if c, ok := v.sub("cut", cutBlock); ok {
			c.cut(e)
		}
	}
	if slices.Contains([]string{"crash", "stop", "pause"}, act) {
		e.On = v.targets(act)
		for _, t := range e.On {
			member := t.Member != "" && act != "stop"
			if t.Name != "" && t.Noun != "workers" && t.Index != HolderOf && !member {
				v.wrong(act, "%s: only worker processes, lock holders and members of a store %s; for a component, set its speed to 0 or cut its links", t, act)
			}
		}
	}
	if e.Over > 0 && !slices.Contains([]string{"set", "crash", "stop", "pause"}, act) {
		v.wrong("over", "only set, crash, stop and pause can be spread over a time")
	}
}

// lasts reads how long an event takes.
func (v view) lasts(e *Event) {
	e.Over = get(v, "over", durationValue)
	if v.has("for") {
		d := get(v, "for", distValue)
		e.For = &d
	}
}

// when reads the times of an event.
func (v view) when(e *Event) {
	var err error
	if e.Base, e.At, err = align(getList(v, "at", signedScript)); err != nil {
		v.wrong("at", "%s", err)
	}
	if v.has("every") {
		p := get(v, "every", periodValue)
		v.ticks("every", p)
		e.Every = &p
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

// act is the one key that says what happens.
func (v view) act() string {
	var found []string
	for _, name := range acts {
		if v.has(name) {
			found = append(found, name)
		}
	}
	later := slices.ContainsFunc(eventBlock.later, v.has) // already reported
	if len(found) != 1 && !later {
		v.problem(v.n, v.path, "an event does one of %s; this one has %d", strings.Join(acts, ", "), len(found))
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
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
