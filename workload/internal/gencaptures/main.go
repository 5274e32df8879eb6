// Command gencaptures makes the captures under testdata/captures; the README there says how it is called.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/goldwire/goldwire/workload"
)

const usage = "usage: gencaptures generated OUT | traffic ADDRESS | rebase IN OUT"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gencaptures:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "generated":
		frames, err := generated()
		if err != nil {
			return err
		}
		return workload.WritePcapFile(args[1], frames)
	case len(args) == 2 && args[0] == "traffic":
		return traffic(args[1])
	case len(args) == 3 && args[0] == "rebase":
		return rebase(args[1], args[2])
	}
	return errors.New(usage)
}

// rebase copies a capture with its times counted from the first frame.
func rebase(in, out string) error {
	frames, err := workload.ReadPcapFile(in, workload.RemoveFCS)
	if err != nil {
		return err
	}
	return workload.WritePcapFile(out, frames)
}
