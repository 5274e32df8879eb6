package study_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
			"actions":["mark","none","big"],"action_ids":[2,1,3],"base_default_next":null,
		"next_tables":{"mark":null,
		"none":null,"big":null},
			"default_entry":{"action_id":1,"action_data":[]}` + entries + `}`
		if f.next == "" {
			f.next = `"k"`
		}
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
	"register_arrays":[{"name":"re","id":0,"size":8,"bitwidth":32},{"name":"rw","id":1,"size":8,"bitwidth":64}],
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
	  {"op":"assign","parameters":[{"type":"field","value":["h","b"]},{"type":"runtime_data","value":1}]}]}],
	"pipelines":[{"name":"ingress","id":0,"init_table":"t","tables":[
	 {"name":"t","id":0,"match_type":"exact","type":"simple","max_size":1,"key":[],"actions":["act"],
		"action_ids":[0],
	  "base_default_next":` + f.next + `,"next_tables":{"act":` + f.next + `},
	  "default_entry":{"action_id":0,"action_const":true,"action_data":[],"action_entry_const":true}}` + key + `],
	 "action_profiles":[],"conditionals":[` + f.nodes + `]},
	 {"name":"egress","id":1,"init_table":null,"tables":[],"action_profiles":[],"conditionals":[]}]}`
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

