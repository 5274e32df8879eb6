package study_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// formatProgram is a program of BMv2's JSON around one construct. A header h of 72 bytes is parsed; a table without a
// key runs the primitives of act, an optional table k matches, and everything leaves by port h.a modulo 256.
type formatProgram struct {
	parser, key, act, next, more string
	entries                      string
	match                        string
	nodes                        string
	tables                       string
	egress                       string
}

type formatRow struct {
	name    string
	p       formatProgram
	refused string
}

func (f formatProgram) json() string {
	key := ""
	if f.key != "" {
		entries := ""
		if f.entries != "" {
			entries = `,"entries":[` + f.entries + `]`
		}
		key = `,{"name":"k","id":1,"match_type":"` + f.match + `","type":"simple","max_size":16,
		"key":[` + f.key + `],
			"actions":["mark","none","big","pick"],"action_ids":[2,1,3,4],"base_default_next":null,
		"next_tables":{"mark":null,
		"none":null,"big":null,"pick":null},
			"default_entry":{"action_id":1,"action_data":[]}` + entries + `}`
		if f.next == "" {
			f.next = `"k"`
		}
	}
	if f.tables != "" {
		key, f.next = ","+f.tables, `"k"`
	}
	if f.next == "" {
		f.next = "null"
	}
	if f.act == "" {
		f.act = `{"op":"no_op","parameters":[]}`
	}
	return `{"__meta__":{"version":[2,23],"compiler":"none"},
	"header_types":[
	 {"name":"h_t","id":0,"fields":[["a",8],["b",8],["c",16],["d",32],["w",48],["e",16],["l",64],["x",128],
		["sg",8,true],["n",8],
	   ["sc",16,true],["pad",16]]},
	 {"name":"o_t","id":1,"fields":[["f",8],["g",8]]},
	 {"name":"m_t","id":2,"fields":[["x",8],["y",16],["z",32],["q",48],["v",1],["s",8,true],["big",128],["n",4],
		["_pad",2]]},
	 {"name":"standard_metadata_t","id":3,"fields":[["ingress_port",9],["egress_spec",9],["egress_port",9],
		["packet_length",32],
	   ["instance_type",32],["mcast_grp",16],["egress_rid",16],["checksum_error",1],["parser_error",32],
		["priority",3],
	   ["ingress_global_timestamp",48],["egress_global_timestamp",48],["enq_timestamp",32],["enq_qdepth",19],
		["deq_timedelta",32],
	   ["deq_qdepth",19],["_padding",3]]}],
	"headers":[{"name":"h","id":0,"header_type":"h_t","metadata":false},{"name":"o[0]","id":1,
		"header_type":"o_t","metadata":false},
	 {"name":"o[1]","id":2,"header_type":"o_t","metadata":false},{"name":"o[2]","id":3,"header_type":"o_t",
		"metadata":false},
	 {"name":"p","id":4,"header_type":"o_t","metadata":false},
	 {"name":"m","id":5,"header_type":"m_t","metadata":true},
	 {"name":"standard_metadata","id":6,"header_type":"standard_metadata_t","metadata":true}],
	"header_stacks":[{"name":"o","id":0,"header_type":"o_t","header_ids":[1,2,3]}],
	"header_union_types":[],"header_unions":[],"header_union_stacks":[],
	"field_aliases":[["intrinsic_metadata.mcast_grp",["standard_metadata","mcast_grp"]],
	 ["intrinsic_metadata.egress_rid",["standard_metadata","egress_rid"]],
	 ["intrinsic_metadata.ingress_global_timestamp",["standard_metadata","ingress_global_timestamp"]]],
	"errors":[["NoError",0],["PacketTooShort",1],["NoMatch",2],["StackOutOfBounds",3],["HeaderTooShort",4],
		["ParserTimeout",5],
	 ["ParserInvalidArgument",6],["Mine",7]],"enums":[],
	"parsers":[{"name":"parser","id":0,"init_state":"start","parse_states":[
	 {"name":"start","id":0,"parser_ops":[{"op":"extract","parameters":[{"type":"regular",
		"value":"h"}]}` + f.parser + `],
	  "transitions":[{"type":"hexstr","value":"0x00","mask":"0x01","next_state":"opt"},
	   {"type":"default","value":null,"mask":null,"next_state":null}],"transition_key":[{"type":"field",
		"value":["h","n"]}]},
	 {"name":"opt","id":1,"parser_ops":[{"op":"extract","parameters":[{"type":"stack","value":"o"}]}],
	  "transitions":[{"type":"hexstr","value":"0x00","mask":"0x01","next_state":"opt"},
	   {"type":"default","value":null,"mask":null,"next_state":null}],"transition_key":[{"type":"stack_field",
		"value":["o","f"]}]}]}],
	"parse_vsets":[],"deparsers":[{"name":"deparser","id":0,"order":["h","o[0]","o[1]","o[2]","p"],
		"primitives":[]}],
	"meter_arrays":[{"name":"me","id":0,"is_direct":false,"size":4,"rate_count":2,"type":"packets"}],
	"counter_arrays":[{"name":"co","id":0,"is_direct":false,"size":4}],
	"register_arrays":[{"name":"re","id":0,"size":8,"bitwidth":32},{"name":"rw","id":1,"size":8,"bitwidth":64},
	 {"name":"rx","id":2,"size":8,"bitwidth":128}],
	"calculations":[
	 {"name":"crc16","id":0,"algo":"crc16","input":[{"type":"field","value":["h","c"]},{"type":"field",
		"value":["h","l"]}]},
	 {"name":"crc32","id":1,"algo":"crc32","input":[{"type":"field","value":["h","c"]},{"type":"field",
		"value":["h","w"]}]},
	 {"name":"csum16","id":2,"algo":"csum16","input":[{"type":"field","value":["h","d"]}]},
	 {"name":"identity","id":3,"algo":"identity","input":[{"type":"field","value":["h","d"]}]},
	 {"name":"xor16","id":4,"algo":"xor16","input":[{"type":"field","value":["h","d"]},{"type":"field",
		"value":["h","a"]}]},
	 {"name":"wide","id":5,"algo":"crc32","input":[{"type":"field","value":["h","x"]}]},
	 {"name":"load","id":6,"algo":"crc16","input":[{"type":"field","value":["h","d"]},{"type":"payload"}]},
	 {"name":"fixed","id":9,"algo":"crc16","input":[]},
	 {"name":"ccitt","id":7,"algo":"crcCCITT","input":[{"type":"field","value":["h","d"]}]}],
	"checksums":[` + f.more + `],"learn_lists":[],"extern_instances":[],
	"field_lists":[{"id":1,"name":"fl","elements":[{"type":"field","value":["m","x"]}]}],
	"actions":[
	 {"name":"act","id":0,"runtime_data":[],"primitives":[
	  {"op":"assign","parameters":[{"type":"field","value":["standard_metadata","egress_spec"]},{"type":"field",
		"value":["h","a"]}]},` +
		f.act + `]},
	 {"name":"none","id":1,"runtime_data":[],"primitives":[]},
	 {"name":"mark","id":2,"runtime_data":[{"name":"v","bitwidth":16}],"primitives":[
	  {"op":"assign","parameters":[{"type":"field","value":["h","e"]},{"type":"runtime_data","value":0}]}]},
	 {"name":"big","id":3,"runtime_data":[{"name":"v","bitwidth":128},{"name":"w","bitwidth":8}],"primitives":[
	  {"op":"assign","parameters":[{"type":"field","value":["h","x"]},{"type":"runtime_data","value":0}]},
	  {"op":"assign","parameters":[{"type":"field","value":["h","b"]},{"type":"runtime_data","value":1}]}]},
	 {"name":"pick","id":4,"runtime_data":[{"name":"base","bitwidth":16},{"name":"count","bitwidth":32}],
		"primitives":[
	  {"op":"modify_field_with_hash_based_offset","parameters":[{"type":"field","value":["h","c"]},
	   {"type":"runtime_data","value":0},{"type":"calculation","value":"crc16"},{"type":"runtime_data",
		"value":1}]}]},
	 {"name":"tally","id":5,"runtime_data":[],"primitives":[` +
		call("register_read", fld("m.z"), obj("register_array", "re"), num("0x1")) + "," +
		call("register_write", obj("register_array", "re"), num("0x1"), bin("+", fld("m.z"), num("0x1"))) + "," +
		call("count", obj("counter_array", "co"), num("0x2")) + "," + put("h.d", fld("m.z")) + `]},
	 {"name":"seen","id":6,"runtime_data":[],"primitives":[` + put("h.e", num("0x77")) + `]},
	 {"name":"leave","id":7,"runtime_data":[],"primitives":[` +
		call("_jump_if_zero", bin("&", fld("h.a"), num("0x1")), num("0x2")) + "," + call("exit") + `]},
	 {"name":"late","id":8,"runtime_data":[],"primitives":[` + f.egress + `]}],
	"pipelines":[{"name":"ingress","id":0,"init_table":"t","tables":[
	 {"name":"t","id":0,"match_type":"exact","type":"simple","max_size":1,"key":[],"actions":["act"],
		"action_ids":[0],
	  "base_default_next":` + f.next + `,"next_tables":{"act":` + f.next + `},
	  "default_entry":{"action_id":0,"action_const":true,"action_data":[],"action_entry_const":true}}` + key + `],
	 "action_profiles":[],"conditionals":[` + f.nodes + `]},
	 ` + f.egressPipeline() + `]}`
}

