package experiments

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/metric"
)

// Outcome is what became of an expectation.
type Outcome string

// The outcomes. Only Held counts as held.
const (
	Held         Outcome = "held"
	Failed       Outcome = "failed"
	Inconclusive Outcome = "inconclusive" // an interval straddles a bound
)

// Verdict is the judgement of one expectation.
type Verdict struct {
	Variant string // as the file says: a variant or "always"
	Text    string
	Line    int
	Outcome Outcome
	Of      int    // replications
	Not     int    // replications in which it did not hold; 0 for one over all of them
	First   int    // the first of these, from 0; -1 for none
	Why     string // values of what the expectation speaks of; empty when it held
	Needed  int    // inconclusive: about how many replications would decide; 0: none would
}

// windowValues answers during() and growth(); the values are in the order of Want.Windows.
type windowValues struct {
	windows []metric.Span
	values  []float64
}

func (w windowValues) value(name string, from, to float64) float64 {
	for i, window := range w.windows {
		if window.Metric == name && int64(window.From) == nanoseconds(from) && int64(window.To) == nanoseconds(to) {
			return w.values[i]
		}
	}
	return math.NaN()
}

// growth is the slope per second between the halves of a window: exact for what
// grows in a straight line, whatever noise is on it.
func (w windowValues) growth(name string, from, to float64) float64 {
	middle := halfway(time.Duration(nanoseconds(from)), time.Duration(nanoseconds(to))).Seconds()
	return (w.value(name, middle, to) - w.value(name, from, middle)) * 2 / (to - from)
}

// Judge judges every expectation over the replications, which are in slot
// order and were run with Want.
func (e *Expectations) Judge(results []*metric.Result) []Verdict {
	if len(e.list) == 0 {
		return nil
	}
	runs := make([]map[string]any, len(results))
	for r, result := range results {
		runs[r] = e.language.replication(result.Values, result, windowValues{e.Want.Windows, result.Windows})
	}
	return e.judge(runs)
}

func (e *Expectations) judge(runs []map[string]any) []Verdict {
	verdicts := make([]Verdict, len(e.list))
	for i, x := range e.list {
		v := Verdict{Variant: x.source.Variant, Text: x.source.Text, Line: x.source.Line, Outcome: Held, Of: len(runs), First: -1}
		if x.overall {
			e.overall(x, runs, &v)
		} else {
			e.each(x, runs, &v)
		}
		verdicts[i] = v
	}
	return verdicts
}

// each judges an expectation that must hold in every replication.
func (e *Expectations) each(x *expectation, runs []map[string]any, v *Verdict) {
	for r, one := range runs {
		scope := e.language.scope(one, nil, &judge{})
		held, err := truth(x.program, scope)
		if held {
			continue
		}
		v.Not++
		if v.First < 0 {
			v.First, v.Outcome, v.Why = r, Failed, x.why(scope, err)
		}
	}
}

// overall judges an expectation over all replications.
func (e *Expectations) overall(x *expectation, runs []map[string]any, v *Verdict) {
	j := &judge{}
	scope := e.language.scope(nil, runs, j)
	held, failed, err := j.settle(func() (bool, error) { return truth(x.program, scope) })
	switch {
	case held && !failed:
		return
	case held && failed:
		v.Outcome = Inconclusive
		if !j.never {
			v.Needed = j.needed
		}
	default:
		v.Outcome = Failed
	}
	v.Why = x.why(scope, err)
}

func truth(program *vm.Program, scope map[string]any) (bool, error) {
	result, err := expr.Run(program, scope)
	if err != nil {
		return false, err
	}
	held, ok := result.(bool)
	if !ok { // the type checker passes what only the run knows: setting("…")
		return false, fmt.Errorf("%v is neither true nor false", result)
	}
	return held, nil
}

// why shows the values of what the expectation speaks of.
func (x *expectation) why(scope map[string]any, err error) string {
	var shown []string
	for _, part := range x.parts {
		if value, err := expr.Run(part.program, scope); err == nil {
			shown = append(shown, part.text+" = "+show(value))
		}
	}
	if err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		shown = append(shown, reason)
	}
	return strings.Join(shown, ", ")
}

// mostShown is how many elements of a list a verdict shows.
const mostShown = 8

// show is a value of an expression as a verdict prints it.
func show(value any) string {
	switch value := value.(type) {
	case float64:
		return report.Exact(value)
	case Instants:
		var b strings.Builder
		b.WriteByte('[')
		for i, t := range value {
			if i == mostShown {
				fmt.Fprintf(&b, ", … %d in all", len(value))
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(report.Exact(t))
		}
		b.WriteByte(']')
		return b.String()
	}
	return fmt.Sprint(value)
}
