package scenario

import (
	"slices"
	"strconv"
	"strings"
)

// The layers of a setting, weakest first: default, preset, the block's own
// keys, and what assignments put in their place. All of them work on nodes.

// byDefault is the place of values that nobody wrote.
var byDefault = place{file: "default"}

// written reports whether somebody has chosen to write a value here, in a file
// or by --set, and it is no default and not of a built-in preset.
func (p place) written() bool {
	return p.file != "" && p.file != byDefault.file && !strings.HasPrefix(p.file, presetFile)
}

// expand gives every block its long form: lease: 10s is lease: {length: 10s}.
// Text that is not as the form wants it stays; the builder reports it.
func expand(n *node, f *form) *node {
	switch {
	case f.block != nil:
		return expandBlock(n, f.block)
	case f.of != nil && n.kind == mapping:
		for i, p := range n.pairs {
			n.pairs[i].value = expandThing(p.value, f.of)
		}
	case f.steps && n.kind == list:
		for _, item := range n.items {
			for i, p := range item.pairs {
				if row, ok := verbs.row(p.key); ok {
					item.pairs[i].value = expand(p.value, row.form)
				}
			}
		}
	}
	return n
}

// expandThing also takes `q:` without a value as a thing of defaults.
func expandThing(n *node, b *block) *node {
	if n.is("") {
		return &node{kind: mapping, at: n.at}
	}
	return expand(n, b.form)
}

func expandBlock(n *node, b *block) *node {
	switch {
	case n.kind == mapping:
		for i, p := range n.pairs {
			if row, ok := b.row(p.key); ok {
				n.pairs[i].value = expand(p.value, row.form)
			}
		}
		return n
	case n.is("none") && !b.noneIsMain, n.is(""), n.kind == failed:
		return n
	case b.spread:
		long := &node{kind: mapping, at: n.at}
		for _, k := range b.keys {
			long.put(k.name, n.clone(), n.at)
		}
		return long
	case b.main != "":
		return &node{kind: mapping, at: n.at, pairs: []pair{{b.main, n.at, n}}}
	}
	return n
}

// merge lays over on top of base. Maps merge key by key; all else replaces.
func merge(base, over *node, f *form) *node {
	if base == nil || base.kind != mapping || over.kind != mapping || f.steps {
		return over
	}
	merged := *base
	merged.at = over.at
	merged.pairs = slices.Clone(base.pairs)
	for _, p := range over.pairs {
		child := &form{}
		switch {
		case f.block != nil:
			if row, ok := f.block.row(p.key); ok {
				child = row.form
			}
		case f.of != nil:
			child = f.of.form
		}
		merged.put(p.key, merge(merged.get(p.key), p.value, child), p.at)
	}
	return &merged
}

// assignment is a value for a path, and where that was said.
type assignment struct {
	path  string
	at    place
	value *node
}

// assignAll applies the assignments of one map: a shorter path before its
// extensions, whatever the order.
func assignAll(root *node, all []assignment, during bool) (problems Problems) {
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, func(a, b assignment) int {
		return strings.Count(a.path, ".") - strings.Count(b.path, ".")
	})
	for _, a := range ordered {
		s := assigner{assignment: a, during: during}
		s.block(root, settingsBlock, strings.Split(a.path, "."), "")
		problems = append(problems, s.problems...)
	}
	return problems
}

// assigner walks down a path and puts a value at its end.
type assigner struct {
	assignment
	during   bool // an event's set: only what may change in a run
	problems Problems
}

func (s *assigner) fail(path, format string, args ...any) {
	s.problems = append(s.problems, problemAt(s.at, path, format, args...))
}

// block continues the path inside a block.
func (s *assigner) block(n *node, b *block, path []string, above string) {
	row, ok := b.row(path[0])
	here := join(above, path[0])
	switch {
	case !ok && strings.Contains(path[0], "/"):
		s.fail(s.path, "a setting of a single process is not yet supported")
	case !ok && above == "" && len(fileBlock.here(path[0])) > 0:
		s.fail(here, "is said by the file alone: --set, a variant, an axis and an event change settings of the run")
	case !ok:
		s.problems = append(s.problems, unknownKey(s.at, above, path[0], b))
	case s.during && row.fixed && (len(path) == 1 || row.form.of != nil || row.form.raw):
		s.fail(here, "cannot change during a run")
	case len(path) == 1:
		s.put(n, path[0], row.form, here)
	default:
		s.below(n, path, row.form, here)
	}
}

// below goes on behind a key that is not the last one.
func (s *assigner) below(n *node, path []string, f *form, here string) {
	child := n.get(path[0])
	switch {
	case f.raw:
		if child == nil || child.kind != mapping {
			child = &node{kind: mapping, at: s.at}
			n.put(path[0], child, s.at)
		}
		child.put(strings.Join(path[1:], "."), s.value.clone(), s.at)
	case f.block != nil:
		if child == nil || child.kind != mapping {
			child = &node{kind: mapping, at: s.at}
			n.put(path[0], child, s.at)
		}
		s.block(child, f.block, path[1:], here)
	case f.of != nil:
		s.thing(n, child, f.of, path, here)
	case f.steps:
		s.steps(child, path[1:], here)
	default:
		s.fail(s.path, "%s is a %s and has no %s", here, f.name, path[1])
	}
}

