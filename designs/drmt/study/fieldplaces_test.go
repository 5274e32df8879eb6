package study_test

import (
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
)

// longPackets are random packets of a few hundred bytes.
type longPackets struct {
	rng  *rand.Rand
	left int
	data [400]byte
}

func (s *longPackets) Next() ([]byte, uint16, bool) {
	if s.left == 0 {
		return nil, 0, false
	}
	s.left--
	for i := range s.data {
		s.data[i] = byte(s.rng.Uint32())
	}
	return s.data[:340+s.rng.IntN(60)], uint16(s.rng.IntN(512)), true
}

// The header vector has 64 fields of 32 bits (§5.1). A header with 75 of them, of which operations work on 25, has the
// others in fields of 16 bits. With 75 that operations work on it has no room.
func TestFieldsThatNothingWorksOnMakeRoom(t *testing.T) {
	program := func(worked int) (*p4.Program, string) {
		var fields, ops []string
		for i := range 75 {
			fields = append(fields, fmt.Sprintf(`["u%d",32]`, i))
			if i >= 75-worked {
				ops = append(ops, put(fmt.Sprintf("h.u%d", i), bin("+", fld(fmt.Sprintf("h.u%d", i)), num("0x1"))))
			}
		}
		text := strings.Replace(act(ops...).json(), `["pad",16]]`, `["pad",16],`+strings.Join(fields, ",")+"]", 1)
		p, err := p4.ParseBMv2("room", strings.NewReader(text))
		require.NoError(t, err)
		return p, text
	}
	all, _ := program(75)
	require.ErrorContains(t, compile.Supported(all, compile.Options{}), "64 of 64 fields are taken")

	p, text := program(25)
	file := filepath.Join(t.TempDir(), "room.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	requireEqual(t, study.Program{P4: p, Source: study.ProgramSource{JSON: file}})
}

// Three headers of 72 fields of 4 and 12 bits that are copied into each other do not fit the vector's 224 fields one by
// one. Fields side by side that all operations treat alike are joined, the others stay alone, and every packet is the
// interpreter's.
func TestFieldsTreatedAlikeAreJoined(t *testing.T) {
	var fields, zeros, partly, backwards, some, two []string
	f := func(header string, i int) string { return fmt.Sprintf("%s.f%d", header, i) }
	for i := range 72 {
		fields = append(fields, fmt.Sprintf(`["f%d",%d]`, i, 4+i%2*8))
		zeros = append(zeros, put(f("j2", i), num(fmt.Sprintf("0x%x", i*3&15))))
		if i%7 > 0 {
			partly = append(partly, put(f("j0", i), num(fmt.Sprintf("0x%x", i&15))))
		}
		backwards = append(backwards, put(f("j1", i), fld(f("j0", 71-i))))
		if i%5 > 0 {
			some = append(some, put(f("j1", i), fld(f("j0", i))))
		}
		two = append(two, put(f("j1", i), fld(f([]string{"j0", "j2"}[(i+2)/4%2], i))))
	}
	add := func(header string) string { return call("add_header", obj("header", header)) }
	first := call("assign_header", obj("header", "j1"), obj("header", "j0"))
	second := call("assign_header", obj("header", "j2"), obj("header", "j0"))
	program := func(more string, ops ...string) string {
		p := matching("ternary", "h.b", entry(`{"match_type":"ternary","key":"0x00","mask":"0x00"}`, 9, 1))
		ops = append(ops, call("remove_header", obj("header", "o[0]")), call("remove_header", obj("header", "o[1]")))
		p.act, p.next = strings.Join(ops, ","), `"c"`
		p.nodes = `{"name":"c","id":0,"expression":` + bin(">", fld("j1.f1"), num("0x7ff")) +
			`,"true_next":"k","false_next":null}`
		p.parser = `,{"op":"extract","parameters":[{"type":"regular","value":"j0"}]},
		 {"op":"extract","parameters":[{"type":"regular","value":"j2"}]}`
		p.more = more
		return strings.NewReplacer(
			`{"name":"o_t","id":1,"fields":[["f",8],["g",8]]}`,
			`{"name":"j_t","id":7,"fields":[`+strings.Join(fields, ",")+`]},
			 {"name":"o_t","id":1,"fields":[["q0",4],["q1",4],["f",8],["g",8]]}`,
			`{"name":"p","id":4`, `{"name":"j0","id":7,"header_type":"j_t","metadata":false},
			 {"name":"j1","id":8,"header_type":"j_t","metadata":false},{"name":"j2","id":9,"header_type":"j_t","metadata":false},
			 {"name":"p","id":4`,
			`"order":["h",`, `"order":["h","j0","j1","j2",`,
			`{"name":"load","id":6`, `{"name":"sum","id":8,"algo":"csum16","input":[`+fld("j0.f6")+","+fld("j0.f7")+","+
				fld("j0.f8")+","+fld("j0.f20")+`]},{"name":"load","id":6`,
		).Replace(p.json())
	}
	turns := []string{add("j1"), add("j2"), put("j1.f4", fld("j0.f4")), put("j2.f5", fld("j1.f5")),
		put("j1.f5", fld("j0.f5")), put("j2.f4", fld("j1.f4"))}
	for _, copied := range [][2]string{{"j1", "j0"}, {"j2", "j1"}} {
		for i := range 72 {
			if i == 4 || i == 5 {
				continue
			}
			turns = append(turns, put(f(copied[0], i), fld(f(copied[1], i))))
		}
	}
	two = append(append([]string{add("j1")}, two...), call("assign_header", obj("header", "j0"), obj("header", "j2")))
	for _, row := range []struct {
		name, text, refused string
	}{
		{"copied", program("", first, second), ""},
		{"constants in all of one", program("", append([]string{first, add("j2")}, zeros...)...), ""},
		{"constants in some", program("", append([]string{first, second}, partly...)...), ""},
		{"copied in part", program("", append([]string{second, add("j1")}, some...)...), ""},
		{"copied from two", program("", two...), ""},
		{"copied in turns", program("", turns...), ""},
		{"computed with", program("", first, second, put("j1.f17", bin("+", fld("j1.f16"), num("0x1")))), ""},
		{"copied elsewhere", program("", first, second, put("h.b", fld("j2.f3"))), ""},
		{"in a checksum", program(checksum("sum", "false", "null"), first, second), ""},
		{"read between writes", program("", second, put("j1.f0", num("0x1")), put("h.b", fld("j1.f1")),
			put("j1.f1", num("0x2")), add("j1")), ""},
		{"nothing alike", program("", append(backwards, second)...), "fields are taken"},
	} {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "joined.json")
			require.NoError(t, os.WriteFile(file, []byte(row.text), 0o600))
			p, err := p4.ParseBMv2(row.name, strings.NewReader(row.text))
			require.NoError(t, err)
			if err := compile.Supported(p, compile.Options{}); row.refused != "" {
				require.ErrorContains(t, err, row.refused)
				return
			}
			requireEqual(t, study.Program{P4: p, Source: study.ProgramSource{JSON: file}})
		})
	}
}

