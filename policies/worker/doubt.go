package worker

import (
	"slices"

	"github.com/tenggat/tenggat/policies/lease"
)

// Doubt is apart from loss: what a worker in doubt holds is still its own, and
// what it runs goes on. It takes no more, for it may soon be unable to keep it.

// unfit reports whether the process cannot take work before something outside of
// it has changed: it misses a lease of its own, or is in doubt.
func (m *Machine) unfit() bool { return m.held < m.rule.Needs || m.doubtful() }

// doubtful reports whether there is reason to distrust coordination.
func (m *Machine) doubtful() bool { return m.distrusts() || m.ownInDoubt() }

// distrusts reports whether there is a reason that the leases of the process
// themselves do not give.
func (m *Machine) distrusts() bool {
	return m.doubt || m.failing > 0 && m.rule.Doubt&DoubtRenewals != 0 || m.unheard > 0 && m.rule.Doubt&DoubtHeartbeat != 0
}

// ownInDoubt reports whether a renewal of a lease of the process has failed
// and none has succeeded since.
func (m *Machine) ownInDoubt() bool {
	for l := m.own; l != 0; l = m.leases[l].next {
		if c := &m.leases[l]; c.phase == held && c.keeper.Failures() > 0 {
			return true
		}
	}
	return false
}

// weigh notes whether the newest renewal of a job's lease failed.
func (m *Machine) weigh(c *claim) {
	failing := c.job != Process && c.phase == held && c.keeper.Failures() > 0
	if failing == c.failing {
		return
	}
	c.failing = failing
	if failing {
		m.failing++
	} else {
		m.failing--
	}
}

// leaveDoubt takes a lease that ends out of the count. If it was failing it
// can prove no more that renewals succeed again: others must.
func (m *Machine) leaveDoubt(c *claim) {
	if !c.failing {
		return
	}
	c.failing = false
	m.failing--
	m.doubt = m.doubt || m.rule.Doubt&DoubtRenewals != 0
}

// beat takes what became of a heartbeat.
func (m *Machine) beat(in Input) {
	for int(in.Monitor) >= len(m.silent) {
		m.silent = append(m.silent, false)
	}
	switch silent := &m.silent[in.Monitor]; {
	case *silent && in.OK:
		m.unheard--
	case !*silent && !in.OK:
		m.unheard++
	}
	m.silent[in.Monitor] = !in.OK
}

// giveBack returns every delivery that has not started, and can go back.
func (m *Machine) giveBack(out []Command) []Command {
	for id := range m.jobs {
		if j := &m.jobs[id]; j.phase == buffered && !j.acked {
			m.forget(int32(id))
			out = append(out, Command{Kind: Settle, Job: int32(id), How: Return})
		}
	}
	return out
}

// hasWork reports whether a job runs or waits for its start.
func (m *Machine) hasWork() bool {
	return m.running > 0 || slices.ContainsFunc(m.jobs, func(j job) bool { return j.phase == buffered })
}

// resign gives back the leases of the process: it does nothing with them, and
// another could.
func (m *Machine) resign(out []Command) []Command {
	for l := m.own; l != 0; {
		next := m.leases[l].next
		if m.leases[l].phase == held {
			out = m.giveUp(l, out)
			out = append(out, Command{Kind: Lost, Job: Process, Lease: l, Why: lease.WhyGaveUp})
		}
		l = next
	}
	return out
}
