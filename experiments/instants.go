package experiments

import (
	"fmt"
	"math"
	"slices"

	"github.com/expr-lang/expr"
)

// Instants are points of virtual time or distances between them, in seconds,
// as expectations see them. Lists are compared to the nanosecond.
type Instants []float64

// newInstants turns nanoseconds into seconds. The division is correctly
// rounded, so that 26_500_000_000 ns is the number that a reader writes 26.5.
func newInstants(ns []int64) Instants {
	seconds := make(Instants, len(ns))
	for i, t := range ns {
		seconds[i] = float64(t) / 1e9
	}
	return seconds
}

// nanoseconds is the nearest instant; it undoes newInstants for runs of up to
// 26 days, beyond which neighbouring nanoseconds share a number of seconds.
func nanoseconds(seconds float64) int64 {
	return int64(math.Round(min(max(seconds, -9e9), 9e9) * 1e9))
}

// gaps are the distances between neighbours.
func (t Instants) gaps() Instants {
	var gaps Instants
	for i := 1; i < len(t); i++ {
		gaps = append(gaps, float64(nanoseconds(t[i])-nanoseconds(t[i-1]))/1e9)
	}
	return gaps
}

// busiest is the most instants in one window [k·width, (k+1)·width).
func busiest(ns []int64, width int64) int {
	if width <= 0 {
		return 0
	}
	most, inWindow, window := 0, 0, int64(math.MinInt64)
	for _, t := range ns {
		k := t / width
		if t < 0 && t%width != 0 {
			k-- // Windows before zero are aligned as those after it.
		}
		if k != window {
			window, inWindow = k, 0
		}
		inWindow++
		most = max(most, inWindow)
	}
	return most
}

// The names of the functions behind `==` and `!=` on lists of instants. They
// cannot be written in an expression.
const (
	sameList  = "list == list"
	otherList = "list != list"
)

// listFunctions are inside, between, near, and equality of lists of instants.
// Bounds are included, and next to instants they are taken to the nanosecond.
// Of several signatures the last one is named in a type error.
func listFunctions() []expr.Option {
	return []expr.Option{
		expr.Function("inside", func(p ...any) (any, error) {
			bounds, err := numbers(p[1:])
			if err != nil {
				return nil, err
			}
			n := 0
			for _, t := range p[0].(Instants) {
				if within(t, bounds) {
					n++
				}
			}
			return n, nil
		}, func(Instants, float64, float64) int { return 0 }),

		expr.Function("between", func(p ...any) (any, error) {
			bounds, err := numbers(p[1:])
			if err != nil {
				return nil, err
			}
			if list, ok := p[0].(Instants); ok {
				return !slices.ContainsFunc(list, func(t float64) bool { return !within(t, bounds) }), nil
			}
			x, err := number(p[0])
			return bounds[0] <= x && x <= bounds[1], err
		}, func(Instants, float64, float64) bool { return false }, func(float64, float64, float64) bool { return false }),

		expr.Function("near", func(p ...any) (any, error) {
			rule, err := numbers(p[1:])
			if err != nil {
				return nil, err
			}
			near := func(x float64) bool { return math.Abs(x-rule[0]) <= rule[1]*math.Abs(rule[0]) }
			if list, ok := p[0].(Instants); ok {
				return !slices.ContainsFunc(list, func(t float64) bool { return !near(t) }), nil
			}
			x, err := number(p[0])
			return near(x), err
		}, func(Estimate, float64, float64) bool { return false }, func(Instants, float64, float64) bool { return false },
			func(float64, float64, float64) bool { return false }),

		expr.Function(sameList, func(p ...any) (any, error) { return same(p[0], p[1]) }, equalities...),
		expr.Function(otherList, func(p ...any) (any, error) {
			equal, err := same(p[0], p[1])
			return !equal, err
		}, equalities...),
		expr.Operator("==", sameList),
		expr.Operator("!=", otherList),
	}
}

var equalities = []any{
	func(Instants, Instants) bool { return false },
	func(Instants, []any) bool { return false },
	func([]any, Instants) bool { return false },
}

// within says that t lies in [bounds[0], bounds[1]], to the nanosecond.
func within(t float64, bounds []float64) bool {
	ns := nanoseconds(t)
	return nanoseconds(bounds[0]) <= ns && ns <= nanoseconds(bounds[1])
}

// same compares two lists of instants to the nanosecond.
func same(a, b any) (bool, error) {
	x, err := instants(a)
	if err != nil {
		return false, err
	}
	y, err := instants(b)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(x, y, func(s, t float64) bool { return nanoseconds(s) == nanoseconds(t) }), nil
}

// instants is a list as written in an expression; the compiler may have folded
// it into a slice of its own kind.
func instants(list any) (Instants, error) {
	switch list := list.(type) {
	case Instants:
		return list, nil
	case []any:
		return numbers(list)
	case []int:
		t := make(Instants, len(list))
		for i, n := range list {
			t[i] = float64(n)
		}
		return t, nil
	case []float64:
		return list, nil
	}
	return nil, fmt.Errorf("%v is not a list of instants", list)
}

func numbers(values []any) ([]float64, error) {
	xs := make([]float64, len(values))
	for i, v := range values {
		x, err := number(v)
		if err != nil {
			return nil, err
		}
		xs[i] = x
	}
	return xs, nil
}

// number is a value of an expression as a float64.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case Estimate:
		return v.Mean, nil
	}
	return 0, fmt.Errorf("%v is not a number", v)
}
