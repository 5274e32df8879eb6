package hdl

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/goldwire/goldwire/internal/verilator"
)

// Command is a command that ends with its context, its children too, and whose memory has a limit in bytes; 0 for none.
func Command(ctx context.Context, memory int64, command []string) *exec.Cmd {
	var limits strings.Builder // of the shell, and so of its children
	if command[0] == "verilator" {
		if tool, err := verilator.Find(); err == nil && tool.Direct { // else the script prints the reason
			command = append([]string{tool.Program}, command[1:]...)
			limits.WriteString("ulimit -s unlimited 2>/dev/null; ") // as the script does
		}
	}
	if memory > 0 {
		fmt.Fprintf(&limits, "ulimit -v %d 2>/dev/null; ", memory>>10)
	}
	if limits.Len() > 0 {
		command = append([]string{"sh", "-c", limits.String() + `exec "$@"`, "sh"}, command...)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	ownGroup(cmd)
	return cmd
}
