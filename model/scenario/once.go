package scenario

// maxOnce is the most guards of one job.
const maxOnce = 2

var onceBlock = define(block{
	name: "once",
	main: "at",
	keys: []key{
		{name: "at", form: nameValue.form, fixed: true, help: "service or cache that remembers the key; a cache for its ttl, it is asked once, and what it is flushed of it has forgotten"},
		{name: "key", form: templateValue.form, fixed: true, help: "the job's key if absent"},
	},
})

func (v view) once(of owner) Step {
	s := Step{Verb: Once, Share: 1}
	if of.repeated {
		v.wrong("once", "a guard holds to the end of the job: it cannot stand inside a repeat")
	}
	if o, ok := v.sub("once", onceBlock); ok {
		o.required("at")
		s.To = o.known("at", "services", "caches")
		s.Key = o.key(of)
	}
	return s
}
