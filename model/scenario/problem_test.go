package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the difference")

// golden compares text with a file of testdata.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// Every file of testdata/errors has mistakes; beside it stands what is said
// about them, to the letter.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			_, err = ParseAll(name+".yaml", data)
			var problems Problems
			require.ErrorAs(t, err, &problems)
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", problems.Error()+"\n")
		})
	}
}
