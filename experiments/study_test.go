package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

// fakeStudy has points × 5 replications whose metrics are made up from the
// seed and the replication alone.
func fakeStudy(points int, ran *atomic.Int64) *Study {
	s := &Study{}
	for i := range points {
		sc := &scenario.Scenario{Name: "fake", Seed: uint64(i), Run: scenario.Run{Replications: 5}}
		s.Specs = append(s.Specs, &Spec{
			Variant: baseVariant, Scenario: sc, Hash: fmt.Sprint("hash ", i), Expects: &Expectations{}, Columns: columns("starts", "drain_s"),
			Axes: []scenario.Assignment{{Path: "seed", Value: fmt.Sprint(i)}},
		})
	}
	s.run = func(sc *scenario.Scenario, o model.Options) (*model.Result, error) {
		ran.Add(1)
		word := sc.Seed*1000 + o.Replication
		return &model.Result{
			Metrics: &metric.Result{Values: []float64{float64(word) / 3, math.Inf(1)}},
			Trace:   word * 7, Hash: word * 11, Events: word,
		}, nil
	}
	return s
}

func TestStudyIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	var ran atomic.Int64
	one, err := fakeStudy(9, &ran).Run(context.Background(), Options{Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, 6001.0/3, one[6].Values[0][1])
	for _, workers := range []int{2, 8} {
		many, err := fakeStudy(9, &ran).Run(context.Background(), Options{Workers: workers})
		require.NoError(t, err)
		assert.Equal(t, one, many)
	}
	assert.Equal(t, int64(3*9*5), ran.Load())
}

func TestInterruptedStudyIsContinued(t *testing.T) {
	var ran atomic.Int64
	whole, err := fakeStudy(6, &ran).Run(context.Background(), Options{})
	require.NoError(t, err)

	dir := filepath.Join(t.TempDir(), "state")
	store, err := OpenStore(dir, false)
	require.NoError(t, err)
	ctx, interrupt := context.WithCancel(context.Background())
	progress := func(done, _ int) {
		if done == 13 { // in the middle of the third point
			interrupt()
		}
	}
	points, err := fakeStudy(6, &ran).Run(ctx, Options{Workers: 1, Store: store, Progress: progress})
	require.ErrorIs(t, err, ErrInterrupted)
	assert.Equal(t, whole[:2], points[:2])
	assert.Nil(t, points[2])

	require.NoError(t, os.WriteFile(filepath.Join(dir, ".writing-1"), []byte("killed while writing"), 0o600))
	for _, stray := range []string{".writing-2", "old.point", "notes"} { // somebody else's, and in nobody's way
		require.NoError(t, os.MkdirAll(filepath.Join(dir, stray, "kept"), 0o700))
	}

	ran.Store(0)
	store, err = OpenStore(dir, true)
	require.NoError(t, err)
	points, err = fakeStudy(6, &ran).Run(context.Background(), Options{Workers: 2, Store: store})
	require.NoError(t, err)
	assert.Equal(t, whole, points)
	assert.Equal(t, int64(4*5), ran.Load(), "two points were finished before")

	require.NoError(t, store.Close())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 3, "what others put there, and no more")
	require.NoError(t, os.RemoveAll(dir))
	store, err = OpenStore(dir, true)
	require.NoError(t, err)
	require.NoError(t, store.Close())
	assert.NoDirExists(t, dir)
}

func TestAReplicationInFlightIsGivenUp(t *testing.T) {
	var ran atomic.Int64
	s := fakeStudy(2, &ran)
	ctx, interrupt := context.WithCancel(context.Background())
	s.run = func(_ *scenario.Scenario, o model.Options) (*model.Result, error) {
		assert.False(t, o.Interrupted())
		interrupt()
		assert.True(t, o.Interrupted())
		return nil, model.ErrInterrupted
	}
	points, err := s.Run(ctx, Options{Workers: 1})
	require.ErrorIs(t, err, ErrInterrupted)
	assert.Equal(t, []*Point{nil, nil}, points)
}

func TestTooManyReplicationsInAll(t *testing.T) {
	var ran atomic.Int64
	s := fakeStudy(2, &ran)
	s.Specs[0].Scenario.Run.Replications = mostReplications
	_, err := s.Run(context.Background(), Options{})
	require.ErrorContains(t, err, "more than 10000000 replications in all")
	assert.Zero(t, ran.Load())
}

