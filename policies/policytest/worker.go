package policytest

import (
	"fmt"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/worker"
)

// Worker puts words in front of a worker.Machine:
//
//	at 0s lease length=10s every=4s on-loss=finish      (adds the next entry of the table; words as for a Keeper's rule)
//	at 0s rule slots=2 needs=1 hard=30s drain=10s kill fates=ack,retry,hold,drain doubt=renewals,heartbeat
//	at 0s boot
//	at 1s offered job=0 rule=1 at=900ms hard=5s kill fates=…
//	at 2s acquiring job=0 rule=2
//	at 3s granted lease=2 request=1 token=7
//	at 4s ended job=0 class=permanent
//
// and the other inputs of the machine by their names; freeze and thaw stand for
// a pause of the process, during which deadlines wait.
type Worker struct {
	Rule    worker.Rule
	machine *worker.Machine
	frozen  bool
}

// Input carries out one input.
func (w *Worker) Input(now policies.Instant, words []string) ([]string, error) {
	args := NewArgs(words[1:])
	switch words[0] {
	case "lease":
		if w.Rule.Leases == nil {
			w.Rule.Leases = make([]worker.LeaseRule, 1)
		}
		loss := worker.Loss(args.Choice("on-loss", "stop", "finish", "ignore"))
		w.Rule.Leases = append(w.Rule.Leases, worker.LeaseRule{HolderRule: HolderRule(args), OnLoss: loss})
		return nil, args.Err()
	case "rule":
		w.Rule = worker.Rule{
			Slots: int32(args.Int("slots")), Needs: int32(args.Int("needs")), Hard: args.Duration("hard"), Drain: args.Duration("drain"),
			KillOnLimit: args.Has("kill"), Doubt: doubt(args), Fates: fates(args), Leases: w.Rule.Leases,
		}
		w.machine = worker.New(&w.Rule)
		return nil, firstError(w.Rule.Check(), args.Err())
	case "freeze":
		w.frozen = true
		return nil, args.Err()
	case "thaw":
		w.frozen = false
		return nil, args.Err()
	}
	in, err := WorkerInput(words)
	if err != nil {
		return nil, err
	}
	return w.step(now, in), nil
}

// Tick steps the machine at its deadline.
func (w *Worker) Tick(now policies.Instant) []string { return w.step(now, worker.Input{}) }

// Deadline is the machine's, Never while it is frozen.
func (w *Worker) Deadline() policies.Instant {
	if w.machine == nil || w.frozen {
		return policies.Never
	}
	return w.machine.Deadline()
}

func (w *Worker) step(now policies.Instant, in worker.Input) []string {
	var log []string
	for _, c := range w.machine.Step(now, in, nil) {
		log = append(log, c.String())
	}
	return log
}

// WorkerInput reads one input of a worker.Machine.
func WorkerInput(words []string) (worker.Input, error) {
	args := NewArgs(words[1:])
	for kind := worker.Tick; kind <= worker.Unlock; kind++ {
		if kind.String() != words[0] {
			continue
		}
		in := worker.Input{
			Kind: kind, OK: args.Has("ok"), Acked: args.Has("acked"), Kill: args.Has("kill"), Fates: fates(args), Hard: args.Duration("hard"),
			Class: policies.Class(args.Choice("class", "ok", "transient", "permanent", "coordination")),
			Lease: int32(args.Int("lease")), Request: int32(args.Int("request")), Rule: int32(args.Int("rule")), Monitor: int32(args.Int("monitor")),
			At: policies.Instant(args.Duration("at")), Token: policies.Token(args.Int("token")), Job: worker.Process,
		}
		if args.Text("job") != "process" {
			in.Job = int32(args.Int("job"))
		}
		return in, args.Err()
	}
	return worker.Input{}, fmt.Errorf("a worker has no input %q", words[0])
}

// doubt reads a list of reasons.
func doubt(args *Args) (set worker.Doubt) {
	for _, word := range list(args, "doubt") {
		one := NewArgs([]string{"doubt=" + word})
		set |= 1 << one.Choice("doubt", "renewals", "heartbeat")
		args.note("doubt", one.Err())
	}
	return set
}

// fates reads a fate for each class in order.
func fates(args *Args) (by [4]worker.Fate) {
	for i, word := range list(args, "fates") {
		one := NewArgs([]string{"fates=" + word})
		if i < len(by) {
			by[i] = worker.Fate(one.Choice("fates", "usual", "ack", "retry", "return", "hold", "drop", "dead-letter", "drain"))
		}
		args.note("fates", one.Err())
	}
	return by
}
