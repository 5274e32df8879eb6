package cosim_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/process"
)

const loopUntilKilled = "GOLDWIRE_TEST_LOOP_UNTIL_KILLED"

// RTL that loops without end does not outlive a lockstep that is killed.
func TestKilledLockstepLeavesNoRTL(t *testing.T) {
	if sim := os.Getenv(loopUntilKilled); sim != "" {
		lockstepUntilKilled(t, cosim.Simulator(sim))
	}
	for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
		t.Run(string(sim), func(t *testing.T) {
			if err := sim.Available(); err != nil {
				t.Skipf("%s was NOT run: %v", t.Name(), err)
			}
			t.Parallel()
			lockstep := exec.Command(os.Args[0], "-test.run=^TestKilledLockstepLeavesNoRTL$")
			lockstep.Env = append(os.Environ(), loopUntilKilled+"="+string(sim), "TMPDIR="+t.TempDir())
			out, err := lockstep.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, lockstep.Start())
			t.Cleanup(func() { _ = lockstep.Process.Kill() })
			lines := bufio.NewScanner(out)
			require.True(t, lines.Scan())
			pid, err := strconv.Atoi(lines.Text())
			require.NoError(t, err, lines.Text())
			t.Cleanup(func() { _ = unix.Kill(pid, unix.SIGKILL) })
			require.False(t, process.Ended(pid))
			require.NoError(t, lockstep.Process.Kill())
			_, _ = io.Copy(io.Discard, out)
			require.Error(t, lockstep.Wait())
			require.Eventually(t, func() bool { return process.Ended(pid) }, 5*time.Second, 10*time.Millisecond)
		})
	}
}

// lockstepUntilKilled says which process the RTL is when it loops, and does not return.
func lockstepUntilKilled(t *testing.T, sim cosim.Simulator) {
	text := strings.Replace(
		plain, "out_valid <= in_valid;",
		"out_valid <= in_valid; while (out_total > 12'd500 && in_valid) wait_ = wait_ + 1;", 1,
	)
	s, err := start(
		t,
		strings.Replace(text, "    assign out_odd", "    integer wait_ = 0;\n    assign out_odd", 1),
		func(o *cosim.Options) {
			o.Timeout, o.Dirty, o.Design.Simulator = time.Hour, 0, sim
		},
	)
	require.NoError(t, err)
	go func() {
		time.Sleep(time.Second) // it loops after some ten rows
		name := "rtl"
		if sim == cosim.Icarus {
			name = "vvp"
		}
		fmt.Println(childNamed(t, name))
	}()
	_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
	fmt.Println("the RTL does not loop:", err)
}
