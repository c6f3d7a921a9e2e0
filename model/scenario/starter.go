package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// Starter is a commented scenario to begin with, for a system whose queue or
// lock is a built-in preset: by its full name (sqs-standard) or by a beginning
// of it that no other has (sqs). An unknown system is an error that names the
// known ones.
func Starter(system string) ([]byte, error) {
	var found []Preset
	var known []string
	for _, p := range builtIn() {
		if p.Kind != "queue" && p.Kind != "lock" {
			continue
		}
		known = append(known, p.Name)
		if p.Name == system {
			found = []Preset{p}
			break
		}
		if system != "" && strings.HasPrefix(p.Name, system) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("there is no starting file for %q; systems: %s", system, strings.Join(known, ", "))
	}
	var out bytes.Buffer
	err := starters.ExecuteTemplate(&out, found[0].Kind, struct {
		Preset
		Known []knownName
		Words string
	}{found[0], found[0].knownNames(), strings.ReplaceAll(found[0].Name, "-", "_")})
	return out.Bytes(), err
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

var starters = template.Must(template.New("").Parse(`
{{- define "own"}}
    # {{.Title}}: its own setting names, where each one goes, and its value here.
    # Set them with own: {NAME: VALUE}{{with (index .Known 0).Unit}} (numbers in the unit shown){{end}}, or set the path.
{{- range .Known}}
    #   {{printf "%-28s" .Name}} {{.Is}} = {{.Value}}{{if .Unit}}  ({{.Unit}}){{end}}
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
network: {latency: lognormal mean 2ms p99 12ms, loss: 0.1%}

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
    - events.gc.for: [exp 1s, exp 4s, exp 16s]
  plot: [{x: events.gc.for, y: duplicate_rate}]
{{end}}

{{- define "lock"}}# A scenario to start from: workers that hold a lock of {{.Title}}.
#   tenggat run FILE      runs it          tenggat test FILE   judges what it expects
#   tenggat sweep FILE    runs the grid    tenggat lint FILE   checks rules that need no run
name: my-{{.Name}}
about: How often do two workers hold the lock, and how long does nobody?
seed: 7
run: {duration: 2h, warmup: 10m, replications: 20}
network: {latency: lognormal mean 2ms p99 12ms, loss: 0.1%}

locks:
  leader:
    preset: {{.Name}}
{{- template "own" .}}

services:
  # Where the holder writes. With checks: token it refuses a holder that has
  # been replaced; that needs a lock whose tokens rise.
  ledger: {time: exp 20ms, checks: none}

workers:
  w: {count: 3}

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
    - locks.leader.lease: [10s, 15s, 30s, 60s]
  plot: [{x: locks.leader.lease, y: [takeover_s.mean, leases_lost_alive]}]
{{end}}`))
