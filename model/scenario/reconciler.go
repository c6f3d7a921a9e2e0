package scenario

import "time"

// Reconciler is a periodic job that compares queues, locks and caches with what
// has really happened, and may put right what it finds.
type Reconciler struct {
	Name    string
	Every   Period
	Age     time.Duration // what has been so for less is left alone: it may still be under way
	Finds   Finds
	Repairs bool
}

// Finds is the set of things that a reconciler looks for.
type Finds uint8

const (
	FindsUnacked     Finds = 1 << iota // an effect is there, and the message still in its queue
	FindsIncomplete                    // the message is gone, and an effect is missing
	FindsOrphanLocks                   // the holder is dead or gone
	FindsCache                         // a copy contradicts its source
	FindsAll         = 1<<iota - 1
)

var reconcilerBlock = define(block{
	name: "reconciler",
	main: "every",
	keys: []key{
		{name: "every", form: periodValue.form, fixed: true, help: "when it looks"},
		{name: "age", form: durationValue.form, initial: "0s", help: "what has been so for less is left alone: it may still be under way"},
		{name: "finds", form: findsValue.form, help: "unacked: an effect is there and the message still in its queue; incomplete: the message is gone and an effect is missing; orphan_locks: the holder is dead or gone; cache: a copy contradicts its source. All if absent"},
		{name: "repairs", form: boolValue.form, initial: "true", help: "acknowledges; publishes again; takes the grant of exactly that holder away; drops the copy"},
	},
})

var findsValue = func() value[uint8] {
	finding := choice[uint8]("finding", "unacked", "incomplete", "orphan_locks", "cache")
	finding.many = set
	return finding
}()

func (v view) reconciler(name string) *Reconciler {
	r := &Reconciler{
		Name:    name,
		Every:   get(v, "every", periodValue),
		Age:     get(v, "age", durationValue),
		Finds:   FindsAll,
		Repairs: get(v, "repairs", boolValue),
	}
	v.required("every")
	if v.has("every") && v.sound("every") {
		v.ticks("every", r.Every)
	}
	if v.has("finds") {
		r.Finds = 0
		for _, i := range getList(v, "finds", findsValue) {
			r.Finds |= 1 << i
		}
	}
	return r
}
