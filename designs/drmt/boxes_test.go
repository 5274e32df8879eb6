package drmt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/xbar"
)

// §5.1: 64 fields of 8 bits, 96 of 16, 64 of 32: 224 fields, 4 kbit, none on top of another.
func TestHeaderVector(t *testing.T) {
	bits, owner := 0, map[int]Field{}
	for f := range Field(Fields) {
		bits += f.Bits()
		for b := range f.Bits() / 8 {
			_, taken := owner[f.Byte()+b]
			require.False(t, taken)
			owner[f.Byte()+b] = f
		}
	}
	require.Equal(t, 224, Fields)
	require.Equal(t, 4096, bits)
	require.Len(t, owner, 512)

	rapid.Check(t, func(t *rapid.T) { // against an array
		var h HeaderVector
		var naive [Fields]uint32
		for range 50 {
			f, v := Field(rapid.IntRange(0, Fields-1).Draw(t, "field")), rapid.Uint32().Draw(t, "value")
			h.Set(f, v)
			naive[f] = uint32(uint64(v) % (1 << f.Bits()))
		}
		for f := range Field(Fields) {
			require.Equal(t, naive[f], h.Get(f))
			for b := range f.Bits() / 8 {
				require.Equal(t, uint8(naive[f]>>(8*b)), h.Byte(f.Byte()+b))
			}
		}
		require.Zero(t, h.Byte(512))
	})
}

func TestALU(t *testing.T) {
	for _, c := range []struct {
		op    Opcode
		a, b  uint32
		value uint32
		write bool
	}{
		{Nop, 1, 2, 0, false},
		{Move, 7, 9, 7, true},
		{Add, 0xffffffff, 2, 1, true},
		{Subtract, 1, 2, 0xffffffff, true},
		{And, 0xff00ff00, 0x0ff00ff0, 0x0f000f00, true},
		{Or, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0, true},
		{Xor, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0, true},
		{AndNot, 0xff00ff00, 0x0ff00ff0, 0xf000f000, true},
		{ShiftLeft, 0x80000001, 1, 2, true},
		{ShiftLeft, 1, 32, 0, true},
		{ShiftRight, 0x80000001, 31, 1, true},
		{ShiftRight, 0xffffffff, 40, 0, true},
		{Equal, 3, 3, 1, true},
		{NotEqual, 3, 3, 0, true},
		{Less, 1, 0x80000000, 1, true}, // unsigned
		{LessEqual, 3, 3, 1, true},
		{Greater, 3, 3, 0, true},
		{GreaterEqual, 3, 3, 1, true},
		{Select, 0, 5, 5, false},
		{Select, 2, 5, 5, true},
		{Opcode(30), 1, 2, 0, false},
	} {
		v, w := c.op.Compute(c.a, c.b)
		require.Equal(t, c.write, w, "%v", c)
		require.Equal(t, c.value, v, "%v", c)
	}
}

func TestSelectorReadsDataAcrossItsWords(t *testing.T) {
	r := Result{Lo: 0x0706050403020100, Hi: 0x0b0a0908}
	for b := range uint8(12) {
		require.EqualValues(t, b, operand(FromData8, b, 99, nil, &r))
		want := uint32(0)
		for k := range uint8(4) {
			if b+k < 12 {
				want |= uint32(b+k) << (8 * k)
			}
		}
		require.Equal(t, want, operand(FromData32, b, 99, nil, &r))
		require.Equal(t, want&0xffff, operand(FromData16, b, 99, nil, &r))
	}
	require.EqualValues(t, 99, operand(Immediate, 3, 99, nil, &r))
}

