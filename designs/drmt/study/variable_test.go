package study_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// variable is a program with two headers v and w more, of a byte, a field of variable length and a byte, 20 bytes at
// most.
type variable struct {
	formatProgram
	length string // the length_exp of the headers' type
	sum    string // inputs of a checksum
}

func (v *variable) json() string {
	if v.sum != "" {
		v.more = checksum("held", "true", "null")
	}
	return strings.NewReplacer(
		`{"name":"o_t","id":1`,
		`{"name":"v_t","id":7,"fields":[["k",8],["data","*"],["z",8]],"max_length":20`+v.length+`},{"name":"o_t","id":1`,
		`{"name":"p","id":4`,
		`{"name":"v","id":7,"header_type":"v_t","metadata":false},{"name":"w","id":8,"header_type":"v_t","metadata":false},
		 {"name":"p","id":4`,
		`"order":["h",`,
		`"order":["h","v","w",`,
		`{"name":"load","id":6`,
		`{"name":"held","id":8,"algo":"csum16","input":[`+v.sum+`]},{"name":"load","id":6`,
	).Replace(v.formatProgram.json())
}

// A field of variable length stays in the packet while its header is parsed, copied and removed, and a checksum covers
// it. The machine's packets are the interpreter's, with lengths of 0 to 31 bytes, of which 18 fit the header, with
// packets that end within it, and with lengths that are no whole bytes.
func TestFieldsOfVariableLength(t *testing.T) {
	bits := bin("<<", bin("&", fld("h.b"), num("0x1f")), num("0x3"))
	extract := func(header, bits string) string {
		return `{"op":"extract_VL","parameters":[{"type":"regular","value":"` + header + `"},
			{"type":"expression","value":` + bits + `}]}`
	}
	v := parse(extract("v", bits))
	with := func(ops ...string) variable {
		return variable{formatProgram: formatProgram{parser: v.parser, act: strings.Join(ops, ",")}}
	}
	header := func(name string) string { return obj("header", name) }
	toError := put("h.d", fld("standard_metadata.parser_error"))
	wrong := put("h.d", fld("standard_metadata.checksum_error"))
	summed := func(last string) variable {
		x := with(wrong)
		x.sum = fld("h.c") + "," + fld("h.b") + "," + last
		return x
	}
	late := variable{formatProgram: parse(`{"op":"extract","parameters":[{"type":"regular","value":"v"}]}`),
		length: `,"length_exp":{"type":"expression","value":` +
			bin("<<", bin("&", `{"type":"local","value":0}`, num("0xf")), num("0x3")) + `}`}
	lateOdd := late
	lateOdd.act, lateOdd.length = toError, strings.Replace(late.length, "0xf", "0x1f", 1)
	lateOdd.length = strings.Replace(lateOdd.length, "0x3\"", "0x2\"", 1)
	gone := summed(fld("v.data"))
	gone.act += "," + call("remove_header", header("v"))
	odd := variable{formatProgram: formatProgram{parser: "," + extract("v", fld("h.b")), act: toError}}
	removed := with(call("remove_header", header("v")))
	removed.egress = put("h.d", fld("standard_metadata.packet_length"))
	hashed := with(
		call("modify_field_with_hash_based_offset", fld("h.c"), num("0x0"), obj("calculation", "held"), num("0x10")),
	)
	hashed.sum = fld("v.data")
	for _, row := range []struct {
		name    string
		p       variable
		refused string
	}{
		{"put back as it came", with(call("no_op")), ""},
		{"too long, or cut off", with(toError), ""},
		{"no whole bytes", odd, ""},
		{"two", variable{formatProgram: parse(extract("v", bits), extract("w", bits))}, ""},
		{"removed", with(call("remove_header", header("v"))), ""},
		{"removed, and egress reads the length", removed, ""},
		{"copied", with(call("assign_header", header("w"), header("v"))), ""},
		{"moved", with(call("assign_header", header("w"), header("v")), call("remove_header", header("v"))), ""},
		{"its field copied", with(call("add_header", header("w")), call("assign_VL", fld("w.data"), fld("v.data"))), ""},
		{"a length from its own fields", late, ""},
		{"a length of no whole bytes from its own fields", lateOdd, ""},
		{"in a checksum", summed(fld("v.data")), ""},
		{"in a checksum, and removed", gone, ""},
		{"cut off within it", with(call("truncate", num("0x32"))), ""},
		{"added", with(call("add_header", header("v"))), "adding header v"},
		{"recirculated", with(call("recirculate", num("0x1"))), "recirculating headers"},
		{"in a checksum's middle", summed(fld("v.data") + "," + fld("h.d")), "not the last"},
		{"hashed", hashed, "computing with field v.data"},
	} {
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
