package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tenggat/tenggat/sim/dist"
)

var stepsForm = &form{name: "steps", steps: true}

// verbs is the table of steps: an item of a list of steps has one of its keys.
var verbs = define(block{
	name: "step",
	keys: []key{
		{name: "work", form: workValue.form, help: "computes; needs un-paused time"},
		{name: "call", form: callBlock.form, help: "calls a service with the service's client settings"},
		{name: "write", form: writeBlock.form, help: "a call that lands an effect; what it carries is checked there"},
		{name: "read", form: readBlock.form, help: "reads a cache or a service and remembers the version seen"},
		{name: "lock", form: nameValue.form, fixed: true, help: "acquires a lock by its wait; held to the end of the job or to unlock"},
		{name: "unlock", form: nameValue.form, fixed: true, help: "gives it back"},
		{name: "once", form: onceBlock.form, help: "idempotency guard: a key that is done ends the job as a success, one in progress refuses it (transient); else it is marked, and done with the job"},
		{name: "publish", form: publishBlock.form, help: "sends another job and waits for the queue's answer; without one it fails (transient)"},
		{name: "repeat", form: repeatBlock.form, help: "a block of steps again"},
		{name: "ack", form: nowValue.form, fixed: true, help: "acknowledges early"},
		{name: "fail", form: failBlock.form, help: "a share of executions ends here with an error"},
		{name: "crash", form: crashValue.form, fixed: true, help: "poison: takes the process or its host with it"},
	},
})

var callBlock = define(block{
	name: "call",
	main: "to",
	keys: []key{
		{name: "to", form: nameValue.form, fixed: true, help: "service"},
		{name: "share", form: shareValue.form, initial: "100%", help: "of executions that make the call"},
		{name: "timeout", form: durationValue.form, help: "instead of the service's"},
		{name: "retry", form: retryBlock.form, help: "instead of the service's"},
	},
})

var writeBlock = define(block{
	name: "write",
	main: "to",
	keys: []key{
		{name: "to", form: nameValue.form, fixed: true, help: "service"},
		{name: "key", form: templateValue.form, fixed: true, help: "of the effect; the job's key if absent"},
		{name: "token", form: nameValue.form, fixed: true, help: "lock whose token the write carries"},
		{name: "sequence", form: rankValue.form, fixed: true, help: "its number among the updates of what key names: a field, or a whole number"},
		{name: "status", form: rankValue.form, fixed: true, help: "the state that it gives to what key names: pending, processing, completed or failed, a field, or a whole number that grows"},
		{name: "outbox", form: boolValue.form, initial: "false", fixed: true, help: "the next publish goes out with this write, in one transaction"},
		{name: "refused", form: refusedValue.form, initial: "fail", help: "fail: a refusal for its token is a coordination error, for its version a transient one; ignore: only counted"},
	},
})

var repeatBlock = define(block{
	name: "repeat",
	keys: []key{
		{name: "times", form: wholeValue.form, help: "rounds"},
		{name: "every", form: durationValue.form, help: "round k = 1, 2, … begins k·every after the step did, or late at once; without it, one after the other"},
		{name: "steps", form: stepsForm, fixed: true, help: "of one round; {step} inside is the round's number"},
	},
})

var failBlock = define(block{
	name: "fail",
	main: "share",
	keys: []key{
		{name: "share", form: shareValue.form, initial: "100%", help: "of executions"},
		{name: "as", form: classValue.form, initial: "transient", help: "class of the error"},
	},
})

var (
	workValue    = value[*dist.Dist]{&form{name: "dist", unit: inSeconds, open: true, many: script, words: []string{"forever"}}, parseWork}
	nowValue     = choice[uint8]("moment", "now")
	crashValue   = choice[uint8]("victim", "process", "host")
	refusedValue = choice[uint8]("reaction", "fail", "ignore")
)

// parseWork reads a distribution or forever, which is nil.
func parseWork(text string) (*dist.Dist, error) {
	if text == "forever" {
		return nil, nil
	}
	d, err := dist.Parse(text)
	return &d, err
}

// owner is whose steps they are: a service's, or of a job with these fields.
type owner struct {
	service  string
	fields   []Field
	repeated bool // inside a repeat
}

// steps reads a list of one-verb maps.
func (v view) steps(name string, of owner) []Step {
	n, path := v.at(name, stepsForm)
	if n.kind == failed {
		return nil
	}
	if n.kind != list {
		v.problem(n, path, "expected a list of steps [work: 1s, …], not %s", describe(n))
		return nil
	}
	seen := map[string]int{}
	var steps []Step
	for i, item := range n.items {
		if item.kind != mapping || len(item.pairs) != 1 {
			v.problem(item, path+"["+strconv.Itoa(i)+"]", "a step is one verb and what it acts on, such as work: 1s")
			continue
		}
		verb := item.pairs[0].key
		seen[verb]++
		path := path
		if seen[verb] > 1 {
			path = join(path, verb+"."+strconv.Itoa(seen[verb]))
		}
		if item.pairs[0].value.is("none") {
			v.problem(item.pairs[0].value, join(path, verb), "a step that does nothing: leave it out")
			continue
		}
		if s, ok := v.enter(item, verbs, path); ok {
			if _, known := verbs.row(verb); known {
				steps = append(steps, s.step(verb, of))
			}
		}
	}
	v.outboxes(n, path, steps)
	return steps
}

