package experiments

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// evidence is what an expectation may see of one replication besides its
// metrics. It is what *metric.Result offers and no more: expectations never see
// the model's inside.
type evidence interface {
	Distribution(name string) *stat.Histogram
	At(kind history.Kind, labels ...string) []int64
	ByJob(kind history.Kind) []int64
}

// language is the vocabulary of the expectations of one scenario: which names
// there are and of which type. It is fixed before the run.
type language struct {
	scenario  *scenario.Scenario
	metrics   *tree
	names     []string // every metric, for the nearest name in a message
	functions []string // the same of functions
}

// ofRuns are the functions of expectations besides those of numbers and lists.
var ofRuns = []string{
	"at", "gaps", "by_job", "inside", "between", "near", "peak", "during", "growth", "setting", "mean", "median", "quantile", "share",
}

// constants are the words for lengths of time, in seconds.
var constants = map[string]any{"ms": 0.001, "minute": 60.0, "hour": 3600.0, "day": 86400.0}

// tree holds the metrics by the parts of their dotted names. A node that is
// both a metric and the beginning of other names answers to its name with
// `.mean` as well, since a bare name cannot be a number and a map.
type tree struct {
	column int // of the metric with exactly this name; -1 for none
	path   string
	kids   map[string]*tree
	order  []string
}

func newLanguage(sc *scenario.Scenario, columns []metric.Column) *language {
	l := &language{scenario: sc, functions: slices.Concat(ofRuns, ofNumbers), metrics: &tree{column: -1, kids: map[string]*tree{}}}
	for i, c := range columns {
		l.names = append(l.names, c.Name)
		node := l.metrics
		for _, part := range strings.Split(c.Name, ".") {
			kid := node.kids[part]
			if kid == nil {
				kid = &tree{column: -1, path: strings.TrimPrefix(node.path+"."+part, "."), kids: map[string]*tree{}}
				node.kids[part] = kid
				node.order = append(node.order, part)
			}
			node = kid
		}
		node.column = i
	}
	return l
}

// distribution says that the node's parts are those of a distribution.
func (t *tree) distribution() bool { return t.kids["p99"] != nil }

// types is the node's shape for the type checker.
func (t *tree) types() types.Map {
	shape := types.Map{}
	if t.column >= 0 {
		shape["mean"] = types.Float64
	}
	if t.distribution() {
		shape["share_over"] = types.TypeOf(func(float64) float64 { return 0 })
	}
	for _, name := range t.order {
		kid := t.kids[name]
		if len(kid.kids) == 0 {
			shape[name] = types.Float64
			continue
		}
		shape[name] = kid.types()
	}
	return shape
}

// fill is the node with the values of one replication. A metric that did not
// occur is NaN, and every comparison with it is false.
func (t *tree) fill(values []float64, ev evidence) map[string]any {
	filled := map[string]any{}
	if t.column >= 0 {
		filled["mean"] = values[t.column]
	}
	if t.distribution() {
		filled["share_over"] = func(x float64) float64 {
			h := ev.Distribution(t.path)
			if h == nil {
				return math.NaN()
			}
			return h.ShareOver(nanoseconds(x))
		}
	}
	for _, name := range t.order {
		kid := t.kids[name]
		if len(kid.kids) == 0 {
			filled[name] = values[kid.column]
			continue
		}
		filled[name] = kid.fill(values, ev)
	}
	return filled
}

// options are the compiler's settings: types, functions and operators, and more
// of them.
func (l *language) options(more ...expr.Option) []expr.Option {
	run := l.metrics.types()
	run["at"] = types.TypeOf(func(string, ...string) Instants { return nil })
	run["gaps"] = run["at"]
	run["by_job"] = types.TypeOf(func(string) Instants { return nil })
	run["peak"] = types.TypeOf(func(string, float64) float64 { return 0 })
	run["during"] = types.TypeOf(func(string, float64, float64) float64 { return 0 })
	run["growth"] = run["during"]

	whole := maps.Clone(run)
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		whole[name] = types.Float64
	}
	whole["runs"] = types.Array(run)
	whole["setting"] = types.TypeOf(l.scenario.Setting)
	whole["mean"] = types.TypeOf(func([]any) (Estimate, error) { return Estimate{}, nil })
	whole["median"], whole["share"] = whole["mean"], whole["mean"]
	whole["quantile"] = types.TypeOf(func([]any, float64) (Estimate, error) { return Estimate{}, nil })

	options := append(builtins(), expr.Env(whole), expr.Patch(settingValues{l.scenario}))
	options = append(options, listFunctions()...)
	options = append(options, estimateOperators()...)
	options = append(options, more...)
	return append(options, expr.Patch(recheck{}))
}

