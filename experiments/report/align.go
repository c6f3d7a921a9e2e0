package report

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// writeAligned pads the columns. In a column with numbers, these end at one
// place and their intervals begin at one.
func writeAligned(w io.Writer, t Table) error {
	lines := make([]strings.Builder, 1+len(t.Rows))
	for c := range t.Head {
		writeColumn(lines, column(t, c), c+1 == len(t.Head))
	}
	var text strings.Builder
	if t.Title != "" {
		text.WriteString(t.Title + "\n")
	}
	for i := range lines {
		text.WriteString(strings.TrimRight(lines[i].String(), " ") + "\n")
	}
	for _, note := range t.Notes {
		text.WriteString(note + "\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// piece is a cell in two parts: what ends where the numbers of its column do,
// and what begins there.
type piece struct{ number, rest string }

// column is the head and the cells of column c.
func column(t Table, c int) []piece {
	pieces := []piece{{rest: t.Head[c]}}
	numeric := slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[c].number || row[c].interval })
	widest := 0
	for _, row := range t.Rows {
		p := piece{rest: row[c].String()}
		if numeric && startsNumber(p.rest) {
			number, rest, interval := strings.Cut(p.rest, " ")
			if p = (piece{number: number}); interval {
				p.rest = " " + rest
			}
			widest = max(widest, utf8.RuneCountInString(number))
		}
		pieces = append(pieces, p)
	}
	for i, p := range pieces {
		if p.number != "" {
			pieces[i].number = strings.Repeat(" ", widest-utf8.RuneCountInString(p.number)) + p.number
		}
	}
	return pieces
}

// startsNumber says that a cell begins with a number, or with what stands for
// one.
func startsNumber(s string) bool { return strings.IndexAny(s, "-0123456789–") == 0 || s == "inf" }

// writeColumn adds a column to the lines, and room after it unless it is the
// last one.
func writeColumn(lines []strings.Builder, pieces []piece, last bool) {
	const between = 2
	widest := 0
	for _, p := range pieces {
		widest = max(widest, utf8.RuneCountInString(p.number+p.rest))
	}
	for i, p := range pieces {
		text := p.number + p.rest
		lines[i].WriteString(text)
		if !last {
			lines[i].WriteString(strings.Repeat(" ", widest-utf8.RuneCountInString(text)+between))
		}
	}
}
