package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

// Formulas are `=` and an expression over settings:
//
//	sum     = product { ("+" | "-") product }
//	product = factor { ("*" | "/") factor }
//	factor  = number [unit] | path | "-" factor | "(" sum ")"
//	        | ("min" | "max") "(" sum { "," sum } ")" | "floor" "(" sum ")"
//	        | "mean" "(" path ")" | "p" "(" path "," sum ")"
//
// Numbers are in base units: seconds, per second, fractions of one, counts.
// Only operations that give the same bits on every processor are there.

// evaluate replaces every formula below root by its value.
func evaluate(root *node) Problems {
	e := evaluator{root: root, cells: map[*node]*cell{}}
	e.collect(root, settingsBlock.form, "", nil)
	for _, c := range e.order {
		e.settle(c)
	}
	return e.problems
}

type evaluator struct {
	root     *node
	cells    map[*node]*cell
	order    []*cell
	problems Problems
}

// cell is a scalar that is a formula.
type cell struct {
	n      *node
	form   *form
	path   string
	blocks []scope // from the top to the block that it stands in
	state  uint8   // 0: to do, 1: being evaluated, 2: done
}

type scope struct {
	n     *node
	block *block
	path  string
}

// collect finds the formulas, with the blocks around them.
func (e *evaluator) collect(n *node, f *form, path string, around []scope) {
	switch {
	case n.kind == scalar && strings.HasPrefix(n.text, "="):
		if f.block == nil && f.of == nil && !f.raw {
			c := &cell{n: n, form: f, path: path, blocks: around}
			e.cells[n] = c
			e.order = append(e.order, c)
		}
	case f.raw:
	case f.block != nil:
		around = append(around[:len(around):len(around)], scope{n, f.block, path})
		for _, p := range n.pairs {
			if row, ok := f.block.row(p.key); ok {
				e.collect(p.value, row.form, join(path, p.key), around)
			}
		}
	case f.of != nil:
		for _, p := range n.pairs {
			e.collect(p.value, f.of.form, join(path, p.key), around)
		}
	case f.steps:
		for _, item := range n.items {
			e.collect(item, verbs.form, path, around)
		}
	default:
		for i, item := range n.items {
			e.collect(item, f, path+"["+strconv.Itoa(i)+"]", around)
		}
	}
}

// settle evaluates one formula and whatever it needs.
func (e *evaluator) settle(c *cell) {
	if c.state == 2 {
		return
	}
	c.state = 1
	p := formulaParser{evaluator: e, cell: c, rest: strings.TrimSpace(c.n.text[1:])}
	err := p.replace()
	c.state = 2
	if err == nil {
		return
	}
	if err != errReported && c.n.at != byDefault {
		e.problems = append(e.problems, problemAt(c.n.at, c.path, "formula %q: %s", c.n.text, err))
	}
	c.n.kind = failed
}

// errReported is the error of a formula that needs one with an error.
var errReported = fmt.Errorf("reported elsewhere")

// find is the setting that a name in a formula means: the nearest block around
// the formula that has it, then a full path.
func (e *evaluator) find(c *cell, name string) (*node, *form, error) {
	path := strings.Split(name, ".")
	known := false
	for i := len(c.blocks) - 1; i >= 0; i-- {
		s := c.blocks[i]
		n, f, ok := lookup(s.n, s.block.form, path)
		if known = known || ok; !ok || n == nil || n == c.n {
			continue
		}
		needs := e.cells[n]
		switch {
		case needs == nil || needs.state == 2:
		case needs.state == 1:
			return nil, nil, fmt.Errorf("goes round in a circle: %s and %s need each other", c.path, needs.path)
		default:
			e.settle(needs)
		}
		if n.kind == failed {
			return nil, nil, errReported
		}
		return n, f, nil
	}
	if known {
		return nil, nil, fmt.Errorf("%s has no value here", name)
	}
	return nil, nil, fmt.Errorf("there is no setting %q%s", name, didYouMean(name, c.siblings()))
}

// siblings are the names that a formula can use without a full path.
func (c *cell) siblings() []string {
	if len(c.blocks) == 0 {
		return nil
	}
	s := c.blocks[len(c.blocks)-1]
	return s.n.keys()
}

