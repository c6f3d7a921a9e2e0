package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/stat"
)

// Point is what the replications of one spec gave.
type Point struct {
	Variant    string
	Axes       []scenario.Assignment
	Columns    []metric.Column
	Values     [][]float64 // of column c in replication r: Values[c][r]
	Refused    []string    // quantiles of which a replication has too few samples; their values are NaN
	Verdicts   []Verdict
	Violations []string // of the model's own checks; any is a bug
	Scenario   string   // hash of the resolved scenario
	Trace      string   // hash over the replications' trace hashes
	Result     string   // hash over the replications' result hashes
	Events     uint64
	Thirds     []Thirds // of levels that may grow without end
	Levels     *Levels  // of replication 0; nil if Options did not ask for them
}

// newPoint judges and keeps the numbers of results, which are in slot order.
func newPoint(spec *Spec, results []*model.Result) *Point {
	p := &Point{Variant: spec.Variant, Axes: spec.Axes, Columns: spec.Columns, Scenario: spec.Hash}
	p.Values = make([][]float64, len(spec.Columns))
	metrics := make([]*metric.Result, len(results))
	var traces, hashes []uint64
	for r, result := range results {
		metrics[r] = result.Metrics
		for c := range p.Values {
			p.Values[c] = append(p.Values[c], result.Metrics.Values[c])
		}
		traces, hashes = append(traces, result.Trace), append(hashes, result.Hash)
		p.Events += result.Events
		for _, v := range result.Violations {
			p.Violations = append(p.Violations, replicationName(r)+": "+v.String())
		}
	}
	p.Trace, p.Result = digest(traces), digest(hashes)
	p.Verdicts = spec.Expects.Judge(metrics)
	p.Thirds = spec.thirdsOf(metrics)
	return p
}

// refuse blanks the quantiles of which a replication has too few samples, unless
// there are none at all: a quantile of few values is biased, and more
// replications do not mend that.
func (p *Point) refuse(results []*model.Result) {
	for c, column := range p.Columns {
		dot := strings.LastIndexByte(column.Name, '.')
		if dot < 0 || !slices.Contains(quantiles, column.Name[dot+1:]) {
			continue
		}
		fewest, most := int64(math.MaxInt64), int64(0)
		for _, r := range results {
			if h := r.Metrics.Distribution(column.Name[:dot]); h != nil {
				fewest, most = min(fewest, h.Count()), max(most, h.Count())
			}
		}
		if fewest >= stat.MinSamples || most == 0 {
			continue
		}
		p.Refused = append(p.Refused, column.Name)
		for r := range p.Values[c] {
			p.Values[c][r] = math.NaN()
		}
	}
}

// quantiles are the endings of the columns that are quantiles of a replication.
var quantiles = []string{"p50", "p95", "p99", "p999"}

// digest is 16 hexadecimal digits that stand for hashes in their order.
func digest(hashes []uint64) string {
	var words []byte
	for _, x := range hashes {
		words = binary.BigEndian.AppendUint64(words, x)
	}
	return digestText(words)
}

func digestText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Column is the index of a metric, or -1.
func (p *Point) Column(name string) int {
	for i, c := range p.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// Estimate is the mean of column c over the replications. A count that was
// zero in every replication is estimated by its upper bound.
func (p *Point) Estimate(c int) stat.Estimate {
	if p.Columns[c].Whole || p.Columns[c].Safety {
		return meanOf(p.Values[c])
	}
	return average(p.Values[c], stat.Confidence)
}

// Median is the median of column c over the replications: the estimate to read
// where some are infinite.
func (p *Point) Median(c int) stat.Estimate { return stat.MedianCI(p.Values[c], stat.Confidence) }

// first are the first n replications of a point, or all where it has fewer: their
// numbers, not what was found out over all.
func (p *Point) first(n int) *Point {
	part := &Point{Variant: p.Variant, Axes: p.Axes, Columns: p.Columns, Refused: p.Refused}
	for _, values := range p.Values {
		part.Values = append(part.Values, values[:min(n, len(values))])
	}
	return part
}

// Replications is how many there were.
func (p *Point) Replications() int {
	if len(p.Values) == 0 {
		return 0
	}
	return len(p.Values[0])
}

// NotHeld counts the expectations that did not hold.
func (p *Point) NotHeld() int {
	n := 0
	for _, v := range p.Verdicts {
		if v.Outcome != Held {
			n++
		}
	}
	return n
}
