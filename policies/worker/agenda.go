package worker

import "github.com/tenggat/tenggat/policies"

// agenda is a min-heap of (instant, id) in which an id has at most one place,
// so that the next deadline of any number of leases and jobs is at the top.
// At one instant the lower id comes first.
type agenda struct {
	heap  []due
	place []int32 // by id: 1 + index into heap; 0: absent
}

type due struct {
	at policies.Instant
	id int32
}

func (d due) before(e due) bool { return d.at < e.at || d.at == e.at && d.id < e.id }

// first is the earliest entry, or Never.
func (a *agenda) first() due {
	if len(a.heap) == 0 {
		return due{at: policies.Never}
	}
	return a.heap[0]
}

// set moves id to an instant; Never takes it off.
func (a *agenda) set(id int32, at policies.Instant) {
	for int(id) >= len(a.place) {
		a.place = append(a.place, 0)
	}
	i := int(a.place[id]) - 1
	switch {
	case i < 0 && at == policies.Never:
		return
	case i < 0:
		i = len(a.heap)
		a.heap = append(a.heap, due{at, id})
	case at == policies.Never:
		last := len(a.heap) - 1
		moved := a.heap[last]
		a.heap = a.heap[:last]
		a.place[id] = 0
		if i == last {
			return
		}
		a.heap[i] = moved
	default:
		a.heap[i].at = at
	}
	a.down(a.up(i))
}

func (a *agenda) clear() {
	for _, d := range a.heap {
		a.place[d.id] = 0
	}
	a.heap = a.heap[:0]
}

// up moves the entry at i towards the top and returns its index.
func (a *agenda) up(i int) int {
	d := a.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !d.before(a.heap[parent]) {
			break
		}
		a.put(i, a.heap[parent])
		i = parent
	}
	a.put(i, d)
	return i
}

func (a *agenda) down(i int) {
	d := a.heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(a.heap) && a.heap[child+1].before(a.heap[child]) {
			child++
		}
		if child >= len(a.heap) || !a.heap[child].before(d) {
			break
		}
		a.put(i, a.heap[child])
		i = child
	}
	a.put(i, d)
}

func (a *agenda) put(i int, d due) {
	a.heap[i] = d
	a.place[d.id] = int32(i + 1)
}
