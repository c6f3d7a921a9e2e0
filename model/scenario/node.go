package scenario

import (
	"fmt"
	"strings"
)

// node is a piece of a scenario before it has a type: a scalar, a list or a
// map, and where it was written.
type node struct {
	kind  nodeKind
	text  string  // of a scalar
	items []*node // of a list
	pairs []pair  // of a map, in the order of the file
	at    place
}

type nodeKind uint8

const (
	scalar nodeKind = iota
	list
	mapping
	failed // a value that has already been reported
)

func (k nodeKind) String() string {
	return [...]string{"one value", "a list", "a map", "a failed value"}[k]
}

// pair is one key of a map with its value.
type pair struct {
	key   string
	at    place
	value *node
}

// place is a position in a text.
type place struct {
	file         string
	line, column int
}

// String names the place in an explanation: "a.yaml:3".
func (p place) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, p.line)
}

// stand puts n and all in it to one place.
func (n *node) stand(at place) {
	n.at = at
	for _, item := range n.items {
		item.stand(at)
	}
	for i := range n.pairs {
		n.pairs[i].at = at
		n.pairs[i].value.stand(at)
	}
}

func text(s string, at place) *node { return &node{text: s, at: at} }

// get is the value of a key, or nil. A nil node has no keys.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.pairs {
		if n.pairs[i].key == key {
			return n.pairs[i].value
		}
	}
	return nil
}

// put sets a key, at its old place if there was one.
func (n *node) put(key string, value *node, at place) {
	for i := range n.pairs {
		if n.pairs[i].key == key {
			n.pairs[i].value = value
			return
		}
	}
	n.pairs = append(n.pairs, pair{key, at, value})
}

// drop takes a key away.
func (n *node) drop(key string) {
	for i := range n.pairs {
		if n.pairs[i].key == key {
			n.pairs = append(n.pairs[:i:i], n.pairs[i+1:]...)
			return
		}
	}
}

// size is the number of values in a tree.
func (n *node) size() int {
	size := 1
	for _, item := range n.items {
		size += item.size()
	}
	for _, p := range n.pairs {
		size += p.value.size()
	}
	return size
}

// entries are the pairs of a map; none of anything else.
func (n *node) entries() []pair {
	if n == nil {
		return nil
	}
	return n.pairs
}

func (n *node) keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.pairs))
	for i, p := range n.pairs {
		keys[i] = p.key
	}
	return keys
}

// is reports whether n is the scalar word.
func (n *node) is(word string) bool { return n != nil && n.kind == scalar && n.text == word }

// clone is a deep copy, so that an assignment changes one tree only.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c := *n
	c.items = make([]*node, len(n.items))
	for i, item := range n.items {
		c.items[i] = item.clone()
	}
	c.pairs = make([]pair, len(n.pairs))
	for i, p := range n.pairs {
		c.pairs[i] = pair{p.key, p.at, p.value.clone()}
	}
	return &c
}

// String is the node in one line, as flow YAML: "[key, token]". A scalar that
// flow YAML would read otherwise is quoted.
func (n *node) String() string {
	if n.kind == scalar {
		return n.text
	}
	return n.flow()
}

func (n *node) flow() string {
	var parts []string
	switch n.kind {
	case scalar:
		if n.text == "" || strings.ContainsAny(n.text, ",[]{}\"'\n") || strings.Contains(n.text, ": ") || strings.Contains(n.text, " #") || strings.ContainsRune("*&!%@|>-?`", rune(n.text[0])) {
			return "'" + strings.ReplaceAll(n.text, "'", "''") + "'"
		}
		return n.text
	case list:
		for _, item := range n.items {
			parts = append(parts, item.flow())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		for _, p := range n.pairs {
			parts = append(parts, p.key+": "+p.value.flow())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
}
