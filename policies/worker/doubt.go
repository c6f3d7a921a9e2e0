package worker

import "github.com/tenggat/tenggat/policies/lease"

// Doubt is apart from loss: what a worker in doubt holds is still its own, and
// what it runs goes on. It takes no more, for it may soon be unable to keep it.

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

// giveBack returns every delivery that has not started.
func (m *Machine) giveBack(out []Command) []Command {
	for id := range m.jobs {
		if m.jobs[id].phase == buffered {
			m.forget(int32(id))
			out = append(out, Command{Kind: Settle, Job: int32(id), How: Return})
		}
	}
	return out
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