var formatRows = []struct {
	name    string
	p       formatProgram
	refused string
}{
	{"assign", act(put("h.b", fld("h.c"))), ""},
	{"+ modulo", act(put("h.c", bin("&", bin("+", fld("h.c"), fld("h.e")), num("0xffff")))), ""},
	{"+ 48", act(put("h.w", bin("&", bin("+", fld("h.w"), fld("h.d")), num("0xffffffffffff")))), ""},
	{"+ 64", act(put("h.l", bin("&", bin("+", fld("h.l"), num("0x1")), num("0xffffffffffffffff")))), ""},
	{"-", act(put("h.c", bin("&", bin("-", fld("h.c"), fld("h.e")), num("0xffff")))), ""},
	{"*", act(put("h.c", bin("&", bin("*", fld("h.c"), num("0x0b")), num("0xffff")))), ""},
	{"* field", act(put("h.c", bin("&", bin("*", fld("h.a"), fld("h.b")), num("0xffff")))),
		"what it writes to h.c: no machine computes that"},
	{"<<", act(put("h.c", bin("&", bin("<<", fld("h.c"), num("0x3")), num("0xffff")))), ""},
	{"<< field", act(put("h.c", bin("&", bin("<<", fld("h.c"), fld("h.b")), num("0xffff")))), ""},
	{">>", act(put("h.d", bin(">>", fld("h.d"), fld("h.b")))), ""},
	{"slice 48", act(put("h.c", bin("&", bin(">>", fld("h.w"), num("0x14")), num("0xffff")))), ""},
	{"concat", act(put("h.d", bin("|", bin("<<", bin("&", fld("h.c"), num("0xffffffff")), num("0x10")),
		bin("&", fld("h.e"), num("0xffffffff"))))), ""},
	{"slice assign", act(put("h.d", bin("|", bin("&", fld("h.d"), num("0xffff00ff")),
		bin("&", bin("<<", fld("h.a"), num("0x8")), num("0xff00"))))), ""},
	{"^ ~", act(put("h.d", bin("^", un("~", fld("h.d")), num("0x5a5a")))), ""},
	{"~ masked", act(put("h.d", bin("&", un("~", fld("h.d")), num("0xffffffff")))), ""},
	{"compare", act(put("m.x", un("b2d", bin("<", fld("h.c"), fld("h.e")))), put("h.b", fld("m.x"))), ""},
	{"?:", act(put("h.c", pick(bin(">=", fld("h.d"), num("0x80000000")), fld("h.e"), num("0x7")))), ""},
	{"?: nested", act(put("h.c", pick(bin("==", fld("h.a"), num("0x8")), num("0x1"),
		pick(bin("<", fld("h.b"), num("0x80")), fld("h.e"), fld("h.c"))))), ""},
	{"and or not", act(put("m.v", un("b2d", bin("and", bin("or", bin("<", fld("h.a"), num("0x80")), un("d2b",
		fld("m.v"))),
		un("not", bin("==", fld("h.b"), num("0x3")))))), put("h.b", fld("m.v"))), ""},
	{"usat +", act(put("h.a", bin("usat_cast", bin("+", fld("h.a"), fld("h.b")), num("0x8")))), ""},
	{"usat -", act(put("h.a", bin("usat_cast", bin("-", fld("h.a"), fld("h.b")), num("0x8")))), ""},
	{"usat 32", act(put("h.d", bin("usat_cast", bin("+", fld("h.d"), num("0x80000000")), num("0x20")))), ""},
	{"sat +", act(put("h.sg", bin("sat_cast", bin("+", fld("h.sg"), num("0x40")), num("0x8")))), ""},
	{"two_comp_mod", act(put("h.sg", bin("two_comp_mod", bin("+", fld("h.sg"), num("0x1")), num("0x8")))), ""},
	{"signed <", act(put("m.v", un("b2d", bin("<", fld("h.sg"), num("0x5")))), put("h.b", fld("m.v"))), ""},
	{"signed < -", act(put("m.v", un("b2d", bin("<", fld("h.sg"), num("-0x5")))), put("h.b", fld("m.v"))), ""},
	{"signed == signed", act(put("m.v", un("b2d", bin("==", fld("h.sg"), fld("h.sc")))), put("h.b",
		fld("m.v"))), ""},
	{"signed to wider", act(put("h.sc", bin("two_comp_mod", fld("h.sg"), num("0x10")))), ""},
	{"signed to unsigned", act(put("h.c", bin("&", fld("h.sg"), num("0xffff")))), ""},
	{"signed >>", act(put("h.sc", bin(">>", fld("h.sc"), num("0x3")))), ""},
	{"signed -", act(put("h.sc", bin("two_comp_mod", bin("-", num("0x0"), fld("h.sc")), num("0x10")))), ""},
	{"128 copy", act(put("m.big", fld("h.x")), put("h.x", num("0x0123456789abcdef0123456789abcdef"))),
		""},
	{"128 slice", act(put("h.c", bin("&", bin(">>", fld("h.x"), num("0x50")), num("0xffff")))),
		""},
	{"128 ==", act(put("m.v", un("b2d", bin("==", fld("h.x"), num("0x1")))), put("h.b", fld("m.v"))),
		""},
	{"128 +", act(put("h.x", bin("&", bin("+", fld("h.x"), num("0x1")),
		num("0xffffffffffffffffffffffffffffffff")))), "what it writes to h.x: no machine computes that"},
	{"push", act(call("push", obj("header_stack", "o"), num("0x1"))), ""},
	{"pop", act(call("pop", obj("header_stack", "o"), num("0x1"))), ""},
	{"push valid", act(call("push", obj("header_stack", "o"), num("0x1")), call("add_header", obj("header",
		"o[0]")),
		put("o[0].f", num("0x5"))), ""},
	{"add_header", act(call("add_header", obj("header", "p")), put("p.f", fld("h.b"))), ""},
	{"remove_header", act(call("remove_header", obj("header", "o[0]"))), ""},
	{"assign_header", act(call("assign_header", obj("header", "p"), obj("header", "o[0]"))), ""},
	{"valid", act(put("m.v", un("b2d", un("valid", obj("header", "o[1]")))), put("h.b", fld("m.v"))), ""},
	{"$valid$", act(put("h.b", fld("o[0].$valid$"))), ""},
	{"stack index", act(put("h.b", bin("access_field", bin("dereference_header_stack", obj("header_stack", "o"),
		num("0x1")), "1"))), ""},
	{"stack index field", act(put("m.x", bin("&", fld("h.b"), num("0x1"))),
		put("h.b", bin("access_field", bin("dereference_header_stack", obj("header_stack", "o"), fld("m.x")),
			"1"))), ""},
	{"size_stack", act(put("h.b", un("size_stack", obj("header_stack", "o")))),
		"what it writes to h.b: no machine computes that"},
	{"last_stack_index", act(put("h.b", bin("&", un("last_stack_index", obj("header_stack", "o")),
		num("0xff")))), "what it writes to h.b: no machine computes that"},
	{"==h", act(put("m.v", un("b2d", bin("==h", obj("header", "o[0]"), obj("header", "o[1]")))), put("h.b",
		fld("m.v"))), ""},
	{"register", act(call("register_read", fld("m.z"), obj("register_array", "re"), bin("&", fld("h.b"),
		num("0x7"))),
		put("m.z", bin("&", bin("+", fld("m.z"), num("0x1")), num("0xffffffff"))),
		call("register_write", obj("register_array", "re"), bin("&", fld("h.b"), num("0x7")), fld("m.z")),
		put("h.d", fld("m.z"))), ""},
	{"register 48 of 64", act(call("register_read", fld("h.w"), obj("register_array", "rw"), num("0x1")),
		call("register_write", obj("register_array", "rw"), num("0x1"), fld("h.l"))), ""},
	{"register beyond", act(call("register_read", fld("h.d"), obj("register_array", "re"), fld("h.b")),
		call("register_write", obj("register_array", "re"), fld("h.b"), fld("h.c"))), ""},
	{"count", act(call("count", obj("counter_array", "co"), fld("h.b"))), ""},
	{"meter", act(call("execute_meter", obj("meter_array", "me"), bin("&", fld("h.b"), num("0x7")),
		fld("h.c"))), ""},
	{"random", act(call("modify_field_rng_uniform", fld("h.c"), num("0x3"), num("0x9"))), ""},
	{"random full", act(call("modify_field_rng_uniform", fld("h.d"), num("0x0"), num("0xffffffff"))), ""},
	{"hash crc16", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x2"), obj("calculation",
		"crc16"), num("0x9"))), ""},
	{"hash crc32", act(call("modify_field_with_hash_based_offset", fld("h.d"), num("0x0"), obj("calculation",
		"crc32"), num("0x10000"))), ""},
	{"hash 2^32", act(call("modify_field_with_hash_based_offset", fld("h.d"), num("0x0"), obj("calculation",
		"crc32"), num("0x100000000"))), ""},
	{"hash csum16", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"csum16"), num("0x10000"))), ""},
	{"hash identity", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"identity"), num("0x10000"))), ""},
	{"hash xor16", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"xor16"), num("0x10000"))), ""},
	{"hash ccitt", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"ccitt"), num("0x10000"))), ""},
	{"hash wide", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"wide"), num("0x10000"))), ""},
	{"hash payload", act(call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation",
		"load"), num("0x10000"))), "a hash over the payload"},
	{"hash field base", act(call("modify_field_with_hash_based_offset", fld("h.c"), fld("h.b"),
		obj("calculation", "crc16"), num("0x10"))), "one of a range that is no constant: no machine runs that"},
	{"drop", act(call("mark_to_drop", obj("header", "standard_metadata"))), ""},
	{"exit", act(call("exit"), put("h.b", num("0x1"))), ""},
	{"jump", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")), put("h.c", num("0x1")),
		put("h.e", fld("h.c"))), ""},
	{"jump push", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")), call("push",
		obj("header_stack", "o"), num("0x1")),
		put("h.e", fld("h.c"))), ""},
	{"jump exit", formatProgram{act: call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")),
		num("0x3")) + "," + call("exit") + "," +
		put("h.c", fld("h.e")), match: "exact", key: `{"match_type":"exact","name":"key","target":["h","b"],
		"mask":null}`,
		entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)},
		""},
	{"jump register", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")),
		call("register_write", obj("register_array", "re"), num("0x1"), fld("h.d")), put("h.e", fld("h.c"))), ""},
	{"jump validity", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")),
		call("add_header", obj("header", "p")),
		put("h.e", fld("h.c"))), ""},
	{"jump assign_header", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")),
		call("assign_header", obj("header", "p"), obj("header", "o[0]")), put("h.e", fld("h.c"))), ""},
	{"jump drop", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")),
		call("mark_to_drop", obj("header", "standard_metadata")), put("h.e", fld("h.c"))), ""},
	{"truncate", act(call("truncate", num("0x50"))), "truncate: no machine runs that"},
	{"digest", act(call("generate_digest", num("0x1"), num("0x1"))), ""},
	{"clone", act(call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1"))), ""},
	{"log_msg", act(call("log_msg", obj("string", "x {}"), `{"type":"parameters_vector",
		"value":[`+fld("h.b")+`]}`)), ""},
	{"assert", act(call("assert", bin(">=", fld("h.b"), num("0x0")))), ""},
	{"assume", act(call("assume", bin(">=", fld("h.b"), num("0x0")))), ""},
	{"parser set", parse(call("set", fld("m.x"), fld("h.b"))), ""},
	{"parser set expression", parse(call("set", fld("m.y"), bin("&", bin("+", fld("h.c"), fld("h.b")),
		num("0xffff"))),
		call("set", fld("h.e"), bin("&", fld("m.y"), num("0xffff")))), ""},
	{"parser verify", parse(call("verify", bin("<", fld("h.b"), num("0x80")), num("0x7")),
		call("set", fld("h.c"), num("0x3"))), ""},
	{"parser advance", parse(call("advance", num("0x10"))), ""},
	{"parser advance field", parse(call("advance", bin("&", bin("<<", fld("h.b"), num("0x3")), num("0x38")))), ""},
	{"parser shift", parse(`{"op":"shift","parameters":[2]}`), ""},
	{"parser lookahead", parse(call("set", fld("h.c"), `{"type":"lookahead","value":[4,16]}`)), ""},
	{"parser primitive", parse(`{"op":"primitive","parameters":[` + call("assign_header", obj("header", "p"),
		obj("header", "o[0]")) + `]}`), "assign_header: no machine runs that in a parser"},
	{"parser add_header", parse(`{"op":"primitive","parameters":[` + call("add_header", obj("header",
		"p")) + `]}`), ""},
	{"parser usat", parse(call("set", fld("h.b"), bin("usat_cast", bin("+", fld("h.b"), fld("h.a")),
		num("0x8")))), "parser state start: no machine computes that"},
	{"parser 128", parse(call("set", fld("m.big"), fld("h.x"))),
		""},
	{"exact", matching("exact", "h.b", entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)), ""},
	{"lpm", matching("lpm", "h.d", entry(`{"match_type":"lpm","key":"0x80000000","prefix_length":1}`, 9, 1)+","+
		entry(`{"match_type":"lpm","key":"0xc0000000","prefix_length":2}`, 8, 1)), ""},
	{"ternary", matching("ternary", "h.b", entry(`{"match_type":"ternary","key":"0x01","mask":"0x01"}`, 9, 2)+","+
		entry(`{"match_type":"ternary","key":"0x00","mask":"0x02"}`, 8, 1)), ""},
	{"range", matching("range", "h.b", entry(`{"match_type":"range","start":"0x05","end":"0x51"}`, 9, 2)+","+
		entry(`{"match_type":"range","start":"0x40","end":"0xff"}`, 8, 1)),
		""},
	{"range 16", matching("range", "h.c", entry(`{"match_type":"range","start":"0x0001","end":"0xfffe"}`, 9,
		2)), ""},
	{"exact 128", matching("exact", "h.x", entry(`{"match_type":"exact",
		"key":"0x00000000000000000000000000000001"}`, 9, 1)), ""},
	{"lpm 128", matching("lpm", "h.x", entry(`{"match_type":"lpm","key":"0x80000000000000000000000000000000",
		"prefix_length":1}`, 9, 1)), ""},
	{"ternary 128", matching("ternary", "h.x",
		entry(`{"match_type":"ternary","key":"0x00000000000000000000000000000001",
		"mask":"0x0f0000000000000000000000000000ff"}`,
			9, 1)), ""},
	{"128 data", matching("exact", "h.b", bigEntry), ""},
	{"128 <", act(put("m.v", un("b2d", bin("<", fld("h.x"), num("0x7f800000000000000000000000000001")))),
		put("h.b", fld("m.v"))), ""},
	{"128 <=", act(put("m.v", un("b2d", bin("<=", num("0x1"), fld("h.x")))), put("h.b", fld("m.v"))), ""},
	{"128 bits", act(put("h.x", bin("^", bin("&", fld("h.x"), num("0xffffffff0000ffff0000000000ffffff")),
		bin("<<", fld("h.l"), num("0x1c"))))), ""},
	{"128 shifted", act(put("h.x", bin(">>", fld("h.x"), num("0x2c"))), put("h.l", bin("&", bin(">>",
		fld("h.x"), num("0x8")),
		num("0xffffffffffffffff")))), ""},
	{"128 ?:", act(put("h.x", pick(bin("==", fld("h.b"), num("0x1")), fld("h.l"), fld("h.x")))), ""},
	{"128 condition", formatProgram{match: "exact", nodes: `{"name":"c","id":0,"expression":` +
		bin("==", fld("h.x"), num("0x1")) + `,"true_next":"k","false_next":null}`, next: `"c"`,
		key: `{"match_type":"exact",
		"name":"key","target":["h","b"],"mask":null}`, entries: entry(`{"match_type":"exact","key":"0x01"}`, 9,
			1)}, ""},
	{"jump 128", act(call("_jump_if_zero", bin("==", fld("h.x"), num("0x1")), num("0x4")), put("h.x",
		num("0x123456789abcdef0123")),
		put("h.b", num("0x5")), put("h.e", fld("h.c"))), ""},
	{"signed key", matching("exact", "h.sg", entry(`{"match_type":"exact","key":"0xff"}`, 9, 1)), ""},
	{"masked key", formatProgram{match: "exact", key: `{"match_type":"exact","name":"key","target":["h","b"],
		"mask":"0x0f"}`,
		entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)},
		""},
	{"checksum", formatProgram{more: checksum("csum16", "true", "null")}, ""},
	{"checksum condition", formatProgram{more: checksum("csum16", "true", bin("and", bin("==", fld("h.b"),
		num("0x1")), un("valid", obj("header", "o[0]"))))}, ""},
	{"parser lastIndex", parse(`{"op":"extract","parameters":[{"type":"stack","value":"o"}]}`,
		call("set", fld("m.x"), bin("&", un("last_stack_index", obj("header_stack", "o")), num("0xff"))),
		call("verify", bin("==", fld("m.x"), num("0x0")), num("0x7")),
		call("set", fld("h.b"), un("size_stack", obj("header_stack", "o")))), ""},
	{"checksum crc16", formatProgram{more: checksum("crc16", "false", "null")},
		"checksum s is not the Internet checksum: no machine runs that"},
	{"checksum payload", formatProgram{more: checksum("load", "false", "null")},
		"checksum s is not the Internet checksum: no machine runs that"},
	{"condition", formatProgram{next: `"c"`, nodes: `{"name":"c","id":0,"expression":` + bin("==", fld("h.b"),
		fld("h.a")) + `,"true_next":null,"false_next":null}`}, ""},
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
	for _, row := range formatRows {
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
	if err := compile.Supported(p); err != nil {
		return err
	}
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}}
	_, c, err := study.BuildSpaced(ctx, x, 1, 1)
	if err != nil {
		return err
	}
	processors, _ := c.Pace()
	const packets = 400
	source := func() study.Source { return &packetsOf{rng: rand.New(rand.NewPCG(1, 2)), left: packets} }
	o, err := study.RunSwitch(ctx, x, c, processors, packets, source, rtl.Config{}, nil)
	switch {
	case err != nil:
		return err
	case o.Faults > 0:
		return fmt.Errorf("fault: %s", o.FirstFault)
	}
	return nil
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