// ofNumbers are the functions of expr-lang that an expression may use: those of
// numbers and lists. Those of texts, dates and encodings mean nothing here, one
// of them makes texts of any length, and sort knows no list of instants.
var ofNumbers = []string{
	"all", "none", "any", "one", "count", "filter", "map", "find", "findIndex", "findLast", "findLastIndex",
	"sum", "min", "max", "abs", "ceil", "floor", "round", "int", "float", "len", "first", "last", "take", "reverse", "uniq",
}

// builtins leaves these and no others.
func builtins() []expr.Option {
	options := []expr.Option{expr.DisableAllBuiltins()}
	for _, name := range ofNumbers {
		options = append(options, expr.EnableBuiltin(name))
	}
	return options
}

// settingValues puts the value of a setting in the place of setting("…"), so that
// the type checker knows whether it is a number or a text.
type settingValues struct{ scenario *scenario.Scenario }

// Visit looks at one node. What is no setting stays, and is reported as that.
func (s settingValues) Visit(node *ast.Node) {
	path, ok := settingPath(*node)
	if !ok {
		return
	}
	switch value, _ := s.scenario.Setting(path.Value); value := value.(type) {
	case float64:
		ast.Patch(node, &ast.FloatNode{Value: value})
	case string:
		ast.Patch(node, &ast.StringNode{Value: value})
	}
}

// settingPath is the path in setting("path").
func settingPath(node ast.Node) (path *ast.StringNode, ok bool) {
	call, ok := node.(*ast.CallNode)
	if !ok || len(call.Arguments) != 1 {
		return nil, false
	}
	if callee, ok := call.Callee.(*ast.IdentifierNode); !ok || callee.Value != "setting" {
		return nil, false
	}
	path, ok = call.Arguments[0].(*ast.StringNode)
	return path, ok
}

// recheck makes the type checker look into calls once more. Overloaded
// operators make it pass over an expression several times, and a mistake in
// the arguments of a call is reported in the first pass only, which is thrown
// away. It stands after the operators and takes part in each of their rounds.
type recheck struct{}

// Visit forgets the type of a call.
func (recheck) Visit(node *ast.Node) {
	if call, ok := (*node).(*ast.CallNode); ok {
		call.SetType(nil)
	}
}

// Reset and ShouldRepeat mark a visitor that takes part in every round.
func (recheck) Reset()             {}
func (recheck) ShouldRepeat() bool { return false }

// replication is the environment of one replication: its metrics, and the
// functions that look into it.
func (l *language) replication(values []float64, ev evidence, windows windowValues) map[string]any {
	env := l.metrics.fill(values, ev)
	env["at"] = func(fact string, labels ...string) Instants { return newInstants(ev.At(kind(fact), labels...)) }
	env["gaps"] = func(fact string, labels ...string) Instants { return newInstants(ev.At(kind(fact), labels...)).gaps() }
	env["by_job"] = func(fact string) Instants { return newInstants(ev.ByJob(kind(fact))) }
	env["peak"] = func(fact string, width float64) float64 {
		return float64(busiest(ev.At(kind(fact)), nanoseconds(width)))
	}
	env["during"], env["growth"] = windows.value, windows.growth
	return env
}

// kind is the kind of fact with this word; the compiler has seen to it that
// there is one.
func kind(word string) history.Kind {
	k, _ := history.KindOf(word)
	return k
}

// scope is the environment in which an expectation is evaluated.
func (l *language) scope(one map[string]any, runs []map[string]any, j *judge) map[string]any {
	env := map[string]any{
		"runs": runs,
		"mean": j.mean, "median": j.median, "share": j.share, "quantile": j.quantile,
	}
	maps.Copy(env, constants)
	maps.Copy(env, one)
	return env
}
