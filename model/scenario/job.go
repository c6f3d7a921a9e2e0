package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/policies"
)

var jobBlock = define(block{
	name: "job",
	keys: []key{
		{name: "queue", form: nameValue.form, fixed: true, help: "delivered through this queue; or:"},
		{name: "by", form: nameValue.form, fixed: true, help: "started directly in each process of this group"},
		{name: "arrivals", form: arrivalsValue.form, help: "when there is one; with by, a list has one entry per process"},
		{name: "fields", form: fieldsForm, fixed: true, help: "business fields: {order: serial, account: zipf 500, id: [101, 102]}"},
		{name: "key", form: templateValue.form, initial: "{job}", fixed: true, help: "business key"},
		{name: "expires", form: expiryValue.form, help: "not started so long after publishing: `30s drop` or `30s dead_letter`; never if absent"},
		{name: "priority", form: wholeValue.form, initial: "5", help: "1 (most urgent) to 9"},
		{name: "start", form: startTimeValue.form, help: "not before: `at T`, `after D` of publishing, `after D received`; at once if absent"},
		{name: "time_limit", client: true, form: durationValue.form, initial: "forever", help: "hard job time-out"},
		{name: "on_time_limit", client: true, form: limitValue.form, initial: "fail", help: "fail: a transient error; kill: the process dies and nothing is cleaned up"},
		{name: "errors", form: fatesBlock.form, initial: "{}", help: "what becomes of a failed job"},
		{name: "retry", form: retryBlock.form, help: "of failed attempts: keys on top of the queue's"},
		{name: "lease", form: deliveryLease.form, help: "of its deliveries: keys on top of the queue's"},
		{name: "steps", form: stepsForm, fixed: true, help: "what it does, in order"},
	},
	later: []string{"version"},
})

var fatesBlock = define(block{
	name: "errors",
	keys: []key{
		{name: "transient", client: true, form: fateValue.form, initial: "retry", help: "fate after a passing error"},
		{name: "permanent", client: true, form: fateValue.form, initial: "dead_letter", help: "fate after an error that stays"},
		{name: "coordination", client: true, form: fateValue.form, initial: "drain", help: "fate when ownership is in doubt"},
		{name: "gave_up", form: fateValue.form, initial: "dead_letter", help: "fate when retry gives up"},
	},
})

var (
	fateValue  = choice[Fate]("fate", "retry", "return", "hold", "drop", "dead_letter", "drain")
	limitValue = choice[uint8]("end", "fail", "kill")
	fieldsForm = &form{name: "fields", raw: true}
)

var (
	expiryValue    = value[expiry]{&form{name: "expiry", open: true}, parseExpiry}
	startTimeValue = value[startTime]{&form{name: "start", open: true}, parseStartTime}
)

// expiry is how old an unstarted job may get.
type expiry struct {
	after      time.Duration
	deadLetter bool
}

func parseExpiry(text string) (expiry, error) {
	after, fate, found := strings.Cut(text, " ")
	d, err := parseDuration(after)
	if err == nil && found && fate != "drop" && fate != "dead_letter" {
		err = fmt.Errorf("%q: after the duration stands drop or dead_letter", text)
	}
	return expiry{d, fate == "dead_letter"}, err
}

// startTime is when a job may start at the earliest.
type startTime struct {
	at, after *time.Duration
	received  bool
}

func parseStartTime(text string) (s startTime, err error) {
	words := strings.Fields(text)
	var d time.Duration
	switch {
	case len(words) == 2 && words[0] == "at":
		d, err = parseInstant(words[1])
		s.at = &d
	case len(words) == 2 && words[0] == "after", len(words) == 3 && words[0] == "after" && words[2] == "received":
		d, err = parseDuration(words[1])
		s.after, s.received = &d, len(words) == 3
	default:
		err = fmt.Errorf("%q is no start: write `at T`, `after D` or `after D received`", text)
	}
	return s, err
}

