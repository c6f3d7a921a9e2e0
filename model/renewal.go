package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/worker"
)

// sendRenew sends the renewal that the machine commands: of a lock, or of a
// delivery.
func (w *world) sendRenew(p *process, c *worker.Command) {
	o := p.leaseOf(w, c)
	x := w.execs.at(o.exec)
	if o.lock < 0 {
		v := w.deliveries.at(x.delivery)
		m := w.messages.at(v.msg)
		q := w.queues[m.queue]
		n, r := w.newCall(askExtend, scenario.Renew, p, q.node, w.deliveryLuck(v).With(uint64(c.Request)))
		w.holdJob(v.job)
		m.refs++
		r.job, r.msg, r.serial, r.token, r.lease, r.request, r.place = v.job, v.msg, v.serial, v.token, c.Lease, c.Request, q.place
		r.exec, r.execID = o.exec, x.id
		w.place(n, w.renewTimeout(p.group.keeps(q, w.jobs.at(v.job)).lease, p.group.queue(q).Timeout))
		return
	}
	n, r := w.newRenewal(p, &x.locks[o.lock], c)
	w.holdJob(x.job)
	r.job, r.exec, r.execID = x.job, o.exec, x.id
	w.renew(p, &x.locks[o.lock], n, r)
}

// newRenewal is a call that renews a lock, and renew places it.
func (w *world) newRenewal(p *process, h *heldLock, c *worker.Command) (int32, *call) {
	k := w.lockPool.at(h.lock)
	n, r := w.newCall(askRenewLock, scenario.Renew, p, w.front(p, w.locks[k.store]), w.lockLuck(k, p).With(uint64(c.Request)).With(uint64(h.serial)))
	r.lock, r.serial, r.token, r.lease, r.request = h.lock, h.serial, h.token, c.Lease, c.Request
	return n, r
}

func (w *world) renew(p *process, h *heldLock, n int32, r *call) {
	k := w.lockPool.at(h.lock)
	s := w.locks[k.store]
	r.place = s.place
	seen := p.group.lock(s)
	r.length, r.bid = w.askedLength(p, s, k), h.bid
	if l := seen.Lease; l != nil && l.RenewBy > 0 {
		r.length = l.RenewBy
	}
	r.until = w.wallAt(p.node).Add(r.length)
	w.place(n, w.renewTimeout(seen.Lease, seen.Timeout))
}

// renewTimeout is how long a renewal waits for its answer.
func (w *world) renewTimeout(l *scenario.Lease, standard time.Duration) time.Duration {
	if l != nil && l.Renew != nil && l.Renew.Timeout > 0 && l.Renew.Timeout != scenario.Forever {
		return l.Renew.Timeout
	}
	return standard
}

// renewed is the answer to a renewal, or its absence.
func (w *world) renewed(c *call) {
	p, kind := w.procs[c.proc], worker.Renewed
	switch c.class {
	case policies.Transient:
		kind = worker.Failed
		w.record(w.callFact(history.RenewFail, c, 1))
		if p.group.rule.Doubt&worker.DoubtRenewals != 0 { // that others succeed proves nothing
			p.probeNode, p.probeBy = w.addressOf(c.place), scenario.Renew
		}
	case policies.Coordination:
		kind = worker.Refused
	}
	p.step(w, worker.Input{Kind: kind, Lease: c.lease, Request: c.request})
}

// renewRefused tells of a renewal, the fact, that the grantor has refused; and,
// once for each claim, that a holder has lost it who is alive.
func (w *world) renewRefused(f history.Fact, lost bool, told *bool) {
	f.Kind = history.RenewFail
	w.record(f)
	if lost && !*told {
		*told = true
		f.Kind = history.LostAlive
		w.record(f)
	}
}
