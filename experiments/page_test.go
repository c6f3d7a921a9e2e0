package experiments

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model/scenario"
)

// The page on expectations has everything that an expression may say, and its
// example compiles.
func TestPageOnExpectations(t *testing.T) {
	page, err := os.ReadFile("../docs/expectations.md")
	require.NoError(t, err)
	text := string(page)
	_, example, _ := strings.Cut(text, "```yaml\n")
	example, _, _ = strings.Cut(example, "```\n")
	file, err := scenario.Parse("expectations.md", []byte(example))
	require.NoError(t, err)
	study, err := Variants(file, nil)
	require.NoError(t, err)
	assert.Len(t, study.Specs[1].Expects.list, 6)

	assert.Contains(t, text, "**Facts**: `"+strings.Join(factWords(), "` `")+"`.\n")
	for name := range constants {
		assert.Contains(t, text, "`"+name+"`")
	}
	for _, function := range ofRuns {
		assert.Regexp(t, "\\| `"+function+`\((map\(runs, \.metric|[a-z])`, text)
	}
	var numbers strings.Builder
	for _, function := range ofNumbers {
		numbers.WriteString(" `" + function + "`")
	}
	assert.Contains(t, strings.ReplaceAll(text, "\n", " "), "Of the functions of expr-lang there are"+numbers.String()+".")
}
