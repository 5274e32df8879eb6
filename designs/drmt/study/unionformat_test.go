package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// unionJSON is a format program with two unions u and w, of two headers each, and a stack us of two such unions.
func unionJSON(f formatProgram) string {
	names := []string{"u", "w", "us[0]", "us[1]"}
	var headers, order, unions string
	for i, n := range names {
		headers += fmt.Sprintf(`{"name":"%s.a","id":%d,"header_type":"o_t","metadata":false},
			{"name":"%s.b","id":%d,"header_type":"u2_t","metadata":false},`, n, 20+2*i, n, 21+2*i)
		order += fmt.Sprintf(`"%s.a","%s.b",`, n, n)
		unions += fmt.Sprintf(`,{"name":%q,"id":%d,"union_type":"u_t","header_ids":[%d,%d]}`, n, i, 20+2*i, 21+2*i)
	}
	return strings.NewReplacer(
		`{"name":"m_t","id":2`, `{"name":"u2_t","id":12,"fields":[["k",8],["v",24]]},{"name":"m_t","id":2`,
		`{"name":"p","id":4`, headers+`{"name":"p","id":4`,
		`"header_union_types":[]`, `"header_union_types":[{"name":"u_t","id":0,"headers":[["a","o_t"],["b","u2_t"]]}]`,
		`"header_unions":[]`, `"header_unions":[`+unions[1:]+`]`,
		`"header_union_stacks":[]`,
		`"header_union_stacks":[{"name":"us","id":0,"union_type":"u_t","header_union_ids":[2,3]}]`,
		`"order":["h",`, `"order":["h",`+order,
	).Replace(f.json())
}