// egressPipeline runs the primitives of egress in one table, if there are any.
func (f formatProgram) egressPipeline() string {
	if f.egress == "" {
		return `{"name":"egress","id":1,"init_table":null,"tables":[],"action_profiles":[],"conditionals":[]}`
	}
	return `{"name":"egress","id":1,"init_table":"late","action_profiles":[],"conditionals":[],"tables":[
	 {"name":"late","id":9,"match_type":"exact","type":"simple","max_size":1,"key":[],"actions":["late"],"action_ids":[8],
	  "base_default_next":null,"next_tables":{"late":null},
	  "default_entry":{"action_id":8,"action_const":true,"action_data":[],"action_entry_const":true}}]}`
}

// fld, num, bin and set write the format's values: a field "h.a", a number, an operation, an assignment.
func fld(name string) string {
	h, f, _ := strings.Cut(name, ".")
	return fmt.Sprintf(`{"type":"field","value":[%q,%q]}`, h, f)
}

func num(v string) string { return fmt.Sprintf(`{"type":"hexstr","value":%q}`, v) }

func bin(op, l, r string) string {
	return fmt.Sprintf(`{"type":"expression","value":{"op":%q,"left":%s,"right":%s}}`, op, l, r)
}

func un(op, r string) string { return bin(op, "null", r) }

