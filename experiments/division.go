package experiments

import (
	"errors"
	"reflect"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// errDivision is the reason of an expectation that does not hold because it has
// no value: 1 / 0 is no number that anything could be compared with.
var errDivision = errors.New("divides by 0")

// divide is the function that stands for / in an expectation; nobody can write
// its name.
const divide = "divide /"

// checkedDivision makes a division by zero an error.
func checkedDivision() []expr.Option {
	return []expr.Option{
		expr.Function(divide, func(p ...any) (any, error) {
			x, err := number(p[0])
			if err != nil {
				return nil, err
			}
			y, err := number(p[1])
			if err == nil && y == 0 {
				err = errDivision
			}
			return x / y, err
		}, new(func(any, any) float64)),
		expr.Patch(divisions{}),
	}
}

// divisions puts divide in the place of / between numbers. What is no number
// stays, for the type checker to object to.
type divisions struct{}

// Visit looks at one node.
func (divisions) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || b.Operator != "/" || !numeric(b.Left) || !numeric(b.Right) {
		return
	}
	ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: divide}, Arguments: []ast.Node{b.Left, b.Right}})
}

// Reset and ShouldRepeat let it stand before recheck, which must have the last
// word.
func (divisions) Reset()             {}
func (divisions) ShouldRepeat() bool { return false }

// numeric says that a node is a number, or something that only the run knows.
func numeric(node ast.Node) bool {
	t := node.Type()
	return t == nil || slices.Contains([]reflect.Kind{reflect.Float64, reflect.Int, reflect.Interface}, t.Kind())
}