func (v view) step(verb string, of owner) Step {
	if of.service != "" && !slices.Contains([]string{"work", "call", "repeat", "fail"}, verb) {
		v.wrong(verb, "%s inside a service is not yet supported", verb)
		return Step{}
	}
	switch verb {
	case "work":
		return v.work()
	case "call":
		return v.call()
	case "write":
		return v.write(of)
	case "read":
		return v.read(of)
	case "lock", "unlock":
		return v.lockStep(verb, of)
	case "once":
		return v.once(of)
	case "publish":
		return v.publish(of)
	case "repeat":
		return v.repeat(of)
	case "ack":
		get(v, "ack", nowValue)
		return Step{Verb: AckNow}
	case "fail":
		s := Step{Verb: Fail}
		if f, ok := v.sub("fail", failBlock); ok {
			s.Share, s.Class = get(f, "share", shareValue), get(f, "as", classValue)
		}
		return s
	case "crash":
		return Step{Verb: CrashStep, Host: get(v, "crash", crashValue) == 1}
	}
	panic(fmt.Sprintf("scenario: no builder for the step %s", verb))
}

func (v view) work() Step {
	s := Step{Verb: Work}
	for _, d := range getList(v, "work", workValue) {
		if d == nil {
			s.Forever = true
			continue
		}
		s.Work = append(s.Work, *d)
	}
	if s.Forever && len(s.Work) > 0 && v.sound("work") {
		v.wrong("work", "forever stands alone, not in a list")
	}
	return s
}

func (v view) call() Step {
	s := Step{Verb: CallService}
	if c, ok := v.sub("call", callBlock); ok {
		s.To = c.serviceName("to")
		s.Share = get(c, "share", shareValue)
		s.Timeout = get(c, "timeout", durationValue)
		if r, ok := c.sub("retry", retryBlock); ok {
			s.Retry, _ = r.retry(1)
		}
	}
	return s
}

func (v view) write(of owner) Step {
	s := Step{Verb: Write, Share: 1}
	w, ok := v.sub("write", writeBlock)
	if !ok {
		return s
	}
	s.To = w.serviceName("to")
	s.Ignore = get(w, "refused", refusedValue) == 1
	s.Key = w.key(of)
	s.Sequence, s.Status = w.rank("sequence", of), w.rank("status", of)
	s.Outbox = get(w, "outbox", boolValue)
	if w.has("token") {
		s.Token = w.known("token", "locks")
	}
	return s
}

// key reads the key that a step carries instead of the job's; nil: none.
func (v view) key(of owner) *Template {
	if !v.has("key") {
		return nil
	}
	key, err := get(v, "key", templateValue).bind(of.fields)
	if err != nil && v.sound("key") {
		v.wrong("key", "%s", err)
	}
	return &key
}

func (v view) lockStep(verb string, of owner) Step {
	s := Step{Verb: LockStep, To: v.known(verb, "locks")}
	if verb == "unlock" {
		s.Verb = Unlock
	}
	for _, l := range v.s.Locks {
		if l.Name != s.To {
			continue
		}
		for _, name := range l.Names {
			bound, err := name.bind(of.fields)
			if err != nil {
				v.wrong(verb, "lock %s: %s", l.Name, err)
			}
			s.Names = append(s.Names, bound)
		}
	}
	return s
}

func (v view) repeat(of owner) Step {
	s := Step{Verb: Repeat}
	r, ok := v.sub("repeat", repeatBlock)
	if !ok {
		return s
	}
	r.required("times", "steps")
	r.atLeastOne("times")
	s.Times = get(r, "times", wholeValue)
	s.Every = get(r, "every", durationValue)
	if r.has("steps") {
		of.repeated = true
		s.Steps = r.steps("steps", of)
	}
	return s
}

func (v view) serviceName(name string) string {
	v.required(name)
	return v.known(name, "services")
}

// known reads a name of a thing of one of the nouns.
func (v view) known(name string, nouns ...string) string {
	text := get(v, name, nameValue)
	var names, singular []string
	for _, noun := range nouns {
		names = append(names, v.root.get(noun).keys()...)
		singular = append(singular, noun[:len(noun)-1])
	}
	if text != "" && !slices.Contains(names, text) {
		v.wrong(name, "there is no %s %q%s", strings.Join(singular, " or "), text, didYouMean(text, names))
	}
	return text
}

// callCycle finds a service whose steps lead back to it, or nil.
func callCycle(services []*Service) []string {
	calls := map[string][]string{}
	for _, s := range services {
		calls[s.Name] = callees(s.Steps)
	}
	done := map[string]bool{}
	var visit func(path []string) []string
	visit = func(path []string) []string {
		name := path[len(path)-1]
		if i := slices.Index(path, name); i < len(path)-1 {
			return path[i:]
		}
		if done[name] {
			return nil
		}
		for _, next := range calls[name] {
			if cycle := visit(append(path[:len(path):len(path)], next)); cycle != nil {
				return cycle
			}
		}
		done[name] = true
		return nil
	}
	for _, s := range services {
		if cycle := visit([]string{s.Name}); cycle != nil {
			return cycle
		}
	}
	return nil
}

func callees(steps []Step) (names []string) {
	for _, s := range steps {
		if s.Verb == CallService && s.To != "" {
			names = append(names, s.To)
		}
		names = append(names, callees(s.Steps)...)
	}
	return names
}