func pick(c, l, r string) string {
	return fmt.Sprintf(`{"type":"expression","value":{"op":"?","left":%s,"right":%s,"cond":%s}}`, l, r, c)
}

func call(op string, params ...string) string {
	return fmt.Sprintf(`{"op":%q,"parameters":[%s]}`, op, strings.Join(params, ","))
}

func put(to, e string) string {
	return call("assign", fld(to), fmt.Sprintf(`{"type":"expression","value":%s}`, e))
}

func obj(kind, name string) string { return fmt.Sprintf(`{"type":%q,"value":%q}`, kind, name) }

func act(ops ...string) formatProgram { return formatProgram{act: strings.Join(ops, ",")} }

func parse(ops ...string) formatProgram { return formatProgram{parser: "," + strings.Join(ops, ",")} }

func matching(kind, field, entries string) formatProgram {
	return formatProgram{match: kind, entries: entries, key: fmt.Sprintf(`{"match_type":%q,"name":"key",
		"target":[%q,%q],"mask":null}`,
		kind, field[:1], field[2:])}
}

func checksum(calculation, verify, cond string) string {
	return fmt.Sprintf(`{"name":"s","id":0,"target":["h","pad"],"type":"generic","calculation":%q,"verify":%s,
		"update":true,"if_cond":%s}`,
		calculation, verify, cond)
}

