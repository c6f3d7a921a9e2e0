package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnchorsAndMerges(t *testing.T) {
	s := parse(t, `
queues:
  a: &common {lease: {length: 7s, scope: channel}, order: lifo}
  b: {<<: *common, order: fifo}
  c: {<<: [*common, {in_flight: 5}], lease: 9s}
workers: {w: {}}
jobs: {j: {queue: a, arrivals: at 0s}}
`)
	assert.Equal(t, LIFO, s.Queues[0].Order)
	assert.Equal(t, FIFO, s.Queues[1].Order)
	assert.Equal(t, "7s", s.Queues[1].Lease.Length[0].String())
	assert.Equal(t, ScopeChannel, s.Queues[1].Lease.Scope)
	assert.Equal(t, "9s", s.Queues[2].Lease.Length[0].String())
	assert.Equal(t, ScopeMessage, s.Queues[2].Lease.Scope, "<< merges keys, not blocks")
	assert.Equal(t, 5, s.Queues[2].InFlight)
}

func TestAnAliasIsACopy(t *testing.T) {
	f, err := Parse("a.yaml", []byte("queues: {a: &q {lease: 1s}, b: *q}\nworkers: {w: {}}\njobs: {j: {queue: a, arrivals: at 0s}}\n"))
	require.NoError(t, err)
	s, err := f.Resolve("base", Assignment{"queues.a.lease", "2s"})
	require.NoError(t, err)
	assert.Equal(t, "1s", s.Queues[1].Lease.Length[0].String())
}

// Hostile texts end in an error, in bounded time.
func TestBounds(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	for _, c := range []struct{ name, text, want string }{
		{"bomb", bomb, "more than 20000 values"},
		{"cycle", "queues: &q {q: *q}", "refers to the block that it stands in"},
		{"cycle in a list", "queues: &q [*q]", "refers to the block that it stands in"},
		{"cycle by merge", "queues: &q {<<: *q}", "refers to the block that it stands in"},
		{"deep", strings.Repeat("[", 500) + strings.Repeat("]", 500), "nested deeper than 64 levels"},
		{"very deep", strings.Repeat("[", 200_000), "not YAML"},
		{"wide", "queues: {q: {}" + strings.Repeat(", q: {}", 60_000) + "}", "more than 20000 values"},
		{"long", "about: " + strings.Repeat("x", MaxBytes), "a scenario file may have 1048576 (1 MiB)"},
		{"deep formula", "workers: {w: {count: '=" + strings.Repeat("(", 5000) + "'}}", "nested too deeply"},
		{"minus signs", "workers: {w: {count: '=" + strings.Repeat("-", 5000) + "1'}}", "nested too deeply"},
		{"not text", "\xff\xfe\x00", "not YAML"},
		{"a merge of a word", "queues: {<<: x}", "<< merges a map"},
		{"a key that is a list", "{[a]: b}", "a key must be a word"},
	} {
		_, err := Parse("a.yaml", []byte(c.text))
		if assert.Error(t, err, c.name) {
			assert.Contains(t, err.Error(), c.want, c.name)
			assert.Less(t, len(err.Error()), 1<<20, c.name)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	one := "workers: {w: {}}\njobs: {j: {by: w, arrivals: at 0s}}\n"
	f, err := Load(write("one-case.yaml", one))
	require.NoError(t, err)
	assert.Equal(t, "one-case", f.Name)

	f, err = Load(write("Nightly Run.v2.yaml", one))
	require.NoError(t, err)
	assert.Equal(t, "nightly-run-v2", f.Name, "a name is a folder's")

	two := write("two.yaml", "name: a\n"+one+"---\nname: b\n"+one+"---\n")
	all, err := LoadAll(two)
	require.NoError(t, err)
	assert.Len(t, all, 2)
	_, err = Load(two)
	assert.ErrorContains(t, err, "holds 2 scenarios (a, b); name one of them")

	_, err = LoadAll(write("same.yaml", "name: a\n"+one+"---\nname: a\n"+one))
	assert.ErrorContains(t, err, `two scenarios of this file are called "a"`)

	_, err = Load(dir)
	assert.ErrorContains(t, err, "is a directory; name a scenario file in it")
	_, err = Load(os.DevNull)
	assert.ErrorContains(t, err, "is not a regular file")
	_, err = Load(filepath.Join(dir, "missing.yaml"))
	assert.ErrorIs(t, err, os.ErrNotExist)

	big := write("big.yaml", "")
	require.NoError(t, os.Truncate(big, 50<<20))
	_, err = Load(big)
	assert.ErrorContains(t, err, "the file has 52428800 bytes; a scenario file may have 1048576 (1 MiB)")
}