func TestDamagedStateIsRunAgain(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	store, err := OpenStore(dir, false)
	require.NoError(t, err)
	whole, err := fakeStudy(4, &ran).Run(context.Background(), Options{Store: store})
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, stateFiles))
	require.NoError(t, err)
	require.Len(t, files, 4)

	content, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], content[:len(content)/2], 0o600), "torn")
	require.NoError(t, os.WriteFile(files[1], nil, 0o600), "empty")
	flipped, err := os.ReadFile(files[2])
	require.NoError(t, err)
	flipped[len(flipped)-3] ^= 1
	require.NoError(t, os.WriteFile(files[2], flipped, 0o600), "one bit")

	ran.Store(0)
	again, err := fakeStudy(4, &ran).Run(context.Background(), Options{Store: store})
	require.NoError(t, err)
	assert.Equal(t, whole, again)
	assert.Equal(t, int64(3*5), ran.Load())
}

func TestStateIsNotTakenForOtherSettings(t *testing.T) {
	var ran atomic.Int64
	store, err := OpenStore(t.TempDir(), false)
	require.NoError(t, err)
	_, err = fakeStudy(2, &ran).Run(context.Background(), Options{Store: store})
	require.NoError(t, err)
	longer := fakeStudy(2, &ran)
	for _, spec := range longer.Specs {
		spec.Scenario.Run.Replications = 6
	}
	points, err := longer.Run(context.Background(), Options{Store: store})
	require.NoError(t, err)
	assert.Equal(t, 6, points[1].Replications())
}

func TestFailureIsThatOfTheFirstReplication(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		var ran atomic.Int64
		s := fakeStudy(4, &ran)
		run := s.run
		s.run = func(sc *scenario.Scenario, o model.Options) (*model.Result, error) {
			if sc.Seed >= 2 && o.Replication >= 1 {
				return nil, errors.New("too many events")
			}
			return run(sc, o)
		}
		points, err := s.Run(context.Background(), Options{Workers: workers})
		require.EqualError(t, err, "fake seed=2, replication 1: too many events")
		assert.NotNil(t, points[0])
		assert.NotNil(t, points[1])
	}
}

func TestPanicIsABugReport(t *testing.T) {
	var ran atomic.Int64
	s := fakeStudy(2, &ran)
	s.run = func(*scenario.Scenario, model.Options) (*model.Result, error) { panic("queue: -1 messages") }
	_, err := s.Run(context.Background(), Options{Workers: 2})
	var bug *BugError
	require.ErrorAs(t, err, &bug)
	assert.Equal(t, "queue: -1 messages", bug.Panic)
	assert.Contains(t, string(bug.Stack), "study_test.go")
	assert.Equal(t, 0, bug.Replication)
}

// A setting above the axes would make a figure of one value, repeated.
func TestASettingOfWhatTheSweepVaries(t *testing.T) {
	f, err := scenario.Parse("ranked", []byte(ranked+"sweep: {axes: [{queues.q.lease: [10s, 20s]}]}"))
	require.NoError(t, err)
	for _, path := range []string{"queues.q.lease", "queues.q.lease.length"} {
		_, err = Grid(f, []scenario.Assignment{{Path: path, Value: "15s"}})
		require.Error(t, err, path)
		assert.Contains(t, err.Error(), "queues.q.lease=10s and lost-acks queues.q.lease=20s of the sweep are one and the same", path)
	}
	_, err = Grid(f, []scenario.Assignment{{Path: "queues.q.lease.renew", Value: "2s"}})
	assert.NoError(t, err)
}

func TestCombinationsFollowTheFile(t *testing.T) {
	points := combinations([]scenario.Axis{
		{Paths: []string{"a"}, Values: [][]string{{"1"}, {"2"}}},
		{Paths: []string{"b", "c"}, Values: [][]string{{"x", "p"}, {"y", "q"}}}, // zipped
	})
	assert.Equal(t, [][]scenario.Assignment{
		{{Path: "a", Value: "1"}, {Path: "b", Value: "x"}, {Path: "c", Value: "p"}},
		{{Path: "a", Value: "1"}, {Path: "b", Value: "y"}, {Path: "c", Value: "q"}},
		{{Path: "a", Value: "2"}, {Path: "b", Value: "x"}, {Path: "c", Value: "p"}},
		{{Path: "a", Value: "2"}, {Path: "b", Value: "y"}, {Path: "c", Value: "q"}},
	}, points)
}
