//go:build unix

package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A sleep takes time, but not the processor's; and a test of Go holds more than a megabyte, and less than the machine
// has.
func TestProcessorTimeAndMemory(t *testing.T) {
	wall, cpu := time.Now(), cpuTime()
	require.Positive(t, cpu)
	time.Sleep(50 * time.Millisecond)
	require.Less(t, cpuTime()-cpu, time.Since(wall))
	require.Greater(t, PeakMemory(), int64(1<<20))
	require.Less(t, PeakMemory(), int64(1<<40))
}
