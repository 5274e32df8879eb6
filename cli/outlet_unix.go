//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// brokenPipe takes SIGPIPE in place of the process. One channel serves all commands of a process, since signals keep
// the channels that they go to.
var brokenPipe = make(chan os.Signal, 1)

// watch ends the command when nobody reads its output any more, even if it does not write. Writes to such a pipe fail
// from now on instead of ending the process, which would leave the processes that it started running.
func (o *outlet) watch(ctx context.Context) {
	signal.Notify(brokenPipe, syscall.SIGPIPE)
	f, ok := o.w.(*os.File)
	if !ok {
		return
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	go func() {
		const interval = 200 * time.Millisecond
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			fds := []unix.PollFd{{Fd: int32(f.Fd())}}
			if n, err := unix.Poll(fds, 0); err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLNVAL) != 0 {
				o.fail(syscall.EPIPE)
				return
			}
		}
	}()
}
