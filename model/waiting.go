package model

import (
	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/scenario"
)

// waitingList holds the messages of a queue that wait: a binary heap by (rank,
// order).
type waitingList struct {
	heap []waiter
}

type waiter struct {
	msg   int32
	rank  int32
	order int64
}

func (a waiter) before(b waiter) bool {
	return a.rank < b.rank || a.rank == b.rank && a.order < b.order
}

func (l *waitingList) len() int { return len(l.heap) }

func (l *waitingList) push(msg, rank int32, order int64) {
	l.heap = append(l.heap, waiter{msg, rank, order})
	l.up(len(l.heap) - 1)
}

// pop takes out the next message by the queue's order.
func (l *waitingList) pop(order scenario.Order, luck exact.Chance) int32 {
	k := 0
	if order == scenario.RandomOrder {
		k = int(luck.IntN(int64(len(l.heap))))
	}
	msg := l.heap[k].msg
	l.cut(k)
	return msg
}

// remove takes a message out; it must be there. Only a settlement that comes
// late asks for this, so a search will do.
func (l *waitingList) remove(msg int32) {
	for k := range l.heap {
		if l.heap[k].msg == msg {
			l.cut(k)
			return
		}
	}
	panic("model: a waiting message is not in its queue")
}

func (l *waitingList) cut(k int) {
	last := len(l.heap) - 1
	l.heap[k] = l.heap[last]
	l.heap = l.heap[:last]
	if k < last {
		l.down(k)
		l.up(k)
	}
}

func (l *waitingList) up(k int) {
	for k > 0 {
		parent := (k - 1) / 2
		if !l.heap[k].before(l.heap[parent]) {
			return
		}
		l.heap[k], l.heap[parent] = l.heap[parent], l.heap[k]
		k = parent
	}
}

func (l *waitingList) down(k int) {
	for {
		child := 2*k + 1
		if child >= len(l.heap) {
			return
		}
		if child+1 < len(l.heap) && l.heap[child+1].before(l.heap[child]) {
			child++
		}
		if !l.heap[child].before(l.heap[k]) {
			return
		}
		l.heap[k], l.heap[child] = l.heap[child], l.heap[k]
		k = child
	}
}
