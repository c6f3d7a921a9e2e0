package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
)

// parcel is a job that is to be sent to its queue.
type parcel struct {
	kind  *jobType // nil: none
	step  *scenario.Step
	key   uint64 // its business key, if the step gives one
	sends chance // its luck
}

// parcelOf is what the publish o of an execution sends.
func (w *world) parcelOf(o *op, j *job, x *execution) parcel {
	p := parcel{kind: w.types[o.index], step: o.step,
		sends: w.luck[luckPublish].With(j.luck).With(uint64(x.startNo)<<32 | uint64(o.nth)<<20 | uint64(x.round()))}
	if o.step.Key != nil {
		p.key = render(o.step.Key, j, x)
	}
	return p
}

// published counts the publishes of the steps before.
func published(ops []op) (n int16) {
	for i := range ops {
		if ops[i].step.Verb == scenario.PublishStep {
			n++
		}
	}
	return n
}

// beginPublish sends another job to its queue and waits for the broker's
// answer: without one the step has failed, though the job may have been taken.
func (w *world) beginPublish(i int32, x *execution, o *op) {
	j := w.jobs.at(x.job)
	n, c := w.newPublish(w.parcelOf(o, j, x), x.proc, x.job)
	c.exec, c.execID = i, x.id
	x.call = n
	w.place(n, x.proc.group.queue(c.parcel.kind.queue).Timeout)
}

// relay sends the job that a write brought along, from the service that took
// the write. It asks until the broker says that the job is taken, so the job
// cannot be lost; when an answer is, the job comes twice.
func (w *world) relay(s *service, write *call) {
	w.relayOnce(s.node, write.parcel, write.job, write.parcel.sends)
}

// relayOnce asks once. Each asking is a call of its own, for the answer to the
// one before may still be on its way.
func (w *world) relayOnce(from int32, parcel parcel, parent int32, luck chance) {
	n, c := w.newPublish(parcel, nil, parent)
	c.from, c.luck = from, luck
	w.place(n, relayEvery(c))
}

func (w *world) newPublish(parcel parcel, p *process, parent int32) (int32, *call) {
	q := parcel.kind.queue
	n, c := w.newCall(askPublish, scenario.Publish, p, q.node, parcel.sends)
	w.holdJob(parent)
	c.job, c.place, c.parcel = parent, q.place, parcel
	return n, c
}

// takePublish is the arrival of a job at its broker. Fields that it shares with
// the job that sends it are handed on.
func (w *world) takePublish(i int32, c *call) {
	t := c.parcel.kind
	sender := w.jobs.at(c.job)
	given := w.types[sender.kind].cfg.Fields
	id := w.newJob(t, uint64(c.parcel.sends.With(1)))
	j := w.jobs.at(id)
	for f := range t.cfg.Fields {
		if k := slices.IndexFunc(given, func(g scenario.Field) bool { return g.Name == t.cfg.Fields[f].Name }); k >= 0 {
			j.fields[f] = sender.fields[k]
		}
	}
	if c.parcel.step.Key != nil {
		j.key = c.parcel.key
	} else {
		j.key = render(&t.cfg.Key, j, nil)
	}
	j.notBefore = j.published.Add(c.parcel.step.After)
	if !w.publish(t.queue, id) {
		c.class = policies.Transient
	}
	w.reply(i, c)
}

// publishAnswered goes on with the job that published, or lets the relay of an
// outbox ask again.
func (w *world) publishAnswered(n int32, c *call) {
	if c.proc < 0 {
		w.relayAnswered(n, c)
		return
	}
	x := w.resumed(n, c)
	if x == nil {
		return
	}
	if c.class != policies.OK {
		w.finish(c.exec, x, c.class)
		return
	}
	x.pc++
	w.advance(c.exec, x)
}

// relayEvery is how often a relay asks.
func relayEvery(c *call) time.Duration {
	if d := c.parcel.kind.queue.cfg.Timeout; d != scenario.Forever {
		return d
	}
	return c.parcel.kind.queue.cfg.PollTimeout
}

// relayAnswered asks again, once every patience.
func (w *world) relayAnswered(n int32, c *call) {
	if c.class == policies.OK {
		return
	}
	if again := c.sentAt.Add(relayEvery(c)); again > w.sim.Now() {
		c.waiting = true
		w.sim.Arm(c.timer, again)
		return
	}
	w.relayOnce(c.from, c.parcel, c.job, c.luck.With(2))
}
