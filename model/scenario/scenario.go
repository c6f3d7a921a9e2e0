package scenario

import (
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

// Forever is the duration without end, and the default of every bound that a
// file does not mention.
const Forever = dist.Forever

// Unlimited is the count without bound; it fits in an int on every platform.
const Unlimited = 1<<31 - 1

// Scenario is one variant of a file with every layer applied: presets merged,
// formulas evaluated, defaults filled in. It is read-only, so that replications
// may share it.
type Scenario struct {
	Name    string
	Variant string
	Seed    uint64
	Run     Run
	Network Network

	Queues      []*Queue
	Locks       []*Lock
	Services    []*Service
	Caches      []*Cache
	Monitors    []*Monitor
	Workers     []*Group
	Jobs        []*Job
	Events      []*Event
	Reconcilers []*Reconciler
	Alerts      []*Alert

	origin *origin
	views  []*Scenario // by group; see View
}

// Run says how long a replication lasts and how many there are.
type Run struct {
	From         time.Duration // the first instant; may be negative
	Duration     time.Duration // the run covers [From, From+Duration)
	Warmup       time.Duration // counts leave out [From, From+Warmup)
	Replications int
	MaxEvents    uint64
}

// Network is the default of every link and its exceptions.
type Network struct {
	Latency dist.Dist // one way, per message
	Loss    float64   // share of messages that vanish
	Timeout time.Duration
	Links   []*Link
}

// Link is an exception to the network's defaults. With Between set it holds
// both ways.
type Link struct {
	Name     string
	From, To []Target // empty: any
	Both     bool     // between: From and To in either direction
	Only     Kinds    // message kinds it speaks of
	Latency  *dist.Dist
	Loss     *float64
	Burst    *Burst
}

// Burst makes a link lossy in bursts: after Every it loses Loss of its
// messages for Length, and again.
type Burst struct {
	Every, Length dist.Dist
	Loss          float64
}

// Kinds is a set of message kinds.
type Kinds uint16

// The kinds of message; a reply is of its request's kind.
const (
	Deliver Kinds = 1 << iota
	Ack
	Publish
	Poll
	Acquire
	Renew
	Release
	Heartbeat
	Probe
	Call
	AllKinds = 1<<iota - 1
)

// Overlay is the scenario with the values of some events' sets put in their
// place: bit i of active stands for Events[i]. The result is shared and
// read-only; equal sets give the same pointer. Ramps says which of these events
// are not done yet.
func (s *Scenario) Overlay(active uint64, ramps ...Ramp) (*Scenario, error) {
	return s.overlay(active, ramps)
}
