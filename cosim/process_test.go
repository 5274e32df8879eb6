//go:build unix

package cosim

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The first 64 bytes of the shared memory are the bell's, the next ones tell of slot 0.

// hangs answers resets, and never a batch.
const hangs = `#!/bin/sh
while :; do
	op=$(dd bs=16 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op in
	1) sleep 1000 ;;
	2) printf '\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// ends answers resets, and runs 3 rows of a batch in slot 2. Then there is a file.
const ends = `#!/bin/sh
while :; do
	op=$(dd bs=16 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op in
	1) printf '\3\0\0\0\1\0\0\0' | dd of=/dev/fd/5 bs=1 seek=192 conv=notrunc 2>/dev/null; : >"$0.ended" ;;
	2) printf '\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// dies answers resets, and runs a batch in slot 0 and 3 rows of one in slot 1 when it has been told of three.
const dies = `#!/bin/sh
while :; do
	op=$(dd bs=16 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op$told in
	1) told=1 ;;
	11) told=2 ;;
	12)
		printf '\3\0\0\0' | dd of=/dev/fd/5 bs=1 seek=128 conv=notrunc 2>/dev/null
		printf '\20\0\0\0\1\0\0\0' | dd of=/dev/fd/5 bs=1 seek=64 conv=notrunc 2>/dev/null
		exit 7 ;;
	2) printf '\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// moves answers resets, and moves 5 and 2 transfers of two streams at each command.
const moves = `#!/bin/sh
while :; do
	op=$(dd bs=24 count=1 <&3 2>/dev/null | od -An -tu4 | awk 'NR == 1 {print $1}')
	case $op in
	1) printf '\5\0\0\0\2\0\0\0' | dd of=/dev/fd/5 bs=1 seek=64 conv=notrunc 2>/dev/null; printf '\0\0\0\0' >&4 ;;
	2) printf '\0\0\0\0' >&4 ;;
	*) exit ;;
	esac
