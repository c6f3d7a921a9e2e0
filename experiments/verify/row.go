package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/sim/stat"
)

// Row is the verdict on one number.
type Row struct {
	ID, Quantity string
	Theory       float64
	Simulated    stat.Estimate // NaN: the quantity is a formula only
	Tolerance    float64       // absolute; of this run
	Wider        float64       // factor on the tolerance of the full run
	Bound        bool          // no sample may exceed Theory
	Verdict      Verdict
}

// Verdict is what became of a comparison.
type Verdict string

// The verdicts. Only Missed is a failure.
const (
	Held    Verdict = "held"
	Missed  Verdict = "MISSED"
	Formula Verdict = "formula" // nothing to simulate
)

// rounding is the share by which floats may differ where a quantity is exact.
const rounding = 1e-9

// judge compares the readings of all replications with the theory, number by
// number.
func (q *Quantity) judge(want []float64, samples [][]float64, wider float64) ([]Row, error) {
	rows := make([]Row, len(want))
	for k := range want {
		row := &rows[k]
		*row = Row{Quantity: q.Name, Theory: want[k], Bound: q.Bound, Wider: wider, Verdict: Formula, Simulated: stat.Estimate{Mean: math.NaN()}}
		if len(want) > 1 {
			row.Quantity = fmt.Sprintf("%s[%d]", q.Name, k+1)
		}
		if q.Simulated == "" {
			continue
		}
		var xs []float64
		for r, sample := range samples {
			if len(sample) != len(want) {
				return nil, fmt.Errorf("%s: replication %d gives %d numbers, theory %d", q.Name, r, len(sample), len(want))
			}
			xs = append(xs, sample[k])
		}
		row.Simulated = q.taken(xs)
		row.Tolerance = wider*max(q.Rel*math.Abs(want[k]), q.Abs) + rounding*math.Abs(want[k])
		row.Verdict = Missed
		// A number that does not exist is never near.
		if off := row.Simulated.Mean - want[k]; off <= row.Tolerance && (q.Bound || off >= -row.Tolerance) {
			row.Verdict = Held
		}
	}
	return rows, nil
}

// taken is what is compared of the readings of one number.
func (q *Quantity) taken(xs []float64) stat.Estimate {
	xs = slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
	switch e := stat.MeanT(xs, stat.Confidence); {
	case len(xs) == 0:
		return e
	case q.Take == "sd":
		// The standard error of a standard deviation is about sd/√(2n).
		half := e.SD / math.Sqrt(2*float64(len(xs))) * 1.96
		return stat.Estimate{N: e.N, Mean: e.SD, Low: e.SD - half, High: e.SD + half}
	case q.Take == "p99":
		return stat.QuantileCI(xs, 0.99, stat.Confidence)
	case q.Take == "max" || q.Bound:
		most := slices.Max(xs)
		return stat.Estimate{N: e.N, Mean: most, Low: most, High: most}
	default:
		return e
	}
}

// Table is the rows as a table, and how many numbers were missed.
func Table(rows []Row) (report.Table, int) {
	t := report.Table{Head: []string{"id", "quantity", "theory", "simulated", "tolerance", "verdict"}}
	held, missed := 0, 0
	widest := 1.0
	for _, r := range rows {
		tolerance := report.Text("%s", "± "+report.Number(r.Tolerance).String())
		switch {
		case r.Verdict == Formula:
			tolerance = report.Text("–")
		case r.Bound:
			tolerance = report.Text("at most")
		case r.Tolerance <= 2*rounding*math.Abs(r.Theory):
			tolerance = report.Text("equal")
		}
		switch r.Verdict {
		case Held:
			held++
		case Missed:
			missed++
		}
		widest = max(widest, r.Wider)
		t.Add(report.Text("%s", r.ID), report.Text("%s", r.Quantity), report.Number(r.Theory),
			report.Interval(r.Simulated.Mean, r.Simulated.Low, r.Simulated.High), tolerance, report.Text("%s", string(r.Verdict)))
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d of %d numbers held.", held, held+missed))
	if widest > 1 {
		t.Notes = append(t.Notes, fmt.Sprintf("Quick: runs are up to %.3g times shorter, and their tolerances up to %.3g times wider.", widest*widest, widest))
	}
	return t, missed
}
