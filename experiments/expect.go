package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// Expectations are the compiled expectations of one scenario. Compiling finds
// every misspelt metric, fact, label and type before anything is run.
type Expectations struct {
	Want metric.Want // what a replication must keep for them

	language *language
	list     []*expectation
}

// expectation is one compiled expectation.
type expectation struct {
	source  scenario.Expect
	program *vm.Program
	overall bool     // names runs: judged once over all replications
	parts   []part   // what to show when it does not hold
	metrics []string // that it names
}

// part is a subexpression whose value explains a verdict.
type part struct {
	text    string
	program *vm.Program
}

// Compile compiles the expectations of sc; columns are the metrics that a
// replication of it will have. The error is scenario.Problems, one for each
// expectation that does not compile, with the column inside the expression.
func Compile(sc *scenario.Scenario, columns []metric.Column, sources []scenario.Expect) (*Expectations, error) {
	c := newCompilation(&Expectations{language: newLanguage(sc, columns)}, checkedDivision()...)
	var problems scenario.Problems
	for _, source := range sources {
		compiled, err := c.compile(source)
		if err != nil {
			problems = append(problems, scenario.Problem{
				Line: source.Line, Column: source.Column, Path: "expect." + source.Variant, Message: err.Error(),
			})
			continue
		}
		c.e.list = append(c.e.list, compiled)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return c.e, nil
}

// compilation carries what one Compile collects.
type compilation struct {
	e       *Expectations
	options []expr.Option
	lists   *listArguments
	source  string
	err     error // the first misuse that the type checker does not see
	overall bool
}

func newCompilation(e *Expectations, more ...expr.Option) *compilation {
	c := &compilation{e: e, lists: &listArguments{}}
	c.options = e.language.options(append(more, expr.Patch(c.lists))...)
	return c
}

func (c *compilation) compile(source scenario.Expect) (*expectation, error) {
	program, parsed, err := c.program(source.Text, expr.AsBool())
	if err != nil {
		return nil, err
	}
	compiled := &expectation{source: source, program: program, overall: c.overall, metrics: c.e.language.named(source.Text)}
	for _, node := range explaining(parsed.Node) {
		text := node.String()
		if slices.ContainsFunc(compiled.parts, func(p part) bool { return p.text == text }) {
			continue
		}
		if program, err := expr.Compile(text, c.options...); err == nil {
			compiled.parts = append(compiled.parts, part{text, program})
		}
	}
	return compiled, nil
}

// program compiles an expression and checks what the type checker does not see.
func (c *compilation) program(text string, more ...expr.Option) (*vm.Program, *parser.Tree, error) {
	parsed, err := parser.Parse(text)
	if err != nil {
		return nil, nil, c.e.language.explain(text, err)
	}
	c.source, c.err, c.overall = text, nil, false
	program, err := expr.Compile(text, slices.Concat(c.options, more)...)
	if err != nil {
		ast.Walk(&parsed.Node, comparisons{c})
		return nil, nil, cmp.Or(c.err, c.e.language.explain(text, err))
	}
	ast.Walk(&parsed.Node, c)
	if c.lists.wrong != "" {
		c.fail(c.lists.node, "%s", c.lists.wrong)
	}
	return program, parsed, c.err
}

// comparisons explains why the two sides of a comparison do not go together.
type comparisons struct{ *compilation }

// Visit looks at one node.
func (c comparisons) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.BinaryNode); ok {
		c.sameTypes(n)
	}
}

