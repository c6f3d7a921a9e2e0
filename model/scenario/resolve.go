package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// origin is what a Scenario was made from, so that an event's settings can be
// applied to it and its settings can be asked for by path.
type origin struct {
	file     *File
	assigned *node // with all assignments, before presets
	resolved *node

	mu       sync.Mutex
	overlays map[string]*Scenario // by the active events and their ramps
}

// errNoFile is the error of asking a Scenario built by hand for paths.
var errNoFile = errors.New("scenario: settings have paths only in a scenario that was read from a file")

// resolveTree applies presets, defaults and formulas, and builds.
func (f *File) resolveTree(assigned *node) (*Scenario, Problems) {
	root := assigned.clone()
	problems := f.applyPresets(root)
	fill(root, settingsBlock)
	problems = append(problems, evaluate(root)...)
	s, more := build(root)
	s.Name = f.Name
	s.origin = &origin{file: f, assigned: assigned, resolved: root, overlays: map[string]*Scenario{}}
	problems = append(problems, more...).said(assigned)
	return s, append(problems, s.glasses(problems)...)
}

// overlay is Scenario.Overlay.
func (s *Scenario) overlay(active uint64, ramps []Ramp) (*Scenario, error) {
	for i, e := range s.Events {
		if e.Act != ActSet && i < 64 {
			active &^= 1 << i
		}
	}
	if active == 0 {
		return s, nil
	}
	o := s.origin
	if o == nil {
		return nil, errNoFile
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	name := fmt.Sprint(active, ramps)
	if changed, ok := o.overlays[name]; ok {
		return changed, nil
	}
	changed, problems := s.changed(active, ramps)
	if err := problems.sorted(); err != nil {
		return nil, err
	}
	o.overlays[name] = changed
	return changed, nil
}

// changed resolves s again with the settings of the active events, in the
// order of the file.
func (s *Scenario) changed(active uint64, ramps []Ramp) (*Scenario, Problems) {
	assigned := s.origin.assigned.clone()
	var problems Problems
	for i, e := range s.Events {
		if i < 64 && active>>i&1 == 1 {
			step := RampSteps
			for _, r := range ramps {
				if r.Event == i {
					step = r.Step
				}
			}
			problems = append(problems, assignAll(assigned, s.ramped(e, step, &problems), true)...)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	c, problems := s.origin.file.resolveTree(assigned)
	c.Variant = s.Variant
	return c, problems
}

// assignments are the entries of a map from paths to values.
func assignments(n *node) []assignment {
	var all []assignment
	for _, p := range n.entries() {
		all = append(all, assignment{p.key, p.at, p.value})
	}
	return all
}

// checkEvents resolves the scenario with each event's settings alone, so that
// a mistake in them is found before the run.
func (s *Scenario) checkEvents() (problems Problems) {
	for i, e := range s.Events {
		if e.Act == ActSet && i < 64 {
			_, found := s.changed(1<<i, nil)
			found = append(found, s.checkOverrides(assignments(s.origin.assigned.get("events").get(e.Name).get("set")))...)
			problems = append(problems, found...)
		}
	}
	return problems
}

// Setting is the resolved value at a dotted path, or behind workers.G.with. as
// that group sees it: a number in base units
// (seconds, per second, fractions of one, counts) as float64, or else text as a
// file would have it, such as "none" or "[key, token]". A block stands for its
// main key. A path that the language does not have is an error.
func (s *Scenario) Setting(path string) (any, error) {
	if s.origin == nil {
		return nil, errNoFile
	}
	parts := splitPath(path)
	if len(parts) > 3 && parts[0] == "workers" && parts[2] == "with" {
		if group := slices.IndexFunc(s.Workers, func(g *Group) bool { return g.Name == parts[1] }); group >= 0 {
			return s.View(group).Setting(strings.Join(parts[3:], "."))
		}
	}
	if own, is, ok := s.Own(path); ok {
		if strings.HasPrefix(own.Is, "=") {
			return nil, fmt.Errorf("%q follows from other settings (%s)", path, own.Is)
		}
		return s.Setting(is)
	}
	n, f, ok := lookup(s.origin.resolved, settingsBlock.form, parts)
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no setting %q in this scenario", path)
	case n == nil:
		return "none", nil
	}
	if x, err := number(n, f); err == nil && !math.IsInf(x, 0) {
		return x, nil
	}
	return n.String(), nil
}

// Wrong is a problem with a setting, at its place in the file.
func (s *Scenario) Wrong(path, format string, args ...any) Problem {
	if s.origin != nil {
		if n, _, ok := lookup(s.origin.resolved, settingsBlock.form, splitPath(path)); ok && n != nil {
			return problemAt(n.at, path, format, args...)
		}
	}
	return problemAt(place{}, path, format, args...)
}

// Own is the setting that a path with a preset's own name stands for, and its
// path in the language: queues.q.own.VisibilityTimeout is queues.q.lease.length.
func (s *Scenario) Own(path string) (own OwnName, is string, ok bool) {
	component, name, found := strings.Cut(path, ".own.")
	if !found || s.origin == nil {
		return own, "", false
	}
	preset, _, _ := lookup(s.origin.resolved, settingsBlock.form, splitPath(component+".preset"))
	for _, p := range slices.Concat(s.origin.file.presets, builtIn()) {
		for _, n := range p.Names {
			if preset.is(p.Name) && n.Name == name {
				return n, component + "." + n.Is, true
			}
		}
	}
	return own, "", false
}

// Setting is one resolved value and where it comes from.
type Setting struct {
	Path, Value string
	From        string // "a.yaml:12", "preset sqs-standard:9", "--set" or "default"
}

// Settings lists every resolved value, in the order of the reference; named
// things in the order of the file. Behind them stand those that a group sees
// otherwise, under workers.G.with.
func (s *Scenario) Settings() []Setting {
	if s.origin == nil {
		return nil
	}
	all := listSettings(nil, s.origin.resolved, settingsBlock.form, "")
	for i, v := range s.views {
		if v != nil {
			all = append(all, otherwise(all, v.Settings(), "workers."+s.Workers[i].Name+".with.")...)
		}
	}
	return all
}

// otherwise are the settings of a group's view that are not as in the scenario.
func otherwise(all, seen []Setting, prefix string) (differ []Setting) {
	value := map[string]string{}
	for _, x := range all {
		value[x.Path] = x.Value
	}
	for _, x := range seen {
		if was, ok := value[x.Path]; !ok || was != x.Value {
			differ = append(differ, Setting{prefix + x.Path, x.Value, x.From})
		}
		delete(value, x.Path)
	}
	for _, x := range all {
		if _, gone := value[x.Path]; gone && !strings.HasSuffix(x.Path, ".policy") {
			differ = append(differ, Setting{prefix + x.Path, "none", "override"})
		}
	}
	return differ
}

func listSettings(all []Setting, n *node, f *form, path string) []Setting {
	switch {
	case n == nil, f == withForm: // what it makes of the settings is listed behind them
	case f.block != nil && n.kind == mapping:
		for _, k := range f.block.keys {
			all = listSettings(all, n.get(k.name), k.form, join(path, k.name))
		}
	case f.of != nil:
		for _, p := range n.pairs {
			all = listSettings(all, p.value, f.of.form, join(path, p.key))
		}
	case f.steps && n.kind == list:
		seen := map[string]int{}
		for _, item := range n.items {
			verb := item.pairs[0].key
			seen[verb]++
			row, _ := verbs.row(verb)
			step := join(path, verb)
			if k := seen[verb]; k > 1 {
				step = fmt.Sprintf("%s.%d", step, k)
			}
			all = listSettings(all, item.pairs[0].value, row.form, step)
		}
	default:
		all = append(all, Setting{path, n.String(), n.at.String()})
	}
	return all
}

// Hash is the SHA-256 of the resolved settings, in hexadecimal. Scenarios with
// the same settings have the same hash, whichever layers these came from; the
// name, the text about it and its expectations do not count.
func (s *Scenario) Hash() string {
	h := sha256.New()
	for _, x := range s.Settings() {
		fmt.Fprintf(h, "%s = %s\n", x.Path, x.Value)
	}
	return hex.EncodeToString(h.Sum(nil))
}
