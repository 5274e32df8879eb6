// Goldwire-dpi is built as a C archive, libgoldwire.a: the models of the project behind SystemVerilog's DPI-C. See
// package dpi.
package main

import (
	"github.com/goldwire/goldwire/design/dpi"
	"github.com/goldwire/goldwire/internal/catalogue"
)

func init() { dpi.Use(catalogue.Designs()...) }

func main() {} // a C archive has one that is not called
