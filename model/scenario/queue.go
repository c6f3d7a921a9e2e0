package scenario

import (
	"fmt"
	"slices"
)

// hostKeys are the rows of every component: whose clock, whose patience.
var (
	presetKey  = key{name: "preset", form: textValue.form, fixed: true, help: "the real system that supplies what the block leaves open (tenggat presets lists them)"}
	ownKey     = key{name: "own", form: ownForm, fixed: true, help: "settings under the preset's own names, e.g. {VisibilityTimeout: 45}"}
	timeoutKey = key{name: "timeout", client: true, form: durationValue.form, initial: "=network.timeout", help: "how long its callers wait for an answer"}
	clockKey   = key{name: "clock", form: clockBlock.form, initial: "{}", help: "the clock it judges by"}
	laterHost  = []string{"host", "attach", "members"}
)

var ownForm = &form{name: "own settings", raw: true}

var clockBlock = define(block{
	name: "clock",
	main: "uses",
	keys: []key{
		{name: "uses", form: clockValue.form, initial: "monotonic", help: "which clock is read; only the wall clock has an offset"},
		{name: "offset", form: signedScript.form, initial: "0s", help: "of the wall clock, per process"},
		{name: "drift", form: driftValue.form, initial: "0ppm", help: "rate error of both clocks; fast is positive"},
	},
})

func (v view) clock() Clock {
	c, ok := v.sub("clock", clockBlock)
	if !ok {
		return Clock{}
	}
	clock := Clock{Wall: get(c, "uses", clockValue) == 1, Drift: get(c, "drift", driftValue)}
	var err error
	if clock.Base, clock.Offset, err = align(getList(c, "offset", signedScript)); err != nil {
		c.wrong("offset", "%s", err)
	}
	return clock
}

var queueBlock = define(block{
	name:   "queue",
	preset: "queue",
	keys: []key{
		presetKey, ownKey,
		{name: "prefetch", client: true, form: countValue.form, help: "most unacknowledged deliveries in one process, running ones included; its slots if absent"},
		{name: "patience", client: true, form: durationValue.form, initial: "forever", help: "a delivery that finds no slot for so long is left to its lease"},
		{name: "poll", client: true, form: lookForValue.form, initial: "notified", help: "a process with a free slot looks into its buffer, without one (prefetch up to its slots) into the queue: at once after a job, else so long after its last look; notified: as soon as something is there"},
		{name: "poll_timeout", client: true, form: durationValue.form, initial: "20s", help: "how long one question for work stays open, a long poll; a process that got nothing by then asks anew, since the question or the answer may be lost"},
		{name: "picks", form: picksValue.form, initial: "turn", help: "who gets the next message among processes with room; any: drawn over all, busy or not"},
		{name: "ack", client: true, form: ackValue.form, initial: "end", help: "when the worker acknowledges"},
		{name: "lease", form: deliveryLease.form, help: "deadline of a delivery; none: deliveries have no deadline of their own"},
		{name: "session", form: sessionBlock.form, help: "a monitor block, or names of monitors: when one suspects the process, all it holds comes back"},
		{name: "attempts", form: attemptsBlock.form, initial: "unlimited", help: "how often a message may fail"},
		{name: "dead_letter", form: nameValue.form, initial: "keep", help: "where dead letters go: keep, drop, park or the name of a queue"},
		{name: "retry", form: retryBlock.form, help: "delay of a returned message; none: available at once"},
		{name: "order", form: orderValue.form, initial: "fifo", help: "key: first come first served per job key, one at a time"},
		{name: "returns_to", form: sideValue.form, initial: "place", help: "where a returned message comes back; place: by its age"},
		{name: "schedule", form: scheduleValue.form, initial: "broker", help: "who keeps a job with a later start"},
		{name: "dedup", form: dedupBlock.form, help: "a job whose id is known already is dropped (suppressed) instead of taken"},
		{name: "capacity", form: countValue.form, initial: "unlimited", help: "most waiting messages"},
		{name: "overflow", form: overflowValue.form, initial: "refuse", help: "what happens beyond the capacity"},
		{name: "in_flight", form: countValue.form, initial: "unlimited", help: "most unacknowledged deliveries in all"},
		{name: "drain_to", form: countValue.form, help: "waiting plus running jobs at which drain_s ends; from the run itself if absent"},
		{name: "partitions", form: partitionsBlock.form, fixed: true, help: "the queue is split by job key, each part belongs to one process"},
		{name: "serves", form: servesValue.form, initial: "all", help: "what it answers; reads: it hands out and settles what it has, and takes nothing new; none: it does nothing, and what was settled meanwhile comes back"},
		timeoutKey, clockKey,
	},
	later: laterHost,
})

