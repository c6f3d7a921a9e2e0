package house

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLinksLeadSomewhere follows the relative links of every Markdown page: the
// file must be there, and a heading where the link names one. Addresses of the
// web are left alone.
func TestLinksLeadSomewhere(t *testing.T) {
	_, err := os.Stat(filepath.Join(root, "results", "lease-ttl"))
	built := err == nil
	if !built {
		t.Log("links into results are not followed: make results has not been run")
	}
	for _, f := range tree(t) {
		if !strings.HasSuffix(f.name, ".md") {
			continue
		}
		found := deadLinks(f.name, string(f.text))
		if !built {
			found = slices.DeleteFunc(found, func(d finding) bool { return strings.Contains(d.text, "results/") })
		}
		report(t, found)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	code    = regexp.MustCompile("`[^`]*`")
	address = regexp.MustCompile(`^[a-z]+:`)
)

func deadLinks(name, page string) []finding {
	var found []finding
	fenced := false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
			if why := dead(name, page, match[1]); why != "" {
				found = append(found, finding{token.Position{Filename: name, Line: i + 1}, fmt.Sprintf("the link %s: %s", match[1], why)})
			}
		}
	}
	return found
}

// dead says why a link leads nowhere; "" if it does not.
func dead(name, page, to string) string {
	if address.MatchString(to) {
		return ""
	}
	path, heading, named := strings.Cut(to, "#")
	if path != "" {
		at := filepath.Join(filepath.Dir(name), filepath.FromSlash(path))
		if _, err := os.Stat(at); err != nil {
			return "there is no such file"
		}
		if !named {
			return ""
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return "a folder has no headings"
		}
		page = string(text)
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "#") && anchor(line) == heading {
			return ""
		}
	}
	return "there is no such heading"
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchor is the name of a heading, as code hosts make it: small letters, no
// punctuation, hyphens for spaces.
func anchor(heading string) string {
	text := strings.TrimSpace(strings.TrimLeft(heading, "#"))
	return strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
}

// TestLinksObject: the rule finds what it is there for.
func TestLinksObject(t *testing.T) {
	name := filepath.Join(root, "README.md")
	for _, c := range []struct {
		page string
		want int
	}{
		{"[how](CONTRIBUTING.md) and [where](docs)", 0},
		{"![picture](docs/nothing.png)", 1},
		{"[a](nothing.md), [b](also-nothing.md)", 2},
		{"[web](https://example.org/nothing.md)", 0},
		{"# Why, and how\n[up](#why-and-how)", 0},
		{"# Why\n[up](#because)", 1},
		{"[rules](CONTRIBUTING.md#rules)", 0},
		{"[rules](CONTRIBUTING.md#no-rules)", 1},
		{"`[code](nothing.md)`\n```\n[block](nothing.md)\n```", 0},
	} {
		if found := deadLinks(name, c.page); len(found) != c.want {
			t.Errorf("%q: %v, want %d findings", c.page, found, c.want)
		}
	}
}

var target = regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)")

// TestPagesNameTargets: what a page tells a reader to make is in the Makefile.
func TestPagesNameTargets(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tree(t) {
		if strings.HasSuffix(f.name, ".md") {
			report(t, unmade(f.name, f.text, makefile))
		}
	}
}

func unmade(name string, page, makefile []byte) []finding {
	var found []finding
	for i, line := range strings.Split(string(page), "\n") {
		for _, match := range target.FindAllStringSubmatch(line, -1) {
			if !regexp.MustCompile(`(?m)^` + match[1] + `:`).Match(makefile) {
				found = append(found, finding{token.Position{Filename: name, Line: i + 1}, "the Makefile has no target " + match[1]})
			}
		}
	}
	return found
}

// TestTargetsObject: the rule finds what it is there for.
func TestTargetsObject(t *testing.T) {
	const makefile = "test: vet\n\tgo test\n"
	for page, want := range map[string]int{"make test": 0, "run `make test`": 0, "make bread": 1, "see `make cake SIZE=2`": 1, "to make sense": 0} {
		if found := unmade("a.md", []byte(page), []byte(makefile)); len(found) != want {
			t.Errorf("%q: %v, want %d findings", page, found, want)
		}
	}
}
