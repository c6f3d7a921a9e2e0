package metric

import (
	"slices"
	"sync/atomic"

	"github.com/tenggat/tenggat/model/history"
)

// Column is one number of a Result.
type Column struct {
	Name   string // dotted: "duplicate_rate", "wait_s.p99", "jobs.pay.starts"
	Unit   string // "s", "1/s", "share", "1" for plain numbers
	Help   string // what it means
	Safety bool   // counts harm, over the whole run
	Whole  bool   // an integer
}

// layout is where everything is counted: the scopes in a row (the global one,
// then each noun's components), and the columns that are read from them. It
// does not change once it is made.
type layout struct {
	names   history.Names
	columns []Column
	cells   []cell
	index   map[string]int

	place   [len(nounScopes)]int32 // first scope of a noun
	jobs    int32
	groups  int32
	size    int
	queueOf []int32 // of a job type; -1 for none
}

// cell says how a column is computed.
type cell struct {
	entry *Entry
	scope int32
	part  int // which of the entry's columns
}

// roomPerScope is about how many columns a component has.
const roomPerScope = 200

// block is the run of scopes of one noun.
type block struct {
	scopes Scopes
	prefix string // "queues."
	names  []string
}

// latest is the layout made last. The replications of a scenario share it; a
// layout of thousands of names takes longer than many a short run.
var latest atomic.Pointer[layout]

func layoutOf(names history.Names) *layout {
	l := latest.Load()
	if l == nil || !same(&l.names, &names) {
		l = newLayout(names)
		latest.Store(l)
	}
	return l
}

func same(a, b *history.Names) bool {
	return slices.Equal(a.Queues, b.Queues) && slices.Equal(a.Locks, b.Locks) && slices.Equal(a.Services, b.Services) &&
		slices.Equal(a.Monitors, b.Monitors) && slices.Equal(a.Events, b.Events) && slices.Equal(a.Jobs, b.Jobs) &&
		slices.Equal(a.Groups, b.Groups) && slices.Equal(a.Alerts, b.Alerts) && slices.Equal(a.Reconcilers, b.Reconcilers) && slices.Equal(a.Caches, b.Caches)
}

func newLayout(names history.Names) *layout {
	blocks := blocksOf(names)
	room := 0
	for _, b := range blocks {
		room += len(b.names) * roomPerScope
	}
	l := &layout{names: names, index: make(map[string]int, room), columns: make([]Column, 0, room), cells: make([]cell, 0, room)}
	next := int32(0)
	for i, b := range blocks {
		switch b.scopes {
		case Jobs:
			l.jobs = next
		case Groups:
			l.groups = next
		default:
			l.place[i] = next
		}
		next += int32(len(b.names))
	}
	l.size = int(next)
	for _, j := range names.Jobs {
		l.queueOf = append(l.queueOf, int32(j.Queue))
	}
	there := Global
	for _, b := range blocks {
		if len(b.names) > 0 {
			there |= b.scopes
		}
	}
	next = 0
	for _, b := range blocks {
		for i, name := range b.names {
			prefix := ""
			if b.scopes != Global {
				prefix = b.prefix + name + "."
			}
			l.addScope(b.scopes, there, int16(i), next, prefix)
			next++
		}
	}
	return l
}

// blocksOf lists the nouns, those of history.Noun first and in its order.
func blocksOf(names history.Names) []block {
	blocks := []block{
		{Global, "", []string{""}}, {Queues, "queues.", nil}, {Locks, "locks.", names.Locks}, {Services, "services.", nil},
		{Monitors, "monitors.", names.Monitors}, {Events, "events.", names.Events}, {Caches, "caches.", names.Caches},
		{Alerts, "alerts.", names.Alerts}, {Reconcilers, "reconcilers.", names.Reconcilers},
	}
	jobs, groups := block{Jobs, "jobs.", nil}, block{Groups, "workers.", nil}
	for _, q := range names.Queues {
		blocks[history.Queue].names = append(blocks[history.Queue].names, q.Name)
	}
	for _, s := range names.Services {
		blocks[history.Service].names = append(blocks[history.Service].names, s.Name)
	}
	for _, j := range names.Jobs {
		jobs.names = append(jobs.names, j.Name)
	}
	for _, g := range names.Groups {
		groups.names = append(groups.names, g.Name)
	}
	return append(blocks, jobs, groups)
}

// addScope adds the columns of one component; there are the nouns of which the
// scenario has any.
func (l *layout) addScope(scope, there Scopes, index int16, at int32, prefix string) {
	for i := range entries {
		e := &entries[i]
		if e.Scopes&scope == 0 || e.needs != 0 && e.needs&there == 0 || e.applies != nil && !e.applies(&l.names, scope, index) {
			continue
		}
		for part, c := range e.columns {
			c.Name = prefix + c.Name
			l.index[c.Name] = len(l.columns)
			l.columns = append(l.columns, c)
			l.cells = append(l.cells, cell{e, at, part})
		}
	}
}

// Columns are those of the Result; they depend on the names alone.
func (m *Meter) Columns() []Column { return m.columns }