// Unions, and comparisons of headers and unions, run on the machine as in the interpreter or are refused by name.
func TestUnionsOfTheFormat(t *testing.T) {
	ex := func(h string) string { return `{"op":"extract","parameters":[{"type":"regular","value":"` + h + `"}]}` }
	exu := func(m string) string {
		return `{"op":"extract","parameters":[{"type":"union_stack","value":["us","` + m + `"]}]}`
	}
	both := func(parser string, ops ...string) formatProgram {
		return formatProgram{parser: "," + parser, act: strings.Join(ops, ",")}
	}
	u := func(n string) string { return obj("header_union", n) }
	us := obj("header_union_stack", "us")
	for _, row := range []formatRow{
		{"extract member", both(ex("u.a"), call("no_op")), ""},
		{"extract both", both(ex("u.a")+","+ex("u.b"), call("no_op")), ""},
		{"valid member", both(ex("u.a"), put("h.b", un("b2d", un("valid", obj("header", "u.b"))))), ""},
		{"valid union", both(ex("u.a"), put("h.b", un("b2d", un("valid_union", u("u")))), put("h.c", un("b2d",
			un("valid_union", u("w"))))), ""},
		{"add member", both(ex("u.a"), call("add_header", obj("header", "u.b")), put("u.b.v", num("0x123456"))),
			""},
		{"remove member", both(ex("u.a"), call("remove_header", obj("header", "u.a"))), ""},
		{"remove other", both(ex("u.a"), call("remove_header", obj("header", "u.b"))), ""},
		{"assign_header member", both(ex("u.a")+","+ex("w.b"), call("assign_header", obj("header", "u.b"),
			obj("header", "w.b"))), ""},
		{"assign_header invalid", both(ex("u.a"), call("assign_header", obj("header", "u.b"), obj("header",
			"w.b"))), ""},
		{"assign_header out", both(ex("u.a"), call("assign_header", obj("header", "p"), obj("header", "u.a"))), ""},
		{"assign_union", both(ex("u.b"), call("assign_union", u("w"), u("u"))), ""},
		{"assign_union over", both(ex("u.b")+","+ex("w.a"), call("assign_union", u("w"), u("u"))), ""},
		{"==u", both(ex("u.b")+","+ex("w.b"), put("m.v", un("b2d", bin("==u", u("u"), u("w")))), put("h.c",
			fld("m.v"))), ""},
		{"== union", both(ex("u.b")+","+ex("w.b"), put("m.v", un("b2d", bin("==", u("u"), u("w")))), put("h.c",
			fld("m.v"))), ""},
		{"member field", both(ex("u.a"), put("u.a.f", fld("h.b")), put("h.c", fld("u.a.g"))), ""},
		{"member field not valid", both(ex("u.a"), put("u.b.v", fld("h.b"))), ""},
		{"union stack", both(exu("a")+","+exu("b"), put("h.b", fld("us[0].a.f"))), ""},
		{"union stack full", both(exu("a")+","+exu("b")+","+exu("b"), put("h.d", std("parser_error"))), ""},
		{"union stack size", both(exu("a")+","+call("set", fld("h.b"), un("size_stack", obj("header_union_stack",
			"us"))), call("no_op")), ""},
		{"union stack size action", both(exu("a"), put("h.b", un("size_stack", us))),
			"no machine computes that: the size of a stack"},
		{"union stack push", both(exu("a"), call("push", us, num("0x1"))),
			"action act: push: no machine runs that"},
		{"union stack index", both(exu("a"), put("h.b", bin("access_field", bin("access_union_header",
			bin("dereference_union_stack", us, num("0x0")), "0"), "1"))), ""},
		{"union stack valid", both(exu("a"), put("h.b", un("b2d", un("valid_union", bin("dereference_union_stack",
			us, num("0x1")))))), ""},
		{"assign_union_stack", both(exu("a"), call("assign_union_stack", us,
			us)), ""},
		{"member key", formatProgram{parser: "," + ex("u.a"), match: "exact", key: keyOf("exact", "u.a", "f"),
			entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)}, ""},
		{"member valid key", formatProgram{parser: "," + ex("u.a"), match: "exact", key: keyOf("exact", "u.b",
			"$valid$"), entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)}, ""},
		{"cond union", formatProgram{parser: "," + ex("u.a"), match: "exact",
			nodes: `{"name":"c","id":0,"expression":` + un("valid_union",
				u("u")) + `,"true_next":"k","false_next":null}`, next: `"c"`, key: keyOf("exact", "h", "b"),
			entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)}, ""},
		{"== header", both(ex("u.a"), put("m.v", un("b2d", bin("==", obj("header", "o[0]"), obj("header",
			"o[1]")))), put("h.c", fld("m.v"))), ""},
		{"!=h", both(ex("p"), put("m.v", un("b2d", bin("!=h", obj("header", "o[0]"), obj("header", "p")))),
			put("h.c", fld("m.v"))), ""},
		{"header == in cond", formatProgram{match: "exact", nodes: `{"name":"c","id":0,"expression":` + bin("==",
			obj("header", "o[0]"), obj("header", "o[1]")) + `,"true_next":"k","false_next":null}`, next: `"c"`,
			key: keyOf("exact", "h", "b"), entries: entry(`{"match_type":"exact","key":"0x01"}`, 9, 1)}, ""},
		{"bool const", act(put("m.v", un("b2d", `{"type":"bool","value":true}`)), put("h.b", fld("m.v"))), ""},
		{"cond bool const", formatProgram{match: "exact",
			nodes: `{"name":"c","id":0,"expression":{"type":"bool","value":false},"true_next":"k","false_next":null}`,
			next:  `"c"`, key: keyOf("exact", "h", "b"), entries: entry(`{"match_type":"exact","key":"0x01"}`, 9,
				1)}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := runFormat(t, row.name, unionJSON(row.p))
			if row.refused != "" {
				require.ErrorContains(t, err, row.refused)
				return
			}
			require.NoError(t, err)
		})
	}
}

