package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the folder of the module, seen from this package.
const root = "../.."

// module is every package of the repository as the compiler sees it, tests
// left out.
type module struct {
	packages []*source
	importer types.Importer
}

// source is one package: parsed files and, for the rules that need to know
// what a name means, their types.
type source struct {
	folder  string   // within the module, "." for its root
	imports []string // without the standard library, ours by folder
	fset    *token.FileSet
	files   []*ast.File
	info    *types.Info
}

// finding is one breach of a rule.
type finding struct {
	at   token.Position
	text string
}

// load reads the module once for all tests.
func load(t *testing.T) *module {
	t.Helper()
	m, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// report fails the test for every finding.
func report(t *testing.T, found []finding) {
	t.Helper()
	for _, f := range found {
		t.Errorf("%s: %s", f.at, f.text)
	}
}

var loadOnce = sync.OnceValues(func() (*module, error) {
	listed, err := list()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range listed {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	m := &module{importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	for _, p := range listed {
		if p.Module == nil || !p.Module.Main || len(p.GoFiles) == 0 {
			continue
		}
		s, err := m.check(fset, &p)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, s)
	}
	if len(m.packages) == 0 {
		return nil, errors.New("go list names no package of the module")
	}
	return m, nil
})

// listing is what go list says about a package.
type listing struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
	Module                  *struct {
		Path string
		Main bool
	}
}

// list names the packages of the module and all that they import, compiled.
func list() ([]listing, error) {
	cmd := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,Imports,Module", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the module does not build: %w\n%s", err, &stderr)
	}
	var all []listing
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listing
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// check parses a listed package and finds its types.
func (m *module) check(fset *token.FileSet, p *listing) (*source, error) {
	s := &source{folder: ".", fset: fset, info: newInfo()}
	if p.ImportPath != p.Module.Path {
		s.folder = strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
	}
	for _, path := range p.Imports {
		host, _, _ := strings.Cut(path, "/")
		if strings.Contains(host, ".") {
			s.imports = append(s.imports, strings.TrimPrefix(path, p.Module.Path+"/"))
		}
	}
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	conf := types.Config{Importer: m.importer}
	if _, err := conf.Check(p.ImportPath, fset, s.files, s.info); err != nil {
		return nil, err
	}
	return s, nil
}

func newInfo() *types.Info {
	return &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
}