// Lookups agree with a walk over all entries.
func TestTablesAgainstAWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := MatchKind(rapid.IntRange(0, 1).Draw(t, "kind"))
		width := rapid.IntRange(1, 3).Draw(t, "segments")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		small := func() (k []Key) { // few bits, so that keys meet
			for range width {
				k = append(k, Key{Lo: rng.Uint64N(4) << 30, Hi: uint16(rng.IntN(2)) << 15})
			}
			return k
		}
		var entries []Entry
		known := map[string]bool{}
		for i := range rng.IntN(20) {
			e := Entry{Value: small(), Mask: small(), Priority: rng.IntN(4), Result: Result{Lo: uint64(i), Pointer: 1}}
			if kind == Ternary {
				for s := range e.Value {
					e.Value[s].Lo &= e.Mask[s].Lo
					e.Value[s].Hi &= e.Mask[s].Hi
				}
			} else if id := fmt.Sprint(e.Value); known[id] {
				continue
			} else {
				known[id] = true
			}
			entries = append(entries, e)
		}
		miss := Result{Lo: 1 << 40}
		table, err := NewTable(kind, width, entries, miss)
		require.NoError(t, err)
		require.Equal(t, len(entries), table.Len())
		for range 40 {
			key, want, best := small(), miss, 1<<30
			for _, e := range entries {
				hit := true
				for s := range key {
					if kind == Exact {
						hit = hit && key[s] == e.Value[s]
					} else {
						hit = hit && key[s].Lo&e.Mask[s].Lo == e.Value[s].Lo && key[s].Hi&e.Mask[s].Hi == e.Value[s].Hi
					}
				}
				if p := e.Priority; hit && (kind == Exact || p < best) {
					want, best = e.Result, p
				}
			}
			require.Equal(t, want, table.Lookup(key))
		}
	})
	twice := Entry{Value: []Key{{Lo: 1}}}
	_, err := NewTable(Exact, 1, []Entry{twice, {Value: []Key{{Lo: 2}}}, twice}, Result{})
	require.EqualError(t, err, "entries 0 and 2 have one key")
	_, err = NewTable(Ternary, 2, []Entry{twice}, Result{})
	require.EqualError(t, err, "entry 0: a key of 1 segments, want 2")
}

// RMT's blocks, by hand: 106 x 1K x 112 bits are the 11 Mbit of dRMT §1, 16 x 2K x 40 bits the 1.25 Mbit.
func TestBlocks(t *testing.T) {
	require.InDelta(t, 11, float64(ClusterBlocks.SRAM*sramRows*sramBits)/(1<<20), 0.7)
	require.Equal(t, 1.25, float64(ClusterBlocks.TCAM*tcamRows*tcamBits)/(1<<20))
	require.Equal(t, Blocks{SRAM: 1}, BlocksFor(Exact, 1024, 48, 54))            // 48 + 10 + 54 = 112 bits
	require.Equal(t, Blocks{SRAM: 4}, BlocksFor(Exact, 1025, 48, 55))            // one bit and one entry more: 2 x 2
	require.Equal(t, Blocks{SRAM: 2, TCAM: 1}, BlocksFor(Ternary, 2048, 32, 96)) // 32 of 40 bits, 106 of 112
	require.Equal(t, Blocks{SRAM: 3, TCAM: 4}, BlocksFor(Ternary, 2049, 41, 0))
}

// The parser takes headers by its states and the deparser puts them together again, with the checksum of RFC 1071's
// example.
func TestParserAndDeparser(t *testing.T) {
	const valid, kind, checksum, low, high, port, failure = Field(0), Field(64), Field(65), Field(160), Field(66), Field(
		67), Field(10)
	p := &Parser{Start: 0, Port: []Piece{{Field: port, Bits: 9}}, Error: []Piece{{Field: failure, Bits: 8}}, None: 1,
		TooShort: 2, Endless: 3, States: []ParserState{{
			Ops: []ParserOp{{Pieces: []Piece{{Field: high, Bits: 16}, {Field: low, Bits: 32}, {Field: 1, Bits: 4},
				{Field: 2, Bits: 4}, {Field: kind, Bits: 16}, {Field: checksum, Bits: 16}}, Bytes: 11, Valid: valid},
				{Valid: 3, Const: 77}},
			Key:         []Piece{{Field: kind, Bits: 16}},
			Transitions: []Transition{{Value: 0xbeef, Mask: 0xffff, Next: -1}, {Value: 0, Mask: 1, Next: 0}},
		}}}
	packet := []byte{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xab, 0xbe, 0xef, 0, 0, 9, 9}
	var h HeaderVector
	require.Equal(t, 11, p.Parse(packet, 300, &h))
	require.EqualValues(t, 1, h.Get(failure))
	require.Equal(
		t, [...]uint32{1, 0x0001, 0xf203f4f5, 0xa, 0xb, 77, 300},
		[...]uint32{h.Get(valid), h.Get(high), h.Get(low), h.Get(1), h.Get(2), h.Get(3), h.Get(port)},
	)

	// 0001 f203 f4f5 f6f7 sum up to ddf2 (RFC 1071 §3)
	d := &Deparser{
		Port:    []Piece{{Field: port, Bits: 9}},
		Drops:   []DropRule{{Pieces: []Piece{{Field: port, Bits: 9}}, Value: 511}},
		Headers: []DeparsedHeader{{valid, p.States[0].Ops[0].Pieces}, {Field(9), []Piece{{Field: 1, Bits: 4}}}},
		Checksums: []Checksum{
			{
				Target: []Piece{{Field: checksum, Bits: 16}},
				If:     []Field{valid},
				Inputs: []ChecksumInput{
					{Pieces: []Piece{{Field: high, Bits: 16}, {Field: low, Bits: 32}}, Valid: valid},
					{Const: 0xf6f7, Bits: 16},
				},
			},
		},
	}
	out, _, to, drop := d.Deparse(nil, nil, &h)
	require.False(t, drop)
	require.EqualValues(t, 300, to)
	require.Equal(t, []byte{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xab, 0xbe, 0xef, 0x22, 0x0d}, out)
	h.Set(port, 511)
	_, _, _, drop = d.Deparse(nil, nil, &h)
	require.True(t, drop)

	// what cannot be taken whole is not taken; that no transition is taken is no error
	require.Equal(t, 0, p.Parse(packet[:10], 0, &h))
	require.Equal(t, [...]uint32{2, 0, 0, 0}, [...]uint32{h.Get(failure), h.Get(valid), h.Get(high), h.Get(low)})
	packet[8] = 0xed
	require.Equal(t, 11, p.Parse(packet, 0, &h))
	require.Equal(t, [...]uint32{1, 1}, [...]uint32{h.Get(failure), h.Get(valid)})
	round := &Parser{Error: p.Error, Endless: 3, States: []ParserState{{Transitions: []Transition{{Next: 0}}}}}
	require.Equal(t, 0, round.Parse(packet, 0, &h))
	require.EqualValues(t, 3, h.Get(failure))
}

