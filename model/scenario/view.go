package scenario

import (
	"fmt"
	"slices"
	"strconv"
)

// builder turns a tree without presets, formulas and gaps into a Scenario. It
// notes every problem and goes on with zero values.
type builder struct {
	problems Problems
	s        *Scenario
	root     *node
	groups   map[string]int // the most processes that each group ever has
	implicit []*Monitor     // session blocks of queues and locks

	triggered []consequence
}

func (b *builder) problem(n *node, path, format string, args ...any) {
	b.problems = append(b.problems, problemAt(n.at, path, format, args...))
}

func problemAt(at place, path, format string, args ...any) Problem {
	return Problem{at.file, at.line, at.column, path, fmt.Sprintf(format, args...)}
}

// view is one block of the tree, read through its table.
type view struct {
	*builder
	n     *node
	block *block
	path  string
}

// at finds the value of a key. A key or a form that the table does not have is
// a bug in this package, found by the first test that reads the block.
func (v view) at(name string, f *form) (*node, string) {
	row, ok := v.block.row(name)
	if !ok || row.form != f {
		panic(fmt.Sprintf("scenario: the table of %s has no %s as %s", v.block.name, name, f.name))
	}
	return v.n.get(name), join(v.path, name)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// has reports whether a key has a value.
func (v view) has(name string) bool { return v.n.get(name) != nil }

// sound reports whether the values of some keys could be read.
func (v view) sound(names ...string) bool {
	for _, name := range names {
		if n := v.n.get(name); n != nil && (n.kind == failed || slices.ContainsFunc(n.items, func(item *node) bool { return item.kind == failed })) {
			return false
		}
	}
	return true
}

// wrong reports a problem with the value of a key, or with the block if the
// key is not there.
func (v view) wrong(name, format string, args ...any) {
	if n := v.n.get(name); n != nil {
		v.problem(n, join(v.path, name), format, args...)
	} else {
		v.problem(v.n, v.path, format, args...)
	}
}

// get is the value of a key; zero if it has none.
func get[T any](v view, name string, f value[T]) T {
	n, path := v.at(name, f.form)
	return parsed(v.builder, n, path, f)
}

// optional is the value of a key; nil if it has none.
func optional[T any](v view, name string, f value[T]) *T {
	if !v.has(name) {
		return nil
	}
	x := get(v, name, f)
	return &x
}

func parsed[T any](b *builder, n *node, path string, f value[T]) (zero T) {
	switch {
	case n == nil || n.kind == failed:
		return zero
	case n.kind != scalar:
		b.reject(n, path, "expected one %s, not %s", f.name, n.kind)
		return zero
	case n.text == "":
		b.reject(n, path, "has no value; expected %s", f.name)
		return zero
	}
	x, err := f.parse(n.text)
	if err != nil {
		b.reject(n, path, "%s", err)
		return zero
	}
	return x
}

// reject reports a value and marks it, so that no rule speaks of it again.
func (b *builder) reject(n *node, path, format string, args ...any) {
	b.problem(n, path, format, args...)
	n.kind = failed
}

// getList is the list of a key; a single value is a list of one.
func getList[T any](v view, name string, f value[T]) []T {
	n, path := v.at(name, f.form)
	return parsedList(v.builder, n, path, f)
}

func parsedList[T any](b *builder, n *node, path string, f value[T]) []T {
	if n == nil || n.kind == failed {
		return nil
	}
	if n.kind != list {
		return []T{parsed(b, n, path, f)}
	}
	if len(n.items) == 0 {
		b.problem(n, path, "the list is empty; expected one %s or more", f.name)
	}
	var all []T
	for i, item := range n.items {
		all = append(all, parsed(b, item, path+"["+strconv.Itoa(i)+"]", f))
	}
	return all
}

// sub enters a block; false if it is not there or switched off.
func (v view) sub(name string, b *block) (view, bool) {
	n, path := v.at(name, b.form)
	if n == nil || n.is("none") {
		return view{}, false
	}
	return v.enter(n, b, path)
}

// enter checks that a node is a block with known keys.
func (v *builder) enter(n *node, b *block, path string) (view, bool) {
	switch {
	case n.kind == failed:
		return view{}, false
	case n.kind != mapping:
		v.problem(n, path, "expected a block {…} with keys of %s, not %s", b.name, describe(n))
		return view{}, false
	}
	for _, p := range n.pairs {
		if _, ok := b.row(p.key); !ok {
			v.problems = append(v.problems, unknownKey(p.at, path, p.key, b))
		}
	}
	return view{v, n, b, path}, true
}

// unknownKey says whether a key is of the language but not built yet, or a
// typing mistake.
func unknownKey(at place, above, name string, b *block) Problem {
	path := join(above, name)
	if slices.Contains(b.later, name) {
		return problemAt(at, path, "%q of %s is not yet supported", name, b.name)
	}
	return problemAt(at, path, "unknown key %q in %s%s", name, b.name, hint(above, name, b))
}

func describe(n *node) string {
	if n.kind == scalar {
		return strconv.Quote(n.text)
	}
	return n.kind.String()
}

// each enters the things of a named map, in the order of the file.
func (v view) each(name string, b *block, do func(name string, thing view)) {
	n, path := v.at(name, b.things)
	if n == nil || n.kind == failed || n.is("none") {
		return
	}
	if n.kind != mapping {
		v.problem(n, path, "expected named things {name: {…}}, not %s", describe(n))
		return
	}
	for _, p := range n.pairs {
		path := join(path, p.key)
		if _, err := parseName(p.key); err != nil {
			v.problems = append(v.problems, problemAt(p.at, path, "%s", err))
		}
		if thing, ok := v.enter(p.value, b, path); ok {
			do(p.key, thing)
		}
	}
}
