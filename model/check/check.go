package check

import (
	"fmt"
	"time"

	"github.com/tenggat/tenggat/model/history"
)

// Violation is a rule that a history breaks.
type Violation struct {
	Rule Rule
	At   int64  // ns
	Text string // which fact, and what is wrong with it
}

// String is the violation on one line: "token at 2s: …".
func (v Violation) String() string {
	return fmt.Sprintf("%s at %v: %s", v.Rule, time.Duration(v.At), v.Text)
}

// Rule names what every history keeps to; the package comment says what each
// of them demands.
type Rule string

const (
	Time         Rule = "time"
	Job          Rule = "job"
	Conservation Rule = "conservation"
	Believers    Rule = "believers"
	Token        Rule = "token"
	Grant        Rule = "grant"
	Process      Rule = "process"
	Row          Rule = "row"
	Copy         Rule = "copy"
)

// MostPerRule is how many violations of one rule are kept: the first ones tell
// what is wrong, and a broken model breaks a rule with every job.
const MostPerRule = 20

// Judge watches the history of one run. Make one with New.
type Judge struct {
	now       int64
	begun     bool
	jobs      book
	locks     map[lockKey]*lock
	rows      map[rowKey]int64
	processes [][]life
	unfilled  []int64 // of each cache: reads that may still bring a copy
	found     []Violation
	broken    map[Rule]int
}

// New returns a judge of one run.
func New() *Judge {
	return &Judge{jobs: newBook(), locks: map[lockKey]*lock{}, rows: map[rowKey]int64{}, broken: map[Rule]int{}}
}

// Judge gives the violations in the order in which they happened; none is
// what a correct model gives.
func (j *Judge) Judge() []Violation { return j.found }

// Observe takes one fact.
func (j *Judge) Observe(f *history.Fact) {
	if j.begun && f.At < j.now {
		j.object(Time, f, "the fact before it was at %v", time.Duration(j.now))
	}
	j.now, j.begun = f.At, true
	if f.Kind == history.Level {
		return
	}
	if f.Group >= 0 {
		j.process(f)
	}
	if f.Place.Noun == history.Lock {
		j.lock(f)
		return
	}
	if f.Place.Noun == history.Cache {
		j.cache(f)
	}
	if f.Kind == history.Update {
		j.row(f)
	}
	if f.Job >= 0 {
		j.job(f)
	}
}

// object notes a violation.
func (j *Judge) object(rule Rule, f *history.Fact, format string, args ...any) {
	j.broken[rule]++
	if j.broken[rule] > MostPerRule {
		return
	}
	j.found = append(j.found, Violation{rule, f.At, describe(f) + ": " + fmt.Sprintf(format, args...)})
}

// describe names a fact by what it carries.
func describe(f *history.Fact) string {
	text := f.Kind.Word()
	if f.Job >= 0 {
		text += fmt.Sprintf(" of job %d", f.Job)
	}
	if f.Group >= 0 {
		text += fmt.Sprintf(" in process %d of group %d", f.Process, f.Group)
	}
	if f.Place.Noun == history.Lock {
		text += fmt.Sprintf(" on lock %x of store %d", f.Key, f.Place.Index)
	}
	return text
}
