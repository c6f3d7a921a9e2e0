package model

import (
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies/detect"
	"github.com/tenggat/tenggat/sim"
)

// monitor watches processes and components for silence. A process sends its
// heartbeats; a component is asked to answer a write (see probe.go).
type monitor struct {
	cfg     *scenario.Monitor
	place   history.Place
	node    int32 // the observer, unless other nodes observe
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

// observe is the nodes that observe for a monitor.
func (w *world) observe(m *monitor) (nodes []int32) {
	if len(m.cfg.Observer) == 0 {
		return append(nodes, m.node)
	}
	for _, t := range m.cfg.Observer {
		nodes = append(nodes, w.targetNodes(t)...)
	}
	return nodes
}

// watch is one observer's view of one life of a process, or of a component, and
// the beat that it hears.
type watch struct {
	monitor  int16
	node     int32 // of the observer
	nth      int32 // of the monitor's observers
	proc     int32 // -1: a component
	life     uint32
	place    history.Place // the component
	detector *detect.Detector
	timer    sim.Timer // when the silence is noticed
	beat     sim.Timer // the next heartbeat or probe
	patience sim.Timer // the process waits no longer for an answer; of the first observer's
	number   int64     // of the newest heartbeat sent
	heard    sim.Time  // arrival of the newest heartbeat
	closed   bool      // that life has ended
	lapsed   bool      // suspected because the evidence was forgotten, whatever the detector says
	session  *session
	out      []detect.Command
}

// session is what the observers of one monitor know of one life together.
type session struct {
	suspects int      // observers that suspect
	acted    bool     // they were enough
	since    sim.Time // when that began
	asked    int64    // the process's heartbeat that waits for its answer; 0: none
}

// openSessions begins a life's sessions with every monitor that watches it.
func (w *world) openSessions(p *process) {
	for _, m := range w.monitors {
		if int(p.id) >= len(m.watched) || !m.watched[p.id] {
			continue
		}
		d := new(session)
		for nth, node := range w.observe(m) {
			i := w.openWatch(m, node, int32(nth), d)
			v := w.watches.at(i)
			v.proc, v.life = p.id, p.life
			p.watches = append(p.watches, i)
			w.sim.Arm(v.beat, w.firstTick(&m.cfg.Heartbeat.Every, w.beatLuck(v, 0), w.sim.Now()))
			w.watchSilence(m, v)
		}
	}
	w.observeAgain(p)
}

// openWatch makes one observer's record of a silence that begins now.
func (w *world) openWatch(m *monitor, node, nth int32, together *session) int32 {
	i := w.watches.take()
	v := w.watches.at(i)
	d, timer, beat, patience := v.detector, v.timer, v.beat, v.patience
	*v = watch{monitor: m.place.Index, node: node, nth: nth, proc: -1, detector: d, timer: timer, beat: beat, patience: patience, heard: w.sim.Now(), session: together, out: v.out[:0]}
	if timer == 0 {
		v.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evSilence, To: i})
		v.beat = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evBeat, To: i})
	}
	v.detector = detect.New(&m.rule)
	v.detector.Reset(w.now(node))
	return i
}

// observeAgain lets a process that observes, and has lost what it knew, begin
// anew.
func (w *world) observeAgain(p *process) {
	if !slices.ContainsFunc(w.monitors, func(m *monitor) bool { return len(m.cfg.Observer) > 0 }) {
		return // no process observes: a boot of many looks through none of their watches
	}
	for i := range w.watches.size {
		v := w.watches.at(i)
		m := w.monitors[v.monitor]
		if v.detector == nil || v.node != p.node {
			continue
		}
		if v.suspects() {
			v.session.suspects--
		}
		v.lapsed, v.heard = false, w.sim.Now()
		v.detector.Reset(w.now(v.node))
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
		w.disarm(v.patience)
		v.closed = true
		if v.suspects() {
			w.forgetWatch(i, v)
		} else if m.cfg.Disconnect {
			w.sim.Arm(v.timer, w.sim.Now())
		}
	}
	p.watches = p.watches[:0]
}

func (w *world) forgetWatch(i int32, v *watch) {
	v.detector = nil
	w.sim.Stop(v.timer)
	w.watches.give(i)
}

// suspects says that the observer holds that life for dead.
func (v *watch) suspects() bool { return v.lapsed || v.detector.Suspecting() }

// watchSilence arms the instant at which the observer notices the silence.
func (w *world) watchSilence(m *monitor, v *watch) {
	due := v.detector.Deadline()
	if m.cfg.Evidence != scenario.Forever {
		due = min(due, w.read(v.node, v.heard).Add(m.cfg.Evidence))
	}
	at := w.when(v.node, due)
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
	if v.proc < 0 {
		w.onProbing(ev, v)
		return
	}
	p := w.procs[v.proc]
	if w.park(p.node, ev, v.beat) {
		return
	}
	m := w.monitors[v.monitor]
	v.number++
	luck := w.beatLuck(v, v.number)
	w.sim.Arm(v.beat, w.sim.Now().Add(m.cfg.Heartbeat.Every.Every.Draw(luck)))
	if m.cfg.Heartbeat.Handler && p.machine.Running() > 0 {
		return
	}
	w.asksForAnswer(ev.To, p, v)
	if v.nth > 0 { // the beat is one, its ways are several
		luck = luck.With(uint64(v.nth))
	}
	w.send(packet{what: letBeat, from: p.node, to: v.node, proc: p.id, life: v.life, item: ev.To, a: v.number, b: int64(w.sim.Now())},
		scenario.Heartbeat, luck)
}

