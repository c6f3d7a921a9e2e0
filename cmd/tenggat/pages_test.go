package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments/scenarios"
)

var update = flag.Bool("update", false, "write what the commands print into the pages; read the difference")

// asTenggat in the environment makes this binary the program itself: the pages
// then show what these sources print, and no other build of them.
const asTenggat = "TENGGAT_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asTenggat) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestPages runs the commands of each console block of the pages at the root, of
// the documentation and of the lessons: a line "$ tenggat …" is a command, the
// lines up to the next command or the end of the block are what it prints.
func TestPages(t *testing.T) {
	var pages []string
	for _, folder := range []string{".", "docs", "notebooks"} {
		found, err := filepath.Glob(filepath.Join("..", "..", folder, "*.md"))
		if err != nil || len(found) == 0 {
			t.Fatal("no pages in", folder, err)
		}
		pages = append(pages, found...)
	}
	program(t)
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			got := played(t, string(text))
			switch {
			case got == string(text):
			case *update:
				if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s shows what its commands no longer print; run make docs and read the difference\n%s", page, firstDifference(string(text), got))
			}
		})
	}
}

// TestPagesObject: an output that is not what the command prints is found, and
// what is outside of a console block is left alone.
func TestPagesObject(t *testing.T) {
	program(t)
	const stale = "# A page\n```console\n$ tenggat version | cut -d' ' -f1 | head -1\nof yesterday\n$ tenggat scenarios | grep -c ^first-lease\n```\n$ tenggat outside\n"
	const fresh = "# A page\n```console\n$ tenggat version | cut -d' ' -f1 | head -1\ntenggat\n$ tenggat scenarios | grep -c ^first-lease\n1\n```\n$ tenggat outside\n"
	if got := played(t, stale); got != fresh {
		t.Errorf("%q, want %q", got, fresh)
	}
}

// program puts this binary on the path of what is run from here, as tenggat.
func program(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "tenggat")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(asTenggat, "yes")
}

// played is the page with the output of its commands put in.
func played(t *testing.T, page string) string {
	folder := t.TempDir() // where the commands of a page leave their files
	var out strings.Builder
	inside := false
	for line := range strings.Lines(page) {
		switch {
		case !inside:
			inside = line == "```console\n"
			out.WriteString(line)
		case line == "```\n":
			inside = false
			out.WriteString(line)
		case strings.HasPrefix(line, "$ tenggat "):
			out.WriteString(line)
			out.WriteString(printed(t, folder, strings.TrimSpace(line[2:])))
		}
	}
	return out.String()
}

func printed(t *testing.T, folder, command string) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = folder
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, errors.String())
	}
	if out.Len() == 0 {
		return ""
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func firstDifference(page, now string) string {
	a, b := strings.Split(page, "\n"), strings.Split(now, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "page: " + a[i] + "\nnow:  " + b[i]
		}
	}
	return "one is longer than the other"
}

var named = regexp.MustCompile("(?:^|[`$] ?)tenggat ([a-z]+)(?: ([a-z][a-z0-9-]*)(?:[ `#]|$))?")

// TestPagesNameCommands: a command that a page tells a reader to give exists, and
// so does the scenario of the library that it names.
func TestPagesNameCommands(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "notebooks/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	commands := rootCommand().Commands()
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, match := range named.FindAllStringSubmatch(line, -1) {
				command := slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == match[1] })
				if command < 0 {
					t.Errorf("%s:%d: there is no command %s", page, i+1, match[1])
					continue
				}
				if !strings.Contains(commands[command].Use, "FILE|NAME") || match[2] == "" {
					continue
				}
				if _, known := scenarios.Lookup(match[2]); !known {
					t.Errorf("%s:%d: the library has no scenario %s", page, i+1, match[2])
				}
			}
		}
	}
}
