package lint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/scenario"
)

// Severity says how sure harm is.
type Severity uint8

const (
	// Error: with these numbers it will misbehave.
	Error Severity = iota
	// Warning: harm is possible, and what it takes is usual.
	Warning
	// Hint: a bound is missing, or time is wasted.
	Hint
)

func (s Severity) String() string { return [...]string{"error", "warning", "hint"}[s] }

// Finding is a rule that a scenario does not satisfy.
type Finding struct {
	Scenario string
	Variants []string // that have it, in the order of the file
	Rule     *Rule
	Severity Severity
	Under    string                // whose settings make it so: "events.E" during that event, "workers.G" as that group sees it; empty: they stand
	At       []Value               // what was compared; the first one gives the place
	Sum      string                // the arithmetic on the user's numbers; where Differs, on those of the first variant
	Differs  bool                  // the variants have numbers of their own, and one change for all of them
	Change   []scenario.Assignment // satisfies the rule, tried; empty: none is known

	proposals [][]scenario.Assignment // the best first
}

// Value is a setting that a finding speaks of.
type Value struct {
	Path, Text string
	From       string // where the value comes from: "a.yaml:3", "preset bullmq:11", "--set", "default"
	Place      Place  // of the value in the file, or of the thing that it belongs to
}

// Block is what layers make of a block that one layer speaks of twice: as a whole and in part.
type Block struct {
	Scenario, Variant string
	Paths             []string // in the order in which they apply
	Place             Place
	Values            []Value // of the block, defaults left out
}

// Report is what lint has to say about the scenarios of a file.
type Report struct {
	Findings []Finding // by place
	Blocks   []Block
}

// Worst is the gravest severity among the findings; ok is false without any.
func (r *Report) Worst() (worst Severity, ok bool) {
	worst = Hint
	for i := range r.Findings {
		worst = min(worst, r.Findings[i].Severity)
	}
	return worst, len(r.Findings) > 0
}

// Check judges a resolved scenario: as its settings stand, then under those of each event, then as each group sees them
// that has a policy or settings of its own. Without its file, the findings have neither places nor changes.
func Check(s *scenario.Scenario) []Finding {
	calm := judge(s)
	return append(calm, under(s, calm)...)
}

// judge holds every rule against settings.
func judge(s *scenario.Scenario) (all []Finding) {
	v := newView(s)
	for i := range rules {
		for _, x := range rules[i].find(v) {
			f := Finding{Scenario: s.Name, Variants: []string{s.Variant}, Rule: &rules[i], Severity: x.severity, Sum: x.sum, proposals: x.changes}
			for _, path := range x.paths {
				f.At = append(f.At, Value{Path: path, Text: v.settings[path].Value, From: v.settings[path].From})
			}
			all = append(all, f)
		}
	}
	return all
}

// File judges every variant of every scenario in a text, each with further assignments on top; name stands for the
// text in places. The error is scenario.Problems for a mistake in the text or in an assignment.
func File(name string, text []byte, sets ...scenario.Assignment) (*Report, error) {
	files, err := scenario.ParseAll(name, text)
	if err != nil {
		return nil, err
	}
	documents, err := readPlaces(name, text)
	if err != nil {
		return nil, err
	}
	report := &Report{}
	for i, f := range files {
		l := linter{file: f, places: documents[i], sets: sets, origins: map[string]map[string]string{}}
		for _, variant := range f.Variants {
			if err := l.variant(variant); err != nil {
				return nil, err
			}
		}
		l.findings = slices.DeleteFunc(slices.Clone(l.findings), l.hasEffect)
		slices.SortStableFunc(l.findings, func(a, b Finding) int {
			return cmp.Or(a.At[0].Place.compare(b.At[0].Place), cmp.Compare(a.Severity, b.Severity))
		})
		report.Findings = append(report.Findings, l.findings...)
		report.Blocks = append(report.Blocks, l.blocks...)
	}
	return report, nil
}

// Preset judges what a built-in preset of a queue or lock brings along, in the scenario that `tenggat new` writes for
// it. An unknown preset is an error that names the known ones, one of another kind an error that says where it goes.
func Preset(name string) (*Report, error) {
	text, err := scenario.Starter(name)
	if err != nil {
		return nil, err
	}
	all, err := File(name, text)
	if err != nil {
		return nil, err
	}
	brought := func(v Value) bool { return strings.HasPrefix(v.From, "preset "+name+":") }
	report := &Report{}
	for _, f := range all.Findings {
		if i := slices.IndexFunc(f.At, brought); i >= 0 {
			f.At[0].Place = Place{File: f.At[i].From}
			report.Findings = append(report.Findings, f)
		}
	}
	return report, nil
}

// linter judges one scenario of a file.
type linter struct {
	file     *scenario.File
	places   *places
	sets     []scenario.Assignment
	findings []Finding
	blocks   []Block
	origins  map[string]map[string]string // by variant and path: where the value comes from
}

