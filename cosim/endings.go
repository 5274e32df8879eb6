package cosim

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// machineEnded is the end of a simulator that says nothing about the RTL: somebody else killed it, as the system does
// when memory is short, or it did not answer in time, which a slow machine does too.
type machineEnded struct{ error }

func (e machineEnded) Unwrap() error { return e.error }

// silence is the error of RTL that has not answered for so long.
func silence(wait time.Duration) error {
	return machineEnded{fmt.Errorf(
		"the RTL has not answered for %v and was stopped: a loop without an end, or a batch too long for --timeout", wait,
	)}
}

// ending returns the error of a simulator that ended in a state: err, marked if somebody else killed it.
func ending(state *os.ProcessState, err error) error {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return machineEnded{err}
	}
	return err
}
