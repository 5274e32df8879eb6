package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mine adds a calculation of that name to a format program.
func mine(algorithm string, input ...string) func(string) string {
	return func(s string) string {
		return strings.Replace(s, `{"name":"load","id":6`, `{"name":"mine","id":16,"algo":"`+algorithm+`","input":[`+
			strings.Join(input, ",")+`]},{"name":"load","id":6`, 1)
	}
}

// selects replaces the transitions of a format program's first state, and adds an empty value set vs of 8 bits.
func selects(key string, transitions ...string) func(string) string {
	return func(s string) string {
		before, rest, _ := strings.Cut(s, `"transitions":[`)
		_, after, _ := strings.Cut(rest, `{"name":"opt"`)
		s = before + `"transitions":[` + strings.Join(transitions, ",") + `],"transition_key":[` + key + `]},
			{"name":"opt"` + after
		return strings.Replace(s, `"parse_vsets":[]`, `"parse_vsets":[{"name":"vs","id":0,"compressed_bitwidth":8}]`, 1)
	}
}

// sumOf is a checksum of the calculation mine, or of another.
func sumOf(name, target, calculation, cond string, verify, update bool) string {
	h, f, _ := strings.Cut(target, ".")
	return fmt.Sprintf(`{"name":%q,"id":0,"target":[%q,%q],"type":"generic","calculation":%q,"verify":%v,"update":%v,
		"if_cond":%s}`, name, h, f, calculation, verify, update, cond)
}

