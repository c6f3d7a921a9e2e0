package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// Starter is a commented scenario to begin with, for a system whose queue or
// lock is a built-in preset: by its full name (sqs-standard) or by a beginning
// of it that no other has (sqs). An unknown system is an error that names the
// known ones, and a preset of another kind one that says where it goes.
func Starter(system string) ([]byte, error) {
	var known []string
	var systems []Preset
	for _, p := range builtIn() {
		if p.Kind == "queue" || p.Kind == "lock" {
			known, systems = append(known, p.Name), append(systems, p)
		}
	}
	p, ok := byName(systems, system)
	if other, found := FindPreset(system); !ok && found {
		return nil, fmt.Errorf("%s is a preset of kind %s and no system to start from: put %s into a scenario, and `tenggat lint FILE` judges what it makes of it", other.Name, other.Kind, other.line())
	}
	if !ok {
		return nil, fmt.Errorf("there is no starting file for %q; systems: %s", system, strings.Join(known, ", "))
	}
	var out bytes.Buffer
	lines := strings.Split(p.Starts, "\n")
	adds := slices.DeleteFunc(p.added(), func(add Add) bool { return add.saidIn(lines) })
	err := starters.ExecuteTemplate(&out, p.Kind, struct {
		Preset
		Known []knownName
		Knob  knob
		Lines []string
		Adds  []Add
	}{p, p.knownNames(), p.knob(), lines, adds})
	return out.Bytes(), err
}

// line is how a scenario says that a component is as the preset has it.
func (p Preset) line() string {
	switch p.Kind {
	case "policy":
		return "workers.W.policy: " + p.Name
	case "retry":
		return "services.S.retry: {preset: " + p.Name + "}"
	}
	return p.Kind + "s.NAME: {preset: " + p.Name + "}"
}

// added is what the preset leaves to a file, under the names that a starting
// file has.
func (p Preset) added() []Add {
	job := "jobs.job"
	if p.Kind == "lock" {
		job = "jobs.lead"
	}
	named := strings.NewReplacer("queues.*", "queues.jobs", "locks.*", "locks.leader", "jobs.*", job, "services.*", "services.ledger", "workers.*", "workers.w")
	adds := slices.Clone(p.Adds)
	for i, add := range adds {
		adds[i].Sets = slices.Clone(add.Sets)
		for k, set := range add.Sets {
			adds[i].Sets[k] = Assignment{named.Replace(set.Path), named.Replace(set.Value)}
		}
	}
	return adds
}

// saidIn reports whether the lines of a component set all that it sets.
func (a Add) saidIn(lines []string) bool {
	return !slices.ContainsFunc(a.Sets, func(set Assignment) bool {
		key := set.Path[strings.LastIndexByte(set.Path, '.')+1:] + ":"
		return !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, key) })
	})
}

// knownName is an own name with its value in the preset.
type knownName struct{ Name, Is, Value, Unit string }

// knownNames lists the system's own settings that a file can set.
func (p Preset) knownNames() (known []knownName) {
	for _, n := range p.Names {
		if strings.HasPrefix(n.Is, "=") {
			continue
		}
		value, _, _ := lookup(p.values, kindBlock(p.Kind).form, splitPath(n.Is))
		k := knownName{n.Name, n.Is, "not set", n.Unit}
		if value != nil {
			k.Value = value.String()
		}
		if slices.ContainsFunc(known, func(other knownName) bool { return other.Is == k.Is }) {
			k.Value = "a list, instead of " + known[0].Name
		}
		known = append(known, k)
	}
	return known
}

// knob is the system's own setting that a starting file tries, and values for it.
type knob struct{ Name, Values, Unit string }

// knob is the length of the lease. A queue with a session takes the messages of
// a dead worker back when it gives the worker up, and its lease ends under one
// that hangs alone, which a starting file has not: there it is the silence until
// then or, where no own name sets that, how many messages a dead worker had.
func (p Preset) knob() knob {
	named := func(path string) int {
		return slices.IndexFunc(p.Names, func(n OwnName) bool { return n.Is == path })
	}
	session, prefetch, lease := named("session.suspect"), named("prefetch"), named("lease.length")
	switch {
	case session >= 0:
		return p.longer(p.Names[session])
	case prefetch >= 0 && p.text("session.suspect") != "":
		return knob{p.Names[prefetch].Name, "1, 10, " + p.text("prefetch"), "messages"}
	case lease < 0 || p.Names[lease].Unit == "":
		panic("scenario: preset " + p.Name + " has no own name for lease.length")
	}
	return p.longer(p.Names[lease])
}

// longer tries a time, twice and four times that; of one that would outlast the
// run of a starting file the fourth and the half instead.
func (p Preset) longer(n OwnName) knob {
	least, unit := 15*time.Second, time.Second
	if d, err := parseDuration(p.text(n.Is)); err == nil {
		least = d
	}
	if least >= time.Hour {
		least /= 4
	}
	if n.Unit == "ms" {
		unit = time.Millisecond
	}
	var values []string
	for _, times := range []time.Duration{1, 2, 4} {
		values = append(values, strconv.FormatInt(int64(times*least/unit), 10))
	}
	return knob{n.Name, strings.Join(values, ", "), n.Unit}
}