// The interpreter has the reference's values: of two headers both must be valid to be equal (headers.cpp: cmp), a copy
// of a union's header makes the others not valid, and a stack of two unions that moves by one turns round, since
// simple_switch does not clear the freed union (header_unions.h: mark_invalid).
func TestValuesOfUnions(t *testing.T) {
	ex := func(h string) string { return `{"op":"extract","parameters":[{"type":"regular","value":"` + h + `"}]}` }
	us := obj("header_union_stack", "us")
	one := `{"op":"extract","parameters":[{"type":"union_stack","value":["us","a"]}]}`
	first := bin("access_field", bin("access_union_header", bin("dereference_union_stack", us, num("0x0")), "0"), "0")
	data := make([]byte, 60)
	data[41], data[46] = 1, 0x77
	for _, row := range []struct {
		name        string
		parser, act string
		want        byte
	}{
		{"neither is valid", "", put("h.d", un("b2d", bin("==", obj("header", "o[0]"), obj("header", "o[1]")))), 0},
		{"one is valid", ex("u.a"), put("h.d", un("b2d", bin("!=", obj("header", "u.a"), obj("header", "w.a")))), 1},
		{"equal", ex("u.b") + "," + ex("w.b"), put("w.b.k", fld("u.b.k")) + "," +
			put("h.d", un("b2d", bin("==", obj("header_union", "u"), obj("header_union", "w")))), 1},
		{"not the same member", ex("u.a") + "," + ex("w.b"), put("h.d", un("b2d", bin("==u", obj("header_union", "u"),
			obj("header_union", "w")))), 0},
		{"copied", ex("u.a") + "," + ex("w.b"), call("assign_union", obj("header_union", "u"), obj("header_union", "w")) +
			"," + put("h.d", bin("|", bin("<<", fld("u.b.$valid$"), num("0x1")), fld("u.a.$valid$"))), 2},
		{"size", one, put("h.d", un("size_stack", us)), 1},
		{"pushed twice", one, call("push", us, num("0x1")) + "," + call("push", us, num("0x1")) + "," +
			put("h.d", first), 0x77},
		{"last index of none", "", put("h.d", un("b2d", bin(">", un("last_stack_index", us),
			num("0x7fffffffffffffff")))), 1},
		{"a sign", "", put("h.d", bin("&", un("-", num("0x1")), num("0x7f"))), 0x7f},
	} {
		f := formatProgram{act: row.act}
		if row.parser != "" {
			f.parser = "," + row.parser
		}
		p, err := p4.ParseBMv2(row.name, strings.NewReader(unionJSON(f)))
		require.NoError(t, err)
		in, err := p4.NewSwitch(p, p4.Configuration{})
		require.NoError(t, err)
		require.Equal(t, row.want, in.Run(1, data).Packet[7], row.name)
	}
	_, err := p4.ParseBMv2("sum", strings.NewReader(unionJSON(act(put("h.c", bin("+", obj("header", "p"), num("0x1")))))))
	require.ErrorContains(t, err, "sum: action act: assign: operator + of a header")
	_, err = p4.ParseBMv2("sum", strings.NewReader(unionJSON(act(put("h.c", un("size_stack", fld("h.b")))))))
	require.ErrorContains(t, err, "size_stack takes a stack")
}

// Stacks, unions and copies of headers of two types are refused when the program is read.
func TestHeadersOfTwoTypes(t *testing.T) {
	text := unionJSON(act(call("assign_header", obj("header", "p"), obj("header", "o[0]"))))
	for _, c := range []struct{ old, new, want string }{
		{`"header_ids":[1,2,3]`, `"header_ids":[1,2,0]`, "header stack o: its headers are of two types, or metadata"},
		{`"header_ids":[22,23]`, `"header_ids":[22,21]`, "header union w: u.b is in another union, or metadata"},
		{`"header_ids":[26,27]`, `"header_ids":[27,26]`, "header union stack us: its unions are of two types"},
		{`{"type":"header","value":"o[0]"}`, `{"type":"header","value":"h"}`,
			"action act: assign_header of a h_t to a o_t"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		require.NotEqual(t, text, changed)
		_, err := p4.ParseBMv2("x", strings.NewReader(changed))
		require.EqualError(t, err, "x: "+c.want)
	}
}
