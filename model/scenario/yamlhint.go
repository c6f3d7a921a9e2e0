package scenario

import (
	"fmt"
	"regexp"
	"strings"
)

// The YAML library says where it gave up, which is often far from the mistake,
// and what it would have liked there. The hints below look at the text for the
// mistakes that people make. They are asked only when the library has refused
// it, so that what they do not understand costs nothing.

// hint finds the line and column of a mistake and what is wrong there.
func (r *yamlReader) hint() (line, column int, message string) {
	for _, find := range []func() (int, int, string){r.tabs, r.brackets, r.indentation} {
		if line, column, message := find(); line > 0 {
			return line, column, message
		}
	}
	return 0, 0, ""
}

// tabs finds a line that a tab indents.
func (r *yamlReader) tabs() (line, column int, message string) {
	for i, text := range r.lines {
		blank := len(text) - len(strings.TrimLeft(text, " \t"))
		if tab := strings.IndexByte(text[:blank], '\t'); tab >= 0 && strings.TrimSpace(text) != "" {
			return i + 1, tab + 1, "a tab cannot indent: put spaces in its place"
		}
	}
	return 0, 0, ""
}

// brackets finds a bracket or a quote that nothing closes before the next key.
func (r *yamlReader) brackets() (line, column int, message string) {
	for i, text := range r.lines {
		at := unclosed(text)
		if at < 0 {
			continue
		}
		next := r.nextLine(i)
		if next < 0 || indentOf(r.lines[next]) <= indentOf(text) && strings.Contains(r.lines[next], ":") {
			return i + 1, at + 1, fmt.Sprintf("nothing closes the %c in this line", text[at])
		}
	}
	return 0, 0, ""
}

// unclosed is the place of the first bracket or quote of a line that is open at
// its end, or -1.
func unclosed(text string) int {
	var open []int
	quote := -1
	for i := range len(text) {
		c := text[i]
		switch {
		case quote >= 0:
			if c == text[quote] {
				quote = -1
			}
		case c == '#' && (i == 0 || text[i-1] == ' '):
			return first(open)
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [{,", text[i-1]) >= 0):
			quote = i
		case c == '[' || c == '{':
			open = append(open, i)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if quote >= 0 {
		return quote
	}
	return first(open)
}

func first(places []int) int {
	if len(places) == 0 {
		return -1
	}
	return places[0]
}

// indentation finds a line that begins where no line of its block does, or that
// is deeper than a line which has its value already.
func (r *yamlReader) indentation() (line, column int, message string) {
	depths := []int{0} // where the blocks around the line begin
	last := -1
	for i := r.nextLine(-1); i >= 0; i = r.nextLine(i) {
		text := r.lines[i]
		depth := indentOf(text)
		if last >= 0 && depth > depths[len(depths)-1] {
			if !opens(r.lines[last]) && entry.MatchString(text[depth:]) {
				return i + 1, depth + 1, fmt.Sprintf("indentation: this line is %s deeper than its block, and line %d above has its value already", spaces(depth-depths[len(depths)-1]), last+1)
			}
			depths = append(depths, depth)
		}
		for depth < depths[len(depths)-1] {
			depths = depths[:len(depths)-1]
		}
		if around := depths[len(depths)-1]; depth != around {
			return i + 1, depth + 1, fmt.Sprintf("indentation: this line begins after %s, and no block above does; the nearest begins after %d", spaces(depth), around)
		}
		for rest := text[depth:]; strings.HasPrefix(rest, "- "); { // what follows a dash is a block of its own
			inner := 2 + indentOf(rest[2:])
			depth, rest = depth+inner, rest[inner:]
			if strings.Contains(rest, ": ") || strings.HasSuffix(rest, ":") {
				depths = append(depths, depth)
			}
		}
		last = i
	}
	return 0, 0, ""
}

// entry is the beginning of a line that is no more text of the value above.
var entry = regexp.MustCompile(`^(- |-$|[\w.]+:( |$))`)

// opens says that a line may be followed by a deeper one: it ends where its
// value would begin, or in the middle of one.
func opens(text string) bool {
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimRight(text, " \r")
	if i := strings.LastIndex(text, ": &"); i >= 0 && !strings.Contains(text[i+3:], " ") {
		text = text[:i+1] // an anchor names the block that follows
	}
	for _, end := range []string{":", "-", "|", ">", "|-", ">-", ",", "[", "{"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return unclosed(text) >= 0
}

// nextLine is the next line with something on it, or -1.
func (r *yamlReader) nextLine(i int) int {
	for i++; i < len(r.lines); i++ {
		if text := strings.TrimSpace(r.lines[i]); text != "" && text[0] != '#' {
			return i
		}
	}
	return -1
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", n)
}
