package lint

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim/dist"
)

const forever = scenario.Forever

// span is how long something lasts.
type span struct {
	mean  float64       // seconds; may be infinite
	high  time.Duration // the greatest, or what by says
	by    string        // "p99" or "mean": some last longer; empty: none does
	most  time.Duration // what none can exceed, calls that fail to the end included; forever: nothing bounds it
	paths []string      // settings that it was made from
}

// distSpan is the span of a distribution.
func distSpan(d *dist.Dist) span {
	mean, most := d.Mean(), d.Max()
	if math.IsNaN(mean) { // a cap on a sum of several random terms
		return span{mean: most, high: seconds(most), most: seconds(most)}
	}
	p99, err := d.Quantile(0.99)
	switch {
	case err != nil: // such a sum without a cap: no more is known
		return span{mean: mean, high: seconds(mean), by: "mean", most: forever}
	case most <= 2*p99:
		return span{mean: mean, high: seconds(most), most: seconds(most)}
	}
	return span{mean: mean, high: seconds(p99), by: "p99", most: seconds(most)}
}

// scriptSpan is the longest of a script; the mean is that of its last value, which repeats.
func scriptSpan(s scenario.Script) (all span) {
	for i := range s {
		x := distSpan(&s[i])
		all = span{mean: x.mean, high: max(all.high, x.high), by: vaguer(all.by, x.by), most: max(all.most, x.most)}
	}
	return all
}

// plus is one after the other.
func (s span) plus(t span) span {
	return span{s.mean + t.mean, sum(s.high, t.high), vaguer(s.by, t.by), sum(s.most, t.most), slices.Concat(s.paths, t.paths)}
}

// vaguer is the one of two that says less.
func vaguer(a, b string) string {
	if a == "mean" || b == "" {
		return a
	}
	return b
}

// text names the span and what stands for it.
func (s span) text() string {
	if s.by != "" {
		return duration(s.high) + " (" + s.by + ")"
	}
	return duration(s.high)
}

// steps is the span of steps without the wait for locks. A call takes its service's own time, or the caller's patience
// if that is less.
func (v *view) steps(steps []placedStep) (all span) {
	for _, s := range steps {
		switch {
		case s.Verb == scenario.Work && s.Forever:
			all = all.plus(span{mean: math.Inf(1), high: forever, most: forever, paths: []string{s.path}})
		case s.Verb == scenario.Work:
			x := scriptSpan(s.Work)
			x.paths = []string{s.path}
			all = all.plus(x)
		case s.Verb == scenario.Repeat:
			x := v.steps(s.inner())
			x.mean *= float64(s.Times)
			if s.Every > 0 { // round k begins k·every after the step did
				x.mean, x.high = s.Every.Seconds()*float64(s.Times), sum(times(s.Every, s.Times), x.high)
			} else {
				x.high = times(x.high, s.Times)
			}
			x.most = sum(times(s.Every, s.Times), times(x.most, s.Times))
			all = all.plus(x)
		case v.calls(s):
			all = all.plus(v.call(s))
		}
	}
	return all
}

func (v *view) call(s placedStep) span {
	to, timeout, retry, _ := v.client(s)
	x := v.served(to)
	if x.high > timeout {
		x = span{mean: min(x.mean, timeout.Seconds()), high: timeout, paths: x.paths}
	}
	if s.Verb == scenario.CallService {
		x.mean *= s.Share
	}
	x.most = worst(timeout, retry)
	return x
}

// served is the span of one call at a service that is not busy. Services that call each other in a circle count once.
func (v *view) served(to *scenario.Service) span {
	if known, ok := v.spans[to]; ok {
		return known
	}
	v.spans[to] = span{}
	x := scriptSpan(to.Time)
	x.paths = []string{"services." + to.Name + ".time"}
	for _, s := range every(placed(to.Steps, "services."+to.Name+".steps")) {
		switch {
		case v.calls(s):
			x = x.plus(v.served(v.service(s.To)))
		case s.Verb == scenario.Work:
			x = x.plus(v.steps([]placedStep{s}))
		}
	}
	if to.Speed > 0 {
		x.mean, x.high = x.mean/to.Speed, seconds(x.high.Seconds()/to.Speed)
	}
	slices.Sort(x.paths)
	x.paths = slices.Compact(x.paths)
	v.spans[to] = x
	return x
}

