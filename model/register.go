package model

import (
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
)

// A lock may be registered (locks.N.register): a holder shows its token to each
// service that its job writes to under the lock, before it does anything else
// there. From then on a write of an earlier holder is refused, also one that
// comes before the new holder's first write: what the new holder reads stays
// as it read it.

var registerStep = scenario.Step{Verb: scenario.Register, Share: 1}

// registering puts the registrations behind the steps that take locks.
func (w *world) registering(sc *scenario.Scenario, ops []op) []op {
	var all []op
	moved := make([]int32, len(ops))
	for i, o := range ops {
		moved[i] = int32(len(all))
		all = append(all, o)
		if o.step.Verb != scenario.LockStep || !sc.Locks[o.index].Register {
			continue
		}
		shown := map[int16]bool{}
		for _, write := range ops {
			if write.step.Verb != scenario.Write || write.token != o.index || shown[write.index] {
				continue
			}
			shown[write.index] = true
			r := op{step: &registerStep, index: write.index, cache: -1, token: o.index}
			w.compileRetry(sc, &r)
			all = append(all, r)
		}
	}
	for i := range all {
		if o := &all[i]; o.step.Verb == scenario.Repeat {
			o.jump = moved[o.jump]
		} else if o.outbox > 0 {
			o.outbox = moved[o.outbox]
		}
	}
	return all
}

// addToken puts on a call the token of a lock that the execution holds.
func (w *world) addToken(c *call, o *op, x *execution) {
	if o.token < 0 {
		return
	}
	if h := w.lockHeld(x, o.token); h != nil {
		c.lock, c.serial, c.token = h.lock, h.serial, h.token
	}
}

// register is the arrival of a token at a service, which from now on knows it,
// unless it knows a newer one.
func (w *world) register(s *service, c *call) {
	if c.lock >= 0 && s.checksTokens() && !w.lockPool.at(c.lock).gate(s.place.Index).known.Check(c.token) {
		c.class = policies.Coordination
	}
}

func (s *service) checksTokens() bool {
	return s.cfg.Checks&(scenario.CheckToken|scenario.CheckTokenGranted) != 0
}
