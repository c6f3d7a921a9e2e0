package sim

// entry is an event in the queue. Entries are ordered by (at, key).
type entry struct {
	at  Time
	key uint64 // rank, sequence and timerBit, see eventKey
	ev  Event  // of a timer's entry only To is set, to the Timer
}

const (
	rankShift = 56
	timerBit  = 1 // the entry is a timer's; no part of the order, since sequence numbers differ
)

// eventKey orders the events of one instant: by rank, then by sequence.
func eventKey(r Rank, seq uint64) uint64 { return uint64(r)<<rankShift | seq<<1 }

func (e *entry) before(f *entry) bool {
	return e.at < f.at || e.at == f.at && e.key < f.key
}

// queue is a binary heap of values, the least on top.
type queue struct {
	heap []entry
}

func (q *queue) len() int { return len(q.heap) }

func (q *queue) push(e entry) {
	q.heap = append(q.heap, e)
	q.up(len(q.heap)-1, e)
}

// popBefore takes out the first entry if its time is before until.
func (q *queue) popBefore(until Time) (entry, bool) {
	if len(q.heap) == 0 || q.heap[0].at >= until {
		return entry{}, false
	}
	top := q.heap[0]
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.down(0, last)
	}
	return top, true
}

// filter keeps the entries for which keep reports true.
func (q *queue) filter(keep func(*entry) bool) {
	kept := q.heap[:0]
	for i := range q.heap {
		if keep(&q.heap[i]) {
			kept = append(kept, q.heap[i])
		}
	}
	q.heap = kept
	for i := len(kept)/2 - 1; i >= 0; i-- {
		q.down(i, kept[i])
	}
}

// up moves e from the hole at i towards the root.
func (q *queue) up(i int, e entry) {
	h := q.heap
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// down moves e from the hole at i towards the leaves.
func (q *queue) down(i int, e entry) {
	h := q.heap
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) && h[right].before(&h[child]) {
			child = right
		}
		if !h[child].before(&e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
}
