package scenario

import (
	"strings"
	"time"
)

// Alert is a rule that an observer of the run evaluates: it fires when its
// condition has held for some time, and again when it has held anew. It changes
// nothing of what it watches.
type Alert struct {
	Name  string
	When  string        // an expression over the running series; see experiments/alert
	For   time.Duration // how long it must hold
	Every time.Duration // from one look to the next; above 0
}

var alertBlock = define(block{
	name: "alert",
	main: "when",
	keys: []key{
		{name: "when", form: textValue.form, fixed: true, help: "an expression over the running series, such as rate(\"retry\", minute) > 2 and queues.q.queue_depth > 100"},
		{name: "for", form: durationValue.form, initial: "0s", fixed: true, help: "how long it must hold before the alert fires"},
		{name: "every", form: durationValue.form, initial: "1s", fixed: true, help: "from one look to the next; widths and for are whole numbers of it"},
	},
})

func (v view) alert(name string) *Alert {
	a := &Alert{
		Name:  name,
		When:  strings.TrimSpace(get(v, "when", textValue)),
		For:   get(v, "for", durationValue),
		Every: get(v, "every", durationValue),
	}
	v.required("when")
	switch {
	case !v.sound("every", "for"):
	case a.Every == 0 || a.Every == Forever:
		v.wrong("every", "an alert looks now and then: give a duration above 0s and short of forever")
	case a.For%a.Every != 0:
		v.wrong("for", "%v is not a whole number of looks, which are %v apart", a.For, a.Every)
	}
	return a
}
