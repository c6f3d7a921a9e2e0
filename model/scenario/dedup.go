package scenario

import (
	"fmt"
	"slices"
)

var dedupBlock = define(block{
	name: "dedup",
	main: "window",
	keys: []key{
		{name: "window", form: durationValue.form, help: "how long an id is known after the first job with it"},
		{name: "id", form: templateValue.form, fixed: true, help: "the job's key if absent"},
		{name: "refresh", form: boolValue.form, initial: "false", help: "a suppressed repeat starts the window anew"},
		{name: "frees", form: freesValue.form, initial: "never", help: "the id is free again, besides after the window: never, at the job's start, at its end"},
	},
})

var freesValue = choice[Frees]("moment", "never", "start", "end")

func (v view) dedup() *Dedup {
	v.required("window")
	d := &Dedup{Window: get(v, "window", durationValue), Refresh: get(v, "refresh", boolValue), Frees: get(v, "frees", freesValue),
		ID: optional(v, "id", templateValue)}
	rule := d.Rule()
	v.refused(rule.Check())
	return d
}

// early are the holes that are filled before a job starts.
var early = []Hole{NoHole, HoleField, HoleJob, HolePublish}

// beforeStart refuses a key that needs what only an execution has.
func (t Template) beforeStart() error {
	for _, p := range t.Parts {
		if !slices.Contains(early, p.Hole) {
			return fmt.Errorf("%q: {%s} is not known before the job starts", t.Text, p.Name)
		}
	}
	return nil
}

// ids checks that every job of a queue can make the id that the queue asks for.
func (b *builder) ids() {
	for _, q := range b.s.Queues {
		if q.Dedup == nil || q.Dedup.ID == nil {
			continue
		}
		for _, j := range b.s.Jobs {
			if j.Queue != q.Name {
				continue
			}
			id, err := q.Dedup.ID.bind(j.Fields)
			if err == nil {
				err = id.beforeStart()
			}
			if err != nil {
				b.problem(b.root.get("queues").get(q.Name), "queues."+q.Name+".dedup.id", "job %s: %s", j.Name, err)
			}
		}
	}
}
