package cosim

import "testing"

// FuzzFindInterfaces: no text of RTL, and no map, makes the look for interfaces in a module's header panic.
func FuzzFindInterfaces(f *testing.F) {
	f.Add(
		"interface i #(parameter W=1)(); logic a; modport m(input a); endinterface module t #(parameter P=(1)) (i.m x, i "+
			"y, input z);",
		"x", "i.m #(.W(3))",
	)
	f.Add("module automatic t import p::*; (input a", "a", "#(")
	f.Add("module t(i x[2]); interface i;", "", "")
	f.Fuzz(func(t *testing.T, text, port, given string) {
		_, _ = findInterfaces(text, "t", map[string]string{port: given})
	})
}

// FuzzParseBits: no expression of a map makes its reader panic; bits that it returns are bits of ports.
func FuzzParseBits(f *testing.F) {
	for _, text := range []string{"{a[3:0], ~b, 4'h0}", "a", "a[0:3]", "~{b}", `\esc `, "8'd300", "a.b[2].c"} {
		f.Add(text)
	}
	ports := []Port{{Name: "a", shape: &shape{left: 7}, iface: -1}, {Name: "b", shape: &shape{}, iface: -1}}
	f.Fuzz(func(t *testing.T, text string) {
		bits, err := parseBits(ports, text)
		if err != nil {
			return
		}
		for _, v := range bits {
			if v.port >= len(ports) || v.port >= 0 && (v.place < 0 || v.place >= ports[v.port].Width()) {
				t.Fatalf("%q: bit %d of port %d", text, v.place, v.port)
			}
		}
	})
}
