package verilator

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lists of the runtime's files are indented by a tab in older versions and by blanks in newer ones; a makefile's
// meaning is the same.
func TestRuntimeOfProgram(t *testing.T) {
	for _, text := range []string{
		"VM_TRACE = 1\nVM_GLOBAL_FAST += \\\n\tverilated \\\n\tverilated_threads \\\n\n" +
			"VM_GLOBAL_SLOW += \\\n\tverilated_vcd_c \\\n\n# end\n",
		"VM_TRACE = 1\nVM_GLOBAL_FAST += \\\n  verilated \\\n  verilated_threads \\\n\n" +
			"VM_GLOBAL_SLOW += \\\n  verilated_vcd_c \\\n\n# end\n",
		"VM_TRACE=1 # yes\r\nVM_GLOBAL_FAST := verilated\r\nVM_GLOBAL_FAST += verilated_threads\\\r\n\r\n" +
			"VM_GLOBAL_SLOW ?= verilated_vcd_c\r\n",
	} {
		c, err := ReadClasses(text)
		require.NoError(t, err, text)
		require.Equal(t, classes{Runtime: []string{"verilated", "verilated_threads", "verilated_vcd_c"}, Trace: true}, c,
			text)
	}
	c, err := ReadClasses("VM_TRACE = 0\nVM_GLOBAL_FAST += verilated\nVM_GLOBAL_SLOW +=\n")
	require.NoError(t, err)
	require.Equal(t, classes{Runtime: []string{"verilated"}}, c)
	_, err = ReadClasses("VM_GLOBAL_FAST += verilated\n")
	require.EqualError(t, err, "no variable VM_GLOBAL_SLOW in Verilator's list of classes, want the runtime's files in it")
	_, err = ReadClasses("VM_GLOBAL_FAST += \nVM_GLOBAL_SLOW += \n")
	require.ErrorContains(t, err, "no files in VM_GLOBAL_FAST and VM_GLOBAL_SLOW")
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		said, config string
		want         Version
	}{
		{"Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n", "", Version{5, 6}},
		{"Verilator 5.051 devel rev v5.050-12-g0123\n", "#define VERILATOR_VERSION \"5.050 2026-01-01\"\n", Version{5, 51}},
		{" rev UNKNOWN.REV\n", "/// \"1.002 2000-01-01\"\n#define VERILATOR_VERSION \"5.38\"\n", Version{5, 38}},
		{"Verilator 6.002 2028-01-01\n", "", Version{6, 2}},
		{"", "", Version{}},
		{"Verilator 99999999999999999999.1\n", "", Version{}},
	} {
		require.Equal(t, c.want, versionIn(c.said, c.config), "%q", c.said)
	}
	require.True(t, Version{4, 228}.Before(oldest))
	require.False(t, Version{6, 0}.Before(Newest))
	require.Equal(t, "5.006", oldest.String())
}

// A version that will not do, or that nobody can tell, is one line.
func TestVersionsThatWillNotDo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts in place of Verilator were NOT tested: this is Windows")
	}
	fake := func(version string) string {
		dir := t.TempDir()
		script := "#!/bin/sh\ncase $1 in --getenv) echo " + dir + ";; *) echo '" + version + "';; esac\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "verilator"), []byte(script), 0o755))
		t.Setenv("PATH", dir)
		return filepath.Join(dir, "verilator")
	}
	program := fake("Verilator 4.228 2022-01-17 rev v4.228")
	_, err := Known()
	require.EqualError(t, err, program+" is Verilator 4.228, want 5.006 or newer")
	program = fake("something else")
	_, err = Known()
	require.EqualError(t, err, program+" --version says \"something else\", and "+filepath.Join(filepath.Dir(program),
		"include", "verilated_config.h")+
		" names no version: want Verilator 5.006 or newer")
	fake("Verilator 5.099 2027-01-17 rev v5.099")
	tool, err := Known()
	require.NoError(t, err)
	require.Equal(t, Version{5, 99}, tool.Version)
	t.Setenv("PATH", t.TempDir())
	_, err = Known()
	require.ErrorContains(t, err, "verilator is not installed: ")
}

