package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fileBlock is everything that may stand at the top of a file.
var fileBlock = define(block{
	name: "scenario",
	keys: append([]key{
		{name: "tenggat", form: wholeValue.form, initial: "1", help: "version of the language"},
		{name: "name", form: scenarioName.form, help: "of the scenario, and of the folder of its results; the file's name if absent"},
		{name: "about", form: aboutForm, help: "what it shows: a text, or {en: …, id: …}"},
		{name: "source", form: textValue.form, help: "where the case comes from"},
		{name: "variants", form: variantsForm, help: "{name: {path: value}}; the file as written is the variant base"},
		{name: "expect", form: expectForm, help: "{variant or always: [expression]}"},
		{name: "sweep", form: sweepBlock.form, help: "a grid of settings, and figures of it"},
		{name: "rank", form: textsValue.form, help: "metrics by which the variants are ranked: small is good, the most important first; harm stands at the head"},
		{name: "presets", form: presetBlock.things, help: "own presets"},
	}, settingsBlock.keys...),
	later: settingsBlock.later,
})

var (
	aboutForm    = &form{name: "text", raw: true}
	variantsForm = &form{name: "variants", raw: true}
	expectForm   = &form{name: "expectations", raw: true}
	axesForm     = &form{name: "axes", raw: true}
	plotsForm    = &form{name: "plots", raw: true}
)

var sweepBlock = define(block{
	name: "sweep",
	keys: []key{
		{name: "axes", form: axesForm, help: "list of {path: [values]}; two paths in one map change together; a value instead of a list holds for every point"},
		{name: "variants", form: namesValue.form, help: "variants to cross the grid with; base if absent"},
		{name: "plot", form: plotsForm, help: "list of {x, y, by, kind: line, heat or pareto, log: x, y or xy}; an axis that is neither x nor by stands at its first value"},
	},
})

var plotBlock = define(block{
	name: "plot",
	keys: []key{
		{name: "x", form: textValue.form, help: "metric or axis"},
		{name: "y", form: textsValue.form, help: "metrics"},
		{name: "by", form: textValue.form, help: "axis with one line per value"},
		{name: "kind", form: plotValue.form, initial: "line", help: "form of the figure"},
		{name: "log", form: logValue.form, help: "logarithmic axes"},
	},
})

var (
	scenarioName = value[string]{&form{name: "name", open: true, pattern: "[a-z0-9][a-z0-9_-]*"}, parseScenarioName}

	textsValue = value[string]{&form{name: "text", open: true, many: set}, parseText}
	plotWords  = []string{"line", "heat", "pareto"}
	plotValue  = choice[uint8]("figure", plotWords...)
	logWords   = []string{"x", "y", "xy"}
	logValue   = choice[uint8]("axes", logWords...)
)

// mostName is the longest name of a scenario: every file system has room for it.
const mostName = 100

// parseScenarioName checks a name that is going to be a folder's.
func parseScenarioName(text string) (string, error) {
	if text != folderName(text) || len(text) > mostName {
		return "", fmt.Errorf("%q is not a name: up to %d small letters, digits, - and _, beginning with a letter or a digit", text, mostName)
	}
	return text, nil
}

// folderName makes a scenario's name of a file's.
func folderName(file string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return '-'
	}, strings.ToLower(file))
	if name = strings.TrimLeft(name, "-_"); name == "" {
		return "scenario"
	}
	return name[:min(len(name), mostName)]
}

// fileReader takes a document apart into settings and the rest.
type fileReader struct {
	*builder
	f *File
}

func (r *fileReader) read(document *node) {
	f := r.f
	f.root = &node{kind: mapping, at: document.at}
	f.Variants = []string{"base"}
	f.variants = map[string]*node{}
	top, ok := r.enter(document, fileBlock, "")
	if !ok {
		return
	}
	for _, p := range document.pairs {
		if row, ok := settingsBlock.row(p.key); ok {
			f.root.put(p.key, expand(p.value.clone(), row.form), p.at)
		}
	}
	if top.has("tenggat") && get(top, "tenggat", wholeValue) != 1 {
		top.wrong("tenggat", "this program reads version 1 of the language")
	}
	if top.has("name") {
		f.Name = get(top, "name", scenarioName)
	}
	f.Source = get(top, "source", textValue)
	r.about(document.get("about"))
	f.Rank = getList(top, "rank", textsValue)
	if ranked := document.get("rank"); ranked != nil {
		for _, item := range listed(ranked) {
			f.ranked = append(f.ranked, mention{"rank", item.text, item.at})
		}
	}
	f.presets = r.ownPresets(top)
	r.variants(document.get("variants"))
	r.expects(document.get("expect"))
	if s, ok := top.sub("sweep", sweepBlock); ok {
		f.Sweep = r.sweep(s)
	}
}

func (r *fileReader) about(n *node) {
	r.f.Abouts = map[string]string{}
	switch {
	case n == nil:
	case n.kind == scalar:
		r.f.Abouts["en"] = n.text
	case n.kind == mapping:
		for _, p := range n.pairs {
			if p.value.kind != scalar || p.key != "en" && p.key != "id" {
				r.problem(p.value, "about."+p.key, "expected a text in en or id")
			}
			r.f.Abouts[p.key] = p.value.text
		}
	default:
		r.problem(n, "about", "expected a text, or {en: …, id: …}")
	}
	r.f.About = r.f.Abouts["en"]
}

