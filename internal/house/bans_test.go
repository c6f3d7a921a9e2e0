package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// simulated are the packages that run under virtual time; counted are those
// whose arithmetic and order reach a committed number.
func simulated(folder string) bool {
	return matches([]string{"internal/exact", "sim/...", "model/...", "policies/..."}, folder) &&
		!matches([]string{"policies/live", "policies/policytest"}, folder)
}

func counted(folder string) bool {
	return simulated(folder) || matches([]string{"experiments/..."}, folder) &&
		!matches([]string{"experiments/theory", "experiments/figure"}, folder)
}

// TestNothingDependsOnTheMachine applies the bans of docs/design/layers.md.
func TestNothingDependsOnTheMachine(t *testing.T) {
	for _, s := range load(t).packages {
		if simulated(s.folder) {
			report(t, live(s))
		}
		if counted(s.folder) {
			report(t, inexact(s))
			report(t, unordered(s))
		}
	}
}

// clock is what reads or waits for the real time.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// live finds the real clock, chance that is not keyed, and concurrency.
func live(s *source) []finding {
	var found []finding
	add := func(at token.Pos, format string, args ...any) {
		found = append(found, finding{s.fset.Position(at), fmt.Sprintf(format, args...)})
	}
	for _, file := range s.files {
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path == "crypto/rand" || strings.HasPrefix(path, "math/rand") {
				add(spec.Pos(), "imports %s: chance comes from exact.Chance, by key", path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if name, ok := s.function(n, "time"); ok && slices.Contains(clock, name) {
					add(n.Pos(), "time.%s: the instant is given by the caller", name)
				}
			case *ast.GoStmt:
				add(n.Pos(), "starts a goroutine: a run is single-threaded")
			case *ast.SelectStmt:
				add(n.Pos(), "selects: which channel is ready first is a coin toss")
			case *ast.ChanType:
				add(n.Pos(), "has a channel: a machine is called, it does not wait")
			}
			return true
		})
	}
	return found
}

// exactMath are the functions of package math that give the same bits on every
// CPU: single rounded operations and the taking apart of floats.
var exactMath = strings.Fields(`Abs Ceil Copysign Float32bits Float32frombits Float64bits Float64frombits Floor Frexp Inf
	IsInf IsNaN Ldexp Max Min Mod Modf NaN Nextafter Round RoundToEven Signbit Sqrt Trunc`)

// inexact finds functions of math whose last bits depend on the CPU.
func inexact(s *source) []finding {
	var found []finding
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if name, ok := s.function(id, "math"); ok && !slices.Contains(exactMath, name) {
					found = append(found, finding{s.fset.Position(id.Pos()),
						fmt.Sprintf("math.%s differs between CPUs: take it from internal/exact", name)})
				}
			}
			return true
		})
	}
	return found
}

// reason is the comment that explains why the order of a map does not matter.
var reason = regexp.MustCompile(`order-free:\s*\S`)

// unordered finds loops over maps whose order nobody explained.
func unordered(s *source) []finding {
	var found []finding
	for _, file := range s.files {
		explained := map[int]bool{}
		for _, group := range file.Comments {
			if reason.MatchString(group.Text()) {
				line := s.fset.Position(group.End()).Line
				explained[line], explained[line+1] = true, true
			}
		}
		sorted := map[ast.Expr]bool{}
		add := func(n ast.Node, text string) {
			if at := s.fset.Position(n.Pos()); !explained[at.Line] {
				found = append(found, finding{at, text + ": sort, or say `// order-free: why`"})
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if _, ok := s.info.Types[n.X].Type.Underlying().(*types.Map); ok {
					add(n, "ranges over a map")
				}
			case *ast.CallExpr:
				if name, ok := s.called(n, "slices"); ok && strings.HasPrefix(name, "Sorted") {
					sorted[n.Args[0]] = true
				}
				if name, ok := s.called(n, "maps"); ok && slices.Contains([]string{"All", "Keys", "Values"}, name) && !sorted[n] {
					add(n, "takes maps."+name)
				}
			}
			return true
		})
	}
	return found
}

// called is the name of the function of this package that is called, if it is one.
func (s *source) called(call *ast.CallExpr, path string) (string, bool) {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		return s.function(f.Sel, path)
	}
	return "", false
}

// function is the name of the package-level function that an identifier stands
// for, if it is one of this package.
func (s *source) function(id *ast.Ident, path string) (string, bool) {
	f, ok := s.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != path || f.Signature().Recv() != nil {
		return "", false
	}
	return f.Name(), true
}

// TestBansObject: every line of this code that breaks a rule says which word of
// the finding it wants, every other line wants none.
func TestBansObject(t *testing.T) {
	const code = `package broken

import (
	"maps"
	"math"
	"math/rand/v2" // want math/rand
	"slices"
	"time"
)

type table map[int]float64

func broken(m table, at time.Time, done chan int) []int { // want channel
	go func() {}() // want goroutine
	for range m { // want ranges
	}
	for range m { // order-free: counts only
	}
	// order-free: the sum of integers does not depend on their order; this
	// comment has two lines.
	for range m {
	}
	for range m { // in any order // want ranges
	}
	now := time.Now // want time.Now
	_ = at.After(now()) && at.Before(at.Add(time.Second))
	select {} // want selects
	_ = math.Pow(2, 3) + math.Sqrt(math.Pi) // want math.Pow
	exp := math.Exp // want math.Exp
	_ = exp(rand.Float64())
	for range maps.Keys(m) { // want maps.Keys
	}
	_ = slices.Collect(maps.Values(m)) // want maps.Values
	return slices.Sorted(maps.Keys(m))
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "broken.go", code, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{fset: fset, files: []*ast.File{file}, info: newInfo()}
	conf := types.Config{Importer: load(t).importer, Error: func(error) {}}
	conf.Check("broken", fset, s.files, s.info)

	got := map[int]string{}
	for _, f := range slices.Concat(live(s), inexact(s), unordered(s)) {
		got[f.at.Line] += f.text + "\n"
	}
	for i, line := range strings.Split(code, "\n") {
		_, want, wanted := strings.Cut(line, "// want ")
		if found := got[i+1]; wanted != (found != "") || !strings.Contains(found, want) {
			t.Errorf("line %d, %s\nfound %q", i+1, line, found)
		}
	}
}
