// Command man writes a manual page for each command of goldwire into a directory: man DIRECTORY.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(2)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want a directory, got %d arguments", len(args))
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return err
	}
	root := cli.Command(catalogue.Designs()...)
	var plain func(*cobra.Command)
	plain = func(c *cobra.Command) {
		c.DisableAutoGenTag = true // no day: the pages are the same whenever they are made
		for _, sub := range c.Commands() {
			plain(sub)
		}
	}
	plain(root)
	day := time.Unix(0, 0)
	return doc.GenManTree(
		root, &doc.GenManHeader{Section: "1", Source: "Goldwire", Manual: "Goldwire", Date: &day}, args[0],
	)
}
