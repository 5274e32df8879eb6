//go:build unix

package cosim

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hangs answers resets, and never a batch.
const hangs = `#!/bin/sh
while :; do
	op=$(dd bs=20 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op in
	1) sleep 1000 ;;
	2) printf '\0\0\0\0\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// answers answers resets, and batches with 3 rows. Then there is a file.
const answers = `#!/bin/sh
while :; do
	op=$(dd bs=20 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op in
	1) printf '\3\0\0\0\0\0\0\0' >&4; : >"$0.answered" ;;
	2) printf '\0\0\0\0\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// startScript starts a script in place of RTL, with rows of 8 bytes each way, in 4 slots of 16.
func startScript(t *testing.T, script string) *process {
	dir := t.TempDir()
	path := filepath.Join(dir, "rtl")
	syscall.ForkLock.RLock() // a program that another test starts now would have the file open for writing, and nobody could run it
	err := os.WriteFile(path, []byte(script), 0o755)
	syscall.ForkLock.RUnlock()
	require.NoError(t, err)
	p, err := startProcess(t.Context(), program{path: path, dir: dir, timeout: 2 * time.Second, in: 8, out: 8, batches: 4, rows: 16})
	require.NoError(t, err)
	t.Cleanup(func() { p.close() })
	return p
}

// The outputs of RTL that does not answer are those of the draft, unless the slot has them already: then the draft may be the next batch's.
func TestOutputsOfABatchWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for _, copied := range []uint32{0, 1} {
		p := startScript(t, hangs)
		for i := range p.line(2) {
			p.line(2)[i] = 1 // of an earlier batch
		}
		p.begin(2, 16)
		require.Equal(t, make([]byte, 64), p.line(2))
		binary.NativeEndian.PutUint32(p.line(2), 3)
		binary.NativeEndian.PutUint32(p.line(2)[4:], copied)
		for i := range p.draft {
			p.draft[i] = 7
		}
		rows, err := p.end()
		require.Equal(t, 3, rows)
		require.ErrorContains(t, err, "the RTL has not answered for 2s and was stopped")
		want := make([]byte, 16*8)
		if copied == 0 {
			copy(want, bytes.Repeat([]byte{7}, 3*8))
		}
		require.Equal(t, want, p.parts[2].out)
	}
}

// An answer that came in time counts where it is read too late: this process may have been stopped meanwhile.
func TestAnswerReadTooLate(t *testing.T) {
	t.Parallel()
	p := startScript(t, answers)
	p.begin(2, 3)
	require.Eventually(t, func() bool { _, err := os.Stat(p.path + ".answered"); return err == nil }, time.Minute, time.Millisecond)
	p.timeout = -time.Second
	rows, err := p.end()
	require.NoError(t, err)
	require.Equal(t, 3, rows)
}

// A line is whole lines of a processor's cache, and holds a word for each stream, or two.
func TestSlotLine(t *testing.T) {
	t.Parallel()
	for streams, want := range map[int]int{0: 64, 1: 64, 16: 64, 17: 128} {
		require.Equal(t, want, slotLine(streams), "%d streams", streams)
	}
}

// A reset drops batches without an end, even such as never end.
func TestResetAfterBatchesThatNeverEnd(t *testing.T) {
	t.Parallel()
	p := startScript(t, hangs)
	p.begin(0, 16)
	p.begin(1, 16)
	require.NoError(t, p.reset(0))
	require.False(t, p.ended)
	require.Empty(t, p.begun)
	p.shared[0] = 7 // rows of an earlier batch
	p.begin(0, 16)
	rows, err := p.end()
	require.Zero(t, rows)
	require.ErrorContains(t, err, "the RTL has not answered for 2s and was stopped")
}
