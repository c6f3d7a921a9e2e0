package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/sim"
)

// loss is when a holder's claim was ended without its knowledge.
type loss struct {
	unaware bool
	at      sim.Time
}

// tell notes that the holder has come to know of the loss.
func (l *loss) tell(w *world, f history.Fact) {
	if l.unaware {
		l.unaware = false
		f.Kind, f.Value = history.Notice, int64(w.sim.Now()-l.at)
		w.record(f)
	}
}

// lockSlips notes that a living holder has lost a lock and does not know it yet.
func (w *world) lockSlips(k *lock) {
	p := w.procs[k.holder]
	if !p.up || p.life != k.life {
		return
	}
	for _, i := range p.slots {
		if i < 0 {
			continue
		}
		x := w.execs.at(i)
		for n := range x.locks[:x.nlocks] {
			if h := &x.locks[n]; h.lock >= 0 && w.lockPool.at(h.lock) == k && h.believes && !h.loss.unaware {
				h.loss = loss{true, w.sim.Now()}
			}
		}
	}
}

// deliverySlips notes the same of a delivery.
func (w *world) deliverySlips(m *message) {
	p := w.procs[m.holder]
	for _, i := range p.slots {
		if i < 0 {
			continue
		}
		x := w.execs.at(i)
		if x.delivery < 0 || !x.started {
			continue
		}
		if v := w.deliveries.at(x.delivery); w.messages.at(v.msg) == m && v.number == m.hands {
			x.loss = loss{true, w.sim.Now()}
		}
	}
}
