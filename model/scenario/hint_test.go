package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the table proposes is a key of the language, and no word of the field
// stands twice for one key. What is said is held by testdata/errors/synonyms.
func TestSynonyms(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(Schema(), &schema))
	keys := map[string]any{}
	for _, b := range schema.Defs {
		maps.Copy(keys, b.Properties)
	}
	seen := map[string]bool{}
	for _, s := range synonyms {
		assert.Contains(t, keys, s.key)
		for _, word := range strings.Fields(s.words) {
			assert.False(t, seen[s.key+" "+word], "%s stands twice for %s", word, s.key)
			seen[s.key+" "+word] = true
		}
	}
}

// What stands for a word of a choice is such a word, and none of those beside it.
func TestChoices(t *testing.T) {
	var words []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, of := range v {
				if enum, ok := of.([]any); ok && key == "enum" {
					for _, word := range enum {
						words = append(words, fmt.Sprint(word))
					}
				}
				walk(of)
			}
		case []any:
			for _, of := range v {
				walk(of)
			}
		}
	}
	var schema any
	require.NoError(t, json.Unmarshal(Schema(), &schema))
	walk(schema)
	for _, c := range choices {
		assert.Contains(t, words, c.word)
		assert.NotContains(t, strings.Fields(c.words), c.word)
	}
}
