package scenario

import (
	"slices"

	"github.com/tenggat/tenggat/policies/worker"
)

var groupBlock = define(block{
	name: "worker group",
	keys: []key{
		{name: "count", form: countValue.form, initial: "1", help: "processes"},
		{name: "slots", form: countValue.form, initial: "1", help: "jobs at once in each"},
		{name: "takes", form: namesValue.form, fixed: true, help: "queues that it serves, most urgent first; all if absent"},
		{name: "handles", form: namesValue.form, fixed: true, help: "types of jobs that its code knows; all if absent"},
		{name: "unknown", form: unknownValue.form, initial: "dead_letter", fixed: true, help: "what it does with a delivery of a type that it does not know; hold: nothing, and the lease must end"},
		{name: "drain", client: true, form: durationValue.form, initial: "30s", help: "shutdown drain time-out"},
		{name: "doubt", client: true, form: doubtValue.form, initial: "none", help: "what stops intake besides needs that are not renewed and errors of coordination: renewals of what its jobs hold; heartbeat: no answer from a monitor. A process in doubt gives back what has not started, ends what runs, and goes on when a renewal succeeds or a probe by one, or when the monitor answers"},
		{name: "restart", form: restartValue.form, initial: "10s", help: "downtime after a crash: step or on_time_limit: kill, and only then"},
		{name: "paused", form: pausedValue.form, initial: "none", help: "takes nothing; keep: the buffer stays; release: it is returned; drain: it is worked off"},
		{name: "bind", form: bindValue.form, initial: "free", fixed: true, help: "free: a delivery waits for any slot; first, random: it is tied on receive to that slot, busy or not"},
		{name: "pause_when", client: true, form: pauseWhenBlock.form, fixed: true, help: "a process pauses itself; its buffer stays"},
		{name: "concurrency", client: true, form: concurrencyBlock.form, fixed: true, help: "how many of its slots a process uses: jobs are its calls, and their failures overload"},
		{name: "scale", form: scaleBlock.form, help: "an autoscaler changes the count"},
		{name: "needs", form: namesValue.form, fixed: true, help: "locks that each process must hold to take work"},
		{name: "policy", form: policyForm, fixed: true, help: "a preset of kind policy: what a caller, a holder or a waiter decides is for these processes as it says, whatever the settings say: simple, medium, critical or an own one"},
		{name: "with", form: withForm, help: "the same for single settings, on top of the policy: {path: value}; the paths of keys marked ᶜ, with * for all of a kind: {services.*.retry: none}"},
		clockKey,
	},
	later: []string{"per_host", "version"},
})

var (
	pausedValue  = choice[Paused]("pause", "none", "keep", "release", "drain")
	restartValue = durationOr("never")
	unknownValue = choice[Fate]("fate", "retry", "return", "hold", "drop", "dead_letter")
	doubtValue   = func() value[uint8] {
		d := choice[uint8]("doubt", "none", "renewals", "heartbeat")
		d.many = set
		return d
	}()
)

func (v view) group(name string) *Group {
	g := &Group{
		Name:    name,
		Count:   get(v, "count", countValue),
		Slots:   get(v, "slots", countValue),
		Takes:   getList(v, "takes", namesValue),
		Handles: getList(v, "handles", namesValue),
		Unknown: get(v, "unknown", unknownValue),
		Drain:   get(v, "drain", durationValue),
		Doubt:   v.doubt(),
		Restart: get(v, "restart", restartValue),
		Paused:  get(v, "paused", pausedValue),
		Bind:    get(v, "bind", bindValue),
		Needs:   getList(v, "needs", namesValue),
		Clock:   v.clock(),
	}
	v.atLeastOne("count", "slots")
	if p, ok := v.sub("pause_when", pauseWhenBlock); ok {
		g.PauseWhen = p.pauseWhen()
	}
	if c, ok := v.sub("concurrency", concurrencyBlock); ok {
		g.Concurrency = c.concurrency()
		if g.Concurrency.Kind == Throttle || g.Concurrency.Kind == RateLimit {
			c.wrong("kind", "throttle and rate are for calls; a group uses fixed, aimd, gradient or vegas")
		}
	}
	if s, ok := v.sub("scale", scaleBlock); ok {
		g.Scale = s.scale()
	}
	if g.Bind != BindFree && g.Slots == Unlimited {
		v.wrong("bind", "a delivery can be tied to one of a number of slots, not of unlimited ones")
	}
	for _, lock := range g.Needs {
		if known := v.root.get("locks").keys(); lock != "" && !slices.Contains(known, lock) {
			v.wrong("needs", "there is no lock %q%s", lock, didYouMean(lock, known))
		}
	}
	if g.Count > maxProcesses {
		v.wrong("count", "a group may have %d processes", maxProcesses)
	}
	known := v.root.get("queues").keys()
	for _, queue := range g.Takes {
		if queue != "" && !slices.Contains(known, queue) {
			v.wrong("takes", "there is no queue %q%s", queue, didYouMean(queue, known))
		}
	}
	types := v.root.get("jobs").keys()
	for _, job := range g.Handles {
		if job != "" && !slices.Contains(types, job) {
			v.wrong("handles", "there is no job %q%s", job, didYouMean(job, types))
		}
	}
	return g
}

func (v view) doubt() (d worker.Doubt) {
	list := getList(v, "doubt", doubtValue)
	for _, i := range list {
		switch {
		case i > 0:
			d |= 1 << (i - 1)
		case len(list) > 1:
			v.wrong("doubt", "none stands alone, not in a list")
		}
	}
	return d
}

// maxProcesses bounds the memory of a world, and the time until all have booted.
const maxProcesses = 100_000