// thing goes on inside a map of things. A path that ends there may name a new
// thing; a longer one may not, since a typing mistake would go unnoticed.
func (s *assigner) thing(n, things *node, of *block, path []string, here string) {
	name := path[1]
	thing := things.get(name)
	there := join(here, name)
	switch {
	case thing == nil && strings.Contains(name, "/"):
		s.fail(s.path, "a setting of a single process is not yet supported")
	case len(path) == 2 && s.during && (thing == nil || s.value.kind != mapping):
		s.fail(there, "cannot come or go during a run")
	case len(path) == 2:
		if things == nil || things.kind != mapping {
			things = &node{kind: mapping, at: s.at}
			n.put(path[0], things, s.at)
		}
		if s.value.is("none") {
			things.drop(name)
			return
		}
		s.put(things, name, of.form, there)
	case thing == nil:
		s.fail(there, "there is no such %s%s", of.name, didYouMean(name, things.keys()))
	default:
		if thing.kind != mapping {
			thing = expandThing(thing, of)
			things.put(name, thing, s.at)
		}
		s.block(thing, of, path[2:], there)
	}
}

// steps goes on at the item with the next verb; a number behind it counts the
// items of one verb.
func (s *assigner) steps(items *node, path []string, here string) {
	verb, rest, nth := path[0], path[1:], 1
	there := join(here, verb)
	if len(rest) > 0 {
		if k, err := strconv.Atoi(rest[0]); err == nil {
			nth, there, rest = k, join(there, rest[0]), rest[1:]
		}
	}
	if items != nil {
		for i, item := range items.items {
			if item.get(verb) == nil {
				continue
			}
			if nth--; nth > 0 {
				continue
			}
			switch {
			case len(rest) > 0 || !s.value.is("none"):
				s.block(item, verbs, append([]string{verb}, rest...), here)
			case s.during:
				s.fail(there, "cannot come or go during a run")
			default:
				items.items = slices.Delete(items.items, i, i+1)
			}
			return
		}
	}
	if _, ok := verbs.row(verb); !ok {
		s.problems = append(s.problems, unknownKey(s.at, here, verb, verbs))
		return
	}
	s.fail(there, "there is no such step")
}

// put sets the value at the end of a path.
func (s *assigner) put(n *node, name string, f *form, path string) {
	value := expand(s.value.clone(), f)
	if s.during {
		s.fixedBelow(value, f, path)
	}
	n.put(name, merge(n.get(name), value, f), s.at)
}

// fixedBelow reports keys of a block value that cannot change during a run.
func (s *assigner) fixedBelow(n *node, f *form, path string) {
	b := f.block
	if b != nil && b.refers && n.kind != mapping {
		s.fail(path, "cannot change during a run")
	}
	if b == nil || n.kind != mapping {
		return
	}
	for _, p := range n.pairs {
		if row, ok := b.row(p.key); ok && row.fixed {
			s.fail(join(path, p.key), "cannot change during a run")
		} else if ok {
			s.fixedBelow(p.value, row.form, join(path, p.key))
		}
	}
}

// fill removes what `none` switches off and puts the defaults in the gaps.
func fill(n *node, b *block) {
	for _, k := range b.keys {
		child := n.get(k.name)
		if child.is("none") && k.form.block == nil && !slices.Contains(k.form.words, "none") {
			n.drop(k.name)
			child = nil
		}
		if child == nil && k.initial != "" {
			child = expand(initial(k), k.form)
			n.put(k.name, child, byDefault)
		}
		if child != nil {
			fillForm(child, k.form)
		}
	}
}

func fillForm(n *node, f *form) {
	switch {
	case f.block != nil && n.kind == mapping:
		fill(n, f.block)
	case f.block != nil && n.is(""):
		n.kind, n.text = mapping, ""
		fill(n, f.block)
	case f.of != nil && n.kind == mapping:
		for _, p := range slices.Clone(n.pairs) {
			if p.value.is("none") {
				n.drop(p.key)
			} else {
				fillForm(p.value, f.of.form)
			}
		}
	case f.steps && n.kind == list:
		for _, item := range n.items {
			if item.kind == mapping {
				for _, p := range item.pairs {
					if row, ok := verbs.row(p.key); ok {
						fillForm(p.value, row.form)
					}
				}
			}
		}
	}
}

// initial is the default of a key as a node.
func initial(k key) *node {
	if k.initial == "{}" {
		return &node{kind: mapping, at: byDefault}
	}
	return text(k.initial, byDefault)
}
