package formal

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// netlist is the part of Yosys' write_json of a module that is needed here.
type netlist struct {
	Modules map[string]struct {
		Ports map[string]struct{ Bits []any }
		Cells map[string]struct {
			Type       string
			Parameters map[string]any
			Directions map[string]string `json:"port_directions"`
			Connect    map[string][]any  `json:"connections"`
			Attributes map[string]any
		}
	}
}

// checkClocks wants one clock: every register at the rising edge of clk, and clk nowhere else. Inverters in between are
// counted.
func checkClocks(path, top string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var n netlist
	if err := json.Unmarshal(data, &n); err != nil {
		return fmt.Errorf("yosys' netlist: %w", err)
	}
	m, ok := n.Modules[top]
	if !ok {
		return fmt.Errorf("yosys' netlist has no module %s", top)
	}
	clock := map[any]bool{} // nets that are the clock, and whether upright
	for _, b := range m.Ports["clk"].Bits {
		clock[b] = true
	}
	for grown := true; grown; { // through inverters
		grown = false
		for _, c := range m.Cells {
			if c.Type != "$not" && c.Type != "$logic_not" && c.Type != "$pos" && c.Type != "$_NOT_" ||
				len(c.Connect["A"]) != len(c.Connect["Y"]) {
				continue
			}
			for i, a := range c.Connect["A"] {
				up, isClock := clock[a]
				if _, known := clock[c.Connect["Y"][i]]; isClock && !known {
					clock[c.Connect["Y"][i]] = up == (c.Type == "$pos")
					grown = true
				}
			}
		}
	}
	for _, name := range sorted(m.Cells) {
		c := m.Cells[name]
		where := name
		if src, ok := c.Attributes["src"].(string); ok && src != "" {
			where = src
			for _, part := range strings.Split(src, "|") { // the instances, then the place, in any order
				if !strings.Contains(part, "goldwire_shell.v:") && !strings.Contains(part, "harness.sv:") {
					where = part
				}
			}
		}
		for _, port := range sorted(c.Connect) {
			edge, polarity := port == "CLK", "CLK_POLARITY"
			if c.Type == "$check" && port == "TRG" { // an assertion at edges, as Yosys 0.70 reads it
				edge, polarity = true, "TRG_POLARITY"
			}
			for i, b := range c.Connect[port] {
				up, isClock := clock[b]
				switch {
				case b == "z":
					return fmt.Errorf("%s: high impedance; a proof knows 0 and 1", where)
				case edge && !isClock:
					return fmt.Errorf(
						"%s: a register's clock is not the clock of the map: a second clock, a constant, or logic in the clock; a "+
							"proof knows one clock",
						where,
					)
				case edge && up != (bit(c.Parameters[polarity], i) == 1):
					return fmt.Errorf("%s: a register at the other edge of the clock; a proof knows one edge", where)
				case !edge && isClock && c.Directions[port] != "output" && c.Type != "$not" && c.Type != "$logic_not" &&
					c.Type != "$pos" && c.Type != "$_NOT_":
					return fmt.Errorf("%s: the clock is used as data, or gated; a proof knows it as a clock only", where)
				}
			}
		}
	}
	return nil
}

// bit reads a bit of a parameter, which is a number or binary digits.
func bit(parameter any, i int) int {
	switch v := parameter.(type) {
	case float64:
		return int(v) >> i & 1
	case string:
		if i < len(v) && v[len(v)-1-i] == '1' {
			return 1
		}
	}
	return 0
}
