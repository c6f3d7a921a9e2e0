package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// A process that counts its heartbeat among its doubts waits for the answer of
// each monitor. Of several observers one is enough: they say that the monitor
// is in reach.

// doubtsHeartbeat reports whether the process waits for answers.
func (p *process) doubtsHeartbeat() bool { return p.group.rule.Doubt&worker.DoubtHeartbeat != 0 }

// asksForAnswer begins the wait for the answer to the heartbeat that is being
// sent, unless one before it still waits.
func (w *world) asksForAnswer(i int32, p *process, v *watch) {
	s := v.session
	patience := w.monitors[v.monitor].cfg.Heartbeat.Timeout
	if v.nth > 0 || s.asked > 0 || patience == scenario.Forever || !p.doubtsHeartbeat() {
		return
	}
	if v.patience == 0 {
		v.patience = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evUnanswered, To: i})
	}
	s.asked = v.number
	w.sim.Arm(v.patience, w.sim.Now().Add(patience))
}

// answersBeat is an observer's answer to a heartbeat that it has heard.
func (w *world) answersBeat(v *watch, beat *packet) {
	p := w.procs[v.proc]
	if !p.doubtsHeartbeat() {
		return
	}
	w.send(packet{what: letHeard, from: v.node, to: p.node, proc: p.id, life: v.life, item: beat.item, a: beat.a}, scenario.Heartbeat,
		w.beatLuck(v, beat.a).With(uint64(v.nth)))
}

// beatAnswered is the arrival of an answer. One that comes after the wait is
// too late: the heartbeat has failed.
func (w *world) beatAnswered(pk *packet) {
	v, p := w.watches.at(pk.item), w.procs[pk.proc]
	if v.proc != pk.proc || v.life != pk.life || v.closed || v.session.asked == 0 || pk.a < v.session.asked {
		return
	}
	v.session.asked = 0
	p.step(w, worker.Input{Kind: worker.Heartbeat, Monitor: int32(v.monitor), OK: true})
}

// onUnanswered is the end of the wait.
func (w *world) onUnanswered(ev sim.Event) {
	v := w.watches.at(ev.To)
	p := w.procs[v.proc]
	if w.park(p.node, ev, v.patience) || v.session.asked == 0 {
		return
	}
	v.session.asked = 0
	p.step(w, worker.Input{Kind: worker.Heartbeat, Monitor: int32(v.monitor)})
}
