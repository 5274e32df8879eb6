//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stateSignal returns the channel of the signals that ask for the state, and a function that ends them.
func stateSignal() (<-chan os.Signal, func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	return asked, func() { signal.Stop(asked) }
}