// Visit checks the arguments that must be known before the run and collects
// what the run must keep.
func (c *compilation) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		c.overall = c.overall || n.Value == "runs"
	case *ast.BinaryNode:
		if n.Operator == "??" {
			c.fail(n, "?? stands in for what is nil, and nothing here ever is: a metric that did not occur is no number, and no comparison with it holds")
		}
	case *ast.NilNode:
		c.fail(n, "nothing here is nil: a metric that did not occur is no number, and no comparison with it holds")
	case *ast.CallNode:
		callee, name := n.Callee, ""
		switch f := callee.(type) {
		case *ast.IdentifierNode:
			name = f.Value
		case *ast.MemberNode: // runs' own: .at("start")
			if property, ok := f.Property.(*ast.StringNode); ok {
				name = property.Value
			}
		}
		switch name {
		case "at", "gaps", "by_job", "peak":
			c.fact(name, n.Arguments)
			if name == "peak" {
				if width, ok := constant(n.Arguments[1]); !ok || nanoseconds(width) <= 0 {
					c.fail(n.Arguments[1], "peak needs a width above 0 that is known before the run, in seconds")
				}
			}
		case "during", "growth":
			c.window(name, n.Arguments)
		case "quantile":
			if p, ok := constant(n.Arguments[1]); !ok || !(p > 0 && p < 1) {
				c.fail(n.Arguments[1], "quantile needs a share between 0 and 1 that is known before the run, such as 0.9")
			}
		case "setting":
			c.setting(n)
		}
	}
}

// fact checks the word of a fact and the labels after it.
func (c *compilation) fact(function string, arguments []ast.Node) {
	word, ok := arguments[0].(*ast.StringNode)
	if !ok {
		c.fail(arguments[0], "%s needs the fact as plain text, such as %s(\"start\")", function, function)
		return
	}
	kind, ok := history.KindOf(word.Value)
	if !ok {
		c.fail(word, "unknown fact %q%s", word.Value, Suggest(word.Value, factWords()))
		return
	}
	if !slices.Contains(c.e.Want.Facts, kind) {
		c.e.Want.Facts = append(c.e.Want.Facts, kind)
	}
	for _, argument := range arguments[1:] {
		label, ok := argument.(*ast.StringNode)
		if !ok {
			continue // peak's width
		}
		if err := checkLabel(c.e.language.scenario, label.Value); err != nil {
			c.fail(label, "%v", err)
		}
	}
}

// window notes the window of during, or the two halves of that of growth; its
// ends must be constants.
func (c *compilation) window(function string, arguments []ast.Node) {
	name, ok := arguments[0].(*ast.StringNode)
	if !ok {
		c.fail(arguments[0], `%s needs the metric as plain text, such as %s("goodput_per_s", 60, 180)`, function, function)
		return
	}
	if !slices.Contains(c.e.language.names, name.Value) {
		c.fail(name, "unknown metric %q%s", name.Value, Suggest(name.Value, c.e.language.names))
		return
	}
	var ends [2]time.Duration
	for i, argument := range arguments[1:] {
		seconds, ok := constant(argument)
		if !ok {
			c.fail(argument, "%s needs instants that are known before the run, in seconds", function)
			return
		}
		ends[i] = time.Duration(nanoseconds(seconds))
	}
	if ends[0] >= ends[1] {
		c.fail(arguments[2], "%s needs a window that ends after it begins, and not from %v to %v", function, ends[0], ends[1])
		return
	}
	if function == "growth" {
		middle := halfway(ends[0], ends[1])
		c.wantWindow(metric.Span{Metric: name.Value, From: ends[0], To: middle})
		ends[0] = middle
	}
	c.wantWindow(metric.Span{Metric: name.Value, From: ends[0], To: ends[1]})
}

// constant is the value of a number that does not depend on the run.
func constant(argument ast.Node) (value float64, ok bool) {
	result, err := expr.Eval(argument.String(), constants)
	if err != nil {
		return 0, false
	}
	value, err = number(result)
	return value, err == nil
}

func (c *compilation) wantWindow(window metric.Span) {
	if !slices.Contains(c.e.Want.Windows, window) {
		c.e.Want.Windows = append(c.e.Want.Windows, window)
	}
}

// halfway is the middle of a window, where growth parts it.
func halfway(from, to time.Duration) time.Duration { return from + (to-from)/2 }