func (r *fileReader) variants(n *node) {
	if n == nil || n.is("") {
		return
	}
	if n.kind != mapping {
		r.problem(n, "variants", "expected {name: {path: value}}, not %s", describe(n))
		return
	}
	for _, p := range n.pairs {
		path := "variants." + p.key
		if _, err := parseName(p.key); err != nil {
			r.problem(p.value, path, "%s", err)
		}
		switch {
		case p.key == "base" || p.key == "always":
			r.problem(p.value, path, "%s has a meaning of its own; choose another name", p.key)
		case p.value.kind != mapping && !p.value.is(""):
			r.problem(p.value, path, "expected {path: value}, not %s", describe(p.value))
		default:
			r.f.Variants = append(r.f.Variants, p.key)
			r.f.variants[p.key] = p.value
		}
	}
}

func (r *fileReader) expects(n *node) {
	if n == nil || n.is("") {
		return
	}
	if n.kind != mapping {
		r.problem(n, "expect", "expected {variant: [expression]}, not %s", describe(n))
		return
	}
	for _, p := range n.pairs {
		path := "expect." + p.key
		if p.key != "always" && !slices.Contains(r.f.Variants, p.key) {
			r.problems = append(r.problems, problemAt(p.at, path, "there is no variant %q%s", p.key, didYouMean(p.key, append([]string{"always"}, r.f.Variants...))))
		}
		for _, item := range listed(p.value) {
			if item.kind == failed {
				continue
			}
			if item.kind != scalar || item.text == "" {
				r.problem(item, path, "an expectation is one expression; quote it if it begins with a quote or a bracket")
				continue
			}
			r.f.Expects = append(r.f.Expects, Expect{p.key, item.text, item.at.line, item.at.column})
		}
	}
}

// listed is a list, or one value as a list of one.
func listed(n *node) []*node {
	if n.kind == list {
		return n.items
	}
	return []*node{n}
}

func (r *fileReader) sweep(v view) *Sweep {
	s := &Sweep{Variants: getList(v, "variants", namesValue)}
	for _, name := range s.Variants {
		if name != "" && !slices.Contains(r.f.Variants, name) {
			v.wrong("variants", "there is no variant %q%s", name, didYouMean(name, r.f.Variants))
		}
	}
	axes := v.n.get("axes")
	if axes == nil || axes.kind != list || len(axes.items) == 0 {
		v.wrong("axes", "a sweep needs axes: [{path: [values]}]")
		return s
	}
	for i, item := range axes.items {
		path := "sweep.axes[" + strconv.Itoa(i) + "]"
		a := r.axis(item, path)
		for _, swept := range a.Paths {
			if slices.ContainsFunc(s.Axes, func(other Axis) bool { return slices.Contains(other.Paths, swept) }) {
				r.problem(item, join(path, swept), "another axis has this path already; give all its values in one axis")
			}
		}
		s.Axes = append(s.Axes, a)
	}
	if n := s.points(); n > MaxPoints {
		v.wrong("axes", "the grid has more than %d points; give fewer values, or sweep some of the paths together in one axis", MaxPoints)
	}
	if plots := v.n.get("plot"); plots != nil {
		for i, item := range listed(plots) {
			if p, ok := r.enter(item, plotBlock, "sweep.plot["+strconv.Itoa(i)+"]"); ok {
				s.Plots = append(s.Plots, p.plot(s.Axes))
			}
		}
	}
	return s
}

// MaxPoints bounds the memory of a sweep: every point is a resolved scenario.
const MaxPoints = 10_000

// points is the size of the grid, no more than one above MaxPoints.
func (s *Sweep) points() int {
	n := max(1, len(s.Variants))
	for _, a := range s.Axes {
		n = min(n*max(1, len(a.Values)), MaxPoints+1)
	}
	return n
}

// axis reads paths with lists of equal length; a single value is repeated.
func (r *fileReader) axis(n *node, path string) Axis {
	var a Axis
	if n.kind != mapping || len(n.pairs) == 0 {
		r.problem(n, path, "an axis is {path: [values]}, not %s", describe(n))
		return a
	}
	points := -1
	for _, p := range n.pairs {
		path := join(path, p.key)
		switch {
		case p.value.is("permutations"):
			r.problem(p.value, path, "permutations are not yet supported")
		case p.value.kind != list:
			continue
		case len(p.value.items) == 0:
			r.problem(p.value, path, "the axis has no values")
		case points >= 0 && points != len(p.value.items):
			r.problem(p.value, path, "%d values beside %d of another path; paths in one map change together", len(p.value.items), points)
		default:
			points = len(p.value.items)
		}
	}
	if points < 0 {
		if len(r.problems) == 0 {
			r.problem(n, path, "the axis has no list of values")
		}
		return a
	}
	a.Values = make([][]string, points)
	sets := make([][]assignment, points)
	for _, p := range n.pairs {
		a.Paths = append(a.Paths, p.key)
		for k := range points {
			value := p.value
			if value.kind == list && k < len(value.items) {
				value = value.items[k]
			}
			a.Values[k] = append(a.Values[k], value.flow())
			sets[k] = append(sets[k], assignment{p.key, value.at, value})
		}
	}
	r.f.points = append(r.f.points, sets...)
	return a
}

func (v view) plot(axes []Axis) Plot {
	p := Plot{
		X:    get(v, "x", textValue),
		Y:    getList(v, "y", textsValue),
		By:   get(v, "by", textValue),
		Kind: plotWords[get(v, "kind", plotValue)],
	}
	if v.has("log") {
		p.Log = logWords[get(v, "log", logValue)]
	}
	v.required("x", "y")
	for _, key := range []string{"x", "y", "by"} {
		if n := v.n.get(key); n != nil {
			for _, item := range listed(n) {
				p.named = append(p.named, mention{key, item.text, item.at})
			}
		}
	}
	var paths []string
	for _, a := range axes {
		paths = append(paths, a.Paths...)
	}
	if p.By != "" && !slices.Contains(paths, p.By) {
		v.wrong("by", "%q is no axis of this sweep%s", p.By, didYouMean(p.By, paths))
	}
	return p
}
