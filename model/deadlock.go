package model

import "github.com/tenggat/tenggat/model/history"

// waits looks for a circle when an execution begins to wait for a lock: its
// holder waits for a lock whose holder waits …, and the last of them for a lock
// that this execution holds. Each circle is told once, by the wait that closes
// it.
func (w *world) waits(c *call) {
	x := w.exec(c.exec, c.execID)
	if x == nil || x.asking < 0 || x.locks[x.asking].circled {
		return
	}
	n := 1
	for y := w.holding(c.lock); y != x; y = w.holding(y.locks[y.asking].lock) {
		if y == nil || y.asking < 0 || n > int(w.execs.size) { // the last: a circle without x
			return
		}
		n++
	}
	f := w.callFact(history.Deadlock, c, int64(n))
	w.record(f)
	x.locks[x.asking].circled = true
	for y := w.holding(c.lock); y != x; y = w.holding(y.locks[y.asking].lock) {
		y.locks[y.asking].circled = true
	}
}

// holding is the execution that has a lock by the store's word; nil if there is
// none.
func (w *world) holding(lock int32) *execution {
	k := w.lockPool.at(lock)
	_, serial, ok := k.grant.Holder()
	if p := w.procs[max(k.holder, 0)]; ok && p.life == k.life {
		for _, i := range p.slots {
			if i < 0 {
				continue
			}
			x := w.execs.at(i)
			for n := range x.locks[:x.nlocks] {
				if h := &x.locks[n]; h.lock == lock && h.held && h.serial == serial {
					return x
				}
			}
		}
	}
	return nil
}
