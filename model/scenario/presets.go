package scenario

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Preset is the settings of a real system.
type Preset struct {
	Name    string
	Kind    string // "queue", "lock", "monitor", "retry" or "policy"
	Title   string
	Sources []Source
	Values  []Setting // what it sets, paths relative to the component; of a policy whole ones, with * for all of a kind
	Names   []OwnName
	Starts  string   // lines of YAML for the component in a starting file, with comments
	Adds    []Add    // what of the system the language has, and a file must say
	Lacks   []string // what of the system the language cannot say yet

	values *node
}

// Source is a place that a preset was read from, with its commit.
type Source struct{ Name, Where string }

// OwnName is a setting under the system's own name.
type OwnName struct {
	Name string
	Is   string // path inside the component, or a formula of such (=…)
	Unit string // of a number: "s", "ms", …; empty for a count
}

// Add is something of a system that its preset leaves to the file: settings as
// a variant takes them, with * for the name of a component.
type Add struct {
	What string
	Sets []Assignment
}

var presetBlock = define(block{
	name: "preset",
	keys: []key{
		{name: "kind", form: presetKind.form, help: "what it is a preset of"},
		{name: "title", form: textValue.form, help: "name of the system"},
		{name: "sources", form: presetForm, help: "{short name: place and commit}"},
		{name: "values", form: presetForm, help: "keys of that kind; of a policy {path: value} as in workers.G.with"},
		{name: "names", form: presetForm, help: "the system's own setting names: {VisibilityTimeout: {is: lease.length, unit: s}}"},
		{name: "starts", form: textValue.form, help: "lines of YAML that a starting file has in the component, with comments"},
		{name: "adds", form: presetForm, help: "what a file must say for the rest of the system: {what: {path: value}}, with * for a component's name"},
		{name: "lacks", form: textsValue.form, help: "what of the system cannot be said yet"},
	},
})

var (
	presetForm  = &form{name: "map", raw: true}
	presetKinds = []string{"queue", "lock", "monitor", "retry", "policy"}
	presetKind  = choice[uint8]("kind", presetKinds...)
)

// kindBlock is the block whose keys a preset of a kind sets.
func kindBlock(kind string) *block {
	switch kind {
	case "queue":
		return queueBlock
	case "lock":
		return lockBlock
	case "monitor":
		return monitorBlock
	}
	return retryBlock
}

// presetFile begins the place of a value that a built-in preset has.
const presetFile = "preset "

//go:embed presets/*.yaml
var presetFiles embed.FS

// builtIn reads the embedded presets once. A mistake in them is a bug.
var builtIn = sync.OnceValue(func() []Preset {
	entries, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic("scenario: " + err.Error())
	}
	var all []Preset
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".yaml")
		data, err := presetFiles.ReadFile(path.Join("presets", entry.Name()))
		if err != nil {
			panic("scenario: " + err.Error())
		}
		documents, problems := parseYAML(presetFile+name, data)
		b := &builder{problems: problems, s: &Scenario{}}
		if v, ok := b.enter(documents[0], presetBlock, ""); ok {
			all = append(all, v.preset(name))
		}
		if err := b.problems.sorted(); err != nil {
			panic("scenario: " + err.Error())
		}
	}
	return all
})

// Presets are the built-in presets, sorted by name.
func Presets() []Preset { return slices.Clone(builtIn()) }

// FindPreset is the built-in preset with a name, or with a beginning of it that
// no other has: sqs is sqs-standard.
func FindPreset(name string) (Preset, bool) { return byName(builtIn(), name) }

// byName is the one of several presets with a name or a beginning of it.
func byName(all []Preset, name string) (found Preset, ok bool) {
	for _, p := range all {
		switch {
		case p.Name == name:
			return p, true
		case name == "" || !strings.HasPrefix(p.Name, name):
		case ok:
			found = Preset{} // two begin so
		default:
			found, ok = p, true
		}
	}
	return found, found.Name != ""
}

// ownPresets reads the presets of a file.
func (r *fileReader) ownPresets(top view) (own []Preset) {
	top.each("presets", presetBlock, func(name string, v view) { own = append(own, v.preset(name)) })
	return own
}

func (v view) preset(name string) Preset {
	p := Preset{Name: name, Kind: presetKinds[get(v, "kind", presetKind)], Title: get(v, "title", textValue)}
	v.required("kind", "values")
	for _, s := range v.n.get("sources").entries() {
		p.Sources = append(p.Sources, Source{s.key, s.value.text})
	}
	p.Starts = strings.TrimSpace(get(v, "starts", textValue))
	p.Adds = v.adds()
	p.Lacks = getList(v, "lacks", textsValue)
	p.values = &node{kind: mapping}
	if p.Kind == "policy" {
		if v.has("values") {
			p.values, p.Values = v.policy()
		}
		return p
	}
	b := kindBlock(p.Kind)
	if values := v.n.get("values"); values != nil {
		p.values = expand(values.clone(), b.form)
		if _, ok := v.enter(p.values, b, join(v.path, "values")); ok {
			for _, key := range []string{"preset", "own"} {
				if n := p.values.get(key); n != nil {
					v.problem(n, join(v.path, "values."+key), "a preset stands on no other: write out what it sets")
				}
			}
			p.Values = listSettings(nil, p.values, b.form, "")
		}
	}
	for _, n := range v.n.get("names").entries() {
		own := OwnName{Name: n.key, Is: n.value.get("is").scalarText(), Unit: n.value.get("unit").scalarText()}
		path := join(v.path, "names."+n.key)
		if own.Is == "" {
			v.problem(n.value, path, "expected {is: path, unit: s}")
		} else if !strings.HasPrefix(own.Is, "=") {
			if _, _, ok := lookup(p.values, b.form, splitPath(own.Is)); !ok {
				v.problem(n.value, path, "a %s has no setting %q", p.Kind, own.Is)
			}
		}
		p.Names = append(p.Names, own)
	}
	return p
}

