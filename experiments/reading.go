package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// Reading is a number, or a list of numbers, to take from every replication of
// a variant: an expression in the language of expectations, without runs. True
// counts as 1, false as 0.
type Reading struct{ Variant, Text string }

// Read runs the variants of file that the readings name, with sets on top.
// What reading i gave in replication r is values[i][r]; the points are those
// of the variants, in the order in which the readings name them.
func Read(ctx context.Context, file *scenario.File, sets []scenario.Assignment, readings []Reading, o Options) (values [][][]float64, points []*Point, err error) {
	s := &Study{File: file}
	readers := map[*scenario.Scenario][]*reader{}
	for i, r := range readings {
		spec, err := s.reads(r, sets)
		if err != nil {
			return nil, nil, err
		}
		program, err := spec.Expects.reading(r.Text)
		if err != nil {
			return nil, nil, err
		}
		one := &reader{text: r.Text, program: program, language: spec.Expects.language}
		readers[spec.Scenario] = append(readers[spec.Scenario], one)
		values = append(values, make([][]float64, spec.Scenario.Run.Replications))
		one.values = values[i]
	}
	for _, spec := range s.Specs {
		spec.Columns = model.Columns(spec.Scenario, spec.Expects.Want)
	}
	s.run = func(sc *scenario.Scenario, options model.Options) (*model.Result, error) {
		result, err := model.Run(sc, options)
		if err != nil {
			return nil, err
		}
		for _, one := range readers[sc] {
			if err := one.take(result.Metrics, options); err != nil {
				return nil, err
			}
		}
		// The facts and histograms have been read; a study of many
		// replications could not hold them all.
		result.Metrics = &metric.Result{Columns: result.Metrics.Columns, Values: result.Metrics.Values}
		return result, nil
	}
	points, err = s.Run(ctx, o)
	return values, points, err
}

// reads is the spec of a reading's variant, made when it is first named.
func (s *Study) reads(r Reading, sets []scenario.Assignment) (*Spec, error) {
	i := slices.IndexFunc(s.Specs, func(spec *Spec) bool { return spec.Variant == r.Variant })
	if i >= 0 {
		return s.Specs[i], nil
	}
	if err := s.add(r.Variant, nil, sets, nil); err != nil {
		return nil, err
	}
	return s.Specs[len(s.Specs)-1], nil
}

// reading compiles a reading and notes what the run must keep for it.
func (e *Expectations) reading(text string) (*vm.Program, error) {
	c := newCompilation(e)
	program, _, err := c.program(text)
	if err == nil && c.overall {
		return nil, fmt.Errorf("a reading is of one replication: leave out runs (in `%s`)", text)
	}
	return program, err
}

// reader is a compiled reading with a slot for every replication.
type reader struct {
	text     string
	program  *vm.Program
	language *language
	values   [][]float64
}

// take reads one replication into its slot.
func (r *reader) take(result *metric.Result, o model.Options) error {
	one := r.language.replication(result.Values, result, windowValues{o.Want.Windows, result.Windows})
	value, err := expr.Run(r.program, r.language.scope(one, nil, &judge{}))
	if err != nil {
		return fmt.Errorf("reading `%s`: %w", r.text, err)
	}
	if r.values[o.Replication], err = flat(value); err != nil {
		return fmt.Errorf("reading `%s`: %w", r.text, err)
	}
	return nil
}

// flat is the value of a reading as a list.
func flat(value any) ([]float64, error) {
	switch value := value.(type) {
	case bool:
		if value {
			return []float64{1}, nil
		}
		return []float64{0}, nil
	case Instants:
		return value, nil
	case []any:
		var list []float64
		for _, element := range value {
			x, err := flat(element)
			if err != nil {
				return nil, err
			}
			list = append(list, x...)
		}
		return list, nil
	}
	x, err := number(value)
	return []float64{x}, err
}