func (v view) job(name string) *Job {
	start, expires := get(v, "start", startTimeValue), get(v, "expires", expiryValue)
	j := &Job{
		Name:      name,
		Queue:     get(v, "queue", nameValue),
		By:        get(v, "by", nameValue),
		Fields:    v.fields(),
		Expires:   Forever,
		ExpiresDL: expires.deadLetter,
		Priority:  get(v, "priority", wholeValue),
		StartAt:   start.at,
		StartIn:   start.after,
		Received:  start.received,
		Limit:     get(v, "time_limit", durationValue),
		Kill:      get(v, "on_time_limit", limitValue) == 1,
	}
	if v.has("expires") {
		j.Expires = expires.after
	}
	v.placed(j)
	v.arrivals(j)
	key, err := get(v, "key", templateValue).bind(j.Fields)
	if err == nil {
		err = key.beforeStart()
	}
	if j.Key = key; err != nil && v.sound("key") {
		v.wrong("key", "%s", err)
	}
	if v.sound("priority") && (j.Priority < 1 || j.Priority > 9) {
		v.wrong("priority", "lies between 1 (most urgent) and 9")
	}
	if f, ok := v.sub("errors", fatesBlock); ok {
		j.Fates[policies.Transient] = get(f, "transient", fateValue)
		j.Fates[policies.Permanent] = get(f, "permanent", fateValue)
		j.Fates[policies.Coordination] = get(f, "coordination", fateValue)
		if j.GiveUp = get(f, "gave_up", fateValue); j.GiveUp == FateRetry && f.sound("gave_up") {
			f.wrong("gave_up", "retry has given up: choose another fate")
		}
	}
	attempts := 1
	if j.Queue != "" {
		attempts = 0
	}
	if r, ok := v.sub("retry", retryBlock); ok {
		j.Retry, _ = r.retry(attempts)
	}
	if l, ok := v.sub("lease", deliveryLease); ok {
		if j.By != "" {
			v.wrong("lease", "a job without a queue has no delivery to lease")
		}
		j.Lease = l.lease()
	}
	if v.has("steps") {
		j.Steps = v.steps("steps", owner{fields: j.Fields})
	}
	return j
}

// placed checks that the job has exactly one way to its workers.
func (v view) placed(j *Job) {
	queues, groups := v.root.get("queues").keys(), v.root.get("workers").keys()
	switch {
	case v.has("queue") == v.has("by"):
		v.problem(v.n, v.path, "a job has either a queue, or a group that starts it itself (by)")
	case j.Queue != "" && !slices.Contains(queues, j.Queue):
		v.wrong("queue", "there is no queue %q%s", j.Queue, didYouMean(j.Queue, queues))
	case j.By != "" && !slices.Contains(groups, j.By):
		v.wrong("by", "there is no group %q%s", j.By, didYouMean(j.By, groups))
	}
}

func (v view) arrivals(j *Job) {
	n, _ := v.at("arrivals", arrivalsValue.form)
	for _, sources := range getList(v, "arrivals", arrivalsValue) {
		j.Arrivals = append(j.Arrivals, sources...)
	}
	if n == nil || n.kind != list {
		return
	}
	j.PerProc = true
	switch {
	case j.Queue != "":
		v.wrong("arrivals", "a list has one entry per process of `by`; join sources of a queue with `and`")
	case len(j.Arrivals) > len(n.items):
		v.wrong("arrivals", "`and` inside a list is not yet supported")
	}
}

// fields reads the map of business fields.
func (v view) fields() []Field {
	n, path := v.at("fields", fieldsForm)
	if n == nil || n.is("none") || n.kind == failed {
		return nil
	}
	if n.kind != mapping {
		v.problem(n, path, "expected {name: serial, …}, not %s", describe(n))
		return nil
	}
	var fields []Field
	for _, p := range n.pairs {
		path := join(path, p.key)
		_, err := parseName(p.key)
		if _, taken := holes[p.key]; taken && err == nil {
			err = fmt.Errorf("{%s} means something already; choose another name", p.key)
		}
		var f Field
		if err == nil {
			f, err = v.field(p.value)
		}
		if f.Name = p.key; err != nil {
			v.problem(p.value, path, "%s", err)
		}
		if _, taken := holes[p.key]; !taken {
			fields = append(fields, f)
		}
	}
	return fields
}

// field reads one field: serial [N], uniform N, zipf N or a list of numbers.
func (v view) field(n *node) (f Field, err error) {
	if n.kind == list {
		f.Kind = ListField
		for _, item := range n.items {
			x, err := parseWhole(item.text)
			if err != nil || item.kind != scalar {
				return f, fmt.Errorf("%s: a list of values other than whole numbers is not yet supported", n)
			}
			f.List = append(f.List, int64(x))
		}
		if len(f.List) == 0 {
			err = fmt.Errorf("the list is empty")
		}
		return f, err
	}
	kind, number, counted := strings.Cut(n.text, " ")
	count := 0
	if counted {
		if count, err = parseWhole(number); err == nil && (count < 1 || count > maxField) {
			err = fmt.Errorf("%q: the number lies between 1 and %d", n.text, maxField)
		}
	}
	f.N = int64(count)
	switch {
	case err != nil:
	case kind == "serial":
		f.Kind = Serial
	case kind == "trace":
		err = fmt.Errorf("trace is not yet supported")
	case kind != "uniform" && kind != "zipf":
		err = fmt.Errorf("%q is no field%s", n.text, didYouMean(kind, []string{"serial", "uniform", "zipf"}))
	case !counted:
		err = fmt.Errorf("%s needs the number of values, such as %s 500", kind, kind)
	case kind == "uniform":
		f.Kind = UniformField
	default:
		f.Kind, f.Zipf = ZipfField, zipf(count)
	}
	return f, err
}

// maxField is the most values of a field; a zipf field holds a table of them.
const maxField = 1_000_000