func entry(key string, data, priority int) string {
	return fmt.Sprintf(`{"match_key":[%s],"action_entry":{"action_id":2,"action_data":["0x%x"]},"priority":%d}`,
		key, data, priority)
}

// bigEntry has action data of 128 bits.
const bigEntry = `{"match_key":[{"match_type":"exact","key":"0x01"}],"priority":1,"action_entry":{"action_id":3,
	"action_data":["0x0123456789abcdef0011223344556677","0x9"]}}`

// pickEntry hashes into a range that the entry has, as load balancers do.
const pickEntry = `{"match_key":[{"match_type":"exact","key":"0x01"}],"priority":1,"action_entry":{"action_id":4,
	"action_data":["0x7","0x5"]}}`

// packetsOf makes packets of a format program: whole ones with few values a field, and short ones.
type packetsOf struct {
	rng  *rand.Rand
	left int
	data [120]byte
}

func (s *packetsOf) Next() ([]byte, uint16, bool) {
	if s.left == 0 {
		return nil, 0, false
	}
	s.left--
	for i := range s.data {
		s.data[i] = [...]byte{0, 1, 2, 5, 0x7f, 0x80, 0xff, byte(s.rng.Uint32())}[s.rng.IntN(8)]
	}
	if s.rng.IntN(3) == 0 { // x is 1
		clear(s.data[24:39])
		s.data[39] = 1
	}
	n := 46 + s.rng.IntN(30)
	if s.rng.IntN(12) == 0 {
		n = s.rng.IntN(60)
	}
	return s.data[:n], uint16(s.rng.IntN(512)), true
}

// Each construct of BMv2's JSON_format.md runs on the machine as the interpreter runs it, or is refused by name.
func TestTheFormatsConstructs(t *testing.T) {
	for _, row := range slices.Concat(formatRows, moreFormatRows) {
		t.Run(row.name, func(t *testing.T) {
			err := runFormat(t, row.name, row.p.json())
			if row.refused != "" {
				require.ErrorContains(t, err, row.refused)
				return
			}
			require.NoError(t, err)
		})
	}
}

func runFormat(t *testing.T, name, text string) error {
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return err
	}
	p, err := p4.ParseBMv2(name, bytes.NewReader([]byte(text)))
	if err != nil {
		return fmt.Errorf("unread: %w", err)
	}
	if err := compile.Supported(p, compile.Options{}); err != nil {
		return err
	}
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}}
	const packets = 400
	return runAgainst(ctx, x, packets, func() study.Source {
		return &packetsOf{rng: rand.New(rand.NewPCG(1, 2)), left: packets}
	})
}

// runAgainst runs a program on the machine; the error says the first difference from the interpreter.
func runAgainst(ctx context.Context, x study.Program, packets int, source func() study.Source) error {
	_, c, err := study.BuildSpaced(ctx, x, 1, 1)
	if err != nil {
		return err
	}
	processors, _ := c.Pace()
	o, err := study.RunSwitch(ctx, x, c, processors, packets, source, rtl.Config{}, nil)
	switch {
	case err != nil:
		return err
	case o.Faults > 0:
		return fmt.Errorf("fault: %s", o.FirstFault)
	case o.Compared < uint64(packets):
		return fmt.Errorf("%d of %d packets were compared", o.Compared, packets)
	}
	return nil
}

