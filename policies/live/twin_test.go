package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/policies/policytest"
	"github.com/tenggat/tenggat/policies/store"
	"github.com/tenggat/tenggat/policies/worker"
	"github.com/tenggat/tenggat/sim"
)

// The twin test: one script of inputs goes into the bare machine, through a
// driver on sim, and through this package; the three logs of decisions are
// equal byte for byte.

func TestKeeperTwins(t *testing.T) {
	fresh := func() policytest.Machine { return new(policytest.Keeper) }
	twins(t, "testdata/twin/keeper/*.txt", fresh, liveKeeper)
}

func TestWorkerTwins(t *testing.T) {
	fresh := func() policytest.Machine { return new(policytest.Worker) }
	twins(t, "testdata/twin/worker/*.txt", fresh, liveWorker)
}

func twins(t *testing.T, pattern string, fresh func() policytest.Machine, live func(*testing.T, *script) *journal) {
	policytest.Run(t, pattern, fresh) // the bare machine against the file
	paths, _ := filepath.Glob(pattern)
	for _, path := range paths {
		s := readScript(t, path)
		t.Run("sim/"+filepath.Base(path), func(t *testing.T) { s.compare(t, simulated(t, s, fresh())) })
		t.Run("live/"+filepath.Base(path), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { s.compare(t, live(t, s)) })
		})
	}
}

// script is a twin script and the log that the bare machine made of it.
type script struct {
	inputs []policytest.Input
	log    string
}

func readScript(t *testing.T, path string) *script {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := policytest.Parse(string(text))
	if err == nil {
		err = parsed.Twin()
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	isEnd := func(in policytest.Input) bool { return in.Words[0] == "until" }
	s := &script{inputs: slices.DeleteFunc(parsed.Inputs(), isEnd)}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, " ") {
			s.log += line
		}
	}
	return s
}

func (s *script) compare(t *testing.T, j *journal) {
	if got := j.text.String(); got != s.log {
		t.Errorf("the log differs; got:\n%s\nwant:\n%s", got, s.log)
	}
}

// find is the first input that has all the words.
func (s *script) find(words ...string) (policytest.Input, bool) {
next:
	for _, in := range s.inputs {
		line := " " + strings.Join(in.Words, " ") + " "
		for _, w := range words {
			if !strings.Contains(line, " "+w+" ") {
				continue next
			}
		}
		return in, true
	}
	return policytest.Input{}, false
}

// reply is the scripted answer to a request.
func (s *script) reply(lease, request int32) (policytest.Input, bool) {
	words := []string{fmt.Sprintf("request=%d", request)}
	if lease != 0 {
		words = append(words, fmt.Sprintf("lease=%d", lease))
	}
	for _, kind := range []string{"granted", "denied", "renewed", "refused", "failed"} {
		if in, ok := s.find(append(words, kind)...); ok {
			return in, true
		}
	}
	return policytest.Input{}, false
}

// journal writes decisions and deadlines as policytest does.
type journal struct {
	armed policies.Instant
	text  strings.Builder
}

func newJournal() *journal { return &journal{armed: policies.Never} }

func (j *journal) add(now policies.Instant, decided []string, next policies.Instant) {
	for _, d := range decided {
		fmt.Fprintf(&j.text, "    %s %s\n", policytest.Text(now), d)
	}
	if next != j.armed {
		j.armed = next
		fmt.Fprintf(&j.text, "    deadline %s\n", policytest.Text(next))
	}
}

// driver is the smallest driver on sim: inputs are messages, the deadline is a
// timer, and the answer to a request is scheduled when the request is sent.
type driver struct {
	t       *testing.T
	s       *script
	sim     *sim.Sim
	machine policytest.Machine
	timer   sim.Timer
	journal *journal
}

const (
	inputEvent sim.Kind = iota
	deadlineEvent
)

