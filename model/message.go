package model

import (
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
	"github.com/tenggat/tenggat/sim"
)

// message is a job's copy in a queue.
type message struct {
	job     int32
	queue   int16
	state   messageState
	rank    int32 // priority
	order   int64 // place in the queue
	grant   lease.Grant
	counted int32
	hands   int32 // hand-outs
	holder  int32 // process, when held
	life    uint32
	slot    int32 // index in broker.held
	refs    int32 // deliveries and the queue's own hold
	timer   sim.Timer
	window  sim.Time      // the first counted event, for attempts within
	failed  int32         // returns that the retry delay counts
	last    time.Duration // the retry delay before the last return
	out     bool          // it is the one of its key that is out, in a queue ordered by key
	unheard bool          // its settlement came while the queue did not serve
	told    bool          // its loss was counted when a renewal was refused, or is none: its holder has settled it
	line    inLine
	found   bool     // a reconciler has told of it
	born    sim.Time // when it entered the queue, or entered it again
}

type messageState uint8

const (
	gone messageState = iota
	ready
	delayed
	held
)

// delivery is a message in the hands of a process, or on its way there.
type delivery struct {
	msg    int32
	job    int32
	serial uint32
	token  policies.Token
	number int32
	proc   int32
	life   uint32
	gotAt  sim.Time // when the process received it
	timer  sim.Timer
	exec   int32 // that runs it, or will
	acked  bool
}

// giveBack returns a held message to the queue, or sets it aside when its
// attempts are used up.
func (w *world) giveBack(q *broker, i int32, m *message, event scenario.Counted, why scenario.RetryOn) {
	w.unhold(q, m)
	w.recordJob(history.Return, q.place, w.jobs.at(m.job), int64(m.hands))
	if w.count(q, i, m, event) {
		return
	}
	switch {
	case q.cfg.ReturnsTo == scenario.Place:
	case (q.cfg.ReturnsTo == scenario.Front) == (q.cfg.Order == scenario.LIFO): // as the newest
		q.serial++
		m.order = q.serial
	default: // as the oldest
		q.front--
		m.order = q.front
	}
	retry := q.cfg.Retry
	if r := w.types[w.jobs.at(m.job).kind].cfg.Retry; r != nil {
		retry = r
	}
	if retry != nil && q.cfg.RetryOn&why != 0 {
		if wait, again := w.queueWait(retry, q, m, why); !again {
			w.giveUp(q, i, m)
			return
		} else if wait > 0 {
			m.state = delayed
			w.sim.Arm(m.timer, w.sim.Now().Add(wait))
			return
		}
	}
	w.sim.Stop(m.timer)
	m.state, m.born = ready, w.sim.Now()
	w.comesBack(q, m)
	q.wait(i, m)
	w.level(q.place, history.LevelWaiting, int64(q.depth()))
}

// giveUp ends a message whose retries are used up.
func (w *world) giveUp(q *broker, i int32, m *message) {
	j := w.jobs.at(m.job)
	if w.types[j.kind].cfg.GiveUp == scenario.FateDrop {
		w.recordJob(history.Drop, q.place, j, 0)
		w.bury(i)
		return
	}
	w.deadLetter(q, i, m)
}

// unhold takes a message out of the held ones.
func (w *world) unhold(q *broker, m *message) {
	last := len(q.held) - 1
	moved := q.held[last]
	q.held[m.slot] = moved
	w.messages.at(moved).slot = m.slot
	q.held = q.held[:last]
	m.holder = -1
}

// count adds an event to a message's attempts; true says that they are used up
// and the message is set aside.
func (w *world) count(q *broker, i int32, m *message, event scenario.Counted) bool {
	w.tally(q, m, event)
	if a := &q.cfg.Attempts; a.Count&event == 0 || int(m.counted) <= a.Limit {
		return false
	}
	w.deadLetter(q, i, m)
	return true
}

// tally adds an event to a message's attempts, if it is one that counts.
func (w *world) tally(q *broker, m *message, event scenario.Counted) {
	a := &q.cfg.Attempts
	if a.Count&event == 0 || a.Limit >= scenario.Unlimited {
		return
	}
	now := w.sim.Now()
	if m.counted == 0 || a.Within != scenario.Forever && now.Sub(m.window) >= a.Within {
		m.counted, m.window = 0, now
	}
	m.counted++
}

// startedOut sets a message aside that may not start once more. Starts are
// counted where they happen, in the process, and tested at the next hand-out.
func (w *world) startedOut(q *broker, i int32, m *message) bool {
	if a := &q.cfg.Attempts; a.Count&scenario.CountStart == 0 || int(m.counted) < a.Limit {
		return false
	}
	w.deadLetter(q, i, m)
	return true
}

// deadLetter sets a message aside: kept, dropped, parked, or sent to another
// queue.
func (w *world) deadLetter(q *broker, i int32, m *message) {
	j := w.jobs.at(m.job)
	unstarted := int64(0)
	if j.starts == 0 {
		unstarted = 1
	}
	j.dead = true
	w.recordJob(history.DeadLetter, q.place, j, unstarted)
	if to := w.queueNamed(q.cfg.DeadLetter); to != nil {
		job := m.job
		w.holdJob(job)
		w.bury(i)
		w.publish(to, job)
		w.dropJob(job)
		return
	}
	if q.replays && q.keeps() {
		w.shelve(q, i, m)
		return
	}
	w.bury(i)
}

// bury ends a message for good. Deliveries of it may still be about.
func (w *world) bury(i int32) {
	m := w.messages.at(i)
	m.state = gone
	w.strikes(w.queues[m.queue], m)
	w.comesForward(w.queues[m.queue], m)
	w.sim.Stop(m.timer)
	job := m.job
	w.freeID(w.queues[m.queue], w.jobs.at(job), scenario.FreesAtEnd)
	w.dropMessage(i)
	w.dropJob(job)
}

// dropMessage frees the record when neither the queue nor a delivery needs it.
func (w *world) dropMessage(i int32) {
	m := w.messages.at(i)
	if m.refs--; m.refs == 0 {
		w.messages.give(i)
	}
}

// forget ends a delivery: it is settled, or lost on its way.
func (w *world) forget(d int32) {
	v := w.deliveries.at(d)
	if v.timer != 0 {
		w.sim.Stop(v.timer)
	}
	w.dropMessage(v.msg)
	job := v.job
	w.deliveries.give(d)
	w.dropJob(job)
}
