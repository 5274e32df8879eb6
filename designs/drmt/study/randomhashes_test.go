package study_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// calculation adds a hash over up to three fields and a constant. Fields of standard metadata, which are others in
// egress than in ingress, are often among them.
func (r *randomProgram) calculation() int {
	x := p4.Calculation{Algorithm: []p4.Algorithm{p4.CRC16, p4.CRC32, p4.CSum16, p4.XOR16, p4.Identity}[r.rng.IntN(5)]}
	for range 1 + r.rng.IntN(3) {
		f := r.plain()
		if r.rng.IntN(2) == 0 {
			f = r.p.Headers[0].Fields[r.rng.IntN(len(r.p.Headers[0].Fields))]
		}
		x.Input, x.Bits = append(x.Input, &p4.Expr{Kind: p4.FieldValue, Field: f}), append(x.Bits, r.p.Fields[f].Bits)
	}
	if r.rng.IntN(3) == 0 {
		x.Input, x.Bits = append(x.Input, constantOf(r.rng.Uint64()&0xff)), append(x.Bits, 8)
	}
	r.p.Calculations = append(r.p.Calculations, x)
	return len(r.p.Calculations) - 1
}

// hashes puts hashes into actions, of both pipelines: of two calculations, which several may use.
func (r *randomProgram) hashes() (n int) {
	several := [2]int{r.calculation(), r.calculation()}
	for i := range r.p.Actions {
		if r.rng.IntN(2) == 0 {
			continue
		}
		a := &r.p.Actions[i]
		dest, at := r.plain(), r.rng.IntN(len(a.Ops)+1)
		if at > 0 && a.Ops[at-1].Op == p4.AddHeader { // whose fields are written first
			at = 0
		}
		a.Ops = slices.Insert(a.Ops, at, p4.Primitive{Op: p4.Hash, Field: dest, Header: -1, Object: several[r.rng.IntN(2)],
			Args: []*p4.Expr{constantOf(r.rng.Uint64() % 100), constantOf(1 + r.rng.Uint64()%1000)}})
		n++
	}
	return n
}

// Random programs that hash: each packet is the interpreter's, also where egress hashes a field of standard metadata
// that is another one there, or a hash is of both pipelines.
func TestRandomProgramsWithHashes(t *testing.T) {
	ran, hashes, refused := 0, 0, map[string]int{}
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x4858))
		r := newBothPipelines(rng, seed%2 == 0)
		if seed%3 == 0 {
			f := len(r.p.Fields)
			r.p.Fields = append(r.p.Fields, p4.Field{Name: "standard_metadata.packet_length", Header: 0, Bits: 32})
			r.p.Headers[0].Fields = append(r.p.Headers[0].Fields, f)
			r.p.Standard.PacketLength = f
			r.values = append(r.values, f)
		}
		n := r.hashes()
		program := study.Program{P4: r.p, Entries: study.RandomEntries(r.p, 12, seed)}
		if o := runOnSwitch(t, rng, seed, program, compile.Options{Entries: program.Entries}, refused); o != nil {
			ran++
			hashes += n
		}
	}
	t.Logf("%d programs with %d hashes; refused: %v", ran, hashes, refused)
	require.Greater(t, ran, randomPrograms/2)
	require.Greater(t, hashes, ran)
}
