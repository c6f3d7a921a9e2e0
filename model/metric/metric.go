package metric

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim/stat"
)

// Want says what a replication must keep beyond its metrics.
type Want struct {
	Facts   []history.Kind // kinds whose instants are kept, for At and ByJob
	Windows []Span         // during()
}

// Span asks for one metric on [From, To) instead of the measured window.
type Span struct {
	Metric   string
	From, To time.Duration
}

// Window is the part of a run that is measured: the run covers [From, To) and
// counts leave out [From, Warm), except safety counts.
type Window struct{ From, Warm, To time.Duration }

// Column is one number of a Result.
type Column struct {
	Name   string // dotted: "duplicate_rate", "wait_s.p99", "jobs.pay.starts"
	Unit   string
	Help   string
	Safety bool // a count of harm, over the whole run
	Whole  bool // an integer
}

// Result is what one replication gave.
type Result struct {
	Columns []Column  // shared by all replications
	Values  []float64 // parallel to Columns; NaN: undefined, +Inf: never
	Windows []float64 // parallel to Want.Windows
}

// Value is the metric with this name.
func (r *Result) Value(name string) (v float64, ok bool) {
	for i, c := range r.Columns {
		if c.Name == name {
			return r.Values[i], true
		}
	}
	return 0, false
}

// Distribution is the histogram behind a distribution, nil if there is none.
func (r *Result) Distribution(name string) *stat.Histogram { return nil }

// At gives the instants in ns, ascending, of facts that carry all labels.
func (r *Result) At(kind history.Kind, labels ...string) []int64 { return nil }

// ByJob gives the instants in ns of facts of a kind in the order of their jobs.
func (r *Result) ByJob(kind history.Kind) []int64 { return nil }

// Hash covers the integers behind the values.
func (r *Result) Hash() uint64 { return 0 }

// Meter turns the facts of a run into a Result.
type Meter struct{}

// New returns a meter for one run.
func New(names history.Names, w Window, want Want) *Meter { return &Meter{} }

// Observe takes one fact.
func (m *Meter) Observe(f *history.Fact) {}

// Columns are those of the Result.
func (m *Meter) Columns() []Column { return nil }

// Result is what the run gave that ended at end, in ns.
func (m *Meter) Result(end int64) *Result { return &Result{} }

// Entry is one metric of the catalogue.
type Entry struct {
	Name       string
	Unit       string
	Meaning    string
	Indonesian string
}

// Catalogue lists every metric.
func Catalogue() []Entry { return nil }