// adds reads what a file can say beside a preset.
func (v view) adds() (all []Add) {
	for _, e := range v.n.get("adds").entries() {
		add := Add{What: e.key}
		for _, set := range e.value.entries() {
			add.Sets = append(add.Sets, Assignment{set.key, set.value.flow()})
		}
		if add.Sets == nil {
			v.problem(e.value, join(v.path, "adds"), "expected {what: {path: value}}")
		}
		all = append(all, add)
	}
	return all
}

// applyPresets puts presets below the keys of the blocks that name them, and
// a queue's lease and retry below those of its jobs.
func (f *File) applyPresets(root *node) Problems {
	l := presetLayer{own: f.presets}
	l.block(root, settingsBlock.form, "")
	for _, p := range root.get("jobs").entries() {
		queue := root.get("queues").get(p.value.get("queue").scalarText())
		for _, name := range []string{"lease", "retry"} {
			row, _ := jobBlock.row(name)
			over, base := p.value.get(name), queue.get(name)
			if over != nil && over.kind == mapping && base != nil {
				p.value.put(name, merge(base.clone(), over, row.form), over.at)
			}
		}
	}
	return l.problems
}

type presetLayer struct {
	own      []Preset
	problems Problems
}

func (l *presetLayer) block(n *node, f *form, path string) {
	switch {
	case f.block != nil && n.kind == mapping:
		if f.block.preset != "" {
			l.apply(n, f.block, path)
		}
		for _, p := range n.pairs {
			if row, ok := f.block.row(p.key); ok {
				l.block(p.value, row.form, join(path, p.key))
			}
		}
	case f.of != nil:
		for _, p := range n.pairs {
			l.block(p.value, f.of.form, join(path, p.key))
		}
	case f.steps:
		for _, item := range n.items {
			l.block(item, verbs.form, path)
		}
	}
}

// apply merges one component: preset < own names < own keys.
func (l *presetLayer) apply(n *node, b *block, path string) {
	named := n.get("preset")
	if named == nil || named.is("none") {
		if own := n.get("own"); own != nil {
			l.fail(own, join(path, "own"), "own names are a preset's; name the preset too")
		}
		return
	}
	p, ok := l.find(named, b.preset, join(path, "preset"))
	if !ok {
		named.kind = failed
		return
	}
	base := p.values.clone()
	if own := n.get("own"); own != nil {
		base = merge(base, l.ownNames(own, p, b, join(path, "own")), b.form)
	}
	*n = *merge(base, n, b.form)
}

func (l *presetLayer) fail(n *node, path, format string, args ...any) {
	l.problems = append(l.problems, problemAt(n.at, path, format, args...))
}

func (l *presetLayer) find(named *node, kind, path string) (Preset, bool) {
	var known []string
	for _, p := range slices.Concat(l.own, builtIn()) {
		if p.Kind != kind {
			continue
		}
		if named.is(p.Name) {
			return p, true
		}
		known = append(known, p.Name)
	}
	if _, err := strconv.ParseFloat(named.text, 64); err == nil && kind == "retry" {
		l.fail(named, path, "retry is never a bare number: write {attempts: %s}", named.text)
		return Preset{}, false
	}
	l.fail(named, path, "there is no %s preset %q%s", kind, named.text, didYouMean(named.text, known))
	return Preset{}, false
}

// ownNames turns settings under the system's names into keys of the block.
func (l *presetLayer) ownNames(own *node, p Preset, b *block, path string) *node {
	keys := &node{kind: mapping, at: own.at}
	if own.kind != mapping {
		l.fail(own, path, "expected {name: value}, not %s", describe(own))
		return keys
	}
	for _, o := range own.pairs {
		i := slices.IndexFunc(p.Names, func(n OwnName) bool { return n.Name == o.key })
		switch {
		case i < 0:
			l.fail(o.value, join(path, o.key), "%s has no setting %q%s", p.Name, o.key, p.meantName(o.key))
			continue
		case strings.HasPrefix(p.Names[i].Is, "="):
			component := strings.TrimSuffix(path, "own")
			l.fail(o.value, join(path, o.key), "follows from other settings (%s) and cannot be set itself; set %s", p.Names[i].Is,
				component+strings.Join(settingIn.FindAllString(p.Names[i].Is, -1), " or "+component))
			continue
		}
		value := o.value.clone()
		if _, err := parseNumber(value.text); err == nil && value.kind == scalar {
			value.text += p.Names[i].Unit
		}
		s := assigner{assignment: assignment{p.Names[i].Is, o.at, value}}
		s.block(keys, b, splitPath(p.Names[i].Is), "")
		l.problems = append(l.problems, s.problems...)
	}
	return keys
}

// settingIn finds the settings in the formula of an own name.
var settingIn = regexp.MustCompile(`[a-z_]+(\.[a-z_]+)+`)

// meantName is a hint for a name that the system does not have: its name for the
// setting that is called so here, or one like it.
func (p Preset) meantName(text string) string {
	var known []string
	for _, n := range p.Names {
		if strings.HasPrefix(n.Is, "=") { // cannot be set
			continue
		}
		if n.Is == text || strings.HasSuffix(n.Is, "."+text) {
			return fmt.Sprintf("; did you mean %q?", n.Name)
		}
		known = append(known, n.Name)
	}
	return didYouMean(text, known)
}

// splitPath parts a dotted path.
func splitPath(path string) []string { return strings.Split(path, ".") }

// scalarText is the text of a scalar, "" for anything else.
func (n *node) scalarText() string {
	if n == nil || n.kind != scalar {
		return ""
	}
	return n.text
}