var (
	lookForValue  = value[poll]{&form{name: "period", unit: inSeconds, open: true, words: []string{"notified"}}, parseLookFor}
	picksValue    = choice[Picks]("pick", "turn", "random", "first", "any")
	ackValue      = choice[AckAt]("moment", "end", "start", "receive")
	orderValue    = choice[Order]("order", "fifo", "lifo", "random", "priority", "key")
	sideValue     = choice[Side]("side", "place", "front", "back")
	scheduleValue = choice[uint8]("keeper", "broker", "worker")
	overflowValue = choice[uint8]("overflow", "refuse", "drop_oldest")
	countedValue  = func() value[uint8] {
		c := choice[uint8]("counted event", "receive", "start", "expiry", "failure", "recovery")
		c.many = set
		return c
	}()
)

var attemptsBlock = define(block{
	name: "attempts",
	main: "limit",
	keys: []key{
		{name: "limit", form: countValue.form, initial: "unlimited", help: "counted events that a message survives; one more dead-letters it"},
		{name: "count", form: countedValue.form, initial: "receive", help: "what counts; receive is tested at the next hand-out; recovery: the end of a session"},
		{name: "within", form: durationValue.form, initial: "forever", help: "only events so recent count"},
	},
})

func (v view) queue(name string) *Queue {
	q := &Queue{
		Name:        name,
		Prefetch:    get(v, "prefetch", countValue),
		Patience:    get(v, "patience", durationValue),
		PollTimeout: get(v, "poll_timeout", durationValue),
		Ack:         get(v, "ack", ackValue),
		Picks:       get(v, "picks", picksValue),
		Session:     v.session("queue", name),
		DeadLetter:  get(v, "dead_letter", nameValue),
		Order:       get(v, "order", orderValue),
		ReturnsTo:   get(v, "returns_to", sideValue),
		ByWorker:    get(v, "schedule", scheduleValue) == 1,
		Capacity:    get(v, "capacity", countValue),
		DropOldest:  get(v, "overflow", overflowValue) == 1,
		InFlight:    get(v, "in_flight", countValue),
		DrainTo:     -1,
		Serves:      get(v, "serves", servesValue),
		Timeout:     get(v, "timeout", durationValue),
		Clock:       v.clock(),
	}
	if q.PollTimeout <= 0 && v.sound("poll_timeout") {
		v.wrong("poll_timeout", "a question for work takes time: give a positive duration")
	}
	if v.has("drain_to") {
		q.DrainTo = get(v, "drain_to", countValue)
	}
	if p := get(v, "poll", lookForValue); !p.notified && v.sound("poll") {
		q.Poll = &p.period
	}
	if p, ok := v.sub("partitions", partitionsBlock); ok {
		q.Partitions = p.partitions()
		for _, must := range []Assignment{{"order", "fifo"}, {"picks", "turn"}} {
			if n := v.n.get(must.Path); n != nil && v.sound(must.Path) && !n.is(must.Value) {
				v.wrong("partitions", "a queue with partitions has the order fifo and picks by turn; %s: %s stands in %s, so write %s: %s",
					must.Path, n, n.at, must.Path, must.Value)
			}
		}
	}
	if l, ok := v.sub("lease", deliveryLease); ok {
		q.Lease = l.lease()
	}
	if a, ok := v.sub("attempts", attemptsBlock); ok {
		q.Attempts = a.attempts()
	} else {
		q.Attempts = Attempts{Limit: Unlimited, Within: Forever}
	}
	if r, ok := v.sub("retry", retryBlock); ok {
		q.Retry, q.RetryOn = r.retry(0)
	}
	if d, ok := v.sub("dedup", dedupBlock); ok {
		q.Dedup = d.dedup()
	}
	v.atLeastOne("prefetch", "in_flight")
	switch known := v.root.get("queues").keys(); {
	case slices.Contains([]string{"keep", "drop", "park", ""}, q.DeadLetter):
	case q.DeadLetter == name:
		v.wrong("dead_letter", "a queue cannot be its own dead-letter queue")
	case !slices.Contains(known, q.DeadLetter):
		v.wrong("dead_letter", "there is no queue %q%s", q.DeadLetter, didYouMean(q.DeadLetter, append([]string{"keep", "drop", "park"}, known...)))
	}
	return q
}

// parseLookFor reads a period between looks.
func parseLookFor(text string) (poll, error) {
	if text == "none" {
		return poll{}, fmt.Errorf("%q is no period", text)
	}
	return parsePoll(text)
}

func (v view) attempts() Attempts {
	a := Attempts{Limit: get(v, "limit", countValue), Within: get(v, "within", durationValue)}
	for _, i := range getList(v, "count", countedValue) {
		a.Count |= 1 << i
	}
	return a
}

// atLeastOne reports counts of zero where nothing could ever happen.
func (v view) atLeastOne(names ...string) {
	for _, name := range names {
		if n := v.n.get(name); n != nil && n.kind == scalar {
			if count, err := parseCount(n.text); err == nil && count < 1 {
				v.wrong(name, "must be 1 or more")
			}
		}
	}
}