// keySource shows a key on some lanes in the cycle that is its own.
type keySource struct {
	Out [Segments]rtl.Out[xbar.Word[Key]]

	at    int
	lanes int
}

func (s *keySource) Reset() {
	for i := range s.Out {
		s.Out[i].Set(xbar.Word[Key]{})
	}
}

func (s *keySource) Tick() {
	s.at++
	for i := range s.Out {
		s.Out[i].Set(xbar.Word[Key]{Data: Key{Lo: 5}, Valid: s.at == 1 && s.lanes>>i&1 != 0})
	}
}

// A result leaves 17 edges after its key stood at the cluster, on the first lane of its table. Half a key is a fault.
func TestClusterLatency(t *testing.T) {
	table, err := NewTable(
		Exact, 2, []Entry{{Value: []Key{{Lo: 5}, {Lo: 5}}, Result: Result{Lo: 42, Pointer: 9}}}, Result{},
	)
	require.NoError(t, err)
	for lanes, fault := range map[int]bool{1<<6 | 1<<2: false, 1 << 2: true, 1 << 3: true} {
		c := newCluster(0, ClusterLatency, []TableConfig{{Lanes: []int{6, 2}, Result: 6, Table: table}}, []int{0}, 1)
		src := &keySource{lanes: lanes}
		sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
		clk := sim.Clock("core", clock.MHz(1200))
		top := sim.Scope("top").On(clk)
		top.Add("source", src)
		top.Add("cluster", c)
		for i := range Segments {
			rtl.Connect(&src.Out[i], &c.Key[i])
		}
		require.NoError(t, sim.Elaborate())
		seen, faults := 0, 0
		for edge := 1; edge < 40; edge++ { // the key stands after edge 1
			require.NoError(t, clk.Run(1))
			for i := range c.Result {
				if w := c.Result[i].Get(); w.Valid {
					require.Equal(t, 6, i)
					require.Equal(t, Result{Lo: 42, Pointer: 9}, w.Data)
					seen = edge
				}
			}
			if c.Fault.Get().Valid {
				faults++
			}
		}
		if fault {
			require.Equal(t, [2]int{0, 1}, [2]int{seen, faults})
		} else {
			require.Equal(t, [2]int{1 + 17, 0}, [2]int{seen, faults})
		}
	}
}

// Example of an ALU's ports, a row a cycle: a value that goes in at one row comes out at the next.
func ExampleALU() {
	u, _ := Units().Find("drmt/alu")
	s, _ := vectors.Capture(u, 6, 3)
	fmt.Println("cycle op       a        b          value write")
	for k, row := range s.Rows {
		fmt.Printf("%5d %-8v %08x %08x   %08x %d\n", k, Opcode(row[2]), row[0], row[1], row[3], row[4])
	}
	// Output:
	// cycle op       a        b          value write
	//     0 move     0000147a 00004c08   00000000 0
	//     1 lt       1d8868d6 00000005   0000147a 1
	//     2 shr      00000004 000006a6   00000000 1
	//     3 add      0001269f 00162612   00000000 1
	//     4 ge       0144858a 5c6a6b6d   00174cb1 1
	//     5 ge       00000014 00000014   00000000 1
}
