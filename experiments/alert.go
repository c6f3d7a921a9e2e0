package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// alerts are the compiled alerts of a scenario: expressions over the running
// series, judged at looks that are equally far apart.
//
// What they may say, besides the operators of expectations:
//
//	queues.q.queue_depth, up, …       a level now (see levels)
//	rate(fact, width, label…)         facts per second over the last width
//	rise(fact or level, width, label…) the last width against the width before: the
//	                                  ratio of the rates, or of a level's means
//	idle(fact, label…)                seconds since the last one
//
// Before the run is as old as that, rate takes what there is, rise is 1, and idle
// counts from the start of the run; from nothing to nothing is no rise either.
type alerts struct {
	scenario *scenario.Scenario
	names    history.Names
	language *language // of the levels
	rules    []alertRule
	look     int64         // from one look to the next, ns: the greatest that all alerts share
	longest  time.Duration // width
	counted  []countedSeries
	risen    []int // levels that rise names
}

// alertRule is one alert.
type alertRule struct {
	cfg     *scenario.Alert
	program *vm.Program
}

// compileAlerts compiles what a scenario has of alerts; nil if it has none. The
// error is scenario.Problems.
func compileAlerts(sc *scenario.Scenario) (*alerts, error) {
	if len(sc.Alerts) == 0 {
		return nil, nil
	}
	a := &alerts{scenario: sc, names: model.Names(sc)}
	var columns []metric.Column
	for _, name := range levelNames(a.names) {
		columns = append(columns, metric.Column{Name: name})
	}
	a.language = newLanguage(sc, columns)
	a.language.functions = append([]string{"rate", "rise", "idle"}, ofNumbers...)
	var problems scenario.Problems
	for _, cfg := range sc.Alerts {
		a.look = divisor(a.look, int64(cfg.Every))
		program, err := a.compile(cfg)
		if err != nil {
			problems = append(problems, a.wrong(cfg, err))
			continue
		}
		a.rules = append(a.rules, alertRule{cfg, program})
	}
	if looks := int64(sc.Run.Duration) / a.look; looks > mostLooks {
		often := slices.MinFunc(sc.Alerts, func(x, y *scenario.Alert) int { return cmp.Compare(x.Every, y.Every) })
		problems = append(problems, sc.Wrong("alerts."+often.Name+".every", "the looks of all alerts together are %v apart, %d in a run of %v, and there may be %d: give periods that are longer, or multiples of one",
			time.Duration(a.look), looks, sc.Run.Duration, mostLooks))
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return a, nil
}

// mostLooks bounds the time that a run takes for its alerts, to a minute or so,
// and widestLooks the memory of a series.
const (
	mostLooks   = 10_000_000
	widestLooks = 100_000
)

// wrong is what is wrong with an alert, at its place in the file.
func (a *alerts) wrong(cfg *scenario.Alert, err error) scenario.Problem {
	return a.scenario.Wrong("alerts."+cfg.Name+".when", "%v", err)
}

// divisor is the greatest common one; that of 0 and b is b.
func divisor(a, b int64) int64 {
	for a != 0 {
		a, b = b%a, a
	}
	return b
}

func (a *alerts) compile(cfg *scenario.Alert) (*vm.Program, error) {
	env := a.language.metrics.types()
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		env[name] = types.Float64
	}
	env["rate"] = types.TypeOf(func(string, float64, ...string) float64 { return 0 })
	env["rise"] = env["rate"]
	env["idle"] = types.TypeOf(func(string, ...string) float64 { return 0 })
	program, err := expr.Compile(cfg.When, append(builtins(), expr.Env(env), expr.AsBool())...)
	if err != nil {
		return nil, a.explain(cfg.When, err)
	}
	parsed, err := parser.Parse(cfg.When)
	if err != nil {
		return nil, a.language.explain(cfg.When, err)
	}
	r := &alertReader{alerts: a, cfg: cfg}
	ast.Walk(&parsed.Node, r)
	a.longest = max(a.longest, r.longest)
	return program, r.err
}

