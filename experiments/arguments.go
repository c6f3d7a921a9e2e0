package experiments

import (
	"fmt"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker/nature"
)

// listArguments finds lists of the wrong things: the type checker takes any list
// for mean(…), and does not look into those of max(…).
type listArguments struct {
	node  ast.Node // the first of them
	wrong string   // what is wrong with it
}

// Visit looks at one node.
func (l *listArguments) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BuiltinNode:
		switch n.Name {
		case "min", "max", "sum":
			if len(n.Arguments) == 1 { // sum(runs, .starts) has the numbers from its second one
				l.numbers(n.Name, n.Arguments[0])
			}
		}
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		if !ok || len(n.Arguments) == 0 {
			return
		}
		switch callee.Value {
		case "mean", "median", "quantile":
			l.numbers(callee.Value, n.Arguments[0])
		case "share":
			if elem, ok := elements(n.Arguments[0]); ok && !elem.IsBool() {
				l.fail(n.Arguments[0], "share needs a list of what is true or false: write share(map(runs, .metric > 0))")
			}
		}
	}
}

// numbers objects to a list of anything else.
func (l *listArguments) numbers(function string, argument ast.Node) {
	if elem, ok := elements(argument); ok && !elem.IsNumber() {
		l.fail(argument, fmt.Sprintf("%s needs a list of numbers, such as %s(map(runs, .starts))", function, function))
	}
}

func (l *listArguments) fail(node ast.Node, wrong string) {
	if l.wrong == "" {
		l.node, l.wrong = node, wrong
	}
}

// Reset forgets what an earlier round has found, in which not all types were
// known.
func (l *listArguments) Reset() { *l = listArguments{} }

// ShouldRepeat asks for no other round.
func (l *listArguments) ShouldRepeat() bool { return false }

// elements is what a list consists of, if the types tell.
func elements(list ast.Node) (elem nature.Nature, known bool) {
	cache := &nature.Cache{}
	if !list.Nature().IsArray() {
		return elem, false
	}
	elem = list.Nature().Elem(cache)
	return elem, !elem.IsUnknown(cache)
}
