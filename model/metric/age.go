package metric

import (
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
)

// age is a sawtooth: how long the message has been in a queue that has been
// there for longest, 0 while there is none. It rises with time and falls when
// that message goes.
type age struct {
	taken int64      // when the message was taken; history.NoMessage if there is none
	since int64      // area and longest are complete up to here
	area  exact.Wide // twice the time integral of the age, ns²
	most  int64      // of the measured window, ns
}

// settle carries the area and the maximum up to now. Over a stretch the age
// rises in a straight line: twice the integral is the stretch times the sum of
// its ages at both ends.
func (a *age) settle(now int64) {
	if a.taken != history.NoMessage && now > a.since {
		a.area = a.area.Plus(exact.Product(uint64(now-a.since), uint64(a.since-a.taken)+uint64(now-a.taken)))
		a.most = max(a.most, now-a.taken)
	}
	a.since = now
}

func newAges(queues int, from int64) []age {
	ages := make([]age, queues+1)
	for i := range ages {
		ages[i] = age{taken: history.NoMessage, since: from}
	}
	return ages
}

// oldest takes a new oldest message of a queue. The first of the ages is that
// of all queues together.
func (m *Meter) oldest(f *history.Fact) {
	q := &m.ages[1+f.Place.Index]
	q.settle(f.At)
	q.taken = f.Value
	m.ages[0].settle(f.At)
	m.ages[0].taken = history.NoMessage
	for i := range m.ages[1:] {
		m.ages[0].taken = min(m.ages[0].taken, m.ages[1+i].taken)
	}
}

// ageOf is the age of a scope: a queue's, or that of all.
func (m *Meter) ageOf(scope int32) int32 {
	if scope == 0 {
		return 0
	}
	return 1 + scope - m.place[history.Queue]
}

func meanAge(v *view, s int32) float64 {
	i := v.m.ageOf(s)
	return over(v.to.ages[i].Minus(v.from.ages[i]).Float()/2/1e9, v.length())
}

func oldestAge(m *Meter, s int32) float64 { return float64(m.ages[m.ageOf(s)].most) / 1e9 }
