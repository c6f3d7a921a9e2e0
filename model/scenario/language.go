package scenario

import "slices"

// block is a map with fixed keys. Its rows are the reference, the JSON schema,
// the defaults and the hints.
type block struct {
	name  string // "lease"
	main  string // ★: the key that a plain value in the block's place sets
	keys  []key
	later []string // keys of the language that are not built yet

	spread     bool   // a plain value sets every key
	noneIsMain bool   // `none` is a value of the main key, not "no block"
	refers     bool   // a plain value or a list names things instead (session)
	preset     string // kind of preset that may lie below the block's keys

	form   *form // of the block itself
	things *form // of a map from free names to such blocks
}

// key is one row of a block's table.
type key struct {
	name    string
	form    *form
	initial string // the default, as it would be written; empty: none
	help    string
	fixed   bool // an event cannot change it during a run
	client  bool // ᶜ: decided by the caller, holder or waiter; a group may see it as its own (glasses.go)
}

// form is how a value is written: a scalar of words or text, a block, a map
// of things, or steps.
type form struct {
	name  string   // in messages, in the JSON schema and in the reference
	unit  unit     // what the number of a formula means here
	words []string // fixed words
	open  bool     // text besides the words is allowed
	many  many

	pattern string // of that text, in the JSON schema; empty: any

	block *block
	of    *block // a map from free names to these
	steps bool
	raw   bool // structure of its own: fields, own, set
}

// unit is the base unit of a number in a formula.
type unit uint8

const (
	noNumber unit = iota
	inSeconds
	perSecond
	asShare
	asCount
)

// many says whether a list may stand in a value's place.
type many uint8

const (
	one    many = iota
	script      // the k-th value for the k-th of its kind
	set         // a set or an order
)

// define completes a block with the forms in which it appears.
func define(b block) *block {
	b.form = &form{name: b.name, block: &b}
	b.things = &form{name: "map of " + b.name, of: &b}
	return &b
}

// row finds a key of a block.
func (b *block) row(name string) (key, bool) {
	i := slices.IndexFunc(b.keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return b.keys[i], true
}

func (b *block) keyNames() []string {
	names := make([]string, len(b.keys))
	for i, k := range b.keys {
		names[i] = k.name
	}
	return names
}
