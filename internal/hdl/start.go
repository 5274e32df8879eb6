package hdl

import "os/exec"

// Start starts a command, as its own method does. On Linux the program ends when this process ends, even if it is
// killed and can end nothing itself. Programs that it has started go on: a command that spins for ever shall be the
// process itself.
func Start(cmd *exec.Cmd) error { return start(cmd) }

// Run starts a command as [Start] does, and waits for its end.
func Run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}
