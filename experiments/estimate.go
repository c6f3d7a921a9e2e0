package experiments

import (
	"fmt"
	"math"

	"github.com/expr-lang/expr"

	"github.com/tenggat/tenggat/sim/stat"
)

// Estimate is what mean, median, share and quantile give in an expectation: a
// point with its 95 % interval. Compared with a number it is true only when the
// whole interval lies on that side, and false only when the whole interval lies
// on the other.
type Estimate struct {
	Mean float64 `expr:"mean"` // the point, whichever kind of estimate it is
	Low  float64 `expr:"low"`
	High float64 `expr:"high"`

	stat  stat.Estimate
	judge *judge
}

// String is the estimate as a verdict shows it.
func (e Estimate) String() string { return fmt.Sprintf("%.6g [%.6g, %.6g]", e.Mean, e.Low, e.High) }

// judge answers the comparisons that an interval leaves open. It tries every
// combination of answers: when the expectation comes out the same each time,
// the open comparisons did not matter.
type judge struct {
	answers []bool // for the open comparisons, in the order of evaluation
	asked   int
	needed  int // most replications that an open comparison would take
	never   bool
}

// mostAnswers bounds the combinations: an expectation with more open
// comparisons than this is inconclusive without trying all.
const mostAnswers = 1 << 10

// settle evaluates until every combination of answers has been tried and says
// which results were seen.
func (j *judge) settle(evaluate func() (bool, error)) (held, failed bool, err error) {
	for range mostAnswers {
		j.asked = 0
		result, err := evaluate()
		if err != nil {
			return false, false, err
		}
		held, failed = held || result, failed || !result
		j.answers = j.answers[:j.asked]
		for len(j.answers) > 0 && j.answers[len(j.answers)-1] {
			j.answers = j.answers[:len(j.answers)-1]
		}
		if len(j.answers) == 0 {
			return held, failed, nil
		}
		j.answers[len(j.answers)-1] = true
	}
	return true, true, nil
}

// open is the judge's present answer to a comparison that e leaves open.
func (j *judge) open(e stat.Estimate, bound float64) bool {
	n := stat.NeededToDecide(e, bound)
	j.needed = max(j.needed, n)
	j.never = j.never || n == 0
	if j.asked == len(j.answers) {
		j.answers = append(j.answers, false)
	}
	j.asked++
	return j.answers[j.asked-1]
}

func (j *judge) estimate(e stat.Estimate) Estimate {
	return Estimate{Mean: e.Mean, Low: e.Low, High: e.High, stat: e, judge: j}
}

// mean is the mean over replications. Nothing but zeros is not a mean of
// 0 ± 0: its upper bound is 3 over the number of replications.
func (j *judge) mean(list []any) (Estimate, error) {
	xs, err := numbers(list)
	if err != nil {
		return Estimate{}, fmt.Errorf("mean: %w", err)
	}
	return j.estimate(meanOf(xs)), nil
}

// meanOf is the estimate of a mean with the rule for zero events.
func meanOf(xs []float64) stat.Estimate {
	e := average(xs, stat.Confidence)
	if e.N > 1 && e.Mean == 0 && e.SD == 0 {
		zero := stat.RuleOfThree(float64(e.N))
		zero.N = e.N // The exposure is replications: more of them lower the bound.
		return zero
	}
	return e
}

func (j *judge) median(list []any) (Estimate, error) { return j.quantile(list, 0.5) }

// quantile is the p-quantile over replications.
func (j *judge) quantile(list []any, p float64) (Estimate, error) {
	if !(p > 0 && p < 1) {
		return Estimate{}, fmt.Errorf("quantile: %v is not inside (0, 1)", p)
	}
	xs, err := numbers(list)
	if err != nil {
		return Estimate{}, fmt.Errorf("quantile: %w", err)
	}
	return j.estimate(stat.QuantileCI(xs, p, stat.Confidence)), nil
}

// share is the share of replications in which something is true.
func (j *judge) share(list []any) (Estimate, error) {
	k := 0
	for _, v := range list {
		yes, ok := v.(bool)
		if !ok {
			return Estimate{}, fmt.Errorf("share: %v is neither true nor false; write share(map(runs, .metric > 0))", v)
		}
		if yes {
			k++
		}
	}
	return j.estimate(stat.Wilson(k, len(list), stat.Confidence)), nil
}

// compare puts e to the given side of bound: "<", "<=", ">" or ">=".
func (e Estimate) compare(op string, bound float64) bool {
	if math.IsNaN(e.Mean) {
		return false
	}
	switch {
	case op == "<" && e.High < bound, op == "<=" && e.High <= bound, op == ">" && e.Low > bound, op == ">=" && e.Low >= bound:
		return true
	case op == "<" && e.Low >= bound, op == "<=" && e.Low > bound, op == ">" && e.High <= bound, op == ">=" && e.High < bound:
		return false
	}
	return e.judge.open(e.stat, bound)
}

// mirrored is the comparison with its sides exchanged.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// estimateOperators let an estimate stand on either side of a comparison.
func estimateOperators() []expr.Option {
	var options []expr.Option
	for _, op := range []string{"<", "<=", ">", ">="} {
		name := "estimate " + op
		options = append(options, expr.Function(name, func(p ...any) (any, error) {
			if e, ok := p[0].(Estimate); ok {
				bound, err := number(p[1])
				return e.compare(op, bound), err
			}
			bound, err := number(p[0])
			return p[1].(Estimate).compare(mirrored[op], bound), err
		},
			func(Estimate, float64) bool { return false }, func(Estimate, int) bool { return false },
			func(float64, Estimate) bool { return false }, func(int, Estimate) bool { return false },
		), expr.Operator(op, name))
	}
	return options
}
