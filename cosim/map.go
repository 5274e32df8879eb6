package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/internal/input"
)

// Map says how the RTL's ports stand for the unit's fields, where their names do not. docs/cosim-map.md has an example
// of each key.
//
// A field is named as the model names it, with a slice if only some of its bits are meant: "out_data", "out_data[7:0]".
type Map struct {
	// Clock is the clock's port: "clk", "~clk" if falling edges count, "{wr_clk, rd_clk}" for several ports on one clock,
	// "none" for combinational RTL.
	Clock string `yaml:"clock,omitempty"`
	// Reset is the reset's port: "rst", "~rst_n" if it is active low, "{rst, ~por_n}" for several at once. "none" leaves
	// the RTL alone: it gets no edge before cycle 0.
	Reset string `yaml:"reset,omitempty"`
	// Enable is the clock enable's port, "ce" or "~ce_n". In a share of all cycles, Stall, it is off and the inputs are
	// noise; if Stall is not given, in a fifth. One that is to stay on is tied. One that is found by its name alone is
	// held on, unless there is a Stall.
	Enable string  `yaml:"enable,omitempty"`
	Stall  float64 `yaml:"stall,omitempty"`

	// Interfaces gives interfaces at the RTL's ports their parameters: {s_axis: "axis_if #(.W(64))"}, and a modport if the
	// RTL names none.
	Interfaces map[string]string `yaml:"interfaces,omitempty"`

	// Ports gives fields their ports, as Verilog writes them: "data", "~empty", "block[65:2]", "{hi, 4'h0, lo}",
	// "header.type", "lane[3]", "s_axis.tdata".
	Ports map[string]string `yaml:"ports,omitempty"`
	// Tie drives inputs of the RTL, or slices of them, that the unit does not have.
	Tie map[string]uint64 `yaml:"tie,omitempty"`
	// Without holds inputs of the unit that the RTL does not have: {in_valid: 1}. The stimulus is restricted to that
	// value: cycles in which an input has another one are left out.
	Without map[string]uint64 `yaml:"without,omitempty"`
	// Ignore lists outputs of the unit that are not compared, whole ports, fields or slices.
	Ignore []string `yaml:"ignore,omitempty"`
	// Mask has the bits of an output that are compared: {out_flags: 0x0f}.
	Mask map[string]uint64 `yaml:"mask,omitempty"`

	// Valid says when an output counts: {out_data: out_valid}, a field or all other fields of a port, and the output of
	// one bit that is 1 then, or "always". Fields that it omits are as the unit declares them.
	Valid map[string]string `yaml:"valid,omitempty"`

	// Extra gives how many cycles the RTL is later than the model, to output fields or to a port's all: {out: 1, ready:
	// 0}; below 0 it is earlier. Others are as [Options] say.
	Extra map[string]int `yaml:"extra,omitempty"`
	// Skip is how many of the first cycles are not compared: the cycles in which RTL without reset forgets its past.
	Skip int `yaml:"skip,omitempty"`

	// Start is how many cycles after its reset the RTL leaves a reset of its own, as one behind a reset synchroniser does:
	// it gets the first inputs for as long. "auto" finds the least with which a short run agrees.
	Start string `yaml:"start,omitempty"`

	// Streams names handshakes, by the unit's port that carries the data: see [Stream]. With it, transfers are compared
	// instead of cycles.
	Streams map[string]Stream `yaml:"streams,omitempty"`
	// Holds is how many transfers the RTL is meant to hold at once, between one stream in and one out: the words of a
	// FIFO. RTL that holds another number is wrong. 0 leaves it open.
	Holds int `yaml:"holds,omitempty"`
}

// Stream is a ready/valid handshake of the RTL. Valid is the field of the unit's port that is called so.
type Stream struct {
	// Ready is the RTL's port, "~full" if it is active low: an output beside an input stream, an input beside an output
	// stream.
	Ready string `yaml:"ready"`
	// Stall is the share of cycles in which the harness offers nothing (input) or is not ready (output).
	Stall float64 `yaml:"stall,omitempty"`
	// Yumi says that the RTL takes the ready of this output stream for "taken": the harness sets it only while valid is 1,
	// as a FIFO wants it that must not be read while it is empty.
	Yumi bool `yaml:"yumi,omitempty"`
	// Latency is how many edges of the clock after a transfer of this output stream its data stand at the RTL's ports: 1
	// for a FIFO whose read data come from a register. 0, as usual, for data that stand beside valid.
	Latency int `yaml:"latency,omitempty"`
}

// Bounds of a map's numbers.
const (
	maxStall   = 0.9     // the share of cycles that do nothing
	usualStall = 0.2     // of a clock enable that the map names
	maxSkip    = 1 << 30 // cycles
	maxStart   = 4096
	maxLatency = 16      // edges
	maxHolds   = 1 << 16 // transfers
	autoStart  = "auto"
	maxMapSize = 1 << 20 // bytes of a file
)

// ReadMap reads a map from a YAML file. The context ends it.
func ReadMap(ctx context.Context, path string) (Map, error) {
	var m Map
	return m, readYAML(ctx, path, &m)
}

// readYAML reads a small file into a struct whose fields are all it may have.
func readYAML(ctx context.Context, path string, into any) (err error) {
	defer func() { err = input.OneLine(err) }()
	data, err := input.ReadContext(ctx, path, maxMapSize)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %s", path, oneLine(err))
	}
	return nil
}

// oneLine makes yaml's list of errors one line.
func oneLine(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	return clip(strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", ";")), " "), 200)
}

// MapKeys returns the keys that a map may have.
func MapKeys() []string {
	var keys []string
	for f := range reflect.TypeFor[Map]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		keys = append(keys, name)
	}
	return keys
}
