package model

import "github.com/tenggat/tenggat/model/scenario"

// anySlot is the slot of a delivery that waits for any that is free.
const anySlot = -1

// tie chooses the slot of a delivery on receive (bind), whether busy or not.
func (w *world) tie(p *process, v *delivery) int32 {
	switch p.group.cfg.Bind {
	case scenario.BindFirst:
		return 0
	case scenario.BindRandom:
		luck := w.luck[luckSlot].With(w.jobs.at(v.job).luck).With(uint64(v.number))
		return int32(luck.IntN(int64(p.group.cfg.Slots)))
	}
	return anySlot
}

// next takes out of the buffer what is to start next: the oldest delivery whose
// slot is free; -1 if there is none.
func (p *process) next(w *world) int32 {
	if p.group.cfg.Bind == scenario.BindFree {
		return p.buffer.pop()
	}
	for k := range p.buffer.n {
		i := p.buffer.get(k)
		if slot := w.execs.at(i).tied; !p.taken(slot) {
			p.buffer.drop(i)
			p.tied[slot] = true
			return i
		}
	}
	return -1
}

// taken says that a slot runs a delivery that was tied to it.
func (p *process) taken(slot int32) bool { return *grown(&p.tied, int(slot)) }

// untie frees the slot of an execution that has ended, or was not wanted.
func (p *process) untie(x *execution) {
	if x.tied != anySlot && (x.stage == atWork || x.stage == offered) {
		p.tied[x.tied] = false
	}
}
