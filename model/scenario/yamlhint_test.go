package scenario

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMistakesOfLayoutAreFoundWhereTheyAre(t *testing.T) {
	for text, want := range map[string]string{
		"queues:\n\tq: {lease: 30s}\n":                                               "f:2:1: not YAML: a tab cannot indent: put spaces in its place",
		"queues:\n  q:\n    lease: 30s\n  \t  prefetch: 3\n":                         "f:4:3: not YAML: a tab cannot indent: put spaces in its place",
		"queues:\n  q: {lease: 30s}\n   p: {lease: 3s}\n":                            "f:3:4: not YAML: indentation: this line is 1 space deeper than its block, and line 2 above has its value already",
		"name: a\n  queues: {q: {}}\n":                                               "f:2:3: not YAML: indentation: this line is 2 spaces deeper than its block, and line 1 above has its value already",
		"queues:\n  q:\n    lease: 30s\n   prefetch: 3\nworkers: {}\n":               "f:4:4: not YAML: indentation: this line begins after 3 spaces, and no block above does; the nearest begins after 2",
		"expect:\n  always:\n    - a == 1\n   - b == 2\n":                            "f:4:4: not YAML: indentation: this line begins after 3 spaces, and no block above does; the nearest begins after 2",
		"jobs:\n  j:\n    steps:\n      - work: 1s\n        x: 1\n     - write: l\n": "f:6:6: not YAML: indentation: this line begins after 5 spaces, and no block above does; the nearest begins after 4",
		"name: a\nqueues: {q: {lease: 30s}\nworkers: {w: {}}\n":                      "f:2:9: not YAML: nothing closes the { in this line",
		"expect: {always: [\"a == 1, b]}\nworkers: {w: {}}\n":                        "f:1:19: not YAML: nothing closes the \" in this line",
		"name: a\nabout: one: two\n":                                                 "f:2:1: not YAML: mapping values are not allowed in this context: a value with \": \" or \" ? : \" in it needs quotes",
	} {
		_, err := Parse("f", []byte(text))
		assert.EqualError(t, err, want)
	}
}

// No scenario that can be read is suspected of a mistake of layout.
func TestSoundLayoutIsNotSuspected(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../../experiments/scenarios", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".yaml" {
			return err
		}
		seen++
		text, err := os.ReadFile(path)
		r := yamlReader{lines: strings.Split(string(text), "\n")}
		line, column, message := r.hint()
		assert.Zero(t, line, "%s:%d:%d: %s", path, line, column, message)
		return err
	})
	require.NoError(t, err)
	assert.Greater(t, seen, 10)
}
