package scenario

var jumpBlock = define(block{
	name: "jump",
	keys: []key{
		{name: "clock", form: targetsValue.form, help: "whose wall clock steps: processes, components, members of a store"},
		{name: "by", form: instantValue.form, help: "how far; negative: back"},
	},
})

func (v view) jump(e *Event) {
	v.required("clock", "by")
	e.On, e.By = v.targets("clock"), get(v, "by", instantValue)
	for _, t := range e.On {
		if t.Index == AnyOf || t.Index == HolderOf || t.Version != "" {
			v.wrong("clock", "%s: name the nodes whose clock steps", t)
		}
	}
	if v.has("by") && v.sound("by") && e.By == 0 {
		v.wrong("by", "a step of 0s changes nothing")
	}
}

var revokeBlock = define(block{
	name: "revoke",
	main: "target",
	keys: []key{
		{name: "target", form: targetsValue.form, help: "locks or queues whose grants an operator takes away"},
		{name: "share", form: shareValue.form, initial: "100%", help: "of the grants, each drawn by itself"},
	},
})

func (v view) revoke(e *Event) {
	v.required("target")
	e.On, e.Share = v.targets("target"), get(v, "share", shareValue)
	for _, t := range e.On {
		if t.Name != "" && (t.Noun != "locks" && t.Noun != "queues" || t.Index != AllOf) {
			v.wrong("target", "%s: only the grants of a lock or a queue can be revoked", t)
		}
	}
}
