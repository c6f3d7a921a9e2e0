package worker

import (
	"fmt"
	"math"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// Machine decides for one worker process. New makes one; it is owned by one
// driver.
type Machine struct {
	rule      *Rule
	jobs      []job   // by the driver's id
	leases    []claim // by lease id; 0 is not used
	free      []int32 // lease ids to give out, the next last
	agenda    agenda  // deadlines of leases and jobs
	scratch   []lease.Command
	drainAt   policies.Instant
	own       int32 // newest lease of the process
	held      int32 // leases of the process that it believes in
	running   int32
	finishing int32  // running jobs that go on though a lease is lost
	failing   int32  // leases of jobs whose newest renewal failed
	silent    []bool // by monitor: it has not answered
	unheard   int32  // monitors that have not
	state     State
	up        bool
	stopping  bool
	paused    bool
	fenced    bool
	doubt     bool // coordination is not healthy
}

// New returns a machine that is Stopped. The rule must pass Check.
func New(rule *Rule) *Machine {
	m := new(Machine)
	m.Reset(rule)
	return m
}

// Reset makes the machine Stopped under a rule and keeps its memory. Numbers
// of requests go on, so that an answer from before is not taken for a new one.
func (m *Machine) Reset(rule *Rule) {
	m.rule = rule
	m.clear()
	m.state = Stopped
}

// Step takes one input at now and appends the commands that follow. News is
// taken as it is, whatever the hour; only Tick and Woken judge the time. A
// driver that is behind therefore hands over all news that it has and then
// ticks.
func (m *Machine) Step(now policies.Instant, in Input, out []Command) []Command {
	if !m.up {
		if in.Kind != Boot {
			return out // what arrives at a dead process is lost
		}
		m.up = true
	}
	switch in.Kind {
	case Boot:
	case Tick:
		out = m.tick(now, out)
	case Woken:
		out = m.wake(now, out)
	case Stop:
		out = m.stop(now, out)
	case Kill:
		out = m.kill(out)
	case Pause:
		m.paused = true
	case Unpause:
		m.paused = false
	case Coordination:
		m.doubt = !in.OK
	case Heartbeat:
		m.beat(in)
	case Buffered:
		out = m.buffer(now, in, out)
	case Offered:
		out = m.offer(now, in, out)
	case Ended:
		out = m.ended(in, out)
	case Acquiring:
		out = m.acquire(now, in, out)
	case Unlock:
		out = m.unlock(in, out)
	case Granted:
		out = m.granted(now, in, out)
	case Revoked:
		if c := &m.leases[in.Lease]; c.phase == held {
			out = m.keep(now, in.Lease, lease.Input{Kind: lease.Refused, Request: c.keeper.Last()}, out)
		}
	case Again, Denied, Renewed, Refused, Failed:
		out = m.answer(now, in, out)
	default:
		panic(fmt.Sprintf("worker: no input has the kind %d", in.Kind))
	}
	return m.settleState(out)
}

// Deadline is the next instant at which the machine wants a Tick.
func (m *Machine) Deadline() policies.Instant { return min(m.agenda.first().at, m.drainAt) }

// State is the state of the process.
func (m *Machine) State() State { return m.state }

// Running is the number of jobs whose handlers have not ended.
func (m *Machine) Running() int32 { return m.running }

// Wants is the number of jobs that the worker would start right now, MaxInt32
// when there is no limit.
func (m *Machine) Wants() int32 {
	switch {
	case m.state != Ready:
		return 0
	case m.rule.Slots == 0:
		return math.MaxInt32
	}
	return m.rule.Slots - m.running
}

// Returns reports whether a delivery that arrives now goes back at once, so that
// there is no need to offer it or to acknowledge it.
func (m *Machine) Returns() bool {
	return m.up && (m.stopping || m.rule.Doubt != 0 && m.unfit())
}

// settleState ends what is over and tells of a new state.
func (m *Machine) settleState(out []Command) []Command {
	if m.fenced && m.running == 0 && m.held >= max(m.rule.Needs, 1) {
		m.fenced = false
	}
	if m.up && m.rule.Doubt != 0 && m.unfit() {
		out = m.giveBack(out)
		if !m.stopping && m.distrusts() && !m.hasWork() {
			out = m.resign(out)
		}
	}
	if m.up && m.stopping && m.running == 0 {
		for m.own != 0 {
			out = m.giveUp(m.own, out)
		}
		m.clear()
	}
	if s := m.judge(); s != m.state {
		m.state = s
		out = append(out, Command{Kind: Became, State: s})
	}
	return out
}

// judge is the state that follows from what the machine knows: the picture in
// the package comment, read from the strongest reason to the weakest.
func (m *Machine) judge() State {
	switch {
	case !m.up:
		return Stopped
	case m.fenced:
		return Fenced
	case m.stopping, m.paused, m.finishing > 0, m.unfit():
		return Draining
	case m.rule.Slots > 0 && m.running >= m.rule.Slots:
		return Processing
	}
	return Ready
}

// tick does everything that is due at now, in the order of (instant, id).
func (m *Machine) tick(now policies.Instant, out []Command) []Command {
	for {
		d := m.agenda.first()
		switch {
		case d.at > now:
			if m.drainAt <= now {
				m.drainAt = policies.Never
				out = m.tellAll(CauseDrain, out)
			}
			return out
		case d.id&1 == 1:
			out = m.overrun(d.id>>1, out)
		default:
			out = m.keep(now, d.id>>1, lease.Input{Kind: lease.Tick}, out)
		}
	}
}

// wake renews every lease at once, for the answers that came during the pause
// may be old, and then does what is due.
func (m *Machine) wake(now policies.Instant, out []Command) []Command {
	for l := 1; l < len(m.leases); l++ {
		if m.leases[l].phase == held {
			out = m.keep(now, int32(l), lease.Input{Kind: lease.Woken}, out)
		}
	}
	return m.tick(now, out)
}

// stop gives back what has not started and lets the rest end.
func (m *Machine) stop(now policies.Instant, out []Command) []Command {
	if m.stopping {
		return out
	}
	m.stopping = true
	m.drainAt = now.Add(m.rule.Drain)
	return m.giveBack(out)
}

// kill forgets everything at once. Nothing is settled and nothing released:
// leases must end by themselves.
func (m *Machine) kill(out []Command) []Command {
	out = m.tellAll(CauseKilled, out)
	m.clear()
	return out
}

// clear makes the machine empty and down. Lease ids and request numbers stay.
func (m *Machine) clear() {
	for id := range m.jobs {
		m.jobs[id] = job{}
	}
	if len(m.leases) == 0 {
		m.leases = append(m.leases, claim{})
	}
	m.free = m.free[:0]
	for l := len(m.leases) - 1; l > 0; l-- {
		m.leases[l].phase, m.leases[l].failing = none, false
		m.free = append(m.free, int32(l))
	}
	m.agenda.clear()
	m.drainAt = policies.Never
	clear(m.silent)
	m.own, m.held, m.running, m.finishing, m.failing, m.unheard = 0, 0, 0, 0, 0, 0
	m.up, m.stopping, m.paused, m.fenced, m.doubt = false, false, false, false, false
}
