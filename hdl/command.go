package hdl

import (
	"context"
	"fmt"
	"os/exec"
)

// Command is a command that ends with its context, its children too, and whose memory has a limit in bytes; 0 for none.
func Command(ctx context.Context, memory int64, command []string) *exec.Cmd {
	if memory > 0 { // the shell's limit is that of all it starts
		command = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$@"`, memory>>10), "sh"}, command...)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	ownGroup(cmd)
	return cmd
}