done
`

// startScript starts a script in place of RTL without streams, with rows of 8 bytes each way, in 4 slots of 16.
func startScript(t *testing.T, script string) *process { return startStreams(t, script, 0) }

// startStreams starts a script in place of RTL with streams.
func startStreams(t *testing.T, script string, streams int) *process {
	dir := t.TempDir()
	path := filepath.Join(dir, "rtl")
	// a program that another test starts now would have the file open for writing, and nobody could run it
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(script), 0o755)
	syscall.ForkLock.RUnlock()
	require.NoError(t, err)
	p, err := startProcess(
		t.Context(),
		program{path: path, dir: dir, timeout: time.Minute, in: 8, out: 8, streams: streams, batches: 4, rows: 16},
	)
	require.NoError(t, err)
	if script == hangs {
		p.timeout = time.Second
	}
	t.Cleanup(func() { p.close() })
	return p
}

// The outputs of RTL that does not end its batch are the draft's, unless the slot has them already: then the draft may
// be the next batch's.
func TestOutputsOfABatchWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for _, copied := range []bool{false, true} {
		p := startScript(t, hangs)
		for i := range p.line(2) {
			p.line(2)[i] = 1 // of an earlier batch
		}
		p.begin(2, 16)
		require.Zero(t, p.word(2, wordRan).Load())
		require.Zero(t, p.word(2, wordDone).Load())
		p.word(2, wordRan).Store(3)
		for i := range p.draft {
			p.draft[i] = 7
		}
		if copied { // it ends after the limit, before it is looked at
			p.timeout = 0
			p.cmd.Cancel = func() error {
				p.word(2, wordDone).Store(1)
				return p.cmd.Process.Kill()
			}
		}
		rows, err := p.end()
		require.Equal(t, 3, rows)
		require.ErrorContains(t, err, "and was stopped")
		want := make([]byte, 16*8)
		if !copied {
			copy(want, bytes.Repeat([]byte{7}, 3*8))
		}
		require.Equal(t, want, p.parts[2].out)
	}
}

// A batch that ended in time counts where it is looked at too late: this process may have been stopped meanwhile.
func TestBatchLookedAtTooLate(t *testing.T) {
	t.Parallel()
	p := startScript(t, ends)
	p.begin(2, 3)
	require.Eventually(
		t, func() bool { _, err := os.Stat(p.path + ".ended"); return err == nil }, time.Minute, time.Millisecond,
	)
	p.timeout = -time.Second
	rows, err := p.end()
	require.NoError(t, err)
	require.Equal(t, 3, rows)
}

// Batches that ended before the program did are whole, also where this process sees its end first.
func TestBatchesBeforeTheProgramEnds(t *testing.T) {
	t.Parallel()
	p := startScript(t, dies)
	for slot := range 3 {
		p.begin(slot, 16)
	}
	rows, err := p.end()
	require.NoError(t, err)
	require.Equal(t, 16, rows)
	rows, err = p.end()
	require.EqualError(t, err, "the RTL's process ended: exit status 7")
	require.Equal(t, 3, rows)
	require.True(t, p.ended)
}

// A message tells of slots that follow one another, so batches on both sides of the last slot's end take two.
func TestBatchesGatheredBeyondTheLastSlot(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p := &process{
		program: program{batches: 4}, commands: w, place: &elsewhere{}, shared: make([]byte, 5*slotLine(0)),
		told: time.Now().Add(time.Hour),
	}
	p.begin(3, 16)
	require.Equal(t, 1, p.unsent, "the program was told of something lately")
	p.begin(0, 16)
	require.Zero(t, p.unsent, "half of the slots are enough")
	require.NoError(t, w.Close())
	told, err := io.ReadAll(r)
	require.NoError(t, err)
	words := make([]uint32, len(told)/4)
	_, err = binary.Decode(told, binary.NativeEndian, words)
	require.NoError(t, err)
	require.Equal(t, []uint32{opRun, 3, 1, 0, opRun, 0, 1, 0}, words)
}

// What a program says that cannot be is an error: RTL can write anywhere in its process.
func TestMoreRowsThanThereAre(t *testing.T) {
	t.Parallel()
	p := startScript(t, ends)
	p.begin(2, 2)
	rows, err := p.end()
	require.Zero(t, rows)
	require.EqualError(t, err, "the RTL's program ran 3 of 2 rows")
	p = startScript(t, hangs)
	p.begin(1, 2)
	p.word(1, wordRan).Store(1 << 30)
	rows, err = p.end()
	require.Zero(t, rows)
	require.ErrorContains(t, err, "the RTL's program ran 1073741824 of 2 rows")
}

// No stream moves more transfers than there are beats, or there is room for.
func TestMoreTransfersThanThereAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		beats []int
		want  string
	}{
		{[]int{5, 2}, ""},
		{[]int{4, 16}, "the RTL's program moved 5 transfers of at most 4"},
		{[]int{16, 1}, "the RTL's program moved 2 transfers of at most 1"},
	} {
		p := startStreams(t, moves, 2)
		done, err := p.transfer(0, c.beats, false, false)
		if c.want == "" {
			require.NoError(t, err)
			require.Equal(t, []int{5, 2}, done)
			continue
		}
		require.EqualError(t, err, c.want)
		require.Equal(t, []int{0, 0}, done)
		require.True(t, p.ended)
	}
}

// A line is whole lines of a processor's cache, and holds a word for each stream, and two more.
func TestSlotLine(t *testing.T) {
	t.Parallel()
	for streams, want := range map[int]int{0: 64, 1: 64, 14: 64, 15: 128, 30: 128, 31: 192} {
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
	p.word(0, wordRan).Store(7) // rows of an earlier batch
	p.begin(0, 16)
	rows, err := p.end()
	require.Zero(t, rows)
	require.ErrorContains(t, err, "the RTL has not answered for 1s and was stopped")
}
