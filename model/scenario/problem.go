package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/internal/near"
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

// said is ps with each value that nobody wrote, a default or one of a built-in
// preset, reported at the place nearest to it that somebody did write: the block
// that brings it along.
func (ps Problems) said(assigned *node) Problems {
	ps = slices.Clone(ps)
	for i := range ps {
		p := &ps[i]
		from := place{p.File, p.Line, p.Column}
		if from.written() || p.File == "" {
			continue
		}
		n, at := assigned, assigned.at
		for _, name := range splitPath(p.Path) {
			name, _, _ = strings.Cut(name, "[")
			if n = n.get(name); n == nil {
				break
			}
			if n.at.written() {
				at = n.at
			}
		}
		p.File, p.Line, p.Column = at.file, at.line, at.column
		if from == byDefault {
			p.Message += " (that is the default)"
		} else {
			p.Message += fmt.Sprintf(" (that comes from %s)", from)
		}
	}
	return ps
}

// below is ps with a path in front of theirs.
func (ps Problems) below(path string) Problems {
	ps = slices.Clone(ps)
	for i := range ps {
		ps[i].Path = join(path, ps[i].Path)
	}
	return ps
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

// didYouMean is a hint for an unknown word: the one near to it, or the only one
// that it is the beginning of, or all words.
func didYouMean(text string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	if word := near.Word(text, known); word != "" {
		return fmt.Sprintf("; did you mean %q?", word)
	}
	longer := slices.DeleteFunc(slices.Clone(known), func(word string) bool { return text == "" || !strings.HasPrefix(word, text) })
	if len(longer) == 1 && longer[0] != text {
		return fmt.Sprintf("; did you mean %q?", longer[0])
	}
	return "; known: " + strings.Join(known, ", ")
}
