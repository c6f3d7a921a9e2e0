package experiments

import (
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
	c := &compilation{e: &Expectations{language: newLanguage(sc, columns)}}
	c.options = c.e.language.options(checkedDivision()...)
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
	source  string
	err     error // the first misuse that the type checker does not see
	overall bool
}

func (c *compilation) compile(source scenario.Expect) (*expectation, error) {
	program, err := expr.Compile(source.Text, append(slices.Clone(c.options), expr.AsBool())...)
	if err != nil {
		return nil, c.e.language.explain(source.Text, err)
	}
	parsed, err := parser.Parse(source.Text)
	if err != nil {
		return nil, c.e.language.explain(source.Text, err)
	}
	c.source, c.err, c.overall = source.Text, nil, false
	ast.Walk(&parsed.Node, c)
	if c.err != nil {
		return nil, c.err
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
		c.sameTypes(n)
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
		case "during", "growth":
			c.window(name, n.Arguments)
		case "setting":
			c.setting(n.Arguments)
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
		value, err := expr.Eval(argument.String(), constants)
		if err == nil {
			var seconds float64
			if seconds, err = number(value); err == nil {
				ends[i] = time.Duration(nanoseconds(seconds))
				continue
			}
		}
		c.fail(argument, "%s needs instants that are known before the run, in seconds", function)
		return
	}
	if function == "growth" {
		middle := halfway(ends[0], ends[1])
		c.wantWindow(metric.Span{Metric: name.Value, From: ends[0], To: middle})
		ends[0] = middle
	}
	c.wantWindow(metric.Span{Metric: name.Value, From: ends[0], To: ends[1]})
}

func (c *compilation) wantWindow(window metric.Span) {
	if !slices.Contains(c.e.Want.Windows, window) {
		c.e.Want.Windows = append(c.e.Want.Windows, window)
	}
}

// halfway is the middle of a window, where growth parts it.
func halfway(from, to time.Duration) time.Duration { return from + (to-from)/2 }

func (c *compilation) setting(arguments []ast.Node) {
	path, ok := arguments[0].(*ast.StringNode)
	if !ok {
		return
	}
	if _, err := c.e.language.scenario.Setting(path.Value); err != nil {
		c.fail(path, "%v", err)
	}
}

// sameTypes refuses to compare a setting that is a number with a text: it would
// never be equal, however the setting is written in the file.
func (c *compilation) sameTypes(n *ast.BinaryNode) {
	for _, sides := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
		call, isCall := sides[0].(*ast.CallNode)
		text, isText := sides[1].(*ast.StringNode)
		if !isCall || !isText || len(call.Arguments) != 1 {
			continue
		}
		path, isPath := call.Arguments[0].(*ast.StringNode)
		if callee, ok := call.Callee.(*ast.IdentifierNode); !ok || callee.Value != "setting" || !isPath {
			continue
		}
		if value, err := c.e.language.scenario.Setting(path.Value); err == nil {
			if x, isNumber := value.(float64); isNumber {
				c.fail(text, "%s is a number here, %v (durations in seconds), and never the text %q", path.Value, x, text.Value)
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
