package scenario

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tenggat/tenggat/sim/dist"
)

// formulaParser reads and evaluates one formula in one pass.
type formulaParser struct {
	*evaluator
	cell  *cell
	rest  string
	depth int
}

// replace puts the formula's value in its place. A formula that only names a
// random setting, or a list, takes it whole. `from …` behind a formula stays.
func (p *formulaParser) replace() error {
	formula, from, anchored := strings.Cut(p.rest, " from ")
	if p.rest = strings.TrimSpace(formula); anchored {
		from = " from " + from
	}
	if name := p.rest; isPath(name) && !isFunction(name) {
		n, f, err := p.find(p.cell, name)
		if err != nil {
			return err
		}
		if _, err := number(n, f); err != nil && f.unit == p.cell.form.unit && (n.kind == list || random(n.text)) {
			p.cell.n.kind, p.cell.n.text, p.cell.n.items = n.kind, n.text, n.clone().items
			return nil
		}
	}
	x, err := p.sum()
	if err != nil {
		return err
	}
	if p.rest != "" {
		return fmt.Errorf("unexpected %q", p.rest)
	}
	written, err := written(x, p.cell.form)
	if err == nil {
		p.cell.n.text = written + from
	}
	return err
}

func random(text string) bool {
	_, err := dist.Parse(text)
	return err == nil
}

func isPath(s string) bool {
	return s != "" && s[0] >= 'a' && s[0] <= 'z' && strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789_.") == ""
}

func (p *formulaParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t") }

// take takes one of the characters.
func (p *formulaParser) take(any string) byte {
	p.skip()
	if p.rest == "" || !strings.Contains(any, p.rest[:1]) {
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c
}

func (p *formulaParser) sum() (float64, error) {
	if p.depth++; p.depth > maxDepth {
		return 0, fmt.Errorf("is nested too deeply")
	}
	defer func() { p.depth-- }()
	x, err := p.product()
	for err == nil {
		op := p.take("+-")
		if op == 0 {
			break
		}
		var y float64
		if y, err = p.product(); op == '+' {
			x += y
		} else {
			x -= y
		}
	}
	p.skip()
	return x, err
}

func (p *formulaParser) product() (float64, error) {
	x, err := p.factor()
	for err == nil {
		op := p.take("*/")
		if op == 0 {
			break
		}
		var y float64
		if y, err = p.factor(); op == '*' {
			x = float64(x * y)
		} else {
			if err == nil && y == 0 {
				err = fmt.Errorf("divides by zero")
			}
			x = float64(x / y)
		}
	}
	return x, err
}

func (p *formulaParser) factor() (float64, error) {
	switch p.take("(-") {
	case '(':
		x, err := p.sum()
		if err == nil && p.take(")") == 0 {
			err = fmt.Errorf("a ) is missing")
		}
		return x, err
	case '-':
		if p.depth++; p.depth > maxDepth {
			return 0, fmt.Errorf("is nested too deeply")
		}
		defer func() { p.depth-- }()
		x, err := p.factor()
		return -x, err
	}
	word := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.%"))]
	p.rest = p.rest[len(word):]
	switch {
	case word == "" && p.rest == "":
		return 0, fmt.Errorf("ends where a number or a setting was expected")
	case word == "":
		return 0, fmt.Errorf("%q is not part of a formula; there are + - * / ( ) min max floor mean p", p.rest[:1])
	case word[0] >= '0' && word[0] <= '9' || word[0] == '.':
		return literal(word)
	case isFunction(word) && p.take("(") != 0:
		return p.call(word)
	case !isPath(word):
		return 0, fmt.Errorf("%q is neither a number nor a setting", word)
	}
	n, f, err := p.find(p.cell, word)
	if err != nil {
		return 0, err
	}
	x, err := number(n, f)
	if err != nil {
		err = fmt.Errorf("%s %w", word, err)
	}
	return x, err
}

// literal is a number, a duration or a percentage.
func literal(word string) (float64, error) {
	x, err := parseFactor(word)
	switch {
	case err == nil:
		return x, nil
	case errors.Is(err, errTooLarge):
		return 0, err
	}
	d, err := dist.ParseDuration(word)
	return d.Seconds(), err
}

// call evaluates a function behind its opening bracket.
func (p *formulaParser) call(name string) (x float64, err error) {
	if name == "mean" || name == "p" {
		if x, err = p.summary(name); err != nil {
			return 0, err
		}
	} else {
		if x, err = p.sum(); err != nil {
			return 0, err
		}
		for name != "floor" && p.take(",") != 0 {
			y, err := p.sum()
			if err != nil {
				return 0, err
			}
			if name == "min" {
				x = math.Min(x, y)
			} else {
				x = math.Max(x, y)
			}
		}
		if name == "floor" {
			x = math.Floor(x)
		}
	}
	if p.take(")") == 0 {
		return 0, fmt.Errorf("%s(…) is not closed", name)
	}
	return x, nil
}

// summary is the mean or a quantile of a distribution.
func (p *formulaParser) summary(name string) (float64, error) {
	p.skip()
	path := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "abcdefghijklmnopqrstuvwxyz0123456789_."))]
	p.rest = p.rest[len(path):]
	if !isPath(path) {
		return 0, fmt.Errorf("%s(…) needs the path of a setting", name)
	}
	n, f, err := p.find(p.cell, path)
	if err != nil {
		return 0, err
	}
	if n.kind != scalar || f.unit != inSeconds {
		return 0, fmt.Errorf("%s(%s): that is no distribution of times", name, path)
	}
	every, _, _ := strings.Cut(n.text, " from ")
	d, err := dist.Parse(every)
	if err != nil || name == "mean" {
		return d.Mean(), err
	}
	if p.take(",") == 0 {
		return 0, fmt.Errorf("p(%s, …) needs a probability, such as p(%s, 0.99)", path, path)
	}
	q, err := p.sum()
	if err != nil {
		return 0, err
	}
	if !(q >= 0 && q <= 1) {
		return 0, fmt.Errorf("p(%s, …): the probability lies between 0 and 1", path)
	}
	return d.Quantile(q)
}
