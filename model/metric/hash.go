package metric

import "github.com/tenggat/tenggat/internal/exact"

// digest is an order-sensitive hash over 64-bit words: FNV-1a with a word in
// the place of an octet, and a rotation since a product alone carries nothing
// downwards.
type digest uint64

func (d *digest) add(words ...int64) {
	for _, w := range words {
		x := (uint64(*d) ^ uint64(w)) * 1099511628211
		*d = digest(x<<29 | x>>35)
	}
}

// The families of what is counted, for hash.
const (
	hashCounters int64 = iota << 32
	hashDists
	hashGauges
)

// hash covers all that the meter has counted up to end. Where nothing was
// counted it says nothing, so that a metric more costs no other run its hash;
// counters, distributions and gauges that come later are added behind. What came
// later and says something of runs whose hashes were known before is left out: how
// soon a loss is noticed, the age of the oldest message, and capacity.
func (m *Meter) hash(end int64) uint64 {
	d := digest(14695981039346656037)
	for c := range m.counters {
		for i := range m.counters[c] {
			k := &m.counters[c][i]
			if k.N == 0 {
				continue
			}
			d.add(hashCounters+int64(c), int64(i), k.N, k.InWindow, k.First, k.Last, k.MaxPerSec)
		}
	}
	for k := range m.dists {
		for i, h := range m.dists[k] {
			if h != nil && h.Count() > 0 && dist(k) != revokeNotice {
				d.add(hashDists+int64(k), int64(i), h.Count(), h.Min(), h.Max(), int64(h.sum))
			}
		}
	}
	for g := range capacity {
		for i := range m.gauges[g] {
			l := &m.gauges[g][i]
			a := l.total(end)
			if a != (exact.Wide{}) || l.Max() != 0 {
				d.add(hashGauges+int64(g), int64(i), int64(a.Hi), int64(a.Lo), l.Max())
			}
		}
	}
	for i := range m.retries {
		r := &m.retries[i]
		d.add(r.all.n, int64(r.all.sum.Lo))
		for k := range r.kth {
			d.add(r.kth[k].n, int64(r.kth[k].sum.Lo))
		}
	}
	for s, hands := range m.hands {
		d.add(hands...)
		d.add(m.holders.most[s], m.longest[heartbeatGap][s], m.longest[progressGap][s])
	}
	for i := range m.drains.events {
		e := &m.drains.events[i]
		d.add(e.waiting, int64(e.waitingSum.Lo), e.drained, int64(e.sum.Lo), e.longest, e.relapses)
	}
	return uint64(d)
}
