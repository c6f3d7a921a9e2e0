package sim

import (
	"container/heap"
	"math/bits"
)

// The queues that were not chosen. They stay to check the one that was, and to
// be measured beside it.

// peer is a queue of entries.
type peer interface {
	push(entry)
	popBefore(Time) (entry, bool)
	len() int
}

func (e *entry) before(f *entry) bool {
	return e.at < f.at || e.at == f.at && e.key < f.key
}

// radix64Peer is the queue that was chosen.
type radix64Peer struct{ queue }

func (q *radix64Peer) push(e entry) { *q.queue.push(e.at, e.key) = e }

func (q *radix64Peer) popBefore(until Time) (entry, bool) {
	if e := q.queue.popBefore(until); e != nil {
		return *e, true
	}
	return entry{}, false
}

// heapPeer is a binary heap of values.
type heapPeer struct{ heap []entry }

func (q *heapPeer) len() int { return len(q.heap) }

func (q *heapPeer) push(e entry) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
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

func (q *heapPeer) popBefore(until Time) (entry, bool) {
	if len(q.heap) == 0 || q.heap[0].at >= until {
		return entry{}, false
	}
	h := q.heap
	n := len(h) - 1
	top, last := h[0], h[n]
	q.heap = h[:n]
	i := 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && h[right].before(&h[child]) {
			child = right
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top, true
}

func (q *heapPeer) filter(keep func(*entry) bool) {
	old := q.heap
	q.heap = q.heap[:0]
	for i := range old {
		if keep(&old[i]) {
			q.push(old[i])
		}
	}
}

// quadPeer is a 4-ary heap of values.
type quadPeer struct{ heap []entry }

func (q *quadPeer) len() int { return len(q.heap) }

func (q *quadPeer) push(e entry) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (q *quadPeer) popBefore(until Time) (entry, bool) {
	if len(q.heap) == 0 || q.heap[0].at >= until {
		return entry{}, false
	}
	h := q.heap
	n := len(h) - 1
	top, last := h[0], h[n]
	q.heap = h[:n]
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		for other := child + 1; other < min(4*i+5, n); other++ {
			if h[other].before(&h[child]) {
				child = other
			}
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top, true
}

// binaryRadixPeer is the textbook radix heap: one bucket per bit, slices.
type binaryRadixPeer struct {
	base    uint64
	live    uint64 // bit b is set while bucket b+1 has entries
	buckets [65][]entry
	front   heapPeer
	n       int
}

func (q *binaryRadixPeer) len() int { return q.n }

func (q *binaryRadixPeer) push(e entry) {
	q.n++
	q.place(&e)
}

func (q *binaryRadixPeer) place(e *entry) {
	b := bits.Len64(ticks(e.at) ^ q.base)
	if b == 0 {
		q.front.push(*e)
		return
	}
	q.buckets[b] = append(q.buckets[b], *e)
	q.live |= 1 << (b - 1)
}

func (q *binaryRadixPeer) popBefore(until Time) (entry, bool) {
	if q.front.len() == 0 {
		if q.live == 0 {
			return entry{}, false
		}
		b := bits.TrailingZeros64(q.live) + 1
		list := q.buckets[b]
		first := ticks(list[0].at)
		for i := range list {
			first = min(first, ticks(list[i].at))
		}
		if first >= ticks(until) {
			return entry{}, false
		}
		q.base = first
		q.live &^= 1 << (b - 1)
		q.buckets[b] = list[:0]
		for i := range list {
			q.place(&list[i])
		}
	}
	e, ok := q.front.popBefore(until)
	if ok {
		q.n--
	}
	return e, ok
}

// boxedPeer is what the standard library offers: container/heap on pointers.
type boxedPeer struct{ heap boxedHeap }

type boxedHeap []*entry

func (h boxedHeap) Len() int           { return len(h) }
func (h boxedHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h boxedHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *boxedHeap) Push(x any)        { *h = append(*h, x.(*entry)) }
func (h *boxedHeap) Pop() any {
	old := *h
	n := len(old) - 1
	e := old[n]
	*h = old[:n]
	return e
}

func (q *boxedPeer) len() int     { return len(q.heap) }
func (q *boxedPeer) push(e entry) { heap.Push(&q.heap, &e) }
func (q *boxedPeer) popBefore(until Time) (entry, bool) {
	if len(q.heap) == 0 || q.heap[0].at >= until {
		return entry{}, false
	}
	return *heap.Pop(&q.heap).(*entry), true
}
