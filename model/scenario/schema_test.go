package scenario

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSchemaIsCurrent(t *testing.T) {
	golden(t, "schema.json", string(Schema()))
}

// The schema knows every block of the language, and refers to nothing else.
func TestSchemaIsWhole(t *testing.T) {
	var schema map[string]any
	require.NoError(t, json.Unmarshal(Schema(), &schema))
	defs := schema["$defs"].(map[string]any)
	for _, name := range []string{"scenario", "queue", "lock", "service", "monitor", "session", "worker_group", "job", "step", "event", "retry", "breaker", "preset", "sweep"} {
		assert.Contains(t, defs, name)
	}
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			if ref, ok := x["$ref"].(string); ok {
				require.Contains(t, defs, ref[len("#/$defs/"):])
			}
			for _, v := range x {
				walk(v)
			}
		case []any:
			for _, v := range x {
				walk(v)
			}
		}
	}
	walk(schema)
}
