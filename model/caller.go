package model

import (
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/backpressure"
	"github.com/tenggat/tenggat/policies/retry"
)

// beginCall begins a step that calls a service: its attempts, the waits
// between them, the breaker before them.
func (w *world) beginCall(i int32, x *execution) {
	o := &x.ops[x.pc]
	x.retry.Reset(o.rule, w.budgetOf(x.proc, w.services[o.index], o.budget))
	w.retryStep(i, x, retry.Input{Kind: retry.Begin})
}

var onceOnly = scenario.Retry{Attempts: 1}

// retryStep steps the retry machine of the call and does what it says.
func (w *world) retryStep(i int32, x *execution, in retry.Input) {
	node := w.nodeOf(x)
	w.tries = x.retry.Step(w.now(node), in, w.tries[:0])
	if len(w.tries) == 0 {
		return
	}
	switch c := w.tries[0]; c.Kind {
	case retry.Attempt:
		w.attempt(i, x, c.Attempt)
	case retry.Retry:
		f := w.execFact(history.Retry, x, int64(c.Wait))
		f.Place, f.Attempt = w.services[x.ops[x.pc].index].place, c.Attempt-1
		w.record(f)
		w.sim.Arm(x.wake, w.when(node, x.retry.Deadline()))
	case retry.GiveUp:
		w.finish(i, x, x.failed)
	}
}

// attempt sends the call once more, if there is time for it and the limit lets
// it.
func (w *world) attempt(i int32, x *execution, number int32) {
	s := w.services[x.ops[x.pc].index]
	if w.service(x.proc, s).Deadline && w.remaining(x) <= 0 {
		w.finish(i, x, policies.Transient) // nobody waits for it any more
		return
	}
	if g := w.limiterOf(x, s); g == nil || w.enters(g, i, x, number) {
		w.sendAttempt(i, x, number)
	}
}

// callLuck is the chance of an attempt of the present step.
func (w *world) callLuck(x *execution, number int32) exact.Chance {
	return w.luck[luckCall].With(w.jobs.at(x.job).luck).With(uint64(x.startNo)<<32 | uint64(x.pc)<<20 | uint64(x.round())).
		With(uint64(number)<<16 | uint64(x.ops[x.pc].index))
}

// sendAttempt sends an attempt that the limit lets through, if the breaker does
// too.
func (w *world) sendAttempt(i int32, x *execution, number int32) {
	o := &x.ops[x.pc]
	s := w.services[o.index]
	p := x.proc
	j := w.jobs.at(x.job)
	luck := w.callLuck(x, number)
	if b := w.breakerOf(p, s); b != nil {
		allowed, epoch := w.ask(b, s, x)
		if !allowed {
			if g := w.limiterOf(x, s); g != nil {
				w.permits = g.machine.Step(w.now(g.node), backpressure.LimiterInput{Kind: backpressure.Withdrawn}, w.permits[:0])
			}
			f := w.execFact(history.Refuse, x, 0)
			f.Place = s.place
			w.record(f)
			w.fail(i, x, policies.Transient, luck)
			return
		}
		x.epoch = epoch
	}
	n, c := w.newCall(askService, scenario.Call, p, s.node, luck)
	if p == nil {
		c.from = w.nodeOf(x)
	}
	w.holdJob(x.job)
	c.job, c.exec, c.execID, c.place, c.step, c.attempt = x.job, i, x.id, s.place, o.step, number
	c.version, c.read = x.version, x.read
	switch o.step.Verb {
	case scenario.Write:
		w.addWrite(c, o, j, x)
	case scenario.Register:
		w.addToken(c, o, x)
	case scenario.Read:
		c.key = x.row
	case scenario.Once:
		w.addMark(c, o, j, x)
	}
	x.call = n
	w.record(w.callFact(history.Call, c, 0))
	patience := w.service(p, s).Timeout
	if o.step.Timeout > 0 {
		patience = o.step.Timeout
	}
	if w.service(p, s).Deadline {
		patience = min(patience, w.remaining(x))
		c.until = policies.Never
		if patience < scenario.Forever {
			c.until = policies.Instant(w.sim.Now().Add(patience))
		}
	}
	w.place(n, patience)
}

// stepKey is the key that a step carries: its own, or the job's.
func stepKey(s *scenario.Step, j *job, x *execution) uint64 {
	if s.Key != nil {
		return render(s.Key, j, x)
	}
	return j.key
}

// addWrite puts on a write what its service may check, and what it brings along.
func (w *world) addWrite(c *call, o *op, j *job, x *execution) {
	c.key, c.effect = j.key, j.key
	if o.step.Key != nil {
		c.key, c.effect = render(o.step.Key, j, x), operation(o.step.Key, j, x)
	}
	w.addToken(c, o, x)
	if o.outbox > 0 {
		c.parcel = w.parcelOf(&x.ops[o.outbox], j, x)
	}
	if o.step.Sequence != nil || o.step.Status != nil {
		c.ranked(o.step, j, x)
	}
}

// lockHeld is the lock of a store that the execution holds, or held last; else
// one that its process needs.
func (w *world) lockHeld(x *execution, store int16) *heldLock {
	for k := int(x.nlocks) - 1; k >= 0; k-- {
		if h := &x.locks[k]; h.lock >= 0 && w.lockPool.at(h.lock).store == store {
			return h
		}
	}
	for k := range x.proc.needs {
		if h := &x.proc.needs[k].heldLock; w.lockPool.at(h.lock).store == store {
			return h
		}
	}
	return nil
}

