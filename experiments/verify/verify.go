package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/scenario"
)

// quickly is how much shorter a quick run is.
const quickly = 10

// Options say how the oracles are run.
type Options struct {
	Quick    bool
	Seed     uint64
	Workers  int                   // replications at once; 0: one per processor
	Progress func(done, total int) // told after every oracle; may be nil
}

// Run compares the oracles with the simulator and gives a row for every
// number, in their order. It ends early when the context does.
func Run(ctx context.Context, oracles []*Oracle, o Options) ([]Row, error) {
	var rows []Row
	for i, oracle := range oracles {
		own, err := oracle.run(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", oracle.ID, err)
		}
		rows = append(rows, own...)
		if o.Progress != nil {
			o.Progress(i+1, len(oracles))
		}
	}
	return rows, nil
}

// run is the rows of one oracle.
func (o *Oracle) run(ctx context.Context, options Options) ([]Row, error) {
	read := o.call
	if o.Scenario != "" {
		read = o.simulate
	}
	samples, wider, err := read(ctx, options)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i := range o.Quantities {
		q := &o.Quantities[i]
		want, err := o.theory(q)
		if err != nil {
			return nil, err
		}
		own, err := q.judge(want, samples[i], wider[i])
		if err != nil {
			return nil, err
		}
		for k := range own {
			own[k].ID = o.ID
		}
		rows = append(rows, own...)
	}
	return rows, nil
}

// simulate reads the quantities of a scenario: samples[i][r] is quantity i in
// replication r, and wider[i] is by how much its tolerance grows in this run.
func (o *Oracle) simulate(ctx context.Context, options Options) (samples [][][]float64, wider []float64, err error) {
	file, err := scenario.Parse(o.ID, []byte(o.Scenario))
	if err != nil {
		return nil, nil, err
	}
	samples, wider = make([][][]float64, len(o.Quantities)), make([]float64, len(o.Quantities))
	for _, variant := range file.Variants {
		sets := []scenario.Assignment{{Path: "seed", Value: fmt.Sprint(options.Seed)}}
		factor := 1.0
		if options.Quick {
			set, n, err := shorter(file, variant)
			if err != nil {
				return nil, nil, err
			}
			sets, factor = append(sets, set), math.Sqrt(n)
		}
		var readings []experiments.Reading
		var of []int
		for i, q := range o.Quantities {
			if q.Variant == variant && q.Simulated != "" {
				readings = append(readings, experiments.Reading{Variant: variant, Text: q.Simulated})
				of = append(of, i)
			}
		}
		values, points, err := experiments.Read(ctx, file, sets, readings, experiments.Options{Workers: options.Workers})
		if err != nil {
			return nil, nil, err
		}
		for _, point := range points {
			if len(point.Violations) > 0 {
				return nil, nil, fmt.Errorf("%s: the model broke a promise of its own: %s", variant, point.Violations[0])
			}
		}
		for k, i := range of {
			samples[i], wider[i] = values[k], factor
		}
	}
	return samples, wider, nil
}

// shorter is the setting that makes a variant's run quick, and by what factor:
// a run with a warm-up is in its steady state, and its measured time is cut;
// any other has fewer replications.
func shorter(file *scenario.File, variant string) (set scenario.Assignment, factor float64, err error) {
	sc, err := file.Resolve(variant)
	if err != nil {
		return set, 0, err
	}
	run := sc.Run
	if run.Warmup > 0 {
		cut := run.Warmup + (run.Duration-run.Warmup)/quickly
		return scenario.Assignment{Path: "run.duration", Value: cut.Round(time.Second).String()}, quickly, nil
	}
	n := max(1, run.Replications/quickly)
	return scenario.Assignment{Path: "run.replications", Value: fmt.Sprint(n)}, float64(run.Replications) / float64(n), nil
}

// call reads the quantities of a policy call, as simulate does.
func (o *Oracle) call(_ context.Context, options Options) (samples [][][]float64, wider []float64, err error) {
	replicate, ok := calls[o.Policy]
	if !ok {
		return nil, nil, errors.New("neither a scenario nor a known policy call")
	}
	replications := max(1, o.Replications)
	n := replications
	if options.Quick {
		n = max(1, replications/quickly)
	}
	samples, wider = make([][][]float64, len(o.Quantities)), make([]float64, len(o.Quantities))
	for r := range uint64(n) {
		results := replicate(exact.NewChance(options.Seed, r))
		for i, q := range o.Quantities {
			samples[i] = append(samples[i], results[q.Simulated])
			wider[i] = math.Sqrt(float64(replications) / float64(n))
		}
	}
	return samples, wider, nil
}
