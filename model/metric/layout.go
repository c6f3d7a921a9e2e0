package metric

import "github.com/tenggat/tenggat/model/history"

// Column is one number of a Result.
type Column struct {
	Name   string // dotted: "duplicate_rate", "wait_s.p99", "jobs.pay.starts"
	Unit   string // "s", "1/s", "share", "1" for plain numbers
	Help   string // what it means
	Safety bool   // counts harm, over the whole run
	Whole  bool   // an integer
}

// layout is where everything is counted: the scopes in a row (the global one,
// then each noun's components), and the columns that are read from them.
type layout struct {
	names   history.Names
	columns []Column
	cells   []cell
	index   map[string]int

	place   [history.Event + 1]int32 // first scope of a noun
	jobs    int32
	groups  int32
	size    int
	queueOf []int32 // of a job type; -1 for none
}

// cell says how a column is computed.
type cell struct {
	entry *Entry
	scope int32
	part  int // of a counter or distribution
}

// block is the run of scopes of one noun.
type block struct {
	scopes Scopes
	prefix string // "queues."
	names  []string
}

func newLayout(names history.Names) layout {
	l := layout{names: names, index: map[string]int{}}
	blocks := blocksOf(names)
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
		{Monitors, "monitors.", names.Monitors}, {Events, "events.", names.Events}, {Jobs, "jobs.", nil}, {Groups, "workers.", nil},
	}
	for _, q := range names.Queues {
		blocks[history.Queue].names = append(blocks[history.Queue].names, q.Name)
	}
	for _, s := range names.Services {
		blocks[history.Service].names = append(blocks[history.Service].names, s.Name)
	}
	for _, j := range names.Jobs {
		blocks[6].names = append(blocks[6].names, j.Name)
	}
	for _, g := range names.Groups {
		blocks[7].names = append(blocks[7].names, g.Name)
	}
	return blocks
}

// addScope adds the columns of one component; there are the nouns of which the
// scenario has any.
func (l *layout) addScope(scope, there Scopes, index int16, at int32, prefix string) {
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Scopes&scope == 0, e.needs != 0 && e.needs&there == 0:
		case e.applies != nil && !e.applies(&l.names, scope, index):
		case e.counter != noCounter:
			l.addCounter(e, at, prefix)
		case e.dist != noDist:
			for part, word := range distributionParts {
				l.add(Column{Name: prefix + e.Name + "." + word, Unit: e.Unit, Help: e.Meaning + ": " + distributionHelp[part]}, cell{e, at, part})
			}
		default:
			l.add(Column{Name: prefix + e.Name, Unit: e.Unit, Help: e.Meaning, Safety: e.Safety, Whole: e.whole}, cell{e, at, 0})
		}
	}
}

// The parts of a counter, in the order of its columns.
const (
	partCount = iota
	partRate
	partMaxRate
	partFirst
	partLast
)

func (l *layout) addCounter(e *Entry, at int32, prefix string) {
	l.add(Column{Name: prefix + e.Name, Unit: "1", Help: e.Meaning, Safety: e.Safety, Whole: true}, cell{e, at, partCount})
	l.add(Column{Name: prefix + e.Name + "_per_s", Unit: "1/s", Help: e.Meaning + ": per second"}, cell{e, at, partRate})
	l.add(Column{Name: prefix + e.Name + "_max_per_s", Unit: "1/s", Help: e.Meaning + ": in the busiest aligned second", Whole: true}, cell{e, at, partMaxRate})
	l.add(Column{Name: prefix + "first_" + e.word + "_s", Unit: "s", Help: e.Meaning + ": instant of the first"}, cell{e, at, partFirst})
	l.add(Column{Name: prefix + "last_" + e.word + "_s", Unit: "s", Help: e.Meaning + ": instant of the last"}, cell{e, at, partLast})
}

// The parts of a distribution, in the order of its columns.
var (
	distributionParts = []string{"mean", "p50", "p95", "p99", "p999", "max"}
	distributionHelp  = []string{"mean", "median", "95 % quantile", "99 % quantile", "99.9 % quantile", "largest"}
)

func (l *layout) add(c Column, how cell) {
	l.index[c.Name] = len(l.columns)
	l.columns = append(l.columns, c)
	l.cells = append(l.cells, how)
}

// Columns are those of the Result; they depend on the names alone.
func (m *Meter) Columns() []Column { return m.columns }
