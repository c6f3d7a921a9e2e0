package experiments

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneStudyWritesIntoADirectory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, claimFile)
	host, err := os.Hostname()
	require.NoError(t, err)

	release, err := Claim(dir)
	require.NoError(t, err)
	require.NoError(t, release())
	assert.NoFileExists(t, path)

	// The parent of a test is another process, and lives.
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "%d %s\n", os.Getppid(), host), 0o600))
	_, err = Claim(dir)
	require.ErrorContains(t, err, fmt.Sprintf("is being written by process %d: wait for it, or choose another directory with --out", os.Getppid()))
	assert.FileExists(t, path)

	require.NoError(t, os.WriteFile(path, []byte("1 elsewhere\n"), 0o600))
	_, err = Claim(dir)
	require.ErrorContains(t, err, "by process 1 on elsewhere")

	ended := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, ended.Run())
	for _, left := range []string{fmt.Sprintf("%d %s\n", ended.Process.Pid, host), fmt.Sprintf("%d %s\n", os.Getpid(), host), ""} {
		require.NoError(t, os.WriteFile(path, []byte(left), 0o600))
		release, err = Claim(dir)
		require.NoError(t, err, "left behind: %q", left)
		require.NoError(t, release())
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries, "nothing is left lying about")
}
