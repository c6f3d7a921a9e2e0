package scenario

import "slices"

var replayBlock = define(block{
	name: "replay",
	main: "queue",
	keys: []key{
		{name: "queue", form: targetsValue.form, help: "the queues whose dead letters come back, such as queues.q"},
		{name: "share", form: shareValue.form, initial: "100%", help: "of them, each drawn by itself"},
	},
})

func (v view) replay(e *Event) {
	v.required("queue")
	e.Share = get(v, "share", shareValue)
	e.On = v.targets("queue")
	for _, t := range e.On {
		if t.Name != "" && (t.Noun != "queues" || t.Index != AllOf) {
			v.wrong("queue", "%s: only the dead letters of a queue can be put back", t)
			continue
		}
		for _, q := range v.s.Queues {
			if q.Name == t.Name && !slices.Contains([]string{"keep", "park"}, q.DeadLetter) {
				v.wrong("queue", "%s: its dead letters are not kept (dead_letter: %s), so they cannot come back", t, q.DeadLetter)
			}
		}
	}
}
