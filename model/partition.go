package model

import (
	"cmp"
	"slices"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// partitions split a queue by job key among its members, the processes that
// have asked for work and have not left. A partition belongs to one member and
// is worked through in order: one message of it is out at a time, and one that
// comes back is its next, which is what rewinding to the last acknowledged
// message means. When the members change, partitions move as few as make the
// parts equal; a process that loses one is not told, its acknowledgement comes
// too late.
type partitions struct {
	owner   []int32   // by partition; -1: nobody
	out     []bool    // by partition: a message is held, or will be tried again later
	lines   [][]int32 // by partition: messages that wait, in their order
	waiting int       // of those
	members []int32   // processes, ascending
	next    int       // the partition after the one served last
	closed  bool      // between the members' change and the new assignment
	timer   sim.Timer
}

func newPartitions(c *scenario.Partitions) *partitions {
	t := &partitions{owner: make([]int32, c.Count), out: make([]bool, c.Count), lines: make([][]int32, c.Count)}
	for k := range t.owner {
		t.owner[k] = -1
	}
	return t
}

// partition is the part of the queue that a message belongs to.
func (w *world) partition(t *partitions, m *message) int {
	return int(w.jobs.at(m.job).key % uint64(len(t.owner)))
}

// dealPartitions hands out the first of each partition whose member wants more.
func (w *world) dealPartitions(q *broker) {
	t := q.parts
	for q.waiting.len() > 0 {
		i := q.waiting.pop(scenario.FIFO, w.luck[luckOrder])
		k := w.partition(t, w.messages.at(i))
		at, _ := slices.BinarySearchFunc(t.lines[k], w.messages.at(i).order, func(j int32, order int64) int {
			return cmp.Compare(w.messages.at(j).order, order)
		})
		t.lines[k] = slices.Insert(t.lines[k], at, i)
		t.waiting++
	}
	for n := 0; n < len(t.owner) && len(q.held) < q.cfg.InFlight; n++ {
		k := (t.next + n) % len(t.owner)
		if t.closed || t.owner[k] < 0 || t.out[k] || len(t.lines[k]) == 0 || w.procs[t.owner[k]].credit <= 0 {
			continue
		}
		i := t.lines[k][0]
		t.lines[k] = t.lines[k][1:]
		t.waiting--
		w.level(q.place, history.LevelWaiting, int64(q.depth()))
		m := w.messages.at(i)
		if w.expired(q, i, m) || w.count(q, i, m, scenario.CountReceive) || w.startedOut(q, i, m) {
			n-- // the next of this partition
			continue
		}
		w.handOut(q, i, m, w.procs[t.owner[k]])
		t.next, n = (k+1)%len(t.owner), -1
	}
}

// joinsGroup makes a process that takes from a queue a member of its group, with
// its first wish.
func (w *world) joinsGroup(q *broker, p *process) {
	if q.parts == nil || !slices.Contains(q.takers, p.id) {
		return
	}
	if at, in := slices.BinarySearch(q.parts.members, p.id); !in {
		q.parts.members = slices.Insert(q.parts.members, at, p.id)
		w.rebalance(q)
	}
}

// leavesGroup takes a process out of a queue's group.
func (w *world) leavesGroup(q *broker, p *process) {
	if q.parts == nil {
		return
	}
	if at, in := slices.BinarySearch(q.parts.members, p.id); in {
		q.parts.members = slices.Delete(q.parts.members, at, at+1)
		w.rebalance(q)
	}
}

// leavesGroups takes a process that has ended out of the groups of its queues:
// those that it has told, or that learn of it from its connection alone. Where
// there is a session, the end of that is the end of the membership.
func (w *world) leavesGroups(p *process, told bool) {
	for _, q := range p.queues {
		if q.parts != nil && (told || len(q.cfg.Session) == 0) {
			w.leavesGroup(q, p)
		}
	}
}

// rebalance stops the queue, and assigns the partitions anew when the time of a
// rebalance has passed.
func (w *world) rebalance(q *broker) {
	now := w.sim.Now()
	t, stop := q.parts, min(q.cfg.Partitions.Rebalance, w.from.Add(w.sc.Run.Duration).Sub(now)) // what lies beyond the run is never seen
	w.record(history.Fact{Kind: history.Rebalance, Place: q.place, Job: -1, Type: -1, Group: -1, Process: -1, Value: int64(stop)})
	if stop == 0 {
		w.assign(q)
		return
	}
	if t.timer == 0 {
		t.timer = w.sim.NewTimer(sim.Deadline, sim.Event{Kind: evRebalanced, To: int32(q.place.Index)})
	}
	t.closed = true
	w.sim.Arm(t.timer, now.Add(stop))
}

func (w *world) onRebalanced(ev sim.Event) {
	q := w.queues[ev.To]
	q.parts.closed = false
	w.assign(q)
	w.deal(q)
}

// assign gives each member its part: everybody keeps what does not exceed it,
// and what is left goes to those who have least, the lowest number first.
func (w *world) assign(q *broker) {
	t := q.parts
	has := make([]int, len(t.members))
	most, more := 0, 0 // partitions of a member; members that have one more
	if n := len(t.members); n > 0 {
		most, more = len(t.owner)/n, len(t.owner)%n
	}
	var free []int
	for k, id := range t.owner {
		at, in := slices.BinarySearch(t.members, id)
		switch {
		case in && has[at] < most:
			has[at]++
		case in && has[at] == most && more > 0:
			has[at]++
			more--
		default:
			free = append(free, k)
		}
	}
	for _, k := range free {
		to := int32(-1)
		if len(has) > 0 {
			at := slices.Index(has, slices.Min(has))
			has[at]++
			to = t.members[at]
		}
		w.move(q, k, to)
	}
}

// move gives a partition to another member. What the old one has of it comes
// back; the new one may forget that it was paused.
func (w *world) move(q *broker, k int, to int32) {
	t := q.parts
	if t.owner[k] == to {
		return
	}
	t.owner[k] = to
	for _, i := range q.held {
		if m := w.messages.at(i); w.partition(t, m) == k {
			w.takeBack(q, m)
			w.giveBack(q, i, m, 0, scenario.RetryReturn)
			break
		}
	}
	if to >= 0 && q.cfg.Partitions.ForgetsOff {
		p := w.procs[to]
		w.onOrder(sim.Event{Kind: evOrder, To: p.id, A: int64(p.life), B: orderForget})
	}
}

// expel takes a process out of its group for what it did not do in time
// (scope: process). It gets nothing until it asks again, having heard of it and
// ended what it was about.
func (w *world) expel(q *broker, p *process) {
	p.expelled++
	w.grantCredit(p, 0)
	w.leavesGroup(q, p)
}

// heedsExpulsion notes, in the process, that it is out of its group, and which
// of its jobs it has to end before it comes back.
func (w *world) heedsExpulsion(p *process, q int16) {
	p.heeded++
	for _, i := range p.slots {
		if i < 0 {
			continue
		}
		x := w.execs.at(i)
		if x.stage == atWork && !x.late && x.delivery >= 0 && w.messages.at(w.deliveries.at(x.delivery).msg).queue == q {
			x.late = true
			p.late++
		}
	}
}
