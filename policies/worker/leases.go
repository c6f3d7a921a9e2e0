package worker

import (
	"fmt"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// claim is one lease that the machine keeps, for a job or for the process.
type claim struct {
	keeper   lease.Keeper
	job      int32 // or Process
	next     int32 // the lease of the same owner that is older
	rule     int32
	phase    claimPhase
	delivery bool // of the message itself: settled, not released
	failing  bool // a job's, whose newest renewal failed
}

type claimPhase uint8

const (
	none claimPhase = iota
	asking
	held
	lost
	ignored // lost, but its loss is to be ignored
)

// acquire asks for a lock; in doubt the process asks for none of its own.
func (m *Machine) acquire(now policies.Instant, in Input, out []Command) []Command {
	if in.Job != Process && m.jobs[in.Job].phase != running {
		panic(fmt.Sprintf("worker: job %d asks for a lock and does not run", in.Job))
	}
	if in.Job == Process && m.rule.Doubt != 0 && m.distrusts() {
		return append(out, Command{Kind: Decline, Job: Process})
	}
	l := m.open(in.Job, in.Rule)
	m.leases[l].phase = asking
	return m.ask(now, l, out)
}

// ask sends the acquire request, for the first time or again.
func (m *Machine) ask(now policies.Instant, l int32, out []Command) []Command {
	c := &m.leases[l]
	c.keeper.Begin(now, c.keeper.Last()+1)
	return append(out, Command{Kind: Acquire, Job: c.job, Lease: l, Request: c.keeper.Last(), Rule: c.rule})
}

// granted takes the grant of a lock. One that nobody waits for any more is
// given back; a second copy of one that was taken is ignored.
func (m *Machine) granted(now policies.Instant, in Input, out []Command) []Command {
	c := m.find(in)
	if c == nil {
		return append(out, Command{Kind: Release, Job: in.Job, Lease: in.Lease, Request: in.Request, Token: in.Token})
	}
	if c.phase != asking {
		return out
	}
	out = m.keep(now, in.Lease, lease.Input{Kind: lease.Granted, Request: in.Request, Token: in.Token}, out)
	if !c.keeper.Holds() {
		return out // it came too late
	}
	c.phase = held
	if c.job == Process {
		m.held++
		m.doubt = false
		return out
	}
	if m.jobs[c.job].told == CauseNone {
		out = append(out, Command{Kind: Locked, Job: c.job, Lease: in.Lease, Token: in.Token})
	}
	return out
}

// answer takes news of a lease; news of one that is no more is old and void, and
// so is a late denial once another request for the same lease was granted.
func (m *Machine) answer(now policies.Instant, in Input, out []Command) []Command {
	if in.Kind == Again {
		if m.leases[in.Lease].phase == asking {
			out = m.ask(now, in.Lease, out)
		}
		return out
	}
	c := m.find(in)
	switch {
	case c == nil:
		return out
	case c.phase == asking:
		if in.Request == c.keeper.Last() {
			m.close(in.Lease) // only the newest request speaks for the asking
		}
		return out
	case c.phase != held || in.Kind == Denied:
		return out
	}
	kind := [...]lease.Kind{Renewed: lease.Renewed, Refused: lease.Refused, Failed: lease.Failed}[in.Kind]
	return m.keep(now, in.Lease, lease.Input{Kind: kind, Request: in.Request}, out)
}

// find is the claim that an answer speaks of, nil when that one is gone.
func (m *Machine) find(in Input) *claim {
	c := &m.leases[in.Lease]
	if c.phase == none || !c.keeper.Knows(in.Request) {
		return nil
	}
	return c
}

// unlock gives one lease back before its job ends.
func (m *Machine) unlock(in Input, out []Command) []Command {
	if m.leases[in.Lease].phase == none {
		return out
	}
	return m.giveUp(in.Lease, out)
}

// keep steps the keeper of a lease and carries on what it commands.
func (m *Machine) keep(now policies.Instant, l int32, in lease.Input, out []Command) []Command {
	c := &m.leases[l]
	m.scratch = c.keeper.Step(now, in, m.scratch[:0])
	m.agenda.set(l<<1, c.keeper.Deadline())
	m.weigh(c)
	for _, command := range m.scratch {
		switch command.Kind {
		case lease.Renew:
			out = append(out, Command{Kind: Renew, Job: c.job, Lease: l, Request: command.Request})
		case lease.Release:
			out = append(out, m.release(l))
		case lease.Lost:
			out = m.lose(l, command.Why, out)
		}
	}
	return out
}

// lose does what the loss of a lease sets off, by its rule.
func (m *Machine) lose(l int32, why lease.Why, out []Command) []Command {
	c := &m.leases[l]
	loss := m.rule.Leases[c.rule].OnLoss
	out = append(out, Command{Kind: Lost, Job: c.job, Lease: l, Why: why})
	if c.job == Process {
		return m.loseOwn(l, loss, out)
	}
	m.leaveDoubt(c)
	asked := c.phase == asking
	c.phase = lost
	if loss == IgnoreLoss && why != lease.WhyGaveUp {
		c.phase = ignored // its holder will even release it in the end
	}
	j := &m.jobs[c.job]
	switch {
	case asked: // granted too late: a lock that was not obtained
		c.phase = lost
		out = m.bar(c.job, byLock, out)
	case loss == IgnoreLoss:
	case j.phase == buffered:
		if loss == StopOnLoss {
			id := c.job
			m.forget(id)
			out = append(out, Command{Kind: Settle, Job: id, How: Hold})
		}
	case loss == FinishOnLoss:
		if !j.finish {
			j.finish = true
			m.finishing++
		}
	case c.delivery:
		out = m.bar(c.job, byDelivery, out)
	default:
		out = m.bar(c.job, byLock, out)
	}
	return out
}

// loseOwn fences the process, unless the rule says otherwise: then it holds
// one lease less and may be unable to take work.
func (m *Machine) loseOwn(l int32, loss Loss, out []Command) []Command {
	asked := m.leases[l].phase == asking
	if loss == IgnoreLoss && !asked {
		m.leases[l].phase = ignored
		return out
	}
	m.close(l)
	if loss == FinishOnLoss || asked {
		return out
	}
	m.fenced = true
	for id := range m.jobs {
		if m.jobs[id].phase == running {
			out = m.bar(int32(id), byProcess, out)
		}
	}
	return out
}

// open gives out a lease id to a job or to the process.
func (m *Machine) open(job, rule int32) int32 {
	if rule <= 0 || int(rule) >= len(m.rule.Leases) {
		panic(fmt.Sprintf("worker: no lease has the rule %d of %d", rule, len(m.rule.Leases)-1))
	}
	if len(m.free) == 0 {
		m.free = append(m.free, int32(len(m.leases)))
		m.leases = append(m.leases, claim{})
	}
	l := m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	head := m.head(job)
	c := &m.leases[l]
	c.keeper.Reset(&m.rule.Leases[rule].HolderRule)
	c.job, c.next, c.rule, c.delivery = job, *head, rule, false
	*head = l
	return l
}

// close takes a lease from its owner; its id may be given out again.
func (m *Machine) close(l int32) {
	c := &m.leases[l]
	if c.job == Process && (c.phase == held || c.phase == ignored) {
		m.held--
	}
	m.leaveDoubt(c)
	at := m.head(c.job)
	for *at != l {
		at = &m.leases[*at].next
	}
	*at = c.next
	c.phase = none
	m.agenda.set(l<<1, policies.Never)
	m.free = append(m.free, l)
}

// giveUp closes a lease and releases it if it is a lock that the owner holds,
// or acts as if it held.
func (m *Machine) giveUp(l int32, out []Command) []Command {
	c := &m.leases[l]
	if !c.delivery && (c.phase == held || c.phase == ignored) {
		out = append(out, m.release(l))
	}
	m.close(l)
	return out
}

func (m *Machine) release(l int32) Command {
	c := &m.leases[l]
	return Command{Kind: Release, Job: c.job, Lease: l, Request: c.keeper.Last(), Token: c.keeper.Token()}
}

// head is where the list of an owner's leases begins.
func (m *Machine) head(job int32) *int32 {
	if job == Process {
		return &m.own
	}
	return &m.jobs[job].leases
}
