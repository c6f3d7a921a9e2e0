package check

import (
	"fmt"

	"github.com/tenggat/tenggat/model/history"
)

// Violation is a promise of the model that a history breaks.
type Violation struct {
	Rule string
	At   int64 // ns
	Text string
}

// String is the violation on one line.
func (v Violation) String() string { return fmt.Sprintf("%s at %d ns: %s", v.Rule, v.At, v.Text) }

// Judge watches a history.
type Judge struct{ found []Violation }

// New returns a judge of one run.
func New() *Judge { return &Judge{} }

// Observe takes one fact.
func (j *Judge) Observe(f *history.Fact) {}

// Judge gives the violations in the order in which they happened.
func (j *Judge) Judge() []Violation { return j.found }