func simulated(t *testing.T, s *script, m policytest.Machine) *journal {
	d := &driver{t: t, s: s, machine: m, journal: newJournal()}
	d.sim = sim.New(d, sim.Options{Start: sim.Time(s.inputs[0].At)})
	d.timer = d.sim.NewTimer(sim.Deadline, sim.Event{Kind: deadlineEvent})
	for i, in := range s.inputs {
		if _, isReply := d.request(in.Words); !isReply {
			d.sim.At(sim.Time(in.At), sim.Message, sim.Event{Kind: inputEvent, A: int64(i)})
		}
	}
	if err := d.sim.Run(sim.Time(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return d.journal
}

func (d *driver) Handle(ev sim.Event) {
	now := policies.Instant(d.sim.Now())
	var decided []string
	if ev.Kind == inputEvent {
		in := d.s.inputs[ev.A]
		var err error
		if decided, err = d.machine.Input(now, in.Words); err != nil {
			d.t.Fatal(err)
		}
		if in.Words[0] == "begin" {
			d.send(in.Words) // the request is sent by the caller, not by the machine
		}
	} else {
		decided = d.machine.Tick(now)
	}
	for _, command := range decided {
		d.send(strings.Fields(command))
	}
	next := d.machine.Deadline()
	if next == policies.Never {
		d.sim.Stop(d.timer)
	} else {
		d.sim.Arm(d.timer, sim.Time(next))
	}
	d.journal.add(now, decided, next)
}

// send schedules the scripted answer to a command that is a request.
func (d *driver) send(words []string) {
	if words[0] != "renew" && words[0] != "acquire" && words[0] != "begin" {
		return
	}
	args := policytest.NewArgs(words[1:])
	in, ok := d.s.reply(int32(args.Int("lease")), int32(args.Int("request")))
	if !ok {
		return
	}
	for i := range d.s.inputs {
		if d.s.inputs[i].At == in.At {
			d.sim.At(sim.Time(in.At), sim.Message, sim.Event{Kind: inputEvent, A: int64(i)})
		}
	}
}

// request reports whether an input is the answer to a request.
func (d *driver) request(words []string) (string, bool) {
	for _, kind := range []string{"granted", "denied", "renewed", "refused", "failed"} {
		if words[0] == kind {
			return kind, true
		}
	}
	return "", false
}

// scripted is a lock store and a queue that answer as and when the script says.
type scripted struct {
	clock
	s       *script
	offered []policytest.Input
}

func (f *scripted) until(at policies.Instant) { time.Sleep(at.Sub(f.now())) }

// answer waits for the scripted answer to the request of ctx, if there is one.
func (f *scripted) answer(ctx context.Context) (*policytest.Args, error) {
	in, ok := f.s.reply(Numbers(ctx))
	if !ok {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	f.until(in.At)
	switch in.Words[0] {
	case "denied":
		return nil, store.ErrHeld
	case "refused":
		return nil, store.ErrStale
	case "failed":
		return nil, errors.New("no answer")
	}
	return policytest.NewArgs(in.Words[1:]), nil
}

func (f *scripted) Acquire(ctx context.Context, name string, owner int64, _ time.Duration) (store.Claim, error) {
	args, err := f.answer(ctx)
	if err != nil {
		return store.Claim{}, err
	}
	return store.Claim{Name: name, Owner: owner, Token: policies.Token(args.Int("token"))}, nil
}

func (f *scripted) Renew(ctx context.Context, _ store.Claim, _ time.Duration) error {
	_, err := f.answer(ctx)
	return err
}

func (f *scripted) Release(context.Context, store.Claim) error { return nil }

func (f *scripted) Receive(ctx context.Context, _ int) ([]store.Delivery, error) {
	if len(f.offered) == 0 {
		<-ctx.Done()
		return nil, nil
	}
	next := f.offered[0]
	f.offered = f.offered[1:]
	f.until(next.At)
	return []store.Delivery{{ID: int64(next.At)}}, nil
}

func (f *scripted) Extend(ctx context.Context, _ store.Delivery, _ time.Duration) error {
	_, err := f.answer(ctx)
	return err
}

func (f *scripted) Settle(context.Context, store.Delivery, worker.Fate) error { return nil }

// liveKeeper plays a script through a Keeper.
func liveKeeper(t *testing.T, s *script) *journal {
	rule := policytest.HolderRule(policytest.NewArgs(s.inputs[0].Words[1:]))
	j := newJournal()
	f := &scripted{clock: newClock(), s: s}
	k := &Keeper{Locks: f, Rule: &rule, Observe: func(now policies.Instant, decided []lease.Command, next policies.Instant) {
		j.add(now, texts(decided), next)
	}}
	lock, err := k.Acquire(t.Context(), "name")
	if err != nil {
		if lost := new(LostError); !errors.As(err, lost) {
			t.Fatal(err)
		}
		return j
	}
	if in, ok := s.find("woken"); ok {
		time.AfterFunc(in.At.Sub(f.now()), lock.Woken)
	}
	if in, ok := s.find("ended"); ok {
		f.until(in.At)
		if err := lock.Release(t.Context()); err != nil {
			t.Error(err)
		}
	}
	<-lock.Context().Done()
	<-lock.done
	return j
}

// liveWorker plays a script through a Worker.
func liveWorker(t *testing.T, s *script) *journal {
	machine := new(policytest.Worker) // reads the rules
	j := newJournal()
	f := &scripted{clock: newClock(), s: s}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	config := Config{Queue: f, Locks: f, Handler: f.handle, Observe: func(now policies.Instant, decided []worker.Command, next policies.Instant) {
		j.add(now, texts(decided), next)
	}}
	for _, in := range s.inputs {
		switch in.Words[0] {
		case "lease", "rule":
			if _, err := machine.Input(in.At, in.Words); err != nil {
				t.Fatal(err)
			}
		case "offered":
			f.offered = append(f.offered, in)
			config.Delivery = int32(policytest.NewArgs(in.Words[1:]).Int("rule"))
		}
	}
	config.Rule = &machine.Rule
	w, err := NewWorker(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range s.inputs {
		signal := map[string]func(){
			"stop": cancel, "pause": w.Pause, "unpause": w.Unpause, "woken": w.Woken,
			"coordination": func() { w.Coordinate(policytest.NewArgs(in.Words[1:]).Has("ok")) },
			"heartbeat": func() {
				args := policytest.NewArgs(in.Words[1:])
				w.Heartbeat(int32(args.Int("monitor")), args.Has("ok"))
			},
		}[in.Words[0]]
		if signal != nil {
			time.AfterFunc(in.At.Sub(f.now()), signal)
		}
	}
	if err := w.Run(ctx); err != nil {
		t.Error(err)
	}
	return j
}

// handle does what the script says of the job that was delivered.
func (f *scripted) handle(_ context.Context, job *Job) error {
	me := fmt.Sprintf("job=%d", job.id)
	locks := map[int64]*JobLock{}
	for i, in := range f.s.inputs {
		if int64(in.At) <= job.ID || len(in.Words) < 2 || in.Words[1] != me {
			continue
		}
		f.until(in.At)
		args := policytest.NewArgs(in.Words[1:])
		switch in.Words[0] {
		case "acquiring":
			f.lock(job, int32(args.Int("rule")), f.s.inputs[i:], locks)
		case "unlock":
			locks[args.Int("lease")].Unlock()
		case "ended":
			return []error{nil, errors.New("transient"), Permanent(errors.New("permanent")), Coordination(errors.New("coordination"))}[args.Choice("class", "ok", "transient", "permanent", "coordination")]
		}
	}
	return errors.New("the script does not end the job")
}

// lock asks for a lock and waits until the job's next input.
func (f *scripted) lock(job *Job, rule int32, rest []policytest.Input, locks map[int64]*JobLock) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, in := range rest[1:] {
		if len(in.Words) > 1 && in.Words[1] == fmt.Sprintf("job=%d", job.id) {
			stop := time.AfterFunc(in.At.Sub(f.now()), cancel)
			defer stop.Stop()
			break
		}
	}
	if l, err := job.Lock(ctx, "name", rule); err == nil {
		locks[int64(l.lease)] = l
	}
}

func texts[Command fmt.Stringer](decided []Command) []string {
	var list []string
	for _, c := range decided {
		list = append(list, c.String())
	}
	return list
}