func (c *compilation) setting(call *ast.CallNode) {
	path, ok := settingPath(call)
	if !ok {
		c.fail(call.Arguments[0], `setting needs the path as plain text, such as setting("queues.q.lease")`)
	} else if _, err := c.e.language.scenario.Setting(path.Value); err != nil {
		c.fail(path, "%v", err)
	}
}

// sameTypes refuses to compare a setting that is a number with a text, and one
// that is a text with a number: it would never be equal, however the setting is
// written in the file.
func (c *compilation) sameTypes(n *ast.BinaryNode) {
	for _, sides := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
		path, ok := settingPath(sides[0])
		if !ok {
			continue
		}
		value, err := c.e.language.scenario.Setting(path.Value)
		if err != nil {
			c.fail(path, "%v", err)
			continue
		}
		switch other := sides[1].(type) {
		case *ast.StringNode:
			if x, isNumber := value.(float64); isNumber {
				c.fail(other, "%s is a number here, %v (durations in seconds), and never the text %q", path.Value, x, other.Value)
			}
		case *ast.IntegerNode, *ast.FloatNode:
			if text, isText := value.(string); isText {
				c.fail(other, "%s is a text here, %q, and no number: compare it with a text", path.Value, text)
			}
		}
	}
}

// fail keeps the first problem.
func (c *compilation) fail(node ast.Node, format string, args ...any) {
	if c.err == nil {
		c.err = misuse(c.source, node.Location().From, fmt.Sprintf(format, args...))
	}
}

// named are the metrics that an expression names: starts, or .starts of runs.
func (l *language) named(source string) []string {
	words := strings.FieldsFunc(source, func(r rune) bool { return !ofName(r) })
	for i, word := range words {
		words[i] = strings.Trim(word, ".")
	}
	return slices.DeleteFunc(words, func(word string) bool { return !slices.Contains(l.names, word) })
}

// ofName says that a letter may stand in a dotted name.
func ofName(r rune) bool {
	return r == '_' || r == '.' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// dotted is the dotted name around a place in an expression.
func dotted(source string, from int) string {
	text := []rune(source)
	inName := func(i int) bool { return i >= 0 && i < len(text) && ofName(text[i]) }
	low, high := from, from
	for inName(low - 1) {
		low--
	}
	for inName(high) {
		high++
	}
	return strings.Trim(string(text[low:high]), ".")
}

// factWords are the words of at(), for messages.
func factWords() []string {
	var words []string
	for k := history.None + 1; k < history.Kinds; k++ {
		words = append(words, k.Word())
	}
	return words
}

// explaining are the subexpressions whose values tell why an expectation came
// out as it did: what stands between the operators and inside near, between
// and inside, without the literals.
func explaining(node ast.Node) []ast.Node {
	var parts []ast.Node
	switch n := node.(type) {
	case *ast.BinaryNode:
		return append(explaining(n.Left), explaining(n.Right)...)
	case *ast.UnaryNode:
		return explaining(n.Node)
	case *ast.ConditionalNode:
		return append(append(explaining(n.Cond), explaining(n.Exp1)...), explaining(n.Exp2)...)
	case *ast.SliceNode:
		return explaining(n.Node)
	case *ast.MemberNode:
		if _, named := n.Property.(*ast.StringNode); !named {
			return explaining(n.Node)
		}
	case *ast.IdentifierNode:
		if constants[n.Value] != nil || n.Value == "runs" {
			return nil
		}
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok && slices.Contains([]string{"near", "between", "inside"}, callee.Value) {
			for _, argument := range n.Arguments {
				parts = append(parts, explaining(argument)...)
			}
			return parts
		}
	case *ast.BuiltinNode:
		if n.Name == "len" {
			return explaining(n.Arguments[0])
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode, *ast.ConstantNode, *ast.ArrayNode, *ast.NilNode:
		return nil
	}
	return []ast.Node{node}
}