func (w *world) beatLuck(v *watch, number int64) chance {
	return w.luck[luckBeat].With(uint64(v.monitor)<<48 | uint64(v.proc)<<16 | uint64(v.life)&0xffff).With(uint64(number))
}

// heard is the arrival of a heartbeat.
func (w *world) heard(pk *packet) {
	v := w.watches.at(pk.item)
	if v.proc != pk.proc || v.life != pk.life || v.detector == nil || v.node != pk.to || !w.nodes[v.node].up {
		return // for an earlier user of this record, or for nobody
	}
	if v.closed && v.suspects() {
		return
	}
	w.believes(v, pk.a, sim.Time(pk.b))
	w.answersBeat(v, pk)
}

// believes takes in a sign of life.
func (w *world) believes(v *watch, number int64, sent sim.Time) {
	m := w.monitors[v.monitor]
	if v.proc >= 0 { // the answer to a probe is no heartbeat
		w.record(w.watchFact(history.Beat, v, int64(w.sim.Now()-v.heard)))
	}
	v.heard = w.sim.Now()
	v.out = v.detector.Step(w.now(v.node), detect.Input{Kind: detect.Beat, Number: number, Sent: w.read(v.node, sent)}, v.out[:0])
	if len(v.out) > 0 || v.lapsed {
		v.lapsed = false
		w.trusts(m, v)
	}
	w.watchSilence(m, v)
}

// trusts ends one observer's suspicion; that of the monitor ends when too few
// are left.
func (w *world) trusts(m *monitor, v *watch) {
	d := v.session
	if d.suspects--; !d.acted || d.suspects >= m.cfg.Suspect.Confirm {
		return
	}
	d.acted = false
	for _, q := range m.queues { // only processes have sessions
		if p := w.procs[v.proc]; p.up && p.life == v.life {
			w.joinsGroup(q, p)
		}
	}
	w.record(w.watchFact(history.Trust, v, int64(w.sim.Now()-d.since)))
}

// onSilence is an observer's look at a silence that is due.
func (w *world) onSilence(ev sim.Event) {
	v := w.watches.at(ev.To)
	m := w.monitors[v.monitor]
	nd := &w.nodes[v.node]
	switch {
	case w.park(v.node, ev, v.timer):
		return
	case !nd.up: // it begins anew when it is up again
		return
	case m.cfg.Guard > 0 && nd.slept > m.cfg.Guard && w.sim.Now() < nd.woken.Add(m.cfg.Guard):
		w.sim.Arm(v.timer, nd.woken.Add(m.cfg.Guard))
		return
	}
	told := v.closed && m.cfg.Disconnect
	v.out = v.detector.Step(w.now(v.node), detect.Input{Kind: detect.Tick}, v.out[:0])
	v.lapsed = m.cfg.Evidence != scenario.Forever && w.now(v.node) >= w.read(v.node, v.heard).Add(m.cfg.Evidence)
	if len(v.out) == 0 && !told && !v.lapsed {
		w.watchSilence(m, v)
		return
	}
	d := v.session
	if d.suspects++; !d.acted && d.suspects >= m.cfg.Suspect.Confirm {
		d.acted, d.since = true, w.sim.Now()
		w.suspected(m, v)
	}
	if v.closed {
		w.forgetWatch(ev.To, v)
	}
}

// suspected is a monitor's suspicion: enough of its observers hold that life for
// dead.
func (w *world) suspected(m *monitor, v *watch) {
	w.record(w.watchFact(history.Suspect, v, w.deadFor(v)))
	w.setsOff(m)
	if v.proc < 0 {
		return
	}
	p := w.procs[v.proc]
	for _, q := range m.queues {
		w.endSession(q, p, v.life)
	}
	for _, s := range m.stores {
		w.endLockSession(s, p, v.life)
	}
}

// deadFor is how long that life has been over, -1 if it is not.
func (w *world) deadFor(v *watch) int64 {
	if v.proc < 0 {
		if w.writes(v.place) {
			return -1
		}
		return int64(w.sim.Now() - v.heard)
	}
	if at := w.procs[v.proc].diedAt(v.life); at != sim.Never {
		return int64(w.sim.Now() - at)
	}
	return -1
}

// setsOff begins what a suspicion of this monitor sets off.
func (w *world) setsOff(m *monitor) {
	for _, i := range m.cfg.Then {
		f := &w.faults[i]
		after := f.cfg.After
		wait := after.Draw(w.luck[luckFault].With(uint64(i)).With(f.setOff))
		w.eventAt(w.sim.Now().Add(wait), int32(i), -1, f.setOff)
		f.setOff++
	}
}

// watchFact is a fact about what a monitor watches.
func (w *world) watchFact(kind history.Kind, v *watch, value int64) history.Fact {
	return history.Fact{Kind: kind, Place: w.monitors[v.monitor].place, Job: -1, Type: -1, Group: w.groupOf(v.proc), Process: w.memberOf(v.proc), Value: value}
}
