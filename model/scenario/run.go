package scenario

import "time"

// settingsBlock is the top of a file as far as it describes the world; what a
// file says about experiments (variants, expect, sweep, presets) is in file.go.
var settingsBlock = define(block{
	name: "scenario",
	keys: []key{
		{name: "seed", form: seedValue.form, initial: "7", fixed: true, help: "seed of all chance"},
		{name: "run", form: runBlock.form, initial: "1h", fixed: true, help: "how long and how often"},
		{name: "network", form: networkBlock.form, initial: "{}", help: "links between processes and components"},
		{name: "queues", form: queueBlock.things, help: "broker queues"},
		{name: "locks", form: lockBlock.things, help: "lock stores"},
		{name: "services", form: serviceBlock.things, help: "dependencies: APIs, databases, ledgers"},
		{name: "caches", form: cacheBlock.things, help: "copies of what services or lock stores hold"},
		{name: "monitors", form: monitorBlock.things, help: "failure detectors"},
		{name: "workers", form: groupBlock.things, help: "groups of equal worker processes"},
		{name: "jobs", form: jobBlock.things, help: "types of jobs"},
		{name: "events", form: eventBlock.things, fixed: true, help: "what happens at a time"},
		{name: "reconcilers", form: reconcilerBlock.things, help: "periodic comparison of queues, locks and caches with what has happened"},
		{name: "alerts", form: alertBlock.things, fixed: true, help: "rules over the run's series that an observer evaluates"},
	},
	later: []string{"versions", "flags", "rollout", "plan"},
})

var seedValue = value[uint64]{&form{name: "seed", open: true}, parseSeed}

var runBlock = define(block{
	name: "run",
	main: "duration",
	keys: []key{
		{name: "duration", form: durationValue.form, initial: "1h", fixed: true, help: "the run covers [from, from + duration)"},
		{name: "from", form: instantValue.form, initial: "0s", fixed: true, help: "first instant"},
		{name: "warmup", form: durationValue.form, initial: "0s", fixed: true, help: "counts leave out [from, from + warmup), except safety counts and at()"},
		{name: "replications", form: wholeValue.form, initial: "1", fixed: true, help: "runs with different luck, 100_000 at most"},
		{name: "max_events", form: wholeValue.form, initial: "200_000_000", fixed: true, help: "a run with more events is stopped with an error; these take a minute or so, and 1_000_000_000 is the most"},
	},
	later: []string{"precision", "random"},
})

var networkBlock = define(block{
	name: "network",
	keys: []key{
		{name: "latency", form: distValue.form, initial: "0s", help: "one way, per message"},
		{name: "loss", form: shareValue.form, initial: "0", help: "share of messages that vanish"},
		{name: "timeout", form: durationValue.form, initial: "5s", help: "a caller's patience"},
		{name: "links", form: linkBlock.things, help: "exceptions; of several that match a message the first counts"},
	},
	later: []string{"duplicate"},
})

var linkBlock = define(block{
	name: "link",
	keys: []key{
		{name: "from", form: targetsValue.form, fixed: true, help: "sender; any if absent"},
		{name: "to", form: targetsValue.form, fixed: true, help: "receiver; any if absent"},
		{name: "between", form: ends, fixed: true, help: "two ends, in both directions, instead of from and to"},
		{name: "only", form: kindsValue.form, fixed: true, help: "message kinds that it speaks of; a reply is of its request's kind"},
		{name: "latency", form: distValue.form, help: "instead of the network's"},
		{name: "loss", form: shareValue.form, help: "instead of the network's"},
		{name: "burst", form: burstBlock.form, help: "losses that come in bursts"},
	},
	later: []string{"duplicate"},
})

var burstBlock = define(block{
	name: "burst",
	keys: []key{
		{name: "every", form: distValue.form, help: "from the end of one burst to the next"},
		{name: "length", form: distValue.form, help: "of a burst"},
		{name: "loss", form: shareValue.form, initial: "100%", help: "share of messages lost inside a burst"},
	},
})

// ends is a list of two targets, each of which may be a list.
var ends = &form{name: "two targets", open: true, many: set, raw: true}

var kindWords = []string{"deliver", "ack", "publish", "poll", "acquire", "renew", "release", "heartbeat", "probe", "call"}

var kindsValue = func() value[uint8] {
	kind := choice[uint8]("message kind", kindWords...)
	kind.many = set
	return kind
}()

