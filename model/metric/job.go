package metric

import (
	"math"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
)

func (m *Meter) started(f *history.Fact, labels []int32) {
	if f.Attempt > 1 {
		m.count(duplicateStarts, labels, f.At)
	}
	if f.Attempt == 2 {
		m.count(secondStarts, labels, f.At)
	}
	m.drains.serves(f)
}

// handed counts deliveries by their number: as many jobs had exactly k as
// there were deliveries with number k less those with number k+1.
func (m *Meter) handed(f *history.Fact, labels []int32) {
	if f.At < m.warm || f.Delivery < 1 {
		return
	}
	for _, s := range labels {
		for int(f.Delivery) > len(m.hands[s]) {
			m.hands[s] = append(m.hands[s], 0)
		}
		m.hands[s][f.Delivery-1]++
	}
}

// deadLettered notes the instant of a job's final failure; its end to end time
// is known when it is done, since only then its fact tells its age.
func (m *Meter) deadLettered(f *history.Fact) {
	if _, again := m.dead[f.Job]; !again {
		m.dead[f.Job] = f.At
	}
}

func (m *Meter) done(f *history.Fact, labels []int32) {
	switch f.Attempt {
	case 0:
		m.count(doneUnstarted, labels, f.At)
	case 1:
	default:
		m.count(doneAgain, labels, f.At)
	}
	if f.Delivery == 1 {
		m.count(lostJobs, labels, f.At)
	}
	if m.queueOf[f.Type] < 0 {
		m.add(endToEnd, labels, f.At, f.Value)
	}
	if len(m.dead) > 0 {
		if at, dead := m.dead[f.Job]; dead {
			m.add(endToEnd, labels, at, f.Value-(f.At-at))
			delete(m.dead, f.Job)
		}
	}
	if len(m.callers) > 0 {
		for b := range (len(m.names.Services) + 63) / 64 {
			delete(m.callers, caller{f.Job, int16(b)})
		}
	}
}

// caller is a live job and a block of 64 services.
type caller struct {
	job   int64
	block int16
}

func (m *Meter) called(f *history.Fact, labels []int32) {
	if f.Attempt > 1 {
		m.count(callsAgain, labels, f.At)
	}
	if f.Place.Noun != history.Service {
		return
	}
	if m.probing(f) {
		m.count(probes, labels, f.At)
	}
	if f.Job < 0 {
		return
	}
	key, bit := caller{f.Job, f.Place.Index / 64}, uint64(1)<<(f.Place.Index%64)
	if seen := m.callers[key]; seen&bit == 0 {
		m.callers[key] = seen | bit
		m.count(jobsCalling, labels, f.At)
	}
}

// retries are the sleeps before retries, in the measured window.
type retries struct {
	all sleeps
	kth [maxRetry]sleeps
}

// maxRetry is the last retry with a column of its own.
const maxRetry = 10

// sleeps are times to wait. Two of 200 years are more nanoseconds than 64 bits
// hold.
type sleeps struct {
	n       int64
	sum     exact.Wide // ns
	forever bool       // one of them has no end
}

func (s *sleeps) add(ns int64) {
	s.n++
	s.sum = s.sum.Plus(exact.Wide{Lo: uint64(ns)})
	s.forever = s.forever || ns == math.MaxInt64
}

// over is the sum in s over a number; +Inf when one of them never ends.
func (s *sleeps) over(n int64) float64 {
	if s.forever {
		return math.Inf(1)
	}
	return over(s.sum.Float()/1e9, float64(n))
}

func (m *Meter) retried(f *history.Fact, labels []int32) {
	if f.At < m.warm {
		return
	}
	for _, s := range labels {
		r := &m.retries[s]
		r.all.add(f.Value)
		if k := f.Attempt - 1; k >= 0 && k < maxRetry {
			r.kth[k].add(f.Value)
		}
	}
}