// Both forms describe the same design:
//
//	interface link; logic [3:0] d; logic go; modport to(input d, output go); endinterface
//	module top(input logic clk, link.to l, input struct packed { logic [7:0] tag; kind_e kind; } h,
//	           output logic [7:0] lane [0:3], inout wire pad);
//	module probe; link a(); top t(...); endmodule
var bothForms = map[string]map[string]string{
	"5.006": {descriptionXML: `<?xml version="1.0" ?><verilator_xml>
<files><file id="a" filename="&lt;built-in&gt;"/><file id="c" filename="/rtl/top.sv"/><file id="d" filename="/v/include/verilated_std.sv"/></files>
<module_files><file id="c" filename="/rtl/top.sv"/></module_files>
<netlist>
 <module name="probe" topModule="1">
  <instance name="a" defName="link"/> <var name="a__Viftop" dtype_id="9" vartype="ifaceref"/> <instance name="t" defName="top"/>
 </module>
 <module name="top">
  <var name="clk" dtype_id="1" dir="input" vartype="logic"/> <var name="l" dtype_id="9" vartype="ifaceref"/>
  <var name="h" dtype_id="2" dir="input" vartype="port"/> <var name="lane" dtype_id="3" dir="output" vartype="port"/>
  <var name="pad" dtype_id="1" dir="inout" vartype="logic"/>
 </module>
 <iface name="link">
  <var name="d" dtype_id="4" vartype="logic"/> <var name="go" dtype_id="1" vartype="logic"/>
  <modport name="to"><modportvarref name="d" direction="in"/><modportvarref name="go" direction="out"/></modport>
 </iface>
 <typetable>
  <basicdtype id="1" name="logic"/> <basicdtype id="4" name="logic" left="3" right="0"/> <basicdtype id="5" name="logic" left="7" right="0"/>
  <structdtype id="2"><memberdtype id="6" name="tag" sub_dtype_id="5"/><memberdtype id="7" name="kind" sub_dtype_id="8"/></structdtype>
  <enumdtype id="8" name="kind_e" sub_dtype_id="1"><enumitem name="A"><const name="1&apos;h0"/></enumitem></enumdtype>
  <unpackarraydtype id="3" sub_dtype_id="5"><range><const name="32&apos;sh0"/><const name="32&apos;sh3"/></range></unpackarraydtype>
  <ifacerefdtype id="9"/>
 </typetable>
</netlist></verilator_xml>`},
	"5.051": {
		filesJSON: `{"files":{"a":{"filename":"<built-in>"},"c":{"filename":"/rtl/top.sv"},"d":{"filename":"/v/include/verilated_std.sv"}},"pointers":{}}`,
		descriptionJSON: `{"type":"NETLIST","name":"$root","modulesp":[
 {"type":"MODULE","name":"probe","addr":"(A)","level":1,"stmtsp":[
  {"type":"CELL","name":"a","modp":"(C)"},{"type":"VAR","name":"a__Viftop","dtypep":"(9)","direction":"NONE","varType":"IFACEREF"},{"type":"CELL","name":"t","modp":"(B)"}]},
 {"type":"MODULE","name":"top","addr":"(B)","level":2,"stmtsp":[
  {"type":"VAR","name":"clk","dtypep":"(1)","direction":"INPUT","varType":"PORT"},{"type":"VAR","name":"l","dtypep":"(9)","direction":"NONE","varType":"IFACEREF"},
  {"type":"VAR","name":"h","dtypep":"(2)","direction":"INPUT","varType":"PORT"},{"type":"VAR","name":"lane","dtypep":"(3)","direction":"OUTPUT","varType":"PORT"},
  {"type":"VAR","name":"pad","dtypep":"(1)","direction":"INOUT","varType":"WIRE"}]},
 {"type":"IFACE","name":"link","addr":"(C)","level":3,"stmtsp":[
  {"type":"VAR","name":"d","dtypep":"(4)","direction":"NONE","varType":"VAR"},{"type":"VAR","name":"go","dtypep":"(1)","direction":"NONE","varType":"VAR"},
  {"type":"MODPORT","name":"to","varsp":[{"type":"MODPORTVARREF","name":"d","direction":"INPUT"},{"type":"MODPORTVARREF","name":"go","direction":"OUTPUT"}]}]}],
 "miscsp":[{"type":"TYPETABLE","typesp":[
  {"type":"BASICDTYPE","name":"logic","addr":"(1)","keyword":"logic"},{"type":"BASICDTYPE","name":"logic","addr":"(4)","keyword":"logic","range":"3:0"},
  {"type":"BASICDTYPE","name":"logic","addr":"(5)","keyword":"logic","range":"7:0"},
  {"type":"STRUCTDTYPE","name":"h","addr":"(2)","membersp":[{"type":"MEMBERDTYPE","name":"tag","refDTypep":"(5)"},{"type":"MEMBERDTYPE","name":"kind","refDTypep":"(8)"}]},
  {"type":"ENUMDTYPE","name":"kind_e","addr":"(8)","refDTypep":"(1)","itemsp":[{"type":"ENUMITEM","name":"A"}]},
  {"type":"UNPACKARRAYDTYPE","name":"","addr":"(3)","declRange":"[0:3]","refDTypep":"(5)"},{"type":"IFACEREFDTYPE","name":"","addr":"(9)"}]},
  {"type":"CONSTPOOL","modulep":[{"type":"MODULE","name":"@CONST-POOL@","addr":"(Z)","level":0}]}]}`,
	},
}

