package scenario

import (
	"slices"
	"strconv"
)

// thenBlock is an event that a suspicion sets off: it has no time of its own.
var thenBlock = define(block{
	name: "consequence",
	keys: append([]key{
		{name: "after", form: distValue.form, initial: "0s", help: "time from the suspicion"},
	}, slices.DeleteFunc(slices.Clone(eventBlock.keys), func(k key) bool { return slices.Contains(times, k.name) })...),
})

// times are the keys of an event that say when it comes.
var times = []string{"at", "every", "times", "rate"}

var thenForm = &form{name: "list of events without time", raw: true}

// then reads what a suspicion of this monitor sets off. Each consequence becomes
// an event of its own, called after the monitor: m_then_1.
func (v view) then(m *Monitor) {
	n, path := v.at("then", thenForm)
	if n == nil || n.is("none") {
		return
	}
	if n.kind != list {
		v.problem(n, path, "expected a list of events without time, such as [{for: 1h, set: {…}}]")
		return
	}
	for i, item := range n.items {
		item = expand(item.clone(), thenBlock.form)
		if item.kind == mapping {
			fill(item, thenBlock)
		}
		t, ok := v.enter(item, thenBlock, path+"["+strconv.Itoa(i)+"]")
		if !ok {
			continue
		}
		e := &Event{Name: m.Name + "_then_" + strconv.Itoa(i+1), Times: Unlimited, After: get(t, "after", distValue)}
		t.does(e)
		v.triggered = append(v.triggered, consequence{m, e})
	}
}

// consequence is an event that a monitor sets off.
type consequence struct {
	monitor *Monitor
	event   *Event
}

// consequences puts the events that monitors set off behind those of the file.
func (b *builder) consequences() {
	for _, c := range b.triggered {
		if slices.ContainsFunc(b.s.Events, func(e *Event) bool { return e.Name == c.event.Name }) {
			at := b.root.get("events").get(c.event.Name)
			b.problem(at, "events."+c.event.Name, "monitor %s sets off an event of this name; choose another", c.monitor.Name)
		}
		c.monitor.Then = append(c.monitor.Then, len(b.s.Events))
		b.s.Events = append(b.s.Events, c.event)
	}
}
