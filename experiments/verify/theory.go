package verify

import (
	"fmt"
	"reflect"

	"github.com/expr-lang/expr"
)

// theory is the value of a quantity by its closed form.
func (o *Oracle) theory(q *Quantity) ([]float64, error) {
	program, err := expr.Compile(q.Theory, expr.Env(o.model))
	if err != nil {
		return nil, fmt.Errorf("%s: %s: theory: %w", o.ID, q.Name, err)
	}
	value, err := expr.Run(program, o.model)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: theory: %w", o.ID, q.Name, err)
	}
	numbers, ok := flat(reflect.ValueOf(value))
	if !ok {
		return nil, fmt.Errorf("%s: %s: theory gives %v, which is no number", o.ID, q.Name, value)
	}
	return numbers, nil
}

// flat is a number, a truth (1 or 0) or a list of them as a list of numbers.
func flat(v reflect.Value) (numbers []float64, ok bool) {
	switch v.Kind() {
	case reflect.Interface:
		return flat(v.Elem())
	case reflect.Float64:
		return []float64{v.Float()}, true
	case reflect.Int:
		return []float64{float64(v.Int())}, true
	case reflect.Bool:
		if v.Bool() {
			return []float64{1}, true
		}
		return []float64{0}, true
	case reflect.Slice:
		for i := range v.Len() {
			element, ok := flat(v.Index(i))
			if !ok {
				return nil, false
			}
			numbers = append(numbers, element...)
		}
		return numbers, true
	}
	return nil, false
}