// variant judges one variant and notes what no variant before it had.
func (l *linter) variant(name string) error {
	s, err := l.file.Resolve(name, l.sets...)
	if err != nil {
		return err
	}
	l.layered(s)
	l.origins[name] = map[string]string{}
	for _, set := range s.Settings() {
		l.origins[name][set.Path] = set.From
	}
	all := Check(s)
	for _, f := range all {
		for i := range f.At {
			f.At[i].Place = l.place(&f, name, f.At[i])
		}
		f.Change = l.change(&f, all)
		l.add(f)
	}
	return nil
}

// hasEffect reports whether a variant that has the blamed setting from the same line is without the finding, where the
// rule asks for all of them: what base leaves unused may be there for a variant.
func (l *linter) hasEffect(f Finding) bool {
	if !f.Rule.everywhere {
		return false
	}
	return slices.ContainsFunc(l.file.Variants, func(variant string) bool {
		same := l.origins[variant][f.At[0].Path] == f.At[0].From
		return same && !slices.ContainsFunc(l.findings, func(g Finding) bool { return g.same(&f) && slices.Contains(g.Variants, variant) })
	})
}

// place is where a value of a finding stands: in the settings, or in the event or group that changes them.
func (l *linter) place(f *Finding, variant string, v Value) Place {
	at := l.places.of(variant, v.Path, v.From)
	for _, key := range []string{".set.", ".with."} {
		if at.Column == 0 && f.Under != "" {
			at = l.places.of(variant, f.Under+key+v.Path, v.From)
		}
	}
	return at
}

// add puts a finding that another variant has too under one head: the same one, or one with numbers of its own that the
// same change satisfies.
func (l *linter) add(f Finding) {
	for _, differs := range []bool{false, true} {
		for i := range l.findings {
			g := &l.findings[i]
			if !g.alike(&f, differs) {
				continue
			}
			if g.Differs = g.Differs || differs; !slices.Contains(g.Variants, f.Variants[0]) {
				g.Variants = append(g.Variants, f.Variants...)
			}
			return
		}
	}
	l.findings = append(l.findings, f)
}

// alike reports whether two findings are one for a reader. Where their numbers may differ, the words of the sums, the
// settings that were compared, and the change are the same.
func (f *Finding) alike(g *Finding, differs bool) bool {
	if f.Rule != g.Rule || f.Severity != g.Severity || f.Under != g.Under || f.At[0] != g.At[0] || !slices.Equal(f.Change, g.Change) {
		return false
	}
	if !differs {
		return f.Sum == g.Sum
	}
	words := func(sum string) string { return numbers.ReplaceAllString(sum, "0") }
	samePath := func(a, b Value) bool { return a.Path == b.Path }
	return len(f.Change) > 0 && words(f.Sum) == words(g.Sum) && slices.EqualFunc(f.At, g.At, samePath)
}

// numbers are those of a sum, with their units.
var numbers = regexp.MustCompile(`[0-9][0-9a-z.%]*`)

// change is the first proposal after which the finding is gone, its rule finds nothing new under the same settings, and no
// other rule finds a new error. What an event makes of settings that stand is its own finding, and its own change.
func (l *linter) change(f *Finding, before []Finding) []scenario.Assignment {
	look := judge
	if f.Under != "" {
		look = Check
	}
	for _, proposal := range f.proposals {
		s, err := l.file.Resolve(f.Variants[0], slices.Concat(l.sets, proposal)...)
		if err != nil {
			continue // such a value is not to be had here
		}
		worse := slices.ContainsFunc(look(s), func(g Finding) bool {
			known := slices.ContainsFunc(before, func(h Finding) bool { return h.same(&g) && h.Severity <= g.Severity })
			return g.same(f) || !known && (g.Rule == f.Rule && g.Under == f.Under || g.Severity == Error)
		})
		if !worse {
			return proposal
		}
	}
	return nil
}

// same reports whether two findings blame the same setting by the same rule, under the same settings.
func (f *Finding) same(g *Finding) bool {
	return f.Rule == g.Rule && f.Under == g.Under && f.At[0].Path == g.At[0].Path
}

// layered notes the blocks that the variant, or the assignments on top, set as a whole and in part.
func (l *linter) layered(s *scenario.Scenario) {
	paths := slices.Clone(l.places.sets[s.Variant])
	for _, set := range l.sets {
		paths = append(paths, set.Path)
	}
	for i, whole := range paths {
		inside := func(path string) bool { return strings.HasPrefix(path, whole+".") }
		if slices.Contains(paths[:i], whole) || !slices.ContainsFunc(paths, inside) {
			continue
		}
		b := Block{Scenario: l.file.Name, Variant: s.Variant, Place: l.places.of(s.Variant, whole, "")}
		for _, path := range paths {
			if path == whole || inside(path) {
				b.Paths = append(b.Paths, path)
			}
		}
		for _, set := range s.Settings() {
			if inside(set.Path) && set.From != "default" {
				b.Values = append(b.Values, Value{set.Path, set.Value, set.From, l.places.of(s.Variant, set.Path, set.From)})
			}
		}
		l.blocks = append(l.blocks, b)
	}
}
