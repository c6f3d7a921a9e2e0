package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASmallFileResolves(t *testing.T) {
	f, err := Parse("a.yaml", []byte("queues: {q: {lease: 10s}}\nworkers: {w: {count: 2}}\njobs: {j: {queue: q, arrivals: poisson 4/s, steps: [work: exp 1s]}}\n"))
	require.NoError(t, err)
	s, err := f.Resolve("base")
	require.NoError(t, err)
	require.Equal(t, 2, s.Workers[0].Count)
	require.Equal(t, "10s", s.Queues[0].Lease.Length[0].String())
}
