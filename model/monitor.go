package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/detect"
	"github.com/tenggat/tenggat/sim"
)

// monitor watches processes for silence.
type monitor struct {
	cfg     *scenario.Monitor
	place   history.Place
	node    int32
	rule    detect.Rule
	watched []bool       // by process
	queues  []*broker    // whose session it is
	stores  []*lockStore // whose session it is
	phase   sim.Time
}

// check is when the monitor looks; at its own beat means as often as it expects
// those of others.
func (m *monitor) check() *scenario.Check {
	if m.cfg.Check.Beat {
		return &scenario.Check{Every: m.cfg.Heartbeat.Every}
	}
	return &m.cfg.Check
}

// watch is a monitor's view of one life of a process, and that life's beat.
type watch struct {
	monitor  int16
	proc     int32
	life     uint32
	detector *detect.Detector
	timer    sim.Timer // when the silence is noticed
	beat     sim.Timer // the process's next heartbeat
	number   int64     // of the newest heartbeat sent
	heard    sim.Time  // arrival of the newest heartbeat
	since    sim.Time  // start of the suspicion
	closed   bool      // that life has ended
	lapsed   bool      // suspected because the evidence was forgotten, whatever the detector says
	out      []detect.Command
}

// openSessions begins a life's sessions with every monitor that watches it.
func (w *world) openSessions(p *process) {
	for _, m := range w.monitors {
		if int(p.id) >= len(m.watched) || !m.watched[p.id] {
			continue
		}
		i := w.watches.take()
		v := w.watches.at(i)
		d, timer, beat := v.detector, v.timer, v.beat
		*v = watch{monitor: m.place.Index, proc: p.id, life: p.life, detector: d, timer: timer, beat: beat, heard: w.sim.Now(), out: v.out[:0]}
		if timer == 0 {
			v.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evSilence, To: i})
			v.beat = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evBeat, To: i})
		}
		v.detector = detect.New(&m.rule)
		v.detector.Reset(w.now(m.node))
		p.watches = append(p.watches, i)
		w.sim.Arm(v.beat, w.firstTick(&m.cfg.Heartbeat.Every, w.beatLuck(v), w.sim.Now()))
		w.watchSilence(m, v)
	}
}

// closeSessions ends a life's beats. The monitors learn of it by the silence,
// unless the connection's end tells them.
func (w *world) closeSessions(p *process) {
	for _, i := range p.watches {
		v := w.watches.at(i)
		m := w.monitors[v.monitor]
		w.sim.Stop(v.beat)
		v.closed = true
		if v.suspects() {
			w.watches.give(i)
		} else if m.cfg.Disconnect {
			w.sim.Arm(v.timer, w.sim.Now())
		}
	}
	p.watches = p.watches[:0]
}

// suspects says that the monitor holds that life for dead.
func (v *watch) suspects() bool { return v.lapsed || v.detector.Suspecting() }

// watchSilence arms the instant at which the monitor notices the silence.
func (w *world) watchSilence(m *monitor, v *watch) {
	due := v.detector.Deadline()
	if m.cfg.Evidence != scenario.Forever {
		due = min(due, w.read(m.node, v.heard).Add(m.cfg.Evidence))
	}
	at := w.when(m.node, due)
	if at == sim.Never {
		w.sim.Stop(v.timer)
		return
	}
	w.sim.Arm(v.timer, w.looks(m.check(), m.phase, at))
}

// onBeat sends a heartbeat and sets the next. Ticks that a pause has overdue
// collapse into one.
func (w *world) onBeat(ev sim.Event) {
	v := w.watches.at(ev.To)
	p := w.procs[v.proc]
	if w.park(p.node, ev, v.beat) {
		return
	}
	m := w.monitors[v.monitor]
	v.number++
	luck := w.beatLuck(v)
	w.sim.Arm(v.beat, w.sim.Now().Add(m.cfg.Heartbeat.Every.Every.Draw(luck)))
	if m.cfg.Heartbeat.Handler && p.machine.Running() > 0 {
		return
	}
	w.send(packet{what: letBeat, from: p.node, to: m.node, proc: p.id, life: v.life, item: ev.To, a: v.number, b: int64(w.sim.Now())},
		scenario.Heartbeat, luck)
}

func (w *world) beatLuck(v *watch) chance {
	return w.luck[luckBeat].With(uint64(v.monitor)<<48 | uint64(v.proc)<<16 | uint64(v.life)&0xffff).With(uint64(v.number))
}

// heard is the arrival of a heartbeat.
func (w *world) heard(pk *packet) {
	v := w.watches.at(pk.item)
	m := w.monitors[v.monitor]
	if v.proc != pk.proc || v.life != pk.life || v.detector == nil || m.node != pk.to {
		return // for an earlier user of this record
	}
	if v.closed && v.suspects() {
		return
	}
	p := w.procs[v.proc]
	w.record(history.Fact{Kind: history.Beat, Place: m.place, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: int64(w.sim.Now() - v.heard)})
	v.heard = w.sim.Now()
	v.out = v.detector.Step(w.now(m.node), detect.Input{Kind: detect.Beat, Number: pk.a, Sent: w.read(m.node, sim.Time(pk.b))}, v.out[:0])
	if len(v.out) > 0 || v.lapsed {
		v.lapsed = false
		w.record(history.Fact{Kind: history.Trust, Place: m.place, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: int64(w.sim.Now() - v.since)})
	}
	w.watchSilence(m, v)
}

// onSilence is the monitor's look at a silence that is due.
func (w *world) onSilence(ev sim.Event) {
	v := w.watches.at(ev.To)
	m := w.monitors[v.monitor]
	told := v.closed && m.cfg.Disconnect
	v.out = v.detector.Step(w.now(m.node), detect.Input{Kind: detect.Tick}, v.out[:0])
	v.lapsed = m.cfg.Evidence != scenario.Forever && w.now(m.node) >= w.read(m.node, v.heard).Add(m.cfg.Evidence)
	if len(v.out) == 0 && !told && !v.lapsed {
		w.watchSilence(m, v)
		return
	}
	p := w.procs[v.proc]
	dead := int64(-1)
	if at := p.diedAt(v.life); at != sim.Never {
		dead = int64(w.sim.Now() - at)
	}
	v.since = w.sim.Now()
	w.record(history.Fact{Kind: history.Suspect, Place: m.place, Job: -1, Type: -1, Group: p.group.index, Process: p.member, Value: dead})
	for _, q := range m.queues {
		w.endSession(q, p, v.life)
	}
	for _, s := range m.stores {
		w.endLockSession(s, p, v.life)
	}
	if v.closed {
		v.detector = nil
		w.watches.give(ev.To)
	}
}
