package scenario

import (
	"encoding/json"
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