// lookup follows a path. It reports whether the language has that path; the
// node is nil where it has no value. A block stands for its main key.
func lookup(n *node, f *form, path []string) (*node, *form, bool) {
	for ; len(path) > 0; path = path[1:] {
		switch {
		case f.block != nil:
			row, ok := f.block.row(path[0])
			if !ok {
				return nil, nil, false
			}
			n, f = n.get(path[0]), row.form
		case f.of != nil:
			if n = n.get(path[0]); n == nil {
				return nil, nil, false
			}
			f = f.of.form
		case f.steps:
			var used int
			if n, f, used = lookupStep(n, path); n == nil {
				return nil, nil, false
			}
			path = path[used:]
		default:
			return nil, nil, false
		}
	}
	for n != nil && n.kind == mapping && f.block != nil && f.block.main != "" {
		row, _ := f.block.row(f.block.main)
		n, f = n.get(f.block.main), row.form
	}
	return n, f, true
}

// lookupStep finds the item with a verb, or the k-th of them, and says how
// many further parts of the path that took.
func lookupStep(items *node, path []string) (*node, *form, int) {
	nth, used := 1, 0
	if len(path) > 1 {
		if k, err := strconv.Atoi(path[1]); err == nil {
			nth, used = k, 1
		}
	}
	row, ok := verbs.row(path[0])
	if !ok || items == nil {
		return nil, nil, 0
	}
	for _, item := range items.items {
		if n := item.get(path[0]); n != nil {
			if nth--; nth == 0 {
				return n, row.form, used
			}
		}
	}
	return nil, nil, 0
}

// number reads a setting as a number in base units.
func number(n *node, f *form) (float64, error) {
	if n.kind != scalar {
		return 0, fmt.Errorf("is %s, not one value", n.kind)
	}
	switch f.unit {
	case inSeconds:
		return inSecondsOf(n.text)
	case perSecond:
		return parseRate(n.text)
	case asShare:
		if strings.HasSuffix(n.text, "ppm") {
			return parseDrift(n.text)
		}
		return parseFactor(n.text)
	case asCount:
		if n.text == "unlimited" {
			return math.Inf(1), nil
		}
		return parseNumber(n.text)
	}
	return 0, fmt.Errorf("is a word, not a number")
}

// inSecondsOf reads a duration, a constant distribution, the spacing of a
// period, or the number of a rule of suspicion.
func inSecondsOf(text string) (float64, error) {
	if s, err := parseSuspect(text); err == nil && s.By != Fixed {
		return max(s.Timeout.Seconds(), float64(s.Missed), s.Level), nil
	}
	text = strings.TrimPrefix(text, "fixed ")
	text, _, _ = strings.Cut(text, " from ")
	d, err := dist.ParseDuration(text)
	if err != nil {
		if x, other := dist.Parse(text); other == nil {
			if _, constant := x.IsConstant(); !constant {
				return 0, fmt.Errorf("is random (%s): use mean(…) or p(…, 0.99)", text)
			}
		}
		return 0, fmt.Errorf("is %q, not a number", text)
	}
	if d == Forever {
		return math.Inf(1), nil
	}
	return d.Seconds(), nil
}

// written is a number in base units as a value of a form.
func written(x float64, f *form) (string, error) {
	switch {
	case math.IsNaN(x):
		return "", fmt.Errorf("has no value (0/0, or forever - forever)")
	case math.IsInf(x, 1) && f.unit == inSeconds:
		return "forever", nil
	case math.IsInf(x, 1) && f.unit == asCount:
		return "unlimited", nil
	case math.IsInf(x, 0):
		return "", fmt.Errorf("has no finite value")
	}
	switch f.unit {
	case inSeconds:
		ns := math.Round(x * 1e9)
		if math.Abs(ns) >= math.MaxInt64 {
			return "", fmt.Errorf("is longer than the longest duration (106751 days)")
		}
		return strings.Replace(time.Duration(ns).String(), "µ", "u", 1), nil
	case perSecond:
		return strconv.FormatFloat(x, 'f', -1, 64) + "/s", nil
	case asShare, asCount:
		return strconv.FormatFloat(x, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("gives a number; expected %s", f.name)
}

var functions = []string{"min", "max", "floor", "mean", "p"}

func isFunction(name string) bool { return slices.Contains(functions, name) }
