package sim

import "math/bits"

// queue is a monotone radix heap on integer time (Ahuja, Mehlhorn, Orlin and
// Tarjan, "Faster algorithms for the shortest path problem", J. ACM 37(2), 1990),
// in its form with digits, here of six bits, and with buckets made of chunks.
//
// It relies on time not running backwards. An instant is read as a number of
// 64-ary digits, and an entry lies in the bucket named by the highest digit in
// which its time differs from the base, and by that digit's value. The lowest
// non-empty bucket of the lowest non-empty level therefore holds the earliest
// entries. When it comes up, the base moves to its earliest time, and its
// entries to lower levels: an entry moves at most once per level in its life,
// most of them once or twice, and that keeps the cost of an event flat while
// the queue grows.
//
// What is due at the base itself waits in front, a small heap by key: only
// there does the order within an instant matter.
//
// The base never passes the horizon of a pop that found nothing, so that whoever
// stopped at that horizon can still schedule at it. The measurements behind the
// choice are in docs/event-queue.md.
type queue struct {
	base  uint64  // no entry is, or will be, before it
	front []entry // the entries at base: a binary heap, least key on top

	liveLevels uint64                 // bit l is set while level l has entries
	liveDigits [levels]uint64         // bit d of word l: while bucket d of level l has entries
	buckets    [levels][fanout]*chunk // the newest chunk first; all behind it are full

	spare *chunk // emptied chunks, kept for the run's life
	n     int

	// settle, if set, is shown entries that are about to move. It may drop some
	// and put others off to a later place, and returns those that are left.
	settle func([]entry) []entry
}

const (
	digitBits = 6
	fanout    = 1 << digitBits // buckets of a level: one bit each in a word
	levels    = (64 + digitBits - 1) / digitBits
	chunkLen  = 32
	slabLen   = 16 // chunks allocated together
)

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

// chunk is a piece of a bucket, in no order.
type chunk struct {
	next    *chunk
	n       int
	entries [chunkLen]entry
}

// ticks maps times to unsigned numbers in the same order.
func ticks(t Time) uint64 { return uint64(t) ^ 1<<63 }

func (q *queue) len() int { return q.n }

// push makes room for an entry at the given time, which is not before that of
// the last entry popped, nor before the horizon of a pop that found nothing. The
// caller fills it in at once: an entry that is built where it stays saves a copy.
func (q *queue) push(at Time, key uint64) *entry {
	q.n++
	return q.place(at, key)
}

// popBefore takes out the first entry if its time is before until, and returns
// nil otherwise. The entry is good until the next push: like push, this saves a
// copy.
func (q *queue) popBefore(until Time) *entry {
	limit := ticks(until)
	for len(q.front) == 0 {
		if q.liveLevels == 0 {
			return nil
		}
		level := bits.TrailingZeros64(q.liveLevels)
		digit := bits.TrailingZeros64(q.liveDigits[level])
		c := q.buckets[level][digit]
		if c.n > 1 || c.next != nil {
			if !q.spread(level, digit, limit) {
				return nil
			}
			continue
		}
		// An entry alone in its bucket is the first of all, and need not move.
		// This is the usual case.
		e := &c.entries[0]
		if ticks(e.at) >= limit {
			return nil
		}
		q.n--
		q.base = ticks(e.at)
		q.take(level, digit)
		q.recycle(c)
		return e
	}
	if q.base >= limit {
		return nil
	}
	q.n--
	return q.popFront()
}

// spread moves the base to the earliest time of the first bucket, or to the
// limit if that comes before it, and the bucket's entries to where they belong
// then. It reports false, and does nothing, when the whole bucket is not before
// the limit: stopping often therefore costs no more than stopping once.
func (q *queue) spread(level, digit int, limit uint64) bool {
	shift := level * digitBits
	lowerEnd := (q.base>>shift&^(fanout-1) | uint64(digit)) << shift
	if lowerEnd >= limit {
		return false
	}
	list := q.take(level, digit)
	q.base = min(list.earliest(), limit)
	q.move(list, q.settle)
	return true
}

// move puts what keep leaves of a list where it belongs by now.
func (q *queue) move(list *chunk, keep func([]entry) []entry) {
	for c := list; c != nil; c = q.recycle(c) {
		kept := c.entries[:c.n]
		if keep != nil {
			kept = keep(kept)
			q.n -= c.n - len(kept)
		}
		for i := range kept {
			e := &kept[i]
			*q.place(e.at, e.key) = *e
		}
	}
}

// place makes room for an entry where it belongs: in front, or in its bucket.
func (q *queue) place(at Time, key uint64) *entry {
	t := ticks(at)
	differ := t ^ q.base
	if differ == 0 {
		return q.placeInFront(key)
	}
	level := uint(bits.Len64(differ)-1) / digitBits
	digit := t >> (level * digitBits) % fanout
	c := q.buckets[level][digit]
	if c == nil || c.n == chunkLen {
		q.liveLevels |= 1 << level
		q.liveDigits[level] |= 1 << digit
		c = q.newChunk(c)
		q.buckets[level][digit] = c
	}
	e := &c.entries[c.n]
	c.n++
	return e
}

// take empties a bucket and returns its chunks.
func (q *queue) take(level, digit int) *chunk {
	list := q.buckets[level][digit]
	q.buckets[level][digit] = nil
	q.liveDigits[level] &^= 1 << digit
	if q.liveDigits[level] == 0 {
		q.liveLevels &^= 1 << level
	}
	return list
}

// filter shows all entries to keep, as to settle, a part at a time.
func (q *queue) filter(keep func([]entry) []entry) {
	kept := keep(q.front)
	q.n -= len(q.front) - len(kept)
	q.front = q.front[:0]
	for _, e := range kept {
		*q.place(e.at, e.key) = e
	}
	for level := range levels {
		for live := q.liveDigits[level]; live != 0; live &= live - 1 {
			q.move(q.take(level, bits.TrailingZeros64(live)), keep)
		}
	}
}

// newChunk is an empty chunk in front of next.
func (q *queue) newChunk(next *chunk) *chunk {
	if q.spare == nil {
		slab := new([slabLen]chunk)
		for i := range slab {
			q.recycle(&slab[i])
		}
	}
	c := q.spare
	q.spare = c.next
	c.next, c.n = next, 0
	return c
}

// recycle keeps an emptied chunk, and returns the one that was behind it.
func (q *queue) recycle(c *chunk) (next *chunk) {
	next = c.next
	c.next = q.spare
	q.spare = c
	return next
}

// earliest is the first time in a list of chunks.
func (c *chunk) earliest() uint64 {
	first := ticks(c.entries[0].at)
	for ; c != nil; c = c.next {
		for i := range c.entries[:c.n] {
			first = min(first, ticks(c.entries[i].at))
		}
	}
	return first
}

// placeInFront makes room in the heap, on the way from its end to the root.
func (q *queue) placeInFront(key uint64) *entry {
	i := len(q.front)
	q.front = append(q.front, entry{})
	h := q.front
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].key < key {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	return &h[i]
}

// popFront leaves the entry just behind the heap's end.
func (q *queue) popFront() *entry {
	h := q.front
	n := len(h) - 1
	top, last := h[0], h[n]
	q.front = h[:n]
	i := 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && h[right].key < h[child].key {
			child = right
		}
		if last.key < h[child].key {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	h[n] = top
	return &h[n]
}
