package metric

import (
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/history"
)

// Entry is one metric: what everything that prints it has to know.
type Entry struct {
	Name       string
	Shape      Shape
	Unit       string // "s", "1/s", "1/day", "share" (of 1), "1" for numbers of things
	Meaning    string // in English, one phrase
	Indonesian string // the same in Indonesian
	Label      string // for the axis of a figure
	Scopes     Scopes // where it is counted
	Safety     bool   // counts harm, over the whole run

	columns []Column // without the prefix of a component
	needs   Scopes   // of these nouns the scenario must have one; 0: it is always there
	counter counter
	word    string // of a counter, in first_<word>_s and last_<word>_s
	dist    dist
	whole   bool // an integer
	ratio   func(v *view, scope int32) float64
	total   func(m *Meter, scope int32) float64                        // for what has no value on a span
	applies func(names *history.Names, scope Scopes, index int16) bool // nil: to every component
}

// Shape says which columns an entry has.
type Shape uint8

const (
	Number       Shape = iota // one: its name
	Count                     // five: name, name_per_s, name_max_per_s, first_<word>_s, last_<word>_s
	Distribution              // six: name.mean, .p50, .p95, .p99, .p999, .max
)

// Scopes is a set of nouns in whose components a metric is counted.
type Scopes uint16

const (
	Global Scopes = 1 << iota
	Queues
	Locks
	Services
	Monitors
	Events
	Jobs
	Groups
	Caches
	Alerts
	Reconcilers
)

var scopeWords = []string{"global", "per queue", "per lock", "per service", "per monitor", "per event", "per job type", "per group", "per cache", "per alert", "per reconciler"}

// nounScopes are the scopes of the nouns of places.
var nounScopes = [...]Scopes{history.Nowhere: 0, history.Queue: Queues, history.Lock: Locks, history.Service: Services,
	history.Monitor: Monitors, history.Event: Events, history.Cache: Caches,
	history.Alarm: Alerts, history.Reconciler: Reconcilers}

// Words lists the scopes: "global", "per queue", …
func (s Scopes) Words() []string {
	var words []string
	for i, w := range scopeWords {
		if s&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// Catalogue lists every metric there is, in the order in which they are
// printed. It is the only place that says what a name means.
func Catalogue() []Entry { return slices.Clone(entries) }

// entries is the catalogue: first what happened, then how long it took, then
// what follows from both.
var entries = completed(slices.Concat(countEntries, distributionEntries, numberEntries, eventEntries,
	alertEntries, reconcileEntries))

// completed fills in what follows from the other fields.
func completed(list []Entry) []Entry {
	for i := range list {
		e := &list[i]
		switch {
		case e.counter != noCounter:
			e.Shape, e.Unit, e.Safety = Count, "1", safety[e.counter]
		case e.dist != noDist:
			e.Shape = Distribution
		}
		e.Label, e.columns = figureLabel(e), columnsOf(e)
	}
	return list
}

// Columns are the names that the entry gives, without a component: starts,
// starts_per_s, …
func (e *Entry) Columns() []string {
	var names []string
	for _, c := range e.columns {
		names = append(names, c.Name)
	}
	return names
}

// figureLabel is the name in words, with the unit in brackets: "detection [s]".
func figureLabel(e *Entry) string {
	name := strings.ReplaceAll(e.Name, ".", " ")
	for _, ending := range []string{"_per_s", "_per_day", "_s"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.ReplaceAll(name, "_", " ")
	if e.Unit == "1" {
		return name
	}
	return name + " [" + e.Unit + "]"
}

// The parts of a counter, in the order of its columns.
const (
	partCount = iota
	partRate
	partMaxRate
	partFirst
	partLast
)

// columnsOf is what an entry gives in one scope.
func columnsOf(e *Entry) []Column {
	switch e.Shape {
	case Count:
		return []Column{
			partCount:   {Name: e.Name, Unit: "1", Help: e.Meaning, Safety: e.Safety, Whole: true},
			partRate:    {Name: e.Name + "_per_s", Unit: "1/s", Help: e.Meaning + ": per second"},
			partMaxRate: {Name: e.Name + "_max_per_s", Unit: "1/s", Help: e.Meaning + ": in the busiest aligned second", Whole: true},
			partFirst:   {Name: "first_" + e.word + "_s", Unit: "s", Help: e.Meaning + ": instant of the first"},
			partLast:    {Name: "last_" + e.word + "_s", Unit: "s", Help: e.Meaning + ": instant of the last"},
		}
	case Distribution:
		var list []Column
		for i, part := range distributionParts {
			list = append(list, Column{Name: e.Name + "." + part, Unit: e.Unit, Help: e.Meaning + ": " + distributionHelp[i]})
		}
		return list
	}
	return []Column{{Name: e.Name, Unit: e.Unit, Help: e.Meaning, Safety: e.Safety, Whole: e.whole}}
}

// The parts of a distribution, in the order of its columns.
var (
	distributionParts = []string{"mean", "p50", "p95", "p99", "p999", "max"}
	distributionHelp  = []string{"mean", "median", "95 % quantile", "99 % quantile", "99.9 % quantile", "largest"}
)
