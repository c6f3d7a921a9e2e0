package lint

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenggat/tenggat/model/scenario"
)

// This file is the only one that knows the YAML library. A resolved setting remembers the line that it was written
// in; an editor also wants the column, so the text is read once more for its places alone.

// Place is a position in a file.
type Place struct {
	File         string
	Line, Column int // counted from 1; 0: the value has no place in a file
}

// String is the place as editors know it.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// places are the values of one document with their paths.
type places struct {
	file    string
	entries []entry
	sets    map[string][]string // the paths that each variant sets
}

// entry is a value; variant is empty for the document's own settings.
type entry struct {
	variant, path string
	line, column  int
}

// readPlaces reads the places of every document of a text that the scenario package has accepted.
func readPlaces(file string, text []byte) ([]*places, error) {
	var documents []*places
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
			continue
		}
		p := &places{file: file, sets: map[string][]string{}}
		block(document.Content[0], func(key string, value *yaml.Node) {
			if key == "variants" {
				p.variants(value)
			} else {
				p.value(value, "", key)
			}
		})
		documents = append(documents, p)
	}
}

// block calls do for each key of a map, those merged with << last.
func block(y *yaml.Node, do func(key string, value *yaml.Node)) {
	for y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	var merged []*yaml.Node
	for i := 0; y.Kind == yaml.MappingNode && i+1 < len(y.Content); i += 2 {
		if y.Content[i].Tag == "!!merge" {
			merged = append(merged, y.Content[i+1])
		} else {
			do(y.Content[i].Value, y.Content[i+1])
		}
	}
	for _, m := range merged {
		block(m, do)
	}
}

// variants notes the assignments of every variant under the paths that they set, a shorter one before its extensions.
func (p *places) variants(y *yaml.Node) {
	block(y, func(variant string, sets *yaml.Node) {
		block(sets, func(path string, value *yaml.Node) {
			p.value(value, variant, path)
			p.sets[variant] = append(p.sets[variant], path)
		})
		slices.SortStableFunc(p.sets[variant], func(a, b string) int { return cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")) })
	})
}

// value notes a value and what is inside it. Steps are reached by their verb, the second of a kind by number.
func (p *places) value(y *yaml.Node, variant, path string) {
	for y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	p.entries = append(p.entries, entry{variant, path, y.Line, y.Column})
	switch {
	case y.Kind == yaml.MappingNode:
		block(y, func(key string, value *yaml.Node) { p.value(value, variant, path+"."+key) })
	case y.Kind == yaml.SequenceNode && strings.HasSuffix(path, ".steps"):
		seen := map[string]int{}
		for _, item := range y.Content {
			block(item, func(verb string, value *yaml.Node) {
				step := path + "." + verb
				if seen[verb]++; seen[verb] > 1 {
					step += "." + strconv.Itoa(seen[verb])
				}
				p.value(value, variant, step)
			})
		}
	}
}

// isOwn reports whether a value stands under a preset's own name for a setting.
func (e entry) isOwn(path string) bool {
	component, name, own := strings.Cut(e.path, ".own.")
	return own && slices.ContainsFunc(scenario.Presets(), func(p scenario.Preset) bool {
		return slices.ContainsFunc(p.Names, func(n scenario.OwnName) bool {
			is := component + "." + n.Is
			return n.Name == name && (is == path || strings.HasPrefix(path, is+"."))
		})
	})
}

// of is the place of a setting: of its value if the line where that comes from is known, and else of the innermost
// block around it that the file mentions.
func (p *places) of(variant, path, from string) Place {
	best, line := -1, 0
	if number, ok := strings.CutPrefix(from, p.file+":"); ok {
		line, _ = strconv.Atoi(number) // 0 if it is no number: then any line will do
	}
	for i, e := range p.entries {
		switch {
		case e.variant != "" && e.variant != variant, e.path != path && !strings.HasPrefix(path, e.path+".") && !e.isOwn(path), line > 0 && e.line != line:
		case best < 0 || len(e.path) >= len(p.entries[best].path):
			best = i
		}
	}
	switch {
	case best >= 0:
		return Place{p.file, p.entries[best].line, p.entries[best].column}
	case line > 0:
		return Place{File: p.file, Line: line}
	}
	return Place{File: p.file}
}
