package house

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layersPage is where the layers are written down, for people and for this test.
const layersPage = "docs/design/layers.md"

// layer is one row of the table: a folder and what it may import.
type layer struct {
	folder, duty    string
	allowed, denied []string // patterns as in go list
}

// TestImportsFollowTheLayers holds every import against the table.
func TestImportsFollowTheLayers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, layersPage))
	if err != nil {
		t.Fatal(err)
	}
	layers := parseLayers(string(text))
	if len(layers) == 0 {
		t.Fatalf("%s has no table of folder, duty, may import", layersPage)
	}
	for _, l := range layers {
		if l.duty == "" {
			t.Errorf("%s: %s has no duty", layersPage, l.folder)
		}
	}
	for _, s := range load(t).packages {
		for _, breach := range arrows(layers, s.folder, s.imports) {
			t.Errorf("%s: %s", s.folder, breach)
		}
	}
}

// TestOneFileReadsYAML keeps the errors of a kind of file in one place.
func TestOneFileReadsYAML(t *testing.T) {
	for _, s := range load(t).packages {
		var readers []string
		for _, file := range s.files {
			for _, spec := range file.Imports {
				if strings.Contains(spec.Path.Value, "/yaml") {
					readers = append(readers, filepath.Base(s.fset.Position(file.Pos()).Filename))
				}
			}
		}
		if len(readers) > 1 {
			t.Errorf("%s: %s import a YAML library, want one file", s.folder, strings.Join(readers, ", "))
		}
	}
}

// TestLayersObject: the rule finds what it is there for.
func TestLayersObject(t *testing.T) {
	layers := parseLayers(strings.ReplaceAll(`
		| folder | duty | may import |
		|---|---|---|
		| 'low' | bottom | |
		| 'mid' | middle | 'low/...' except 'low/secret', 'low/hidden' |
		| 'cmd/...' | top | '...' |`, "'", "`"))
	for _, c := range []struct {
		folder, imported string
		allowed          bool
	}{
		{"low", "mid", false},
		{"low", "gonum.org/v1/gonum/stat", false},
		{"mid", "low", true},
		{"mid", "low/deep/down", true},
		{"mid", "lowest", false},
		{"mid", "low/secret", false},
		{"mid", "low/hidden", false},
		{"mid", "cmd/x", false},
		{"cmd/x", "gonum.org/v1/gonum/stat", true},
		{"unknown", "low", false},
	} {
		if found := arrows(layers, c.folder, []string{c.imported}); (len(found) == 0) != c.allowed {
			t.Errorf("%s imports %s: %q, want allowed %v", c.folder, c.imported, found, c.allowed)
		}
	}
}

// arrows lists what a package imports against its row. Imports of the standard
// library are not among them.
func arrows(layers []layer, folder string, imports []string) []string {
	i := slices.IndexFunc(layers, func(l layer) bool { return matches([]string{l.folder}, folder) })
	if i < 0 {
		return []string{"has no row in " + layersPage}
	}
	var found []string
	for _, imported := range imports {
		if !matches(layers[i].allowed, imported) || matches(layers[i].denied, imported) {
			found = append(found, fmt.Sprintf("imports %s, which its row in %s does not allow", imported, layersPage))
		}
	}
	return found
}

// matches tells whether a pattern names the path: itself, or its tree when the
// pattern ends in "...".
func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		tree, ok := strings.CutSuffix(pattern, "...")
		return path == pattern || ok && strings.HasPrefix(path+"/", tree)
	})
}

var quoted = regexp.MustCompile("`([^`]+)`")

// parseLayers reads the rows of the table headed folder, duty, may import.
func parseLayers(text string) []layer {
	var layers []layer
	inside := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 {
			inside = false
			continue
		}
		folder, duty := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
		if folder == "folder" {
			inside = true
		}
		if name := quoted.FindStringSubmatch(folder); inside && name != nil {
			allowed, denied, _ := strings.Cut(cells[2], " except ")
			layers = append(layers, layer{name[1], duty, words(allowed), words(denied)})
		}
	}
	return layers
}

// words are the quoted words of a cell.
func words(cell string) []string {
	var all []string
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}
