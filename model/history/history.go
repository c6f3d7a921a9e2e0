package history

import "github.com/tenggat/tenggat/policies"

// Fact is one thing that happened in a run. Facts are streamed to observers in
// the order in which they happened; nothing keeps them by default. Indices
// refer to Names; -1 stands for none.
type Fact struct {
	At       int64 // virtual nanoseconds
	Kind     Kind
	Place    Place  // the component at which it happened
	Job      int64  // serial number of the job, from 0
	Delivery int32  // of this job: 1 for the first hand-out
	Attempt  int32  // of this start, call or retry
	Type     int16  // job type
	Group    int16  // worker group
	Process  int32  // process of the group, from 0
	Key      uint64 // hash of the business key, lock name or message
	Token    policies.Token
	Value    int64 // per kind: see Kind
}

// Place is a component: a noun and its index in Names.
type Place struct {
	Noun  Noun
	Index int16
}

// Noun is a kind of component.
type Noun uint8

const (
	Nowhere Noun = iota
	Queue
	Lock
	Service
	Monitor
	Event
	Cache
	Alarm
	Reconciler
)

// Observer is told every fact.
type Observer interface{ Observe(f *Fact) }

// Names gives the names behind the indices of a run's facts.
type Names struct {
	Queues      []QueueName
	Locks       []string
	Services    []ServiceName
	Monitors    []string
	Caches      []string
	Events      []string
	Alerts      []string
	Reconcilers []string
	Jobs        []JobName
	Groups      []Group
}

// QueueName is a queue.
type QueueName struct {
	Name    string
	DrainTo int  // jobs that wait or run at which a drain ends; -1: by the run itself
	Split   bool // has partitions
}

// ServiceName is a service.
type ServiceName struct {
	Name    string
	Servers int  // 0: unlimited
	Limited bool // its callers limit what they have in flight
}

// JobName is a job type.
type JobName struct {
	Name  string
	Queue int // -1: processes start it themselves
}

// Group is a worker group.
type Group struct {
	Name    string
	Count   int  // at the start
	Slots   int  // per process; 0: unlimited
	Limited bool // a process limits how many of them it uses
}
