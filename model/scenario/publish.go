package scenario

var publishBlock = define(block{
	name: "publish",
	main: "job",
	keys: []key{
		{name: "job", form: nameValue.form, fixed: true, help: "type of the job to send; fields of the same name are handed on to it"},
		{name: "after", form: durationValue.form, initial: "0s", help: "it does not start before so long after it was sent"},
		{name: "key", form: templateValue.form, fixed: true, help: "its business key, from the fields of the job that sends it; its own if absent"},
	},
})

func (v view) publish(of owner) Step {
	s := Step{Verb: PublishStep, Share: 1}
	p, ok := v.sub("publish", publishBlock)
	if !ok {
		return s
	}
	p.required("job")
	s.To = p.known("job", "jobs")
	if j := v.root.get("jobs").get(s.To); j != nil && j.get("queue") == nil {
		p.wrong("job", "%s goes through no queue: only a job with a queue can be published", s.To)
	}
	s.After = get(p, "after", durationValue)
	s.Key = p.key(of)
	return s
}

// outboxes checks that each write with an outbox has a publish to bring along.
func (v view) outboxes(n *node, path string, steps []Step) {
	waits := false
	for _, s := range steps {
		switch {
		case s.Verb == PublishStep:
			waits = false
		case s.Outbox && waits:
			v.problem(n, path, "two writes with an outbox and no publish between them: each brings the next publish along")
		case s.Outbox:
			waits = true
		}
	}
	if waits {
		v.problem(n, path, "a write with an outbox needs a publish after it in the same list of steps")
	}
}
