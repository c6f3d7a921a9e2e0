package scenario

import (
	"fmt"
	"slices"
	"strings"
)

var monitorKeys = []key{
	{name: "heartbeat", form: heartbeatBlock.form, initial: "5s", help: "the watched processes' beat"},
	{name: "suspect", form: suspectBlock.form, initial: "30s", help: "when silence becomes suspicion"},
	{name: "check", form: checkBlock.form, initial: "0s", help: "when the observer looks; heartbeat: at its own beat"},
	{name: "evidence", form: durationValue.form, initial: "forever", help: "how long the last beat is remembered"},
	{name: "disconnect", form: boolValue.form, initial: "false", help: "the end of a connection is seen: a crash at once, an orderly stop behind the last word that was said"},
	{name: "observer", form: targetsValue.form, fixed: true, help: "processes whose nodes observe, with their pauses and links; a node of its own if absent"},
	{name: "guard", form: durationValue.form, help: "an observer that has paused for longer than this ignores silence for as long again"},
	{name: "then", form: thenForm, fixed: true, help: "events without time that each suspicion sets off, besides ending sessions: a list, with after"},
	clockKey,
}

var laterMonitor = []string{"preset", "own"}

var monitorBlock = define(block{
	name:  "monitor",
	keys:  append([]key{{name: "watches", form: targetsValue.form, fixed: true, help: "groups of workers, which send heartbeats; or components, which are asked to answer a write at every beat"}}, monitorKeys...),
	later: laterMonitor,
})

// sessionBlock is a monitor that stands in the queue or lock that it serves,
// and watches the processes which use that.
var sessionBlock = define(block{
	name:   "session",
	refers: true,
	keys:   monitorKeys,
	later:  laterMonitor,
})

var heartbeatBlock = define(block{name: "heartbeat", main: "every", keys: beatKeys})

var suspectBlock = define(block{
	name: "suspect",
	main: "by",
	keys: []key{
		{name: "by", form: suspectValue.form, initial: "30s", help: "10s or fixed 10s: silence; missed 3: beats; phi_normal 8, phi_logistic 8, phi_exponential 8: a level; chen 3s: the shift δ behind the send instants (NFD-S)"},
		{name: "window", form: wholeValue.form, initial: "1000", help: "phi: intervals remembered"},
		{name: "min_sd", form: durationValue.form, initial: "100ms", help: "phi: least standard deviation"},
		{name: "allowance", form: durationValue.form, initial: "0s", help: "phi: silence borne on top"},
		{name: "confirm", form: wholeValue.form, initial: "1", help: "observers that must suspect"},
	},
})

var suspectValue = value[Suspect]{&form{name: "rule of suspicion", unit: inSeconds, open: true}, parseSuspect}

var detectorWords = []string{"fixed", "missed", "phi_normal", "phi_logistic", "phi_exponential", "chen"}

