package idempotency

import "github.com/tenggat/tenggat/policies"

// queue holds the marks that will expire, in the order in which they were
// set. A mark that was set again is in it more than once; only the last entry
// finds it expired.
type queue struct {
	items []due
	head  int
}

type due struct {
	until policies.Instant
	key   uint64
}

func (q *queue) push(d due) {
	// When full, take back the room of what was popped before asking for more.
	if len(q.items) == cap(q.items) && q.head > len(q.items)/2 {
		n := copy(q.items, q.items[q.head:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, d)
}

func (q *queue) first() (due, bool) {
	if q.head == len(q.items) {
		return due{}, false
	}
	return q.items[q.head], true
}

func (q *queue) pop() { q.head++ }