// The interpreter has what the documents say: two_comp_mod's examples are JSON_format.md's, the errors' numbers the
// program's own, an advance must be whole bytes (JSON_format.md), and push adds to the elements (P4-16, 8.18).
func TestTheFormatsValues(t *testing.T) {
	whole := make([]byte, 60) // n is even, so that an element follows, and all f are: more than three follow
	whole[46] = 1             // but here it is one
	many := make([]byte, 60)
	errorTo := put("h.d", fld("standard_metadata.parser_error"))
	d := func(b []byte) byte { return b[7] }
	for _, row := range []struct {
		name string
		p    formatProgram
		data []byte
		want byte
	}{
		{"two_comp_mod(257, 8)", act(put("h.d", bin("two_comp_mod", num("0x101"), num("0x8")))), whole, 1},
		{"two_comp_mod(-129, 8)", act(put("h.d", bin("two_comp_mod", num("-0x81"), num("0x8")))), whole, 127},
		{"two_comp_mod(255, 8) < 0", act(put("h.d", un("b2d", bin("<", bin("two_comp_mod", num("0xff"), num("0x8")),
			num("0x0"))))), whole, 1},
		{"half a byte", formatProgram{act: errorTo, parser: "," + call("advance", num("0x4"))}, whole, 6},
		{"a stack that is full", act(errorTo), many, 3},
		{"one element", act(put("h.d", un("size_stack", obj("header_stack", "o")))), whole, 1},
		{"one more", act(call("push", obj("header_stack", "o"), num("0x1")),
			put("h.d", un("size_stack", obj("header_stack", "o")))), whole, 2},
	} {
		p, err := p4.ParseBMv2(row.name, strings.NewReader(row.p.json()))
		require.NoError(t, err)
		in, err := p4.NewSwitch(p, p4.Configuration{})
		require.NoError(t, err)
		require.Equal(t, row.want, d(in.Run(1, row.data).Packet), row.name)
	}
}

// Random entries fit keys and data of more than 64 bits, and some of a hundred packets hit them.
func TestRandomEntriesOfWideKeys(t *testing.T) {
	for _, kind := range []string{"exact", "lpm", "ternary", "range"} {
		p, err := p4.ParseBMv2(kind, strings.NewReader(matching(kind, "h.x", "").json()))
		require.NoError(t, err)
		entries := study.RandomEntries(p, 12, 1)
		in, err := p4.NewInterpreter(p, entries, nil)
		require.NoError(t, err, kind)
		hits := 0
		traffic := study.NewTraffic(p, entries, 100, 1)
		for {
			data, port, ok := traffic.Next()
			if !ok {
				break
			}
			for _, s := range in.Run(int(port), data).Trace {
				if s.Node == "k" && s.Hit {
					hits++
				}
			}
		}
		require.Positive(t, hits, kind)
	}
}

// element is the field g of the stack's element m.x, as something to write.
var element = fmt.Sprintf(`{"type":"expression","value":%s}`,
	bin("access_field", bin("dereference_header_stack", obj("header_stack", "o"), fld("m.x")), "1"))

// followed are a table k whose successors next names, a default action of a number, and a table that runs another.
func followed(next, action string, id int) formatProgram {
	return formatProgram{tables: fmt.Sprintf(`{"name":"k","id":1,"match_type":"exact","type":"simple","max_size":16,
	"key":[{"match_type":"exact","name":"key","target":["h","b"],"mask":null}],"actions":["mark",%q],"action_ids":[2,%d],
	"base_default_next":null,"next_tables":%s,"default_entry":{"action_id":%d,"action_data":[]},
	"entries":[%s]},
	{"name":"after","id":2,"match_type":"exact","type":"simple","max_size":1,"key":[],"actions":["seen"],"action_ids":[6],
	"base_default_next":null,"next_tables":{"seen":null},"default_entry":{"action_id":6,"action_data":[]}}`,
		action, id, next, id, entry(`{"match_type":"exact","key":"0x01"}`, 9, 1))}
}
