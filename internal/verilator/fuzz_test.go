package verilator

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzReadJSON and FuzzReadXML: a description that Verilator did not write so is an error, whatever stands in it.
func FuzzReadJSON(f *testing.F) {
	f.Add(`{"type":"NETLIST","modulesp":[{"type":"MODULE","name":"t","level":2,`+
		`"stmtsp":[{"type":"VAR","name":"a","dtypep":"(B)","direction":"INPUT"}]}],`+
		`"miscsp":[{"type":"TYPETABLE","typesp":[{"type":"BASICDTYPE","addr":"(B)",`+
		`"name":"logic","range":"7:0"}]}]}`, `{"files":{"a":{"filename":"t.v"}}}`)
	f.Fuzz(func(t *testing.T, tree, files string) {
		readAll(t, map[string]string{descriptionJSON: tree, filesJSON: files}, Version{5, 48})
	})
}

func FuzzReadXML(f *testing.F) {
	f.Add(`<verilator_xml><files><file filename="t.v"/></files><netlist>` +
		`<module name="t" topModule="1"><var name="a" dir="input" dtype_id="1"/></module>` +
		`<typetable>` +
		`<basicdtype id="1" name="logic" left="7" right="0"/></typetable></netlist></verilator_xml>`)
	f.Fuzz(func(t *testing.T, text string) {
		readAll(t, map[string]string{descriptionXML: text}, Version{5, 6})
	})
}

// readAll reads a description and looks up the types of its variables, as the binding of ports does.
func readAll(t *testing.T, files map[string]string, version Version) {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tool := &Tool{Version: version, Program: filepath.Join(dir, "verilator")}
	d, err := tool.ReadDescription(dir, "t")
	if err != nil {
		return
	}
	for _, v := range d.Top.Variables {
		d.Type(v.Type)
	}
}
