package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table has a word for each change: a lease is a remedy, and what the two
// careless releases are shown in is another fault.
func TestFailuresNamesTheKindOfEachChange(t *testing.T) {
	inFolder(t, nil)
	code, _, stderr := tenggat("failures", "lease-not-lock", "--quiet", "--out", "table")
	require.Zero(t, code, stderr)
	content, err := os.ReadFile("table/failures.csv")
	require.NoError(t, err)
	kinds := map[string]string{}
	for line := range strings.Lines(string(content)) {
		fields := strings.Split(line, ",")
		kinds[fields[1]] = fields[2]
	}
	assert.Equal(t, map[string]string{"change": "kind", "lease": "remedy", "careless_release": "other fault", "owner_release": "other fault"}, kinds)
}
