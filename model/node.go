package model

import (
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim"
)

// node is a machine: it is up or down, frozen or not, and has two clocks.
type node struct {
	up      bool
	frozen  bool
	wall    bool          // which clock its policies read
	offset  time.Duration // of the wall clock
	woken   sim.Time      // when the newest pause ended
	slept   time.Duration // for so long
	drift   int64         // of both clocks, in parts per million
	backlog []parked      // what came while it was frozen, in order of time
}

// parked is an event that waits for its node to go on. A timer is parked by
// arming it for parkedAt: should anything stop or re-arm it meanwhile, the
// parked event is void.
type parked struct {
	ev    sim.Event
	timer sim.Timer
}

const parkedAt = sim.Never - 1

// park keeps ev for later if the node is frozen. timer is the one that fired,
// or 0.
func (w *world) park(n int32, ev sim.Event, timer sim.Timer) bool {
	if !w.nodes[n].frozen {
		return false
	}
	if timer != 0 {
		w.sim.Arm(timer, parkedAt)
	}
	w.nodes[n].backlog = append(w.nodes[n].backlog, parked{ev, timer})
	return true
}

// thaw handles what waited, in the order in which it came.
func (w *world) thaw(n int32) {
	nd := &w.nodes[n]
	nd.frozen = false
	waited := nd.backlog
	nd.backlog = nil
	for i, p := range waited {
		if p.timer != 0 {
			if w.sim.Due(p.timer) != parkedAt {
				continue
			}
			w.sim.Stop(p.timer)
		}
		w.dispatch(p.ev)
		switch { // a handled message may freeze or kill it again
		case !nd.up:
			w.spill(waited[i+1:])
			return
		case nd.frozen:
			nd.backlog = append(nd.backlog, waited[i+1:]...)
			return
		}
	}
	if nd.backlog == nil {
		nd.backlog = waited[:0]
	}
}

// spill drops what waited at a process that has died: nobody will read the
// messages or hear the time-outs. Arrivals go on when it boots again.
func (w *world) spill(waited []parked) {
	for _, p := range waited {
		if p.timer != 0 {
			if w.sim.Due(p.timer) != parkedAt {
				continue
			}
			w.sim.Stop(p.timer)
		}
		switch p.ev.Kind {
		case evPacket:
			w.lose(int32(p.ev.A))
		case evArrival:
			owner := w.procs[w.sources[p.ev.To].proc]
			owner.missed = append(owner.missed, p.ev.To)
		case evTurnedAway, evTimeout:
			c := w.calls.at(p.ev.To)
			if p.ev.Kind == evTurnedAway {
				c.legs--
			}
			c.waiting = false
			w.retireCall(p.ev.To, c)
		}
	}
}

func (w *world) newNode(c scenario.Clock, k int) int32 {
	n := node{up: true, wall: c.Wall, drift: int64(c.Drift * 1e6)}
	if len(c.Offset) > 0 {
		n.offset = c.Base + c.Offset.At(k).Draw(w.luck[luckClock].With(uint64(len(w.nodes))))
	}
	w.nodes = append(w.nodes, n)
	return int32(len(w.nodes) - 1)
}

// read is what the node's clock shows at virtual time t.
func (w *world) read(n int32, t sim.Time) policies.Instant {
	nd := &w.nodes[n]
	i := int64(t) + perMillion(int64(t), nd.drift)
	if nd.wall {
		i += int64(nd.offset)
	}
	return policies.Instant(i)
}

// now is what the node's clock shows now.
func (w *world) now(n int32) policies.Instant { return w.read(n, w.sim.Now()) }

// when is the first virtual time at which the node's clock shows i.
func (w *world) when(n int32, i policies.Instant) sim.Time {
	if i >= policies.Instant(parkedAt) {
		return sim.Never
	}
	nd := &w.nodes[n]
	t := int64(i)
	if nd.wall {
		t -= int64(nd.offset)
	}
	if nd.drift != 0 {
		for range 4 { // each round leaves drift times the error of the last
			t -= int64(w.read(n, sim.Time(t)) - i)
		}
		for w.read(n, sim.Time(t)) < i {
			t++
		}
		for w.read(n, sim.Time(t-1)) >= i {
			t--
		}
	}
	return sim.Time(t)
}

// wallAt is what the node's wall clock shows now, whatever its policies read.
func (w *world) wallAt(n int32) policies.Instant {
	nd := &w.nodes[n]
	t := int64(w.sim.Now())
	return policies.Instant(t + perMillion(t, nd.drift) + int64(nd.offset))
}

// perMillion is t·ppm/10^6 in whole steps, without overflow.
func perMillion(t, ppm int64) int64 {
	return t/1e6*ppm + t%1e6*ppm/1e6
}
