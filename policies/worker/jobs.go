package worker

import (
	"fmt"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// job is what the machine knows of one job of the driver.
type job struct {
	leases int32 // newest lease
	phase  jobPhase
	acked  bool
	told   Cause // why its handler was told to stop
	fence  fence
	finish bool // goes on though a lease is lost
	kill   bool
	fates  [4]Fate
}

type jobPhase uint8

const (
	absent jobPhase = iota
	buffered
	running
)

// fence says which loss bars a job from taking effect; of several the last in
// this list weighs most. Once the delivery is lost, nothing may be said about
// it any more.
type fence uint8

const (
	unfenced fence = iota
	byProcess
	byLock
	byDelivery
)

// buffer keeps the lease of a delivery that has not started.
func (m *Machine) buffer(now policies.Instant, in Input, out []Command) []Command {
	if m.stopping {
		return append(out, Command{Kind: Decline, Job: in.Job})
	}
	m.admit(in)
	return m.proveDelivery(now, in.Job, out)
}

// offer starts a job if the worker wants one and the delivery is still its own.
func (m *Machine) offer(now policies.Instant, in Input, out []Command) []Command {
	if !m.Takes(now) {
		return append(out, Command{Kind: Decline, Job: in.Job})
	}
	switch {
	case int(in.Job) >= len(m.jobs) || m.jobs[in.Job].phase != buffered:
		m.admit(in)
	case m.jobs[in.Job].leases == 0:
		m.keepDelivery(in)
	}
	out = m.proveDelivery(now, in.Job, out)
	j := &m.jobs[in.Job]
	if j.phase == absent {
		return out
	}
	j.phase, j.kill, j.fates = running, in.Kill || m.rule.KillOnLimit, in.Fates
	m.running++
	hard := in.Hard
	if hard == 0 {
		hard = m.rule.Hard
	}
	if hard > 0 {
		m.agenda.set(in.Job<<1|1, now.Add(hard))
	}
	return append(out, Command{Kind: Start, Job: in.Job, Lease: j.leases})
}

// Takes reports whether a job may start at now; an offer is declined otherwise.
// The state knows everything but the hour: a lease of the process that ends at
// now, though no Tick has said so yet, is over.
func (m *Machine) Takes(now policies.Instant) bool {
	if m.state != Ready {
		return false
	}
	for l := m.own; l != 0; l = m.leases[l].next {
		if c := &m.leases[l]; c.phase == held && !c.keeper.Held(now) && m.rule.Leases[c.rule].OnLoss != IgnoreLoss {
			return false
		}
	}
	return true
}

// admit makes a job known, with the lease of its delivery if it has one.
func (m *Machine) admit(in Input) {
	for int(in.Job) >= len(m.jobs) {
		m.jobs = append(m.jobs, job{})
	}
	j := &m.jobs[in.Job]
	if j.phase != absent {
		panic(fmt.Sprintf("worker: job %d is given a second time before it ended", in.Job))
	}
	*j = job{phase: buffered, acked: in.Acked}
	m.keepDelivery(in)
}

// keepDelivery keeps the lease of a delivery from now on, if it has one.
func (m *Machine) keepDelivery(in Input) {
	if in.Rule == 0 {
		return
	}
	l := m.open(in.Job, in.Rule)
	c := &m.leases[l]
	c.phase, c.delivery = held, true
	c.keeper.Begin(in.At, c.keeper.Last()+1)
	c.keeper.Step(in.At, lease.Input{Kind: lease.Granted, Request: c.keeper.Last()}, nil)
	m.agenda.set(l<<1, c.keeper.Deadline())
}

// proveDelivery lets the lease of a delivery that is over at now be lost before
// anything is done for it.
func (m *Machine) proveDelivery(now policies.Instant, id int32, out []Command) []Command {
	l := m.jobs[id].leases
	if l == 0 || m.leases[l].phase != held || m.leases[l].keeper.Held(now) {
		return out
	}
	return m.keep(now, l, lease.Input{Kind: lease.Tick}, out)
}

// ended gives back the locks of a job, newest first, and settles it.
func (m *Machine) ended(in Input, out []Command) []Command {
	if int(in.Job) >= len(m.jobs) || m.jobs[in.Job].phase == absent {
		return out
	}
	j := m.jobs[in.Job]
	if j.phase == buffered {
		m.forget(in.Job)
		return out
	}
	for m.jobs[in.Job].leases != 0 {
		out = m.giveUp(m.jobs[in.Job].leases, out)
	}
	m.running--
	if j.finish {
		m.finishing--
	}
	m.forget(in.Job)
	how := m.verdict(j, in.Class)
	if how == Drain {
		how = Return
		// Where a lease of the process was lost, a new one is the end of doubt.
		m.doubt = m.doubt || j.fence != byProcess
	}
	return append(out, Command{Kind: Settle, Job: in.Job, How: how})
}

// verdict is the fate of a job that ended with class c. A handler that was told
// to stop, but had come to an end of its own, is believed unless it is fenced.
func (m *Machine) verdict(j job, c policies.Class) Fate {
	own := c == policies.OK || c == policies.Permanent
	switch {
	case j.fence == byDelivery:
		return Hold
	case j.fence != unfenced:
		return m.rule.fate(j.fates, policies.Coordination)
	case j.told == CauseHard && !own:
		return m.rule.fate(j.fates, policies.Transient)
	case j.told == CauseDrain && !own:
		return Return
	}
	return m.rule.fate(j.fates, c)
}

// overrun acts on a job whose hard limit is reached.
func (m *Machine) overrun(id int32, out []Command) []Command {
	m.agenda.set(id<<1|1, policies.Never)
	out = m.tell(id, CauseHard, out)
	if m.jobs[id].kill {
		return m.kill(out)
	}
	return out
}

// tell tells the handler of a job to stop, once.
func (m *Machine) tell(id int32, cause Cause, out []Command) []Command {
	j := &m.jobs[id]
	if j.phase != running || j.told != CauseNone {
		return out
	}
	j.told = cause
	return append(out, Command{Kind: StopJob, Job: id, Cause: cause})
}

func (m *Machine) tellAll(cause Cause, out []Command) []Command {
	for id := range m.jobs {
		out = m.tell(int32(id), cause, out)
	}
	return out
}

// bar fences a running job.
func (m *Machine) bar(id int32, by fence, out []Command) []Command {
	m.jobs[id].fence = max(m.jobs[id].fence, by)
	return m.tell(id, CauseLost, out)
}

// forget drops a job and its leases without a word.
func (m *Machine) forget(id int32) {
	for m.jobs[id].leases != 0 {
		m.close(m.jobs[id].leases)
	}
	m.agenda.set(id<<1|1, policies.Never)
	m.jobs[id] = job{}
}
