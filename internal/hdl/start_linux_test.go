package hdl_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/process"
)

const beParent = "GOLDWIRE_TEST_BE_PARENT"

// A program that spins or waits ends when the process that started it is killed, and not when the thread ends that
// asked for it.
func TestProgramsEndWithTheirParent(t *testing.T) {
	if os.Getenv(beParent) != "" {
		startAndWait(t)
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestProgramsEndWithTheirParent$")
	parent.Env = append(os.Environ(), beParent+"=1")
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	t.Cleanup(func() { _ = parent.Process.Kill() })
	var pids [2]int
	_, err = fmt.Fscanln(out, &pids[0], &pids[1])
	require.NoError(t, err)
	t.Cleanup(func() {
		for _, pid := range pids {
			if !process.Ended(pid) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	time.Sleep(200 * time.Millisecond)
	for _, pid := range pids {
		require.False(t, process.Ended(pid), "the thread that asked for it has ended, the process has not")
	}
	require.NoError(t, parent.Process.Kill())
	_, _ = io.Copy(io.Discard, out)
	require.Error(t, parent.Wait())
	for _, pid := range pids {
		require.Eventually(t, func() bool { return process.Ended(pid) }, 5*time.Second, 10*time.Millisecond)
	}
}

// startAndWait starts two programs from threads that end, says which, and never returns.
func startAndWait(t *testing.T) {
	var pids []any
	for _, script := range []string{"while :; do :; done", "exec sleep 1000"} {
		done := make(chan int)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			cmd := hdl.Command(t.Context(), 1<<30, []string{"sh", "-c", script})
			if err := hdl.Start(cmd); err != nil {
				panic(err)
			}
			done <- cmd.Process.Pid
		}()
		pids = append(pids, <-done)
	}
	fmt.Println(pids...)
	select {}
}

// A program may run on the processors that its caller may: one starts on each of two, whatever the thread was allowed
// that started the last.
func TestProgramsRunWhereTheirCallerMay(t *testing.T) {
	var all unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &all))
	var some []int
	for cpu := 0; len(some) < 2 && cpu < 8*int(unsafe.Sizeof(all)); cpu++ {
		if all.IsSet(cpu) {
			some = append(some, cpu)
		}
	}
	for _, cpu := range some {
		var out bytes.Buffer
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			var one unix.CPUSet
			one.Set(cpu)
			cmd := hdl.Command(t.Context(), 1<<30, []string{"grep", "Cpus_allowed_list:", "/proc/self/status"})
			cmd.Stdout = &out
			if err := unix.SchedSetaffinity(0, &one); err != nil {
				done <- err
				return
			}
			done <- hdl.Run(cmd)
		}()
		require.NoError(t, <-done)
		require.Equal(t, fmt.Sprintf("Cpus_allowed_list:\t%d\n", cpu), out.String())
	}
}
