//go:build unix

package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Who sleeps takes time, but not the processor's; and a test of Go holds more than a megabyte, and less than all that there is.
func TestProcessorTimeAndMemory(t *testing.T) {
	wall, cpu := time.Now(), cpuTime()
	require.Positive(t, cpu)
	time.Sleep(50 * time.Millisecond)
	require.Less(t, cpuTime()-cpu, time.Since(wall))
	require.Greater(t, PeakMemory(), int64(1<<20))
	require.Less(t, PeakMemory(), int64(1<<40))
}
