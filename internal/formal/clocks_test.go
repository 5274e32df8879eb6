package formal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Registers, and assertions as newer Yosys reads them, are at the rising edge of clk. The netlists are written by hand,
// after what write_json says of its form: clk is bit 2, another input is bit 3.
func TestEdgesOfAProof(t *testing.T) {
	const netlist = `{"modules": {"top": {"ports": {"clk": {"direction": "input", "bits": [2]}}, "cells": {"c": {
		"type": %q, "parameters": {%q: "%d"}, "port_directions": {%[4]q: "input"}, "connections": {%[4]q: [%d]}}}}}}`
	for _, x := range []struct {
		kind, polarity string
		rising         int
		port           string
		bit            int
		want           string
	}{
		{"$dff", "CLK_POLARITY", 1, "CLK", 2, ""},
		{"$check", "TRG_POLARITY", 1, "TRG", 2, ""},
		{"$check", "TRG_POLARITY", 0, "TRG", 2, "c: a register at the other edge of the clock; a proof knows one edge"},
		{"$check", "TRG_POLARITY", 1, "TRG", 3, "c: a register's clock is not the clock of the map"},
		{"$check", "TRG_POLARITY", 1, "A", 2, "c: the clock is used as data"},
		{"$dff", "CLK_POLARITY", 0, "CLK", 2, "c: a register at the other edge of the clock; a proof knows one edge"},
		{"$and", "A_WIDTH", 1, "TRG", 2, "c: the clock is used as data"},
	} {
		path := filepath.Join(t.TempDir(), "clocks.json")
		text := fmt.Sprintf(netlist, x.kind, x.polarity, x.rising, x.port, x.bit)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if err := checkClocks(path, "top"); x.want != "" {
			require.ErrorContains(t, err, x.want, text)
		} else {
			require.NoError(t, err, text)
		}
	}
}