// run is the span of a job from its start to its end, within its time limit.
func (v *view) run(j *scenario.Job) span {
	return v.within(j, placed(j.Steps, "jobs."+j.Name+".steps"))
}

// beforeAck is the span of a job from its start to its acknowledgement.
func (v *view) beforeAck(d delivery) span {
	if d.queue.Ack != scenario.AckEnd {
		return span{}
	}
	steps := placed(d.job.Steps, "jobs."+d.job.Name+".steps")
	if end := slices.IndexFunc(steps, func(s placedStep) bool { return s.Verb == scenario.AckNow }); end >= 0 {
		steps = steps[:end]
	}
	return v.within(d.job, steps)
}

func (v *view) within(j *scenario.Job, steps []placedStep) span {
	x := v.steps(steps)
	if x.high > j.Limit {
		x.high, x.by = j.Limit, ""
		x.paths = append(x.paths, "jobs."+j.Name+".time_limit")
	}
	x.most = min(x.most, j.Limit)
	return x
}

// worst is the longest that a call can take which fails to the end: every attempt times out, every wait is its longest.
func worst(timeout time.Duration, r *scenario.Retry) time.Duration {
	if r == nil {
		return timeout
	}
	if r.Attempts == 0 && r.Elapsed == 0 {
		return forever
	}
	total := timeout
	for k := 1; k < r.Attempts || r.Attempts == 0; k++ {
		if k == manyTries { // by now the wait stays as it is
			total = sum(total, times(sum(wait(r, k), timeout), max(r.Attempts-k, 0)))
			break
		}
		next := sum(total, wait(r, k))
		if r.Elapsed > 0 && next >= r.Elapsed || next == forever {
			break
		}
		total = sum(next, timeout)
	}
	return total
}

// manyTries is where a sum of attempts is no longer added up one by one.
const manyTries = 1000

// wait is the longest wait before retry k = 1, 2, …
func wait(r *scenario.Retry, k int) time.Duration {
	x := 0.0
	if n := len(r.Delays); n > 0 {
		x = r.Delays[min(k, n)-1].Seconds()
	}
	growth := r.Growth
	if r.Decorrelate { // up to three times the wait before
		growth = 3
	}
	for i := 1; i < k && x < 1e9; i++ {
		x *= growth
	}
	if r.Cap > 0 {
		x = min(x, r.Cap.Seconds())
	}
	return sum(seconds(x*r.High), r.Add)
}

// seconds is a duration from seconds; what does not fit is forever.
func seconds(x float64) time.Duration {
	if !(x < 9e9) { // NaN too
		return forever
	}
	return time.Duration(math.Round(x * 1e9))
}

// sum adds durations; forever stays.
func sum(all ...time.Duration) (total time.Duration) {
	for _, d := range all {
		if d == forever || total > forever-d {
			return forever
		}
		total += d
	}
	return total
}

// times multiplies a duration; forever stays.
func times(d time.Duration, n int) time.Duration { return seconds(d.Seconds() * float64(n)) }

// duration is a duration for a reader and for a file.
func duration(d time.Duration) string {
	if d == forever {
		return "forever"
	}
	if d >= 100*time.Millisecond {
		d = d.Round(time.Millisecond)
	}
	if d < 0 {
		c := dist.Constant(-d)
		return "-" + c.String()
	}
	c := dist.Constant(d)
	return c.String()
}

// number is a number with up to four significant digits.
func number(x float64) string {
	if math.IsInf(x, 1) {
		return "unlimited"
	}
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// grain is the step in which a setting of about this size is written.
func grain(d time.Duration) time.Duration {
	switch {
	case d < time.Second:
		return time.Millisecond
	case d < 10*time.Second:
		return 100 * time.Millisecond
	case d < 10*time.Minute:
		return time.Second
	}
	return time.Minute
}

// above is the least round duration of d or more, below the greatest of d or less.
func above(d time.Duration) time.Duration { return below(d + grain(d) - 1) }
func below(d time.Duration) time.Duration { return d - d%grain(d) }
