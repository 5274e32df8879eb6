package workers_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/workers"
)

// A worker takes its own tasks from the front, then other workers' from the back, each once a round.
func TestTasksOfOneWorker(t *testing.T) {
	tasks := workers.NewTasks([][]int{{10, 11}, {}, {20, 21, 22}})
	for worker, want := range [][]int{{10, 11, 22, 21, 20}, {11, 10, 22, 21, 20}, {20, 21, 22, 11, 10}} {
		round := uint64(worker + 1)
		var got []int
		require.False(t, tasks.Ended(round))
		for {
			task, ok := tasks.Take(worker, round)
			if !ok {
				break
			}
			require.False(t, tasks.Ended(round))
			got = append(got, task)
			tasks.Done()
		}
		require.Equal(t, want, got)
		require.True(t, tasks.Ended(round))
	}
	task, ok := tasks.Take(2, 4)
	require.True(t, ok)
	require.Equal(t, 20, task)
	_, ok = tasks.Take(2, 3) // of a worker that has not seen yet that round 3 has ended
	require.False(t, ok)
	task, ok = tasks.Take(0, 4)
	require.True(t, ok)
	require.Equal(t, 10, task)
}

// Workers that take from each other do each task once a round.
func TestTasksOfSeveralWorkers(t *testing.T) {
	lists := [][]int{{0, 1, 2, 3, 4, 5, 6}, {7}, {8, 9}}
	const rounds = 3000
	tasks := workers.NewTasks(lists)
	var done [10]int // by task; written by the worker that runs it
	var wg sync.WaitGroup
	for w := range lists {
		wg.Go(func() {
			for round := uint64(1); round <= rounds; round++ {
				for {
					task, ok := tasks.Take(w, round)
					if !ok {
						break
					}
					done[task]++
					tasks.Done()
				}
				for wait := workers.NewCrew(len(lists)).Waiting(); !tasks.Ended(round); {
					wait.Turn()
				}
			}
		})
	}
	wg.Wait()
	for task, n := range done {
		require.Equal(t, rounds, n, "task %d", task)
	}
}

// Rounds are told apart when their number has outgrown its place, too.
func TestTasksOfLateRounds(t *testing.T) {
	tasks := workers.NewTasks([][]int{{5}})
	for round := uint64(1); round < 1<<26; round += 1<<22 - 1 {
		task, ok := tasks.Take(0, round)
		require.True(t, ok)
		require.Equal(t, 5, task)
		_, ok = tasks.Take(0, round)
		require.False(t, ok)
	}
}

// More tasks than their number has room for are refused.
func TestTooManyTasks(t *testing.T) {
	most := make([]int, 1<<20-1)
	require.NotPanics(t, func() { workers.NewTasks([][]int{{}, most}) })
	require.PanicsWithValue(t, "workers: a list of more than a million tasks",
		func() { workers.NewTasks([][]int{{}, append(most, 0)}) })
}
