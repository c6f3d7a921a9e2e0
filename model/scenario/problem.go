package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake in a scenario, and what to do about it.
type Problem struct {
	File    string
	Line    int // counted from 1; 0 when the problem has no place in a text
	Column  int
	Path    string // dotted path of the setting; may be empty
	Message string
}

// String is the problem as `file:line:column: path: message`, the form that
// editors recognise.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Path != "" {
		b.WriteString(": " + p.Path)
	}
	return b.String() + ": " + p.Message
}

// Problems are all mistakes that were found, sorted by place.
type Problems []Problem

// Error lists the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// sorted is ps in the order of the text, every mistake once; nil without any.
func (ps Problems) sorted() error {
	if len(ps) == 0 {
		return nil
	}
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	ps = slices.Compact(ps)
	if more := len(ps) - maxProblems; more > 0 {
		last := ps[maxProblems-1]
		ps = append(ps[:maxProblems:maxProblems], Problem{last.File, last.Line, last.Column, "", fmt.Sprintf("and %d more problems", more)})
	}
	return ps
}

// maxProblems is the length of the longest report.
const maxProblems = 200

// nearest is the known word that text was probably meant to be, or "". Two
// words are near when a few insertions, deletions, replacements or swaps of
// neighbours lead from one to the other: one for short words, two for longer.
func nearest(text string, known []string) string {
	best, least := "", 1+min(2, (len(text)+1)/3)
	for _, word := range known {
		if d := distance(text, word, least); d < least {
			best, least = word, d
		}
	}
	return best
}

// distance is the optimal string alignment distance of a and b; values from
// limit on are not told apart.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// didYouMean is a hint for an unknown word, or all words when none is near.
func didYouMean(text string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	if word := nearest(text, known); word != "" {
		return fmt.Sprintf("; did you mean %q?", word)
	}
	return "; known: " + strings.Join(known, ", ")
}
