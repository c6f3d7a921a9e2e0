package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// packet is a message on its way from one node to another.
type packet struct {
	what     letter
	from, to int32
	life     uint32 // of the process at the worker's end; an older life's mail is lost
	proc     int32  // the process at the worker's end
	item     int32  // call, delivery, …
	a, b     int64
	how      settlement
	anew     bool   // a poll that writes off what has not arrived
	once     bool   // a poll that wants nothing later
	heeded   uint32 // with a poll: the expulsions that the process has heard of
}

// letter is what a packet says.
type letter uint8

const (
	letRequest letter = iota // item: call
	letReply                 // item: call
	letDeliver               // item: delivery
	letSettle                // item: delivery, how; a, b: the poll that goes with it
	letPoll                  // a: deliveries received so far, b: how many more are wanted
	letClosed                // a: queue; the broker closed the process's channel; b: 1 if it put it out of its group
	letNotify                // item: call; a waiting acquire was granted
	letBeat                  // item: watch; a: number, b: instant of sending
	letHeard                 // item: watch; a: number of the heartbeat that arrived
)

// fate of a message at the sender's end.
type sent uint8

const (
	onItsWay   sent = iota
	vanished        // nobody will ever say so
	turnedAway      // refused at once
)

// network decides which messages arrive, and when.
type network struct {
	cfg    *scenario.Network
	links  []link
	cuts   []*cut // those in force
	bursts []burst
}

// link is an exception to the defaults, with its ends as sets of nodes.
type link struct {
	cfg      *scenario.Link
	from, to nodeSet
	burst    *burst
}

// cut is a partition in force between two sets of nodes.
type cut struct {
	from, to nodeSet
	both     bool
	how      scenario.Cut
	only     scenario.Kinds
}

// burst is a link's state of heavy loss.
type burst struct {
	cfg   *scenario.Burst
	on    bool
	count uint64
}

// nodeSet is a set of nodes; nil holds every node.
type nodeSet []bool

func (s nodeSet) has(n int32) bool { return s == nil || int(n) < len(s) && s[n] }

// with is the set with the node of a process, if the targets name it.
func (s nodeSet) with(p *process, targets []scenario.Target) nodeSet {
	if s == nil || !slices.ContainsFunc(targets, p.isMeant) {
		return s
	}
	*grown(&s, int(p.node)) = true
	return s
}

func (n *network) init(w *world, cfg *scenario.Network) {
	n.cfg = cfg
	n.bursts = make([]burst, len(cfg.Links))
	for i, l := range cfg.Links {
		k := link{cfg: l, from: w.nodesOf(l.From), to: w.nodesOf(l.To)}
		if l.Burst != nil {
			k.burst = &n.bursts[i]
			k.burst.cfg = l.Burst
			w.burstFlips(int32(i))
		}
		n.links = append(n.links, k)
	}
}

// burstFlips schedules the next beginning or end of a link's burst.
func (w *world) burstFlips(i int32) {
	b := &w.net.bursts[i]
	luck := w.luck[luckBurst].With(uint64(i)).With(b.count)
	b.count++
	span := b.cfg.Every.Draw(luck)
	if b.on {
		span = b.cfg.Length.Draw(luck)
	}
	w.sim.At(w.sim.Now().Add(span), sim.Scenario, sim.Event{Kind: evBurst, To: i})
}

func (w *world) onBurst(i int32) {
	w.net.bursts[i].on = !w.net.bursts[i].on
	w.burstFlips(i)
}

// between finds the cut and the exception that a message meets, if any.
func (n *network) between(from, to int32, kind scenario.Kinds) (c *cut, l *link) {
	for _, k := range n.cuts {
		if k.only&kind != 0 && (k.from.has(from) && k.to.has(to) || k.both && k.from.has(to) && k.to.has(from)) {
			c = k
			break
		}
	}
	for i := range n.links {
		k := &n.links[i]
		if k.cfg.Only&kind != 0 && (k.from.has(from) && k.to.has(to) || k.cfg.Both && k.from.has(to) && k.to.has(from)) {
			l = k
			break
		}
	}
	return c, l
}

// send puts p on its way. The luck of a message hangs on what it carries, its
// attempt and its kind, never on its position among others: luck is keyed by
// the first two, kind is added here.
func (w *world) send(p packet, kind scenario.Kinds, luck exact.Chance) sent {
	latency, loss := &w.net.cfg.Latency, w.net.cfg.Loss
	if len(w.net.cuts)+len(w.net.links) > 0 {
		c, l := w.net.between(p.from, p.to, kind)
		if c != nil {
			if c.how == scenario.CutRefuse {
				return turnedAway
			}
			return vanished
		}
		if l != nil {
			if l.cfg.Latency != nil {
				latency = l.cfg.Latency
			}
			if l.cfg.Loss != nil {
				loss = *l.cfg.Loss
			}
			if l.burst != nil && l.burst.on {
				loss = l.burst.cfg.Loss
			}
		}
	}
	luck = luck.With(uint64(kind)<<8 | uint64(p.what))
	if loss > 0 {
		c := luck.With(1)
		if c.U01() < loss {
			return vanished
		}
	}
	var delay time.Duration
	if d, constant := latency.IsConstant(); constant {
		delay = d
	} else {
		delay = latency.Draw(luck)
	}
	i := w.packets.take()
	*w.packets.at(i) = p
	w.arrival = w.sim.Now().Add(delay)
	w.sim.At(w.arrival, sim.Message, sim.Event{Kind: evPacket, To: p.to, A: int64(i)})
	return onItsWay
}

// onPacket hands a message to the component at its destination.
func (w *world) onPacket(ev sim.Event) {
	if w.park(ev.To, ev, 0) {
		return
	}
	i := int32(ev.A)
	p := *w.packets.at(i)
	w.packets.give(i)
	switch p.what {
	case letRequest:
		w.atServer(p.item)
	case letReply:
		w.atCaller(&p)
	case letDeliver:
		w.received(&p)
	case letSettle:
		w.settle(&p)
	case letPoll:
		w.polled(&p)
	case letClosed:
		w.channelClosed(&p)
	case letNotify:
		w.notified(&p)
	case letBeat:
		w.heard(&p)
	case letHeard:
		w.beatAnswered(&p)
	}
}
