package metric

import "github.com/tenggat/tenggat/model/history"

// held is for how long each name of each lock has been held in the measured
// window, and the longest of them for each lock.
type held struct {
	names   map[resource]*heldName
	longest []int64 // per lock, ns; known at the end
}

// heldName is one name of a lock.
type heldName struct {
	since int64 // never: free
	total int64
}

// holdsLock takes a grant, or the end of one.
func (m *Meter) holdsLock(f *history.Fact) {
	if f.Place.Noun != history.Lock {
		return
	}
	key := resource{f.Place, f.Key}
	n := m.held.names[key]
	if n == nil {
		n = &heldName{since: never}
		m.held.names[key] = n
	}
	if f.Kind == history.Grant {
		if n.since == never {
			n.since = f.At
		}
		return
	}
	n.end(f.At, m.warm)
}

// end adds the part of a hold that was measured; nothing if the name is free.
func (n *heldName) end(now, warm int64) {
	if n.since != never {
		n.total += max(0, now-max(n.since, warm))
		n.since = never
	}
}

// finish ends all holds with the run.
func (h *held) finish(end, warm int64) {
	for key, n := range h.names { // order-free: a maximum
		n.end(end, warm)
		longest := &h.longest[key.place.Index]
		*longest = max(*longest, n.total)
	}
}

// lockUtilisation is the share of the measured window in which the busiest name
// of a lock was held.
func lockUtilisation(m *Meter, s int32) float64 {
	measured := m.marks.snapshots[len(m.marks.snapshots)-1].at - m.warm
	return over(float64(m.held.longest[s-m.place[history.Lock]]), float64(measured))
}
