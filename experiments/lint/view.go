package lint

import (
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// view is a scenario as the rules look at it: by delivery, by held lock, by lease.
type view struct {
	*scenario.Scenario
	settings   map[string]scenario.Setting
	deliveries []delivery
	holds      []hold
	leases     []leased
	spans      map[*scenario.Service]span          // of one call
	loads      map[bool]map[*scenario.Service]load // with retries or without
	rates      map[*scenario.Job]float64           // of arrival
}

// delivery is a type of job on its way through a queue.
type delivery struct {
	job    *scenario.Job
	queue  *scenario.Queue
	lease  *scenario.Lease // its own or the queue's; nil: none
	path   string          // of the lease
	groups []*scenario.Group
}

// hold is a lock that a type of job takes, and what it does until it gives the lock back.
type hold struct {
	job   *scenario.Job
	lock  *scenario.Lock
	path  string // of the lock
	steps []placedStep
}

// placedStep is a step with its path.
type placedStep struct {
	*scenario.Step
	path string
}

func newView(s *scenario.Scenario) *view {
	v := &view{
		Scenario: s, settings: map[string]scenario.Setting{}, spans: map[*scenario.Service]span{},
		loads: map[bool]map[*scenario.Service]load{false: {}, true: {}}, rates: map[*scenario.Job]float64{},
	}
	for _, set := range s.Settings() {
		v.settings[set.Path] = set
	}
	for _, q := range s.Queues {
		if q.Lease != nil {
			v.leases = append(v.leases, leased{q.Lease, "queues." + q.Name + ".lease"})
		}
	}
	for _, k := range s.Locks {
		if k.Lease != nil {
			v.leases = append(v.leases, leased{k.Lease, "locks." + k.Name + ".lease"})
		}
	}
	for _, j := range s.Jobs {
		if q := v.queue(j.Queue); q != nil {
			v.deliver(j, q)
		}
		v.hold(j)
	}
	return v
}

func (v *view) deliver(j *scenario.Job, q *scenario.Queue) {
	d := delivery{job: j, queue: q, lease: q.Lease, path: "queues." + q.Name + ".lease"}
	if j.Lease != nil {
		d.lease, d.path = j.Lease, "jobs."+j.Name+".lease"
		v.leases = append(v.leases, leased{d.lease, d.path})
	}
	for _, g := range v.Workers {
		if len(g.Takes) == 0 || slices.Contains(g.Takes, q.Name) {
			d.groups = append(d.groups, g)
		}
	}
	v.deliveries = append(v.deliveries, d)
}

// hold notes the locks that a job takes at the top of its steps.
func (v *view) hold(j *scenario.Job) {
	steps := placed(j.Steps, "jobs."+j.Name+".steps")
	for i, s := range steps {
		if s.Verb != scenario.LockStep {
			continue
		}
		rest := steps[i+1:]
		if end := slices.IndexFunc(rest, func(u placedStep) bool { return u.Verb == scenario.Unlock && u.To == s.To }); end >= 0 {
			rest = rest[:end]
		}
		for _, k := range v.Locks {
			if k.Name == s.To {
				v.holds = append(v.holds, hold{j, k, "locks." + k.Name, rest})
			}
		}
	}
}

// ofPreset reports whether a setting is what a preset brings along.
func (v *view) ofPreset(path string) bool { return strings.HasPrefix(v.settings[path].From, "preset ") }

func (v *view) queue(name string) *scenario.Queue {
	for _, q := range v.Queues {
		if q.Name == name {
			return q
		}
	}
	return nil
}

func (v *view) service(name string) *scenario.Service {
	for _, s := range v.Services {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// monitorPath is where a monitor stands: under its own name, or as the session of a queue or lock.
func (v *view) monitorPath(m *scenario.Monitor) string {
	owner, own := strings.CutSuffix(m.Name, "_session")
	for _, path := range []string{"queues." + owner + ".session", "locks." + owner + ".session"} {
		if _, ok := v.settings[path+".heartbeat.every"]; own && ok {
			return path
		}
	}
	return "monitors." + m.Name
}

// watched are the groups that a monitor watches; without a word of it, as in a session, all.
func (v *view) watched(m *scenario.Monitor) (groups []*scenario.Group) {
	for _, g := range v.Workers {
		if len(m.Watches) == 0 || slices.ContainsFunc(m.Watches, func(t scenario.Target) bool { return t.Name == g.Name }) {
			groups = append(groups, g)
		}
	}
	return groups
}

// doubts reports whether a group that a monitor watches waits for an answer to its heartbeats.
func (v *view) doubts(m *scenario.Monitor) bool {
	return slices.ContainsFunc(v.watched(m), func(g *scenario.Group) bool {
		return strings.Contains(v.settings["workers."+g.Name+".doubt"].Value, "heartbeat")
	})
}

// verbs are the words of steps.
var verbs = map[scenario.Verb]string{
	scenario.Work: "work", scenario.CallService: "call", scenario.Write: "write", scenario.Read: "read",
	scenario.LockStep: "lock", scenario.Unlock: "unlock", scenario.Once: "once", scenario.PublishStep: "publish",
	scenario.Repeat: "repeat", scenario.AckNow: "ack", scenario.Fail: "fail", scenario.CrashStep: "crash",
}

// placed gives steps their paths.
func placed(steps []scenario.Step, path string) []placedStep {
	seen := map[scenario.Verb]int{}
	all := make([]placedStep, len(steps))
	for i := range steps {
		s := &steps[i]
		all[i] = placedStep{s, path + "." + verbs[s.Verb]}
		if seen[s.Verb]++; seen[s.Verb] > 1 {
			all[i].path += "." + number(float64(seen[s.Verb]))
		}
	}
	return all
}

// inner are the steps of a repeat.
func (s placedStep) inner() []placedStep { return placed(s.Steps, s.path+".steps") }

// every is the steps with those inside of repeats.
func every(steps []placedStep) (all []placedStep) {
	for _, s := range steps {
		all = append(all, s)
		all = append(all, every(s.inner())...)
	}
	return all
}

// jobSteps are all steps of a job.
func jobSteps(j *scenario.Job) []placedStep { return every(placed(j.Steps, "jobs."+j.Name+".steps")) }

// calls reports whether a step goes to a service; a read may go to a cache.
func (v *view) calls(s placedStep) bool {
	switch s.Verb {
	case scenario.CallService, scenario.Write, scenario.Once, scenario.Read:
		return v.service(s.To) != nil
	}
	return false
}

// key is the key that a write, a guard or a message carries, and where it is set.
func (s placedStep) key(j *scenario.Job) (scenario.Template, string) {
	if s.Key != nil {
		return *s.Key, s.path + ".key"
	}
	return j.Key, "jobs." + j.Name + ".key"
}

// client is how a step calls its service: own settings or those of the service, with the path of the retry rule.
func (v *view) client(s placedStep) (to *scenario.Service, timeout time.Duration, retry *scenario.Retry, path string) {
	to = v.service(s.To)
	timeout, retry, path = to.Timeout, to.Retry, "services."+to.Name
	if s.Timeout > 0 {
		timeout = s.Timeout
	}
	if s.Retry != nil {
		retry, path = s.Retry, s.path
	}
	return to, timeout, retry, path
}

// bounded is the number of times that a job of a queue is tried, and whether there is such a bound; path is where it
// would be set.
func (d delivery) bounded() (tries int, ok bool) {
	if limit := d.queue.Attempts.Limit; limit != scenario.Unlimited {
		tries, ok = max(1, limit), true
		if d.queue.Attempts.Count&(scenario.CountReceive|scenario.CountStart) == 0 {
			tries = limit + 1
		}
	}
	retry := d.job.Retry
	if retry == nil {
		retry = d.queue.Retry
	}
	if retry != nil && retry.Attempts > 0 && (!ok || retry.Attempts < tries) {
		tries, ok = retry.Attempts, true
	}
	return tries, ok
}

// link is how messages of a kind go from a group to a component; path is where their loss is set.
func (v *view) link(kind scenario.Kinds, group, noun, name string) (latency span, loss float64, path string) {
	d := v.Network.Latency
	loss, path = v.Network.Loss, "network.loss"
	is := func(ends []scenario.Target, noun, name string) bool {
		return len(ends) == 0 || slices.ContainsFunc(ends, func(t scenario.Target) bool {
			return t.Noun == noun && t.Name == name
		})
	}
	for _, l := range v.Network.Links {
		forth := is(l.From, "workers", group) && is(l.To, noun, name)
		back := l.Both && is(l.To, "workers", group) && is(l.From, noun, name)
		if l.Only&kind == 0 || !forth && !back {
			continue
		}
		if l.Latency != nil {
			d = *l.Latency
		}
		if l.Loss != nil {
			loss, path = *l.Loss, "network.links."+l.Name+".loss"
		}
		break
	}
	return distSpan(&d), loss, path
}
