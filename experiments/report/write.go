package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Format is a way of writing a table.
type Format string

// The formats.
const (
	Aligned  Format = "table"
	CSV      Format = "csv"
	JSON     Format = "json"
	Markdown Format = "markdown"
)

// Write writes the table in a format. The error is that of the writer.
func Write(w io.Writer, t Table, f Format) error {
	switch f {
	case CSV:
		return writeCSV(w, t)
	case JSON:
		return writeJSON(w, t)
	case Markdown:
		return writeMarkdown(w, t)
	}
	return writeAligned(w, t)
}

func writeMarkdown(w io.Writer, t Table) error {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "**%s**\n\n", t.Title)
	}
	line := func(cells []string) {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(append([]string(nil), t.Head...))
	b.WriteString(strings.Repeat("|---", len(t.Head)) + "|\n")
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = c.String()
		}
		line(cells)
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCSV(w io.Writer, t Table) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Head); err != nil {
		return err
	}
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, c := range row {
			record[i] = c.Exact()
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// writeJSON writes a list of objects, one a row, keys in the order of the head.
// A value that does not exist is null; an infinite one is null beside a key
// with the ending _infinite.
func writeJSON(w io.Writer, t Table) error {
	var b bytes.Buffer
	b.WriteString("[")
	for r, row := range t.Rows {
		if r > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {")
		for i, c := range row {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quoted(t.Head[i]) + ": " + jsonValue(c))
			if !math.IsNaN(c.mean) && math.IsInf(c.mean, 0) {
				fmt.Fprintf(&b, ", %s: true", quoted(t.Head[i]+"_infinite"))
			}
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	_, err := w.Write(b.Bytes())
	return err
}

func jsonValue(c Cell) string {
	switch {
	case !c.number && !c.interval:
		return quoted(c.text)
	case math.IsNaN(c.mean) || math.IsInf(c.mean, 0):
		return "null"
	}
	return Exact(c.mean)
}

// quoted is s as a JSON string, with < and > left alone.
func quoted(s string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(fmt.Sprintf("report: a string that JSON cannot hold: %q: %v", s, err))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
