package vectors

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Field is a leaf of a port: one column of a set, one port of the Verilog module.
type Field struct {
	Name  string         // "in_payload"
	Port  string         // the model's port: "in"
	Dir   rtl.Direction  // seen from the module
	Kind  rtl.SignalKind // of an output: rtl.Register or rtl.Combinational
	Width int            // 1 to 64 bits
	Valid string         // the output of one bit that says when this output counts; "" for always
	Clock bool           // it is a clock of a unit that has several: 1 if it rises at the end of the row
}

func mustLayout[T any]() []layout.Leaf {
	leaves, err := layout.Of(reflect.TypeFor[T]())
	if err != nil {
		panic(fmt.Sprintf("vectors: %v is no signal type: %v", reflect.TypeFor[T](), err))
	}
	return leaves
}

// fieldsOf returns the leaves of the ports, with the masks that valid gives them.
func fieldsOf(ports []rtl.PortInfo, valid map[string]string) ([]Field, error) {
	var fields []Field
	used := map[string]bool{}
	for i := range ports {
		p := &ports[i]
		for _, l := range p.Leaves {
			f := Field{Name: p.Name, Port: p.Name, Dir: p.Dir, Kind: p.Kind, Width: l.Width}
			if l.Name != "" {
				f.Name += "_" + l.Name
			}
			if p.Dir == rtl.Output {
				for _, key := range []string{p.Name, f.Name} { // the field's own mask wins
					if v, ok := valid[key]; ok {
						used[key] = true
						if v != f.Name {
							f.Valid = v
						}
					}
				}
			}
			fields = append(fields, f)
		}
	}
	for key := range valid {
		if !used[key] {
			return nil, fmt.Errorf("valid[%q]: the module has no such output", key)
		}
	}
	return fields, checkFields(fields)
}

// checkFields wants fields that can be ports of one Verilog module, at least one of them an output.
func checkFields(fields []Field) error {
	byName := map[string]Field{}
	outputs := 0
	for _, f := range fields {
		if err := checkPortName(f.Name); err != nil {
			return err
		}
		if _, ok := byName[f.Name]; ok {
			return fmt.Errorf("field %s: two ports have a leaf of this name", f.Name)
		}
		if f.Width < 1 || f.Width > 64 {
			return fmt.Errorf("field %s: width %d, want 1 to 64 bits", f.Name, f.Width)
		}
		if f.Name != f.Port && !strings.HasPrefix(f.Name, f.Port+"_") {
			return fmt.Errorf("field %s: is no leaf of port %q", f.Name, f.Port)
		}
		if f.Dir == rtl.Output {
			outputs++
		}
		byName[f.Name] = f
	}
	if outputs == 0 {
		return fmt.Errorf("the module has no outputs to compare")
	}
	for _, f := range fields {
		if f.Valid == "" {
			continue
		}
		v, ok := byName[f.Valid]
		if !ok || v.Dir != rtl.Output || v.Width != 1 || v.Name == f.Name || f.Dir != rtl.Output {
			return fmt.Errorf("field %s: valid is %q, want another output, of one bit, for an output", f.Name, f.Valid)
		}
	}
	return nil
}

// reservedPrefix begins the testbench's own names.
const reservedPrefix = "tb_"

func checkPortName(name string) error {
	ok := name != "" && (name[0] < '0' || name[0] > '9')
	for _, c := range name {
		ok = ok && (c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z')
	}
	switch {
	case !ok:
		return fmt.Errorf("field %q: want a name of lower-case letters, digits and _", name)
	case name == "clk" || name == "rst":
		return fmt.Errorf("field %s: the Verilog module has a port of its own of this name, rename the model's", name)
	case name == "dut" || strings.HasPrefix(name, reservedPrefix):
		return fmt.Errorf("field %s: the testbench uses this name, rename the model's port", name)
	case Reserved(name):
		return fmt.Errorf("field %s: is a keyword of SystemVerilog, rename the model's port", name)
	}
	return nil
}

// Reserved tells of a reserved word of Verilog or SystemVerilog (IEEE 1800-2017, table B.1): no port has such a name.
func Reserved(name string) bool { return slices.Contains(keywords, name) }

// keywords are the reserved words of IEEE 1800-2017, table B.1.
var keywords = strings.Fields(
	`accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind
 bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
 constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
 else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
 endpackage endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event eventually expect
 export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
 highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
 inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
 localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
 noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
 property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
 randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
 soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
 sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
 trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
 wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor`,
)