// served is the answer of a service, or its absence.
func (w *world) served(n int32, c *call) {
	f := w.callFact(history.Served, c, int64(w.sim.Now()-c.sentAt))
	f.Attempt = int32(c.class)
	w.record(f)
	x := w.resumed(n, c)
	if x == nil {
		return
	}
	w.callEnded(x, c, c.class)
	if c.class != policies.OK {
		w.fail(c.exec, x, c.class, c.luck)
		return
	}
	x.retry.Step(w.now(c.from), retry.Input{Kind: retry.Succeeded}, w.tries[:0])
	switch c.step.Verb {
	case scenario.Read:
		if x.ops[x.pc].cache >= 0 {
			w.fetched(c.exec, x, c.version)
			return
		}
		x.version, x.read = c.version, x.row
	case scenario.Once:
		x.guardAnswered(&x.ops[x.pc], c)
	}
	x.pc++
	w.advance(c.exec, x)
}

// cutOff tells limit and breaker that the call under way will have no answer, for its
// job has been stopped: a probe whose end is never told would keep the breaker
// half open for ever.
func (w *world) cutOff(x *execution) {
	c := w.calls.at(x.call)
	if c.ask != askService || !c.waiting {
		return
	}
	w.callEnded(x, c, policies.Transient)
}

// callEnded tells limit and breaker how a call to a service ended.
func (w *world) callEnded(x *execution, c *call, class policies.Class) {
	s := w.services[c.place.Index]
	if g := w.limiterOf(x, s); g != nil {
		w.ends(g, backpressure.LimiterInput{Kind: backpressure.Ended, Class: class, Latency: time.Duration(w.sim.Now() - c.sentAt)})
	}
	if b := w.breakerOf(x.proc, s); b != nil {
		w.breaks = b.Step(w.now(c.from), backpressure.Input{Kind: backpressure.Done, Epoch: x.epoch, Class: class,
			Open: w.openFor(x.proc, s, c.luck)}, w.breaks[:0])
		w.breakerFacts(s, x)
	}
}

// fail tells the retry machine that the attempt has failed.
func (w *world) fail(i int32, x *execution, class policies.Class, luck exact.Chance) {
	x.failed = class
	w.retryStep(i, x, retry.Input{Kind: retry.Failed, Class: class, Chance: luck.With(5)})
}

// ask asks the breaker for leave.
func (w *world) ask(b *backpressure.Breaker, s *service, x *execution) (allowed bool, epoch uint32) {
	w.breaks = b.Step(w.now(w.nodeOf(x)), backpressure.Input{Kind: backpressure.Ask}, w.breaks[:0])
	for _, c := range w.breaks {
		if c.Kind == backpressure.Allow {
			allowed, epoch = true, c.Epoch
		}
	}
	w.breakerFacts(s, x)
	return allowed, epoch
}

// breakerFacts records the changes of state among the breaker's commands.
func (w *world) breakerFacts(s *service, x *execution) {
	opened := policies.Instant(0)
	for _, c := range w.breaks {
		f := w.execFact(history.Open, x, 0)
		f.Place = s.place
		switch c.Kind {
		case backpressure.Opened:
			opened = c.Until
		case backpressure.HalfOpened:
			f.Kind = history.HalfOpen
		case backpressure.Closed:
			f.Kind = history.Close
		default:
			continue
		}
		w.record(f)
	}
	if opened > 0 {
		w.breakerOpened(s, x, opened)
	}
}

// openFor is the length of an open period that may begin now; 0 when the rule
// lists them.
func (w *world) openFor(p *process, s *service, luck exact.Chance) time.Duration {
	open := w.breakerRule(p, s).Open
	if len(open) > 1 {
		return 0
	}
	return open.At(0).Draw(luck.With(6))
}

// breakerRule is the breaker of a caller: one that all share is the service's.
func (w *world) breakerRule(p *process, s *service) *scenario.Breaker {
	if cfg := s.cfg.Breaker; cfg != nil && cfg.PerService {
		return cfg
	}
	return w.service(p, s).Breaker
}

// breakerOf is a process's breaker before a service; nil if there is none.
func (w *world) breakerOf(p *process, s *service) *backpressure.Breaker {
	cfg := w.breakerRule(p, s)
	if cfg == nil {
		return nil
	}
	at := &s.breaker
	if p != nil && !cfg.PerService {
		at = grown(&p.breakers, int(s.place.Index))
	}
	if *at == nil {
		rule := w.breakerRules[cfg]
		if rule == nil {
			made := cfg.Rule()
			for k := range made.Opens {
				made.Opens[k] = cfg.Open.At(k).Draw(w.luck[luckBreaker].With(uint64(k)))
			}
			rule = &made
			w.breakerRules[cfg] = rule
		}
		*at = new(backpressure.Breaker)
		(*at).Reset(rule)
	}
	return *at
}

// budgetOf is the retry budget of a process for a service; nil if retries are
// not rationed.
func (w *world) budgetOf(p *process, s *service, cfg *scenario.Budget) *retry.Budget {
	if cfg == nil {
		return nil
	}
	at := &s.budget
	if p != nil && !cfg.PerService {
		at = grown(&p.budgets, int(s.place.Index))
	}
	if *at == nil {
		*at = newBudget(cfg)
	}
	return *at
}

func newBudget(c *scenario.Budget) *retry.Budget {
	rule := c.Rule()
	b := new(retry.Budget)
	b.Reset(&rule)
	return b
}