// parseSuspect reads a rule and its one number.
func parseSuspect(text string) (s Suspect, err error) {
	kind, number, two := strings.Cut(text, " ")
	if !two {
		if d, err := parseDuration(text); err == nil {
			return Suspect{By: Fixed, Timeout: d}, nil
		}
	}
	i := slices.Index(detectorWords, kind)
	if i < 0 {
		return s, fmt.Errorf("%q is no rule of suspicion: write a duration of silence, such as 10s, or a rule and its number%s", text, didYouMean(kind, detectorWords))
	}
	s.By = DetectorKind(i)
	switch s.By {
	case Fixed, Chen:
		s.Timeout, err = parseDuration(number)
	case Missed:
		s.Missed, err = parseWhole(number)
		if err == nil && s.Missed < 1 {
			err = fmt.Errorf("%q: give 1 missed beat or more", text)
		}
	default:
		s.Level, err = parseNumber(number)
		if err == nil && (s.Level == 0 || s.Level > 300) {
			err = fmt.Errorf("%q: the level lies above 0 and up to 300", text)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s needs a number behind it, such as %s: %w", kind, example[s.By], err)
	}
	return s, err
}

var example = [...]string{"fixed 10s", "missed 3", "phi_normal 8", "phi_logistic 8", "phi_exponential 8", "chen 3s"}

func (v view) monitor(name string) *Monitor {
	m := v.watch(name)
	m.Watches = v.targets("watches")
	v.required("watches")
	for _, t := range m.Watches {
		if t.Noun == "monitors" || t.Index == AnyOf || t.Index == HolderOf || t.Member != "" || t.Version != "" {
			v.wrong("watches", "%s: a monitor watches groups, processes, queues, locks, services and caches", t)
		}
	}
	return m
}

// watch reads what monitors and sessions share.
func (v view) watch(name string) *Monitor {
	m := &Monitor{
		Name:       name,
		Evidence:   get(v, "evidence", durationValue),
		Disconnect: get(v, "disconnect", boolValue),
		Clock:      v.clock(),
	}
	if h, ok := v.sub("heartbeat", heartbeatBlock); ok {
		m.Heartbeat = h.beat()
	} else if v.n.get("heartbeat").is("none") {
		v.wrong("heartbeat", "a monitor hears nothing without a heartbeat")
	}
	if s, ok := v.sub("suspect", suspectBlock); ok {
		m.Suspect = get(s, "by", suspectValue)
		m.Suspect.Window = get(s, "window", wholeValue)
		m.Suspect.MinSD = get(s, "min_sd", durationValue)
		m.Suspect.Allowance = get(s, "allowance", durationValue)
		m.Suspect.Confirm = get(s, "confirm", wholeValue)
		s.atLeastOne("window", "confirm")
	}
	if c, ok := v.sub("check", checkBlock); ok {
		m.Check = c.check()
	}
	m.Guard = get(v, "guard", durationValue)
	m.Observer = v.targets("observer")
	most := 1
	if len(m.Observer) > 0 {
		most = 0
	}
	for _, t := range m.Observer {
		switch {
		case t.Noun != "workers" || t.Index != AllOf && t.Index != Members:
			v.wrong("observer", "%s: processes observe: name a group or some of it", t)
		case t.Index == Members:
			most += t.Hi - t.Lo + 1
		default:
			most += v.groups[t.Name]
		}
	}
	if m.Suspect.Confirm > most {
		v.wrong("suspect", "%d observers must confirm, and there are %d; name more in observer", m.Suspect.Confirm, most)
	}
	v.then(m)
	rule := m.Rule()
	v.refused(rule.Check())
	return m
}

// session names the monitors that end a claim. A block makes a monitor of its
// own, called after its place: queue q's is q_session.
func (v view) session(kind, name string) []string {
	n, path := v.at("session", sessionBlock.form)
	switch {
	case n == nil || n.is("none") || n.kind == failed:
		return nil
	case n.kind != mapping:
		names := parsedList(v.builder, n, path, namesValue)
		known := v.root.get("monitors").keys()
		for _, name := range names {
			if name != "" && !slices.Contains(known, name) {
				v.problem(n, path, "there is no monitor %q%s", name, didYouMean(name, known))
			}
		}
		return names
	}
	own := name + "_session"
	if v.root.get("monitors").get(own) != nil || slices.ContainsFunc(v.implicit, func(m *Monitor) bool { return m.Name == own }) {
		v.problem(n, path, "the %s's own monitor would be called %q, and there is another of that name", kind, own)
	}
	if s, ok := v.enter(n, sessionBlock, path); ok {
		v.implicit = append(v.implicit, s.watch(own))
	}
	return []string{own}
}

// sessionName reports whether a session block makes a monitor of this name.
func (v *builder) sessionName(name string) bool {
	owner, is := strings.CutSuffix(name, "_session")
	for _, noun := range []string{"queues", "locks"} {
		if s := v.root.get(noun).get(owner).get("session"); is && s != nil && s.kind == mapping {
			return true
		}
	}
	return false
}
