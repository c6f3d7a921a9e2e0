package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A reader holds one noun per file and one screen per function in mind.
const (
	maxFileLines     = 500
	maxFunctionLines = 100 // a screen is about 70; the rest is for tables of cases
)

// TestFilesAndFunctionsAreShort looks at every file of code but tests.
func TestFilesAndFunctionsAreShort(t *testing.T) {
	for _, f := range tree(t) {
		if strings.HasSuffix(f.name, ".go") && !strings.HasSuffix(f.name, "_test.go") {
			report(t, long(f.name, f.text))
		}
	}
}

// TestPackagesSayWhatTheyAreFor wants one comment over each package clause, as
// go doc prints it.
func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	for _, s := range load(t).packages {
		var docs []string
		for _, file := range s.files {
			if file.Doc != nil {
				docs = append(docs, file.Doc.Text())
			}
		}
		name := s.files[0].Name.Name
		opening := "Package " + name + " "
		if name == "main" {
			opening = "Command " + filepath.Base(s.folder) + " "
		}
		switch {
		case len(docs) != 1:
			t.Errorf("%s: %d package comments, want one", s.folder, len(docs))
		case !strings.Contains(docs[0], opening): // a licence may stand before it
			t.Errorf("%s: the package comment does not begin %q", s.folder, opening)
		}
	}
}

// long finds what is too long in one file.
func long(name string, text []byte) []finding {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return []finding{{token.Position{Filename: name}, err.Error()}}
	}
	var found []finding
	if n := fset.File(file.Pos()).LineCount(); n > maxFileLines {
		found = append(found, finding{fset.Position(file.Pos()), fmt.Sprintf("%d lines, want at most %d", n, maxFileLines)})
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFunctionLines {
			found = append(found, finding{fset.Position(f.Pos()), fmt.Sprintf("%s has %d lines, want at most %d", f.Name.Name, n, maxFunctionLines)})
		}
	}
	return found
}

// TestShapeObjects: the rules find what they are there for.
func TestShapeObjects(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("//\n", n) }
	for _, c := range []struct {
		text string
		want int
	}{
		{"package p\n" + lines(499), 0},
		{"package p\n" + lines(500), 1},
		{"package p\nfunc f() {\n" + lines(98) + "}", 0},
		{"package p\nfunc f() {\n" + lines(99) + "}", 1},
		{"package", 1},
	} {
		if found := long("p.go", []byte(c.text)); len(found) != c.want {
			t.Errorf("%.30q…: %v, want %d findings", c.text, found, c.want)
		}
	}
}