// text is the value that a preset has at a path; empty where it has none.
func (p Preset) text(path string) string {
	value, _, _ := lookup(p.values, kindBlock(p.Kind).form, splitPath(path))
	return value.scalarText()
}

var starters = template.Must(template.New("").Parse(`
{{- define "own"}}
{{- if .Starts}}
{{- range .Lines}}
    {{.}}
{{- end}}
{{- end}}
    # {{.Title}}: its own setting names, where each one goes, and its value here.
    # Set them with own: {NAME: VALUE}{{with (index .Known 0).Unit}} (numbers in the unit shown){{end}}, or set the path.
{{- range .Known}}
    #   {{printf "%-28s" .Name}} {{.Is}} = {{.Value}}{{if .Unit}}  ({{.Unit}}){{end}}
{{- end}}
{{- if .Adds}}
    # Not in the preset, but the language has it; as lines of a variant:
{{- range .Adds}}
    #   {{.What}}
{{- range .Sets}}
    #     {{.Path}}: {{.Value}}
{{- end}}
{{- end}}
{{- end}}
{{- if .Lacks}}
    # Not modelled yet:
{{- range .Lacks}}
    #   {{.}}
{{- end}}
{{- end}}
{{- end}}

{{- define "queue"}}# A scenario to start from: workers on {{.Title}}.
#   tenggat run FILE      runs it          tenggat test FILE   judges what it expects
#   tenggat sweep FILE    runs the grid    tenggat lint FILE   checks rules that need no run
name: my-{{.Name}}
about: How often does a job run twice when workers pause and die?
seed: 7
run: {duration: 2h, warmup: 10m, replications: 20}
# No loss: TCP sends again what the network drops. Connections that hang or break
# are events with cut.
network: {latency: lognormal mean 2ms p99 12ms}

queues:
  jobs:
    preset: {{.Name}}
{{- template "own" .}}

services:
  # A database that refuses a second effect with the same key. Remove checks to
  # see what the queue alone would do.
  ledger: {servers: 16, time: exp 20ms, timeout: 2s, checks: key, retry: {attempts: 3, delay: 200ms, growth: 2, jitter: full}}

workers:
  w: {count: 8}

jobs:
  job:
    queue: jobs
    arrivals: poisson 4/s                   # load
    fields: {order: serial}
    key: 'order:{order}'
    steps: [work: lognormal mean 1s p99 8s, write: ledger]

events:
  gc: {rate: 2/h, pause: workers.w, for: exp 4s}         # per process
  death: {rate: 1/h, crash: workers.w, for: 30s}

expect:
  always: [duplicate_effects == 0]

sweep:
  axes:
    - queues.jobs.own.{{.Knob.Name}}: [{{.Knob.Values}}]   # {{.Knob.Unit}}
  plot: [{x: queues.jobs.own.{{.Knob.Name}}, y: [duplicate_effects, duplicate_starts, takeover_s.mean]}]
{{end}}

{{- define "lock"}}# A scenario to start from: workers that hold a lock of {{.Title}}.
#   tenggat run FILE      runs it          tenggat test FILE   judges what it expects
#   tenggat sweep FILE    runs the grid    tenggat lint FILE   checks rules that need no run
name: my-{{.Name}}
about: How often do two workers hold the lock, and how long does nobody?
seed: 7
run: {duration: 2h, warmup: 10m, replications: 20}
# No loss: TCP sends again what the network drops. Connections that hang or break
# are events with cut.
network: {latency: lognormal mean 2ms p99 12ms}

locks:
  leader:
    preset: {{.Name}}
{{- template "own" .}}

services:
  # Where the holder writes. With checks: token it refuses a holder that has
  # been replaced; that needs a lock whose tokens rise. As it stands lint warns of
  # it by the rule lock-fenced.
  ledger: {time: exp 20ms, checks: none}

workers:
  w: {count: 3, drain: 2m}

jobs:
  lead:
    by: w                                   # every process tries, again and again
    arrivals: loop after 1s
    steps: [lock: leader, work: lognormal mean 20s p99 90s, write: {to: ledger, token: leader}]

events:
  gc: {rate: 2/h, pause: workers.w, for: exp 10s}        # per process
  death: {rate: 1/h, crash: locks.leader/holder, for: 30s}

expect:
  always: ['len(at("grant")) > 0']

sweep:
  axes:
    - locks.leader.own.{{.Knob.Name}}: [{{.Knob.Values}}]   # {{.Knob.Unit}}
  plot: [{x: locks.leader.own.{{.Knob.Name}}, y: [takeover_s.mean, leases_lost_alive]}]
{{end}}`))
