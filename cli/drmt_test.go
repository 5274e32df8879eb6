package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
)

// What a dRMT machine cannot run is one line that names the place, and exit code 2.
func TestDRMTRefusals(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "designs", "drmt", "p4", "programs", "l2l3.json"))
	require.NoError(t, err)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	edited := func(name, old, replacement string) string {
		require.Contains(t, string(text), old)
		return file(name, strings.Replace(string(text), old, replacement, 1))
	}
	run := func(want int, args ...string) string {
		var out, errs bytes.Buffer
		require.Equal(
			t, want, cli.Main(append([]string{"run", "drmt"}, args...), &out, &errs, catalogue.Designs()...),
			errs.String(),
		)
		return errs.String()
	}
	key := `{"match_type": "exact", "name": "hdr.ethernet.dstAddr", "target": ["ethernet", "dstAddr"], "mask": null},`
	loop := `{"program": "loop", "delay_rule": {"new_match_to_action": "dM", "rmt_match": "dA"}, "condition_cost_fields": 1,
 "nodes": [{"name": "M", "type": "match", "key_width": 32}, {"name": "A", "type": "action", "num_fields": 1}],
 "edges": [{"from": "M", "to": "A", "dep_type": "new_match_to_action"}, {"from": "A", "to": "M", "dep_type": "rmt_match"}]}`
	schedule := filepath.Join(dir, "schedule.json")
	run(0, "schedule", "--graphs", file("l2l3.json", string(text)), "--out", schedule)
	run(0, "program", "--bmv2", file("l2l3.json", string(text)), "--ipc", "2", "--schedule", schedule, "--packets", "100")
	good, err := os.ReadFile(schedule)
	require.NoError(t, err)
	require.Contains(t, string(good), `"period": 3`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"schedule", "--graphs", file("loop.json", loop)},
			"loop.json: graph loop: operations depend on each other: M -> A -> M\n"},
		{[]string{"program", "--bmv2",
			edited("primitive.json", `"op": "mark_to_drop"`, `"op": "clone_ingress_pkt_to_egress"`)},
			"goldwire: " + dir + "/primitive.json: action MyIngress.drop: clone_ingress_pkt_to_egress: 1 parameters, " +
				"expected 2\n"},
		{[]string{"program", "--bmv2", edited("table.json", `"max_size": 16384`, `"max_size": 16384000`)},
			"goldwire: table.json: table MyIngress.ipv4_lpm needs"},
		{[]string{"program", "--bmv2", edited("key.json", `"key": [`, `"key": [`+strings.Repeat(key, 14)), "--fill", "0"},
			"goldwire: graph key.json: the key of MyIngress.smac_MATCH has 736 bits, 10 segments of 80 bits; a processor " +
				"sends 8 in a cycle; --machine interpreter runs the program without hardware\n"},
		{[]string{"program", "--bmv2", filepath.Join(dir, "l2l3.json"), "--ipc", "2", "--schedule",
			file("limit.json", strings.Replace(string(good), `"period": 3`, `"period": 2`, 1))},
			"goldwire: " + dir + "/limit.json: schedule of l2l3.json: 37 packets in a processor at once (74 cycles, one " +
				"packet every 2), the hardware has 32 threads (and 2 more)\n"},
		{[]string{"program", "--bmv2", filepath.Join(dir, "l2l3.json"), "--schedule", schedule},
			"goldwire: " + dir + "/schedule.json: a schedule for IPC 2, expected 1\n"},
		{[]string{"program", "--machine", "rmt", "--schedule", schedule},
			"goldwire: --schedule is for dRMT: RMT's compiler places operations in stages itself\n"},
		{[]string{"program", "--machine", "interpreter", "--ipc", "2"},
			"--ipc is a parameter of a processor: --machine interpreter has none\n"},
		{[]string{"program", "--machine", "interpreter", "--processors", "2"}, "--processors is a parameter of hardware"},
		{[]string{"program", "--machine", "interpreter", "--schedule", schedule}, "--schedule is a parameter of dRMT"},
		{[]string{"program", "--machine", "interpreter", "--strict"}, "--strict is a parameter of a simulation"},
		{[]string{"program", "--machine", "interpreter", "--vcd", filepath.Join(dir, "x.vcd")},
			"--machine interpreter has no cycles: want no waveform and no journeys of it\n"},
		{[]string{"program", "--machine", "interpreter", "--journeys", filepath.Join(dir, "x.txt")},
			"--machine interpreter has no cycles: want no waveform and no journeys of it\n"},
	} {
		got := run(2, c.args...)
		require.Contains(t, got, c.want)
		require.Equal(t, 1, strings.Count(got, "\n"), got)
	}
}

// The interpreter alone sends what the machines send, packet by packet, and runs a program that no machine has room
// for.
func TestInterpreterAlone(t *testing.T) {
	dir := t.TempDir()
	run := func(want int, args ...string) (string, string) {
		var out, errs bytes.Buffer
		code := cli.Main(append([]string{"run", "drmt", "program"}, args...), &out, &errs, catalogue.Designs()...)
		require.Equal(t, want, code, errs.String())
		return out.String(), errs.String()
	}
	sent := 0
	for _, program := range []string{"acl_tunnel", "classifier", "l2l3", "rewriter"} {
		var left [2][]byte
		for i, machine := range []string{"drmt", "interpreter"} {
			path := filepath.Join(dir, program+machine)
			run(0, "--program", program, "--machine", machine, "--packets", "2000", "--out", path)
			var err error
			left[i], err = os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 2000, bytes.Count(left[i], []byte("in ")))
			sent += bytes.Count(left[i], []byte("out "))
		}
		require.True(t, bytes.Equal(left[0], left[1]), "%s: the machine and the interpreter send other packets", program)
	}
	require.Greater(t, sent, 4000, "hardly a packet left")
	text, err := os.ReadFile(filepath.Join("..", "designs", "drmt", "p4", "programs", "l2l3.json"))
	require.NoError(t, err)
	large := filepath.Join(dir, "large.json")
	more := strings.Replace(string(text), `"max_size": 16384`, `"max_size": 16384000`, 1)
	require.NoError(t, os.WriteFile(large, []byte(more), 0o600))
	_, refusal := run(2, "--bmv2", large)
	require.Contains(t, refusal, "--machine interpreter runs the program without hardware\n")
	out, _ := run(0, "--bmv2", large, "--machine", "interpreter", "--packets", "500")
	require.Regexp(t, `packets run by the interpreter, without hardware +500\n`, out)
}
