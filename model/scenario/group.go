package scenario

import "slices"

var groupBlock = define(block{
	name: "worker group",
	keys: []key{
		{name: "count", form: countValue.form, initial: "1", help: "processes"},
		{name: "slots", form: countValue.form, initial: "1", help: "jobs at once in each"},
		{name: "takes", form: namesValue.form, fixed: true, help: "queues that it serves, most urgent first; all if absent"},
		{name: "drain", form: durationValue.form, initial: "30s", help: "shutdown drain time-out"},
		{name: "restart", form: restartValue.form, initial: "10s", help: "downtime after a crash: step or on_time_limit: kill, and only then"},
		{name: "paused", form: pausedValue.form, initial: "none", help: "takes nothing; keep: the buffer stays; release: it is returned; drain: it is worked off"},
		clockKey,
	},
	later: []string{"per_host", "version", "policy", "with", "needs", "bind", "pause_when", "concurrency", "scale"},
})

var (
	pausedValue  = choice[Paused]("pause", "none", "keep", "release", "drain")
	restartValue = durationOr("never")
)

func (v view) group(name string) *Group {
	g := &Group{
		Name:    name,
		Count:   get(v, "count", countValue),
		Slots:   get(v, "slots", countValue),
		Takes:   getList(v, "takes", namesValue),
		Drain:   get(v, "drain", durationValue),
		Restart: get(v, "restart", restartValue),
		Paused:  get(v, "paused", pausedValue),
		Clock:   v.clock(),
	}
	v.atLeastOne("count", "slots")
	if g.Count > maxProcesses {
		v.wrong("count", "a group may have %d processes", maxProcesses)
	}
	known := v.root.get("queues").keys()
	for _, queue := range g.Takes {
		if queue != "" && !slices.Contains(known, queue) {
			v.wrong("takes", "there is no queue %q%s", queue, didYouMean(queue, known))
		}
	}
	return g
}

// maxProcesses bounds the memory of a world.
const maxProcesses = 1_000_000
