package scenario

import "time"

// Bind is which slot runs a delivery.
type Bind uint8

const (
	BindFree   Bind = iota // any that is free
	BindFirst              // tied on receive to the first slot, busy or not
	BindRandom             // tied on receive to one that is drawn
)

// PauseWhen is when a process stops taking work by itself.
type PauseWhen struct {
	Breaker  string  // service whose breaker is open; or
	Failures float64 // share of ended jobs
	Of       int
	Within   time.Duration // Forever: the last Of jobs
	For      time.Duration
}

// Scale is an autoscaler: one process per so many waiting jobs.
type Scale struct {
	Low, High int
	Per       int
	Every     time.Duration
	Delay     time.Duration // until a new process boots
	Frozen    bool
}

var pauseWhenBlock = define(block{
	name: "pause_when",
	keys: []key{
		{name: "breaker", form: nameValue.form, fixed: true, help: "service: while the process's breaker before it is open"},
		{name: "failures", form: shareValue.form, fixed: true, help: "instead: at so large a share of failed jobs"},
		{name: "of", form: wholeValue.form, initial: "1", fixed: true, help: "least jobs for the share to speak"},
		{name: "within", form: durationValue.form, initial: "forever", fixed: true, help: "only jobs that ended so recently count; forever: the last `of` of them"},
		{name: "for", form: durationValue.form, initial: "30s", fixed: true, help: "how long, with failures"},
	},
})

var scaleBlock = define(block{
	name: "scale",
	main: "range",
	keys: []key{
		{name: "range", form: countRangeValue.form, help: "least and most processes"},
		{name: "per", form: wholeValue.form, help: "waiting jobs per process"},
		{name: "every", form: durationValue.form, initial: "1m", fixed: true, help: "how often it looks"},
		{name: "delay", form: durationValue.form, initial: "0s", help: "from the look to the boot of a new process"},
		{name: "frozen", form: boolValue.form, initial: "false", help: "it looks and does nothing"},
	},
})

var bindValue = choice[Bind]("slot", "free", "first", "random")

func (v view) pauseWhen() *PauseWhen {
	p := &PauseWhen{
		Failures: get(v, "failures", shareValue),
		Of:       get(v, "of", wholeValue),
		Within:   get(v, "within", durationValue),
		For:      get(v, "for", durationValue),
	}
	v.atLeastOne("of")
	switch {
	case v.has("breaker") == v.has("failures"):
		v.problem(v.n, v.path, "a process pauses at either an open breaker or a share of failures")
	case v.has("breaker"):
		p.Breaker = v.known("breaker", "services")
		if s := v.root.get("services").get(p.Breaker); s != nil && (s.get("breaker") == nil || s.get("breaker").is("none")) {
			v.wrong("breaker", "services.%s has no breaker", p.Breaker)
		}
	case v.sound("failures") && p.Failures == 0:
		v.wrong("failures", "give more than 0")
	case v.sound("for") && (p.For == 0 || p.For == Forever):
		v.wrong("for", "give a time above 0s")
	case v.sound("within") && p.Within < time.Millisecond:
		v.wrong("within", "give 1ms or more, or forever")
	}
	if rule := p.Rule(); v.has("failures") {
		v.refused(rule.Check())
	}
	return p
}

func (v view) scale() *Scale {
	v.required("range", "per")
	v.atLeastOne("per")
	r := get(v, "range", countRangeValue)
	s := &Scale{
		Low:    r.low,
		High:   r.high,
		Per:    get(v, "per", wholeValue),
		Every:  get(v, "every", durationValue),
		Delay:  get(v, "delay", durationValue),
		Frozen: get(v, "frozen", boolValue),
	}
	switch {
	case s.High > maxProcesses:
		v.wrong("range", "a group may have %d processes", maxProcesses)
	case v.sound("every") && (s.Every < time.Millisecond || s.Every == Forever):
		v.wrong("every", "give 1ms or more")
	case v.sound("delay") && s.Delay == Forever:
		v.wrong("delay", "a process that never boots is no help; use frozen")
	}
	return s
}