// explain says of a name that no level has which levels there are: an alert sees
// none of the metrics, which are known at the end of the run.
func (a *alerts) explain(source string, err error) error {
	var at *file.Error
	if !errors.As(err, &at) || !unknown(at) || called(source, at.From) {
		return a.language.explain(source, err)
	}
	name := dotted(source, at.From)
	hint := Suggest(name, a.language.names)
	if hint == "" {
		var all []string
		for _, l := range AlertLevels() {
			all = append(all, l.Name)
		}
		hint = fmt.Sprintf("; an alert sees %s now, and rate, rise and idle of facts; metrics of the whole run belong into expect", strings.Join(all, ", "))
	}
	return misuse(source, at.From, fmt.Sprintf("unknown level %q%s", name, hint))
}

// alertReader checks the calls of an expression and notes which series they need.
type alertReader struct {
	*alerts
	cfg     *scenario.Alert
	err     error
	longest time.Duration // width of this one
}

// Visit looks at one node.
func (r *alertReader) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.CallNode)
	if !ok {
		return
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	if !ok {
		return
	}
	rest := call.Arguments[1:]
	if callee.Value != "idle" {
		r.width(rest[0])
		rest = rest[1:]
	}
	series, ok := call.Arguments[0].(*ast.StringNode)
	if !ok {
		r.fail(call.Arguments[0], `%s needs the fact as plain text, such as %s("retry"…)`, callee.Value, callee.Value)
		return
	}
	var labels []string
	for _, argument := range rest {
		label, ok := argument.(*ast.StringNode)
		if !ok {
			r.fail(argument, "a label is plain text, such as \"queues.q\"")
			return
		}
		if err := checkLabel(r.scenario, label.Value); err != nil {
			r.fail(label, "%v", err)
			return
		}
		labels = append(labels, label.Value)
	}
	kind, known := history.KindOf(series.Value)
	switch {
	case known:
		r.count(kind, labels)
	case callee.Value == "rise" && len(labels) == 0 && slices.Contains(r.language.names, series.Value):
		r.risen = append(r.risen, slices.Index(r.language.names, series.Value))
	case callee.Value == "rise":
		r.fail(series, "unknown fact or level %q%s", series.Value, Suggest(series.Value, append(factWords(), r.language.names...)))
	default:
		r.fail(series, "unknown fact %q%s", series.Value, Suggest(series.Value, factWords()))
	}
}

// width checks that a width is known before the run, and a number of looks.
func (r *alertReader) width(argument ast.Node) {
	seconds, ok := constant(argument)
	width := time.Duration(nanoseconds(seconds))
	if !ok || width <= 0 || width%r.cfg.Every != 0 {
		r.fail(argument, "a width is a whole number of looks, which are %v apart, and known before the run", r.cfg.Every)
		return
	}
	if looks := int64(width / r.cfg.Every); looks > widestLooks {
		r.fail(argument, "a width of %v is %d looks, and may be %d: give a longer every", width, looks, widestLooks)
		return
	}
	r.longest = max(r.longest, width)
}

func (r *alertReader) fail(node ast.Node, format string, args ...any) {
	if r.err == nil {
		r.err = misuse(r.cfg.When, node.Location().From, fmt.Sprintf(format, args...))
	}
}

// count makes a series of facts, unless there is one.
func (a *alerts) count(kind history.Kind, labels []string) {
	name := seriesName(kind.Word(), labels)
	for i := range a.counted {
		if a.counted[i].name == name {
			return
		}
	}
	s := countedSeries{name: name, kind: kind}
	for _, text := range labels {
		s.carries = append(s.carries, labelOf(a.names, text))
	}
	a.counted = append(a.counted, s)
}

func seriesName(word string, labels []string) string {
	return strings.Join(append([]string{word}, labels...), " ")
}

// ratio is b against a; nothing against nothing is 1, and something against
// nothing infinite.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 1
	}
	if a == 0 {
		return math.Inf(1)
	}
	return b / a
}
