package scenario

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is one scenario as written: the settings of its variant base, and what
// it says about experiments with them.
type File struct {
	Name   string
	About  string            // in English
	Abouts map[string]string // by language
	Source string            // where the case comes from
	Seed   uint64

	Variants []string // in the order of the file, "base" first
	Expects  []Expect
	Sweep    *Sweep   // nil: none
	Rank     []string // metrics by which the variants are ranked, the most important first

	ranked   mentions
	path     string
	root     *node // settings as written, blocks expanded
	variants map[string]*node
	presets  []Preset       // the file's own
	points   [][]assignment // every point of every axis alone
}

// Expect is one expectation on the results of a variant.
type Expect struct {
	Variant      string // or "always"
	Text         string // a boolean expression
	Line, Column int
}

// Sweep is a grid of settings and what to draw of it.
type Sweep struct {
	Variants []string // to cross the grid with; empty: base alone
	Axes     []Axis
	Plots    []Plot
}

// Axis is one dimension of a sweep: settings that change together.
type Axis struct {
	Paths  []string
	Values [][]string // Values[k][i] is for Paths[i] at the k-th point
}

// Plot is one figure of a sweep: a metric or an axis against others.
type Plot struct {
	X    string
	Y    []string
	By   string // axis with one line per value; empty: one line
	Kind string // "line", "heat" or "pareto"
	Log  string // axes with a logarithmic scale: "", "x", "y" or "xy"

	named mentions
}

// mentions are metrics and axes where the file names them.
type mentions []mention

type mention struct {
	key, text string
	at        place
}

// wrong is a problem with a name, at its place.
func (m mentions) wrong(path, key, name, format string, args ...any) Problem {
	for _, n := range m {
		if n.key == key && n.text == name {
			return problemAt(n.at, path, format, args...)
		}
	}
	return problemAt(place{}, path, format, args...)
}

// WrongRank is a problem with a metric to rank by, at its place in the file.
func (f *File) WrongRank(name, format string, args ...any) Problem {
	return f.ranked.wrong("rank", "rank", name, format, args...)
}

// Wrong is a problem with a name under a key of the plot ("x", "y" or "by"), at
// its place in the file.
func (p Plot) Wrong(key, name, format string, args ...any) Problem {
	return p.named.wrong("sweep.plot."+key, key, name, format, args...)
}

// Load reads a file with one scenario. The error is Problems for a mistake in
// the file.
func Load(path string) (*File, error) {
	files, err := LoadAll(path)
	if err != nil {
		return nil, err
	}
	if len(files) > 1 {
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		return nil, fmt.Errorf("%s holds %d scenarios (%s); name one of them", path, len(files), strings.Join(names, ", "))
	}
	return files[0], nil
}

// LoadAll reads all scenarios of a file, parted by lines with ---.
func LoadAll(path string) ([]*File, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseAll(path, data)
}

// readFile reads no more than it takes to see that a file is too large. Opening
// a pipe would wait for somebody to write, so the kind of file is asked first.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; name a scenario file in it", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; write the scenario to one", path)
	case info.Size() > MaxBytes:
		return nil, Problems{{File: path, Message: tooLarge(info.Size())}}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}

func tooLarge(size int64) string {
	return fmt.Sprintf("the file has %d bytes; a scenario file may have %d (1 MiB)", size, MaxBytes)
}

// Parse reads one scenario from a text; name stands for it in messages. It
// resolves every variant and every value of every axis, so that a mistake
// anywhere in the file is found. The error is Problems.
func Parse(name string, data []byte) (*File, error) {
	files, err := ParseAll(name, data)
	if err == nil && len(files) > 1 {
		err = Problems{{File: name, Message: fmt.Sprintf("holds %d scenarios; one was expected", len(files))}}
	}
	if err != nil {
		return nil, err
	}
	return files[0], nil
}

// ParseAll reads all scenarios of a text, as Parse does.
func ParseAll(name string, data []byte) ([]*File, error) {
	documents, problems := parseYAML(name, data)
	if len(documents) == 0 && len(problems) == 0 {
		problems = Problems{{File: name, Message: "the file is empty; tenggat new writes one to start from"}}
	}
	var files []*File
	for _, document := range documents {
		f, found := newFile(name, document)
		problems = append(problems, found...)
		if slices.ContainsFunc(files, func(other *File) bool { return other.Name == f.Name }) {
			problems = append(problems, problemAt(document.at, "name", "two scenarios of this file are called %q", f.Name))
		}
		files = append(files, f)
	}
	if err := problems.sorted(); err != nil {
		return nil, err
	}
	return files, nil
}

func newFile(path string, document *node) (*File, Problems) {
	f := &File{
		path: path,
		Name: folderName(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))),
	}
	r := &fileReader{f: f, builder: &builder{s: &Scenario{}}}
	r.read(document)
	return f, append(r.problems, f.check()...)
}

// maxCheck bounds the work of check, in values looked at. Beyond it a mistake
// in a variant or an axis is only found when that is resolved.
const maxCheck = 5_000_000

// check resolves all that the file describes.
func (f *File) check() Problems {
	cost := f.root.size() * (1 + len(f.root.get("events").entries()))
	budget := maxCheck / cost
	var problems Problems
	add := func(found Problems) {
		for _, p := range found {
			if !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
	}
	for _, variant := range f.Variants[:min(len(f.Variants), 1+budget)] {
		s, found := f.resolve(variant, nil)
		add(found)
		if variant == "base" {
			f.Seed = s.Seed
		}
	}
	for _, sets := range f.points[:min(len(f.points), budget)] {
		_, found := f.resolve("base", sets)
		add(slices.DeleteFunc(found, func(p Problem) bool { // a wrong path is wrong for each value
			return slices.ContainsFunc(problems, func(q Problem) bool { return p.Path == q.Path && p.Message == q.Message })
		}))
	}
	return problems
}

// Resolve is a variant with further assignments on top, later ones winning;
// their values are YAML text, as after --set path=. The error is Problems.
func (f *File) Resolve(variant string, sets ...Assignment) (*Scenario, error) {
	if !slices.Contains(f.Variants, variant) {
		return nil, fmt.Errorf("%s has no variant %q%s", f.path, variant, didYouMean(variant, f.Variants))
	}
	var all []assignment
	var problems Problems
	for _, a := range sets {
		value, found := parseValue("--set", a.Value)
		for i := range found {
			found[i].Path = a.Path
		}
		problems = append(problems, found...)
		if value != nil {
			all = append(all, assignment{a.Path, place{"--set", 0, 0}, value})
		}
	}
	if err := problems.sorted(); err != nil {
		return nil, err
	}
	s, problems := f.resolve(variant, all)
	if err := problems.sorted(); err != nil {
		return nil, err
	}
	return s, nil
}

func (f *File) resolve(variant string, sets []assignment) (*Scenario, Problems) {
	root := f.root.clone()
	problems := assignAll(root, assignments(f.variants[variant]), false)
	for _, a := range sets {
		problems = append(problems, assignAll(root, []assignment{a}, false)...)
	}
	s, more := f.resolveTree(root)
	s.Variant = variant
	return s, slices.Concat(problems, more, s.checkEvents())
}