// A header of which nothing but its length is known keeps the order of its fields, also where another header of its
// type has fields of 128 bits that are computed with, so that both have words of 32 instead.
func TestWordsKeepTheirOrder(t *testing.T) {
	p := act(put("y0.x", bin("^", fld("y0.x"), num("0xffffffffffffffffffffffffffffffff"))),
		put("y0.z", bin("^", fld("y0.z"), num("0x1"))))
	p.parser = `,{"op":"extract","parameters":[{"type":"regular","value":"y0"}]},
		{"op":"extract","parameters":[{"type":"regular","value":"y1"}]}`
	text := strings.NewReplacer(
		`{"name":"o_t","id":1`,
		`{"name":"y_t","id":7,"fields":[["k",8],["x",128],["m",8],["z",128],["n",16]]},{"name":"o_t","id":1`,
		`{"name":"p","id":4`, `{"name":"y0","id":7,"header_type":"y_t","metadata":false},
		 {"name":"y1","id":8,"header_type":"y_t","metadata":false},{"name":"p","id":4`,
		`"order":["h",`, `"order":["h","y1","y0",`,
	).Replace(p.json())
	file := filepath.Join(t.TempDir(), "words.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	q, err := p4.ParseBMv2("words", strings.NewReader(text))
	require.NoError(t, err)
	requireEqual(t, study.Program{P4: q, Source: study.ProgramSource{JSON: file}})
}

// requireEqual runs a program on the machine and requires that every packet is the interpreter's.
func requireEqual(t *testing.T, x study.Program) {
	t.Helper()
	const packets = 100
	require.NoError(t, runAgainst(t.Context(), x, packets, func() study.Source {
		return &longPackets{rng: rand.New(rand.NewPCG(3, 4)), left: packets}
	}))
}