// Hashes, checksums and parsers' selections run on the machine as in the interpreter or are refused by name.
func TestCalculationsAndSelectionsOfTheFormat(t *testing.T) {
	hashTo := func(field string) string {
		return call("modify_field_with_hash_based_offset", fld(field), num("0x0"), obj("calculation", "mine"),
			num("0x10000"))
	}
	hashC, hashD := hashTo("h.c"), hashTo("h.d")
	hash := act(hashD)
	hash64 := act(call("modify_field_with_hash_based_offset", fld("h.l"), num("0x0"), obj("calculation", "mine"),
		num("0xffffffffffffffff")))
	summed := func(verify, update bool) formatProgram {
		return formatProgram{more: sumOf("s", "h.pad", "mine", "null", verify, update)}
	}
	hdr := obj("header", "o[0]")
	cst := func(v string, bits int) string {
		return fmt.Sprintf(`{"type":"hexstr","value":%q,"bitwidth":%d}`, v, bits)
	}
	tr := func(kind, v, mask, next string) string {
		return fmt.Sprintf(`{"type":%q,"value":%s,"mask":%s,"next_state":%s}`, kind, v, mask, next)
	}
	on := func(v, mask, next string) string { return tr("hexstr", v, mask, next) }
	old := func(mask string) string {
		return `{"value":"0x01","mask":` + mask + `,"next_state":"opt"},
			{"value":"default","mask":null,"next_state":null}`
	}
	dflt := tr("default", "null", "null", "null")
	toErr := act(put("h.d", std("parser_error")))
	for _, row := range []struct {
		name    string
		p       formatProgram
		fix     func(string) string
		refused string
	}{
		{"hash header", hash, mine("crc16", hdr), ""},
		{"hash header and field", hash, mine("crc32", hdr+","+fld("h.c")), ""},
		{"hash const", hash, mine("crc16", cst("0x1234", 16)+","+fld("h.c")), ""},
		{"hash const 3", hash, mine("crc16", cst("0x5", 3)+","+fld("m.v")+","+fld("m.n")+","+fld("h.c")), ""},
		{"hash invalid field", hash, mine("crc16", fld("o[1].f")+","+fld("h.c")), ""},
		{"hash signed", hash, mine("crc16", fld("h.sg")+","+fld("h.sc")), ""},
		{"hash 1 bit", hash, mine("crc16", fld("m.v")), ""},
		{"hash crc8_custom", hash, mine("crc8_custom", fld("h.c")), ""},
		{"hash crc16_custom", hash, mine("crc16_custom", fld("h.c")), ""},
		{"hash crc32_custom", hash, mine("crc32_custom", fld("h.c")), ""},
		{"hash crc64_custom", hash, mine("crc64_custom", fld("h.c")), ""},
		{"hash xor32", hash, mine("xor32", fld("h.w")), ""},
		{"hash identity 64", hash64, mine("identity", fld("h.l")), ""},
		{"hash identity more", hash64, mine("identity", fld("h.w")+","+fld("h.l")), ""},
		{"hash round_robin", hash, mine("round_robin", fld("h.c")),
			`or one that goes round: no machine runs that`},
		{"hash toeplitz", hash, mine("toeplitz", fld("h.c")), `algorithm "toeplitz" is not supported`},
		{"hash xxh64", hash, mine("xxh64", fld("h.c")), `algorithm "xxh64" is not supported`},
		{"hash written before", act(put("h.c", num("0x5")), hashD), mine("crc16", fld("h.c")), ""},
		{"hash twice", act(hashC, hashD), mine("crc16", fld("h.c")), ""},
		{"hash in jump", act(call("_jump_if_zero", bin("&", fld("h.b"), num("0x1")), num("0x3")), hashD,
			put("h.e", num("0x1"))), mine("crc16", fld("h.c")), ""},
		{"hash in egress", lateRow(hashD), mine("crc16", fld("h.c")), ""},
		{"checksum header", summed(true, true), mine("csum16", hdr), ""},
		{"checksum const", summed(true, true), mine("csum16", cst("0x1234", 16)+","+fld("h.c")+","+cst("0x05",
			8)+","+fld("h.b")), ""},
		{"checksum bits", summed(true, true), mine("csum16", fld("m.v")+","+fld("m.n")+","+cst("0x5",
			3)+","+fld("h.c")), ""},
		{"checksum 128", summed(true, true), mine("csum16", fld("h.x")+","+fld("h.w")), ""},
		{"checksum odd", summed(true, true), mine("csum16", fld("h.b")+","+fld("h.w")+","+fld("h.c")), ""},
		{"checksum 8 bits", formatProgram{more: sumOf("s", "h.b", "mine", "null", true, true)}, mine("csum16",
			fld("h.c")), ""},
		{"checksum 32 bits", formatProgram{more: sumOf("s", "h.d", "mine", "null", true, true)}, mine("csum16",
			fld("h.c")), ""},
		{"checksum twice", formatProgram{more: sumOf("s", "h.pad", "mine", "null", false, true) + "," + sumOf("r",
			"h.sc", "csum16", "null", false, true)}, mine("csum16", fld("h.c")+","+fld("h.sc")), ""},
		{"checksum chain", formatProgram{more: sumOf("s", "h.e", "csum16", "null", false, true) + "," + sumOf("r",
			"h.pad", "mine", "null", false, true)}, mine("csum16", fld("h.c")+","+fld("h.e")), ""},
		{"checksum invalid target", formatProgram{more: sumOf("s", "o[1].f", "mine", "null", true, true)},
			mine("csum16", fld("h.c")), ""},
		{"checksum error two", formatProgram{act: put("h.b", std("checksum_error")), more: sumOf("s", "h.pad",
			"mine", "null", true, false) + "," + sumOf("r", "h.sc", "csum16", bin("==", fld("h.b"), num("0x0")),
			true, false)}, mine("csum16", fld("h.c")), ""},
		{"checksum cond error", formatProgram{more: sumOf("s", "h.pad", "mine", bin("and", un("valid", obj("header",
			"o[0]")), bin(">", fld("o[0].f"), num("0x5"))), true, true)}, mine("csum16", fld("h.c")), ""},
		{"checksum egress written", formatProgram{egress: put("h.c", num("0x1234")), more: sumOf("s", "h.pad",
			"mine", "null", false, true)}, mine("csum16", fld("h.c")), ""},
		{"select two", toErr, selects(fld("h.b")+","+fld("h.n"), on(`"0x0100"`, "null", `"opt"`)+","+on(`"0x0001"`,
			`"0x00ff"`, `"opt"`)+","+dflt), ""},
		{"select 128", toErr, selects(fld("h.x"), on(`"0x1"`, "null", `"opt"`)+","+dflt),
			`field h.x has 128 bits, a machine holds up to 64`},
		{"select 64", toErr, selects(fld("h.l"), on(`"0x1"`, `"0x1"`, `"opt"`)+","+dflt), ""},
		{"select meta", toErr, selects(fld("standard_metadata.ingress_port"), on(`"0x0001"`, `"0x0001"`,
			`"opt"`)+","+dflt), ""},
		{"select signed", toErr, selects(fld("h.sg"), on(`"0xff"`, "null", `"opt"`)+","+dflt), ""},
		{"select odd widths", toErr, selects(fld("standard_metadata.ingress_port")+","+fld("m.n"), on(`"0x000100"`,
			`"0x000100"`, `"opt"`)+","+dflt), ""},
		{"select lookahead", toErr, selects(`{"type":"lookahead","value":[0,8]}`, on(`"0x01"`, "null",
			`"opt"`)+","+dflt), ""},
		{"select lookahead odd", toErr, selects(`{"type":"lookahead","value":[3,7]}`, on(`"0x01"`, `"0x01"`,
			`"opt"`)+","+dflt), ""},
		{"select lookahead far", toErr, selects(`{"type":"lookahead","value":[4,16]}`, on(`"0x0001"`, `"0x0001"`,
			`"opt"`)+","+dflt), ""},
		{"select field lookahead", toErr, selects(fld("h.b")+`,{"type":"lookahead","value":[0,8]}`, on(`"0x0101"`,
			`"0x0101"`, `"opt"`)+","+dflt), ""},
		{"select lookahead field", toErr, selects(`{"type":"lookahead","value":[0,8]},`+fld("h.b"), on(`"0x0101"`,
			`"0x0101"`, `"opt"`)+","+dflt), `of a lookahead before others: no machine runs that`},
		{"select vset", toErr, selects(fld("h.b"), tr("parse_vset", `"vs"`, "null", `"opt"`)+","+dflt), ""},
		{"select old", toErr, selects(fld("h.b"), old("null")), ""},
		{"select old mask", toErr, selects(fld("h.b"), old(`"0x01"`)), ""},
		{"select none", toErr, selects(fld("h.b"), on(`"0x01"`, "null", `"opt"`)), ""},
		{"select no key", toErr, selects("", tr("default", "null", "null", `"opt"`)), ""},
		{"select wide value", toErr, selects(fld("m.n"), on(`"0xf0"`, "null", `"opt"`)+","+dflt), ""},
		{"select loop", toErr, selects(fld("h.b"), on(`"0x01"`, "null", `"start"`)+","+dflt), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := row.p.json()
			fixed := row.fix(text)
			require.NotEqual(t, text, fixed)
			err := runFormat(t, row.name, fixed)
			if row.refused != "" {
				require.ErrorContains(t, err, row.refused)
				return
			}
			require.NoError(t, err)
		})
	}
}