func (v view) run() Run {
	r := Run{
		From:         get(v, "from", instantValue),
		Duration:     get(v, "duration", durationValue),
		Warmup:       get(v, "warmup", durationValue),
		Replications: get(v, "replications", wholeValue),
		MaxEvents:    uint64(get(v, "max_events", wholeValue)),
	}
	switch {
	case !v.sound("duration", "from"):
	case r.Duration == 0 || r.Duration > longestRun:
		v.wrong("duration", "a run needs an end after its beginning: a duration above 0s, and of %s at most", century)
	case r.From < -longestRun || r.From > longestRun:
		v.wrong("from", "a run begins at most %s before or after 0s", century)
	case v.sound("warmup") && r.Warmup >= r.Duration:
		v.wrong("warmup", "the warm-up (%v) leaves nothing of the run (%v) to count", r.Warmup, r.Duration)
	}
	v.atLeastOne("replications", "max_events")
	if r.Replications > MaxReplications {
		v.wrong("replications", "%d: there may be %d", r.Replications, MaxReplications)
	}
	if r.MaxEvents > maxEvents {
		v.wrong("max_events", "%d: a run may have %d events", r.MaxEvents, maxEvents)
	}
	return r
}

// MaxReplications bounds the memory of a study: a point keeps what its
// replications measured, some hundred kilobytes each, until all of them are done.
const MaxReplications = 100_000

const (
	// longestRun keeps sums of instants far from the largest duration.
	longestRun = 36_500 * 24 * time.Hour
	century    = "36500d (100 years)"
	maxEvents  = 1_000_000_000
)

func (v view) network() Network {
	n := Network{
		Latency: get(v, "latency", distValue),
		Loss:    get(v, "loss", shareValue),
		Timeout: get(v, "timeout", durationValue),
	}
	v.each("links", linkBlock, func(name string, l view) { n.Links = append(n.Links, l.link(name)) })
	return n
}

func (v view) link(name string) *Link {
	l := &Link{
		Name:    name,
		From:    v.targets("from"),
		To:      v.targets("to"),
		Only:    v.kinds("only"),
		Latency: optional(v, "latency", distValue),
		Loss:    optional(v, "loss", shareValue),
	}
	if v.has("between") {
		if v.has("from") || v.has("to") {
			v.wrong("between", "a link has either between or from and to")
		}
		l.From, l.To = v.ends("between")
		l.Both = true
	}
	if b, ok := v.sub("burst", burstBlock); ok {
		b.required("every", "length")
		l.Burst = &Burst{get(b, "every", distValue), get(b, "length", distValue), get(b, "loss", shareValue)}
	}
	if l.Latency == nil && l.Loss == nil && l.Burst == nil {
		v.problem(v.n, v.path, "the link changes nothing: give latency, loss or burst")
	}
	return l
}

// required reports the keys that have no value and no default.
func (v view) required(names ...string) {
	for _, name := range names {
		if !v.has(name) {
			v.problem(v.n, v.path, "needs %s", name)
		}
	}
}

// kinds is a set of message kinds; all if the key is absent.
func (v view) kinds(name string) Kinds {
	if !v.has(name) {
		return AllKinds
	}
	var k Kinds
	for _, i := range getList(v, name, kindsValue) {
		k |= 1 << i
	}
	return k
}

// targets reads a target or a list of them, and checks that each is there.
func (v view) targets(name string) []Target {
	n, path := v.at(name, targetsValue.form)
	return v.targetList(n, path)
}

func (v *builder) targetList(n *node, path string) []Target {
	all := parsedList(v, n, path, targetsValue)
	for i := range all {
		if all[i].Name != "" {
			v.exists(n, path, &all[i])
		}
	}
	return all
}

// ends reads the two ends of a link.
func (v view) ends(name string) (a, b []Target) {
	n, path := v.at(name, ends)
	if n.kind != list || len(n.items) != 2 {
		v.problem(n, path, "needs two ends: [a, b]")
		return nil, nil
	}
	return v.targetList(n.items[0], path+"[0]"), v.targetList(n.items[1], path+"[1]")
}

// exists reports a target that matches nothing.
func (v *builder) exists(n *node, path string, t *Target) {
	known := v.root.get(t.Noun).keys()
	if v.root.get(t.Noun).get(t.Name) == nil {
		if t.Noun == "monitors" && v.sessionName(t.Name) {
			return
		}
		v.problem(n, path, "%s matches nothing: there is no %s.%s%s", t, t.Noun, t.Name, didYouMean(t.Name, known))
		return
	}
	if t.Member != "" {
		if err := v.member(t); err != nil {
			v.problem(n, path, "%s", err)
		}
		return
	}
	if t.Index == Members && t.Hi > v.groups[t.Name] {
		v.problem(n, path, "%s matches nothing: workers.%s never has more than %d", t, t.Name, v.groups[t.Name])
	}
}