func TestDescriptions(t *testing.T) {
	for version, files := range bothForms {
		t.Run(version, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			tool := &Tool{Version: versionIn("Verilator "+version, ""), Root: "/v"}
			d, err := tool.ReadDescription(dir, "probe")
			require.NoError(t, err)
			require.Equal(t, []string{"/rtl/top.sv"}, d.Files)
			require.Equal(t, "probe", d.Top.Name)
			top, link := d.Top.Instances["t"], d.Top.Instances["a"]
			require.Equal(t, map[string]map[string]string{"to": {"d": "input", "go": "output"}}, link.Modports)
			ports := map[string]string{}
			for _, v := range top.Variables {
				ports[v.Name] = v.Direction
				require.Equal(t, v.Name == "l", v.Interface)
			}
			require.Equal(t, map[string]string{"clk": "input", "l": "", "h": "input", "lane": "output", "pad": "inout"}, ports)
			get := func(id string) Type {
				found, ok := d.Type(id)
				require.True(t, ok, id)
				return found
			}
			require.Equal(t, Type{Kind: "basic", Name: "logic"}, get(top.Variables[0].Type))
			h := get(top.Variables[2].Type)
			require.Equal(t, "struct", h.Kind)
			require.Equal(t, []string{"tag", "kind"}, []string{h.Members[0].Name, h.Members[1].Name})
			require.Equal(t, Type{Kind: "basic", Name: "logic", Left: "7", Right: "0"}, get(h.Members[0].Type))
			kind := get(h.Members[1].Type)
			require.Equal(t, "enum", kind.Kind)
			require.Equal(t, "basic", get(kind.Of).Kind)
			lane := get(top.Variables[3].Type)
			require.Equal(t, []string{"unpackarray", "0", "3"}, []string{lane.Kind, lane.Left, lane.Right})
			require.Equal(t, "7", get(lane.Of).Left)

			for name := range files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644))
			}
			_, err = tool.ReadDescription(dir, "probe")
			require.ErrorContains(t, err, "the description of probe by Verilator "+version+": ")
		})
	}
}
