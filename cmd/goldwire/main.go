// Command goldwire runs cycle-accurate, bit-accurate models of network hardware: it verifies papers' claims, sends
// captures through a 64b/66b PCS, and writes golden vectors with a self-checking testbench.
package main

import (
	"os"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, catalogue.Designs()...)) }
