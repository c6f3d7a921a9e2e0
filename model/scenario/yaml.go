package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// This file is the only one that knows the YAML library. It turns text into
// nodes and reports, by name, what YAML would otherwise misread in silence.

const (
	// MaxBytes is the size of the largest file that is read: 1 MiB.
	MaxBytes = 1 << 20

	maxNodes = 20_000 // values and keys, after aliases have been followed
	maxDepth = 64
)

// parseYAML reads all documents of a text. What it could read is returned even
// when there are problems, so that these can be reported together with others.
func parseYAML(file string, data []byte) ([]*node, Problems) {
	r := yamlReader{file: file, open: map[*yaml.Node]bool{}}
	if len(data) > MaxBytes {
		r.problem(0, 0, "%s", tooLarge(int64(len(data))))
		return nil, r.problems
	}
	r.lines = strings.Split(string(data), "\n")
	var documents []*node
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return documents, r.problems
		}
		if err != nil {
			r.syntax(err)
			return documents, r.problems
		}
		if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
			continue // an empty document, e.g. after a closing ---
		}
		documents = append(documents, r.node(document.Content[0], 0))
		if r.nodes > maxNodes {
			return nil, Problems{{File: file, Message: fmt.Sprintf("the file has more than %d values; are its aliases (*name) nested?", maxNodes)}}
		}
	}
}

// parseValue reads one value, as it stands behind `--set path=`. Its places have
// no lines: a value on the command line has only one.
func parseValue(file, value string) (*node, Problems) {
	documents, problems := parseYAML(file, []byte(value))
	for i := range problems {
		problems[i].Line, problems[i].Column = 0, 0
	}
	for _, d := range documents {
		d.stand(place{file: file})
	}
	switch {
	case len(problems) > 0:
		return nil, problems
	case len(documents) != 1:
		return nil, Problems{{File: file, Message: fmt.Sprintf("%q is not one value", value)}}
	}
	return documents[0], nil
}

type yamlReader struct {
	file     string
	lines    []string
	open     map[*yaml.Node]bool // anchors being followed
	nodes    int
	problems Problems
}

func (r *yamlReader) problem(line, column int, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// node copies y and whatever it refers to. It never returns nil.
func (r *yamlReader) node(y *yaml.Node, depth int) *node {
	n := &node{kind: failed, at: place{r.file, y.Line, y.Column}}
	r.nodes++
	switch {
	case r.nodes > maxNodes: // parseYAML reports it
		return n
	case depth > maxDepth:
		r.problem(y.Line, y.Column, "nested deeper than %d levels", maxDepth)
		return n
	}
	switch y.Kind {
	case yaml.AliasNode:
		if r.open[y.Alias] {
			r.problem(y.Line, y.Column, "the alias *%s refers to the block that it stands in", y.Value)
			return n
		}
		return r.node(y.Alias, depth+1)
	case yaml.MappingNode:
		r.open[y] = true
		defer delete(r.open, y)
		n.kind = mapping
		r.pairs(n, y, depth)
	case yaml.SequenceNode:
		r.open[y] = true
		defer delete(r.open, y)
		n.kind = list
		for _, item := range y.Content {
			n.items = append(n.items, r.node(item, depth+1))
		}
	default:
		n.text = y.Value
		if r.scalar(y) {
			n.kind = scalar
		}
	}
	return n
}

// pairs fills a map: first its own keys, then what << merges below them.
func (r *yamlReader) pairs(n *node, y *yaml.Node, depth int) {
	var merged []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if r.nodes++; r.nodes > maxNodes {
			return
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			r.problem(key.Line, key.Column, "a key must be a word")
		case key.Tag == "!!merge":
			merged = append(merged, value)
		case unbalanced(key.Value) && value.Tag == "!!null":
			r.problem(key.Line, key.Column, "inside { } a comma ends a value: put quotes around the value that ends in %q", key.Value)
		case n.get(key.Value) != nil:
			r.problem(key.Line, key.Column, "the key %q is written twice in this block", key.Value)
		default:
			n.put(key.Value, r.node(value, depth+1), place{r.file, key.Line, key.Column})
		}
	}
	for _, value := range merged {
		r.merge(n, value, depth)
	}
}

// merge adds the keys of a map, or of a list of maps, that n does not have.
func (r *yamlReader) merge(n *node, value *yaml.Node, depth int) {
	source := r.node(value, depth+1)
	sources := []*node{source}
	if source.kind == list {
		sources = source.items
	}
	for _, s := range sources {
		if s.kind != mapping {
			r.problem(value.Line, value.Column, "<< merges a map (an alias of one, or a list of such aliases)")
			continue
		}
		for _, p := range s.pairs {
			if n.get(p.key) == nil {
				n.put(p.key, p.value, p.at)
			}
		}
	}
}

// scalar reports what YAML lets pass and a reader would not expect.
func (r *yamlReader) scalar(y *yaml.Node) (sound bool) {
	plain := y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		r.problem(y.Line, y.Column, "tags (%s) are not part of the language", y.Tag)
	case plain && y.Tag == "!!null" && y.Value != "":
		r.problem(y.Line, y.Column, "%q is no value here: write none", y.Value)
	case plain && (unbalanced(y.Value) || endsOpen(y.Value)) && r.commentFollows(y):
		r.problem(y.Line, y.Column, "\" #\" begins a comment and cuts the value to %q: put quotes around it", y.Value)
	case plain && unbalanced(y.Value):
		r.problem(y.Line, y.Column, "%q has a bracket without its partner; inside [ ] and { } a comma ends a value: put quotes around the whole value", y.Value)
	default:
		return true
	}
	return false
}

// commentFollows reports whether the value's last line goes on with a comment.
// The library hands a comment to a neighbouring node, so the text is asked.
func (r *yamlReader) commentFollows(y *yaml.Node) bool {
	if y.Line < 1 || y.Line > len(r.lines) {
		return false
	}
	_, rest, found := strings.Cut(r.lines[y.Line-1], y.Value)
	return found && strings.HasPrefix(strings.TrimLeft(rest, " "), "#")
}

// unbalanced reports whether brackets or quotes in s lack their partner.
func unbalanced(s string) bool {
	depth, quoted := 0, false
	for _, c := range s {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		if depth < 0 {
			return true
		}
	}
	return depth != 0 || quoted
}

// endsOpen reports whether s stops after an operator, as a cut expression does.
func endsOpen(s string) bool {
	for _, end := range []string{"+", "-", "*", "/", "==", "<", ">", "<=", ">=", " and", " or", " not", "="} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

var yamlError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports an error of the library, with what usually causes it.
func (r *yamlReader) syntax(err error) {
	message, line := err.Error(), 1
	if m := yamlError.FindStringSubmatch(message); m != nil {
		message = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	if at, column, mistake := r.hint(); at > 0 {
		r.problem(at, column, "not YAML: %s", mistake)
		return
	}
	hint := ""
	switch {
	case strings.Contains(message, "mapping values are not allowed"):
		hint = `: a value with ": " or " ? : " in it needs quotes`
	case strings.Contains(message, "did not find expected"):
		hint = ": a value that begins with a quote or a bracket, or has a comma inside [ ] or { }, needs quotes around the whole of it"
	case strings.Contains(message, "cannot start any token"), strings.Contains(message, "unknown anchor"),
		strings.Contains(message, "alphabetic or numeric character"):
		hint = ": a value that begins with * & ! % @ or ` needs quotes"
	}
	r.problem(line, 1, "not YAML: %s%s", message, hint)
}
