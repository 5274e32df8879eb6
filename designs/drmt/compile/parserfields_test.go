package compile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// A field of the parser alone has the place of a field that is written later; one of 40 bits takes two places, and a
// field for which no place is left a free one.
func TestParserFieldsReusePlaces(t *testing.T) {
	p := &p4.Program{Name: "places", Fields: []p4.Field{
		{Name: "later8", Bits: 8}, {Name: "parser5", Bits: 5}, {Name: "later32", Bits: 32}, {Name: "parser40", Bits: 40},
		{Name: "parser7", Bits: 7},
	}}
	a := &allocator{program: p, pieces: make([][]drmt.Piece, len(p.Fields))}
	for _, f := range []int{0, 2} {
		require.NoError(t, a.place(f, p.Fields[f].Bits))
	}
	require.NoError(t, a.placeParserFields(&parserReuse{fields: []int{1, 3, 4}, places: []int{0, 2}}, nil))
	require.Equal(t, a.pieces[0][0].Field, a.pieces[1][0].Field)
	require.EqualValues(t, 5, a.pieces[1][0].Bits)
	require.Len(t, a.pieces[3], 2)
	require.EqualValues(t, 8, a.pieces[3][0].Bits)
	require.Equal(t, a.pieces[2][0].Field, a.pieces[3][0].Field, "the upper 8 bits: no place of 8 or 16 is left")
	require.EqualValues(t, 32, a.pieces[3][1].Bits)
	require.NotEqual(t, a.pieces[2][0].Field, a.pieces[3][1].Field)
	require.NotEqual(t, a.pieces[0][0].Field, a.pieces[4][0].Field)

	gone := &allocator{program: p, pieces: make([][]drmt.Piece, len(p.Fields))}
	require.NoError(t, gone.place(2, 32))
	require.NoError(t, gone.placeParserFields(&parserReuse{fields: []int{1}, places: []int{0, 2}}, map[int]bool{2: true}))
	require.NotEqual(t, gone.pieces[2][0].Field, gone.pieces[1][0].Field, "a field without a place of its own lends none")
}

// A table's access reads the key: where a pipeline's field gets another name, both do.
func TestRenameReachesAccesses(t *testing.T) {
	access := &p4.Primitive{Op: p4.Count, Field: -1, Header: -1, Args: []*p4.Expr{fieldExpr(0), fieldExpr(1)}}
	p := &p4.Program{Fields: []p4.Field{{Name: "index"}, {Name: "length"}, {Name: "own length"}}}
	pipe := &p4.Pipeline{Nodes: []p4.Node{{Table: &p4.Table{
		Key: []p4.KeyField{{Field: 0}, {Field: 1}}, Accesses: access, Default: -1,
	}}}}
	(&lowering{p: p}).rename(pipe, 1, func() int { return 2 })
	table := pipe.Nodes[0].Table
	require.Equal(t, 2, table.Key[1].Field)
	require.Equal(t, []*p4.Expr{fieldExpr(0), fieldExpr(2)}, table.Accesses.Args)
	require.Equal(t, fieldExpr(1), access.Args[1], "the program given is left alone")
	require.Panics(t, func() { partOf((&compiler{program: p, fields: &allocator{}}).keyParts(&p4.Table{}), fieldExpr(1)) })
}
