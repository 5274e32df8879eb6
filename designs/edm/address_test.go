package edm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
)

// An address whose eight bytes all differ: memories are smaller, so no run of a network shows the high ones.
const wideAddress = 0xa1b2c3d4e5f60718

// The blocks of a read request, bit by bit: the type, the header with the highest byte of the address in bits 62:55,
// and the seven lower bytes in bits 63:8 of the /MT/.
func TestAddressOfAReadOnTheLine(t *testing.T) {
	r := leaving{outgoing: outgoing{true, 1, Request{Valid: true, Kind: RREQ, Dest: 3, Address: wideAddress, Bytes: 64}}}
	first := uint64(DefaultTypes.MS) | uint64(RREQ)<<8 | 1<<11 | 2<<19 | 3<<29 | 64<<39 | 0xa1<<55
	second := uint64(DefaultTypes.MT) | 0xb2c3d4e5f60718<<8
	var p requestParser
	for i, want := range []uint64{first, second} {
		b := pcs.Block{Payload: want, Header: pcs.HeaderControl, Valid: true}
		require.Equal(t, b, r.next(&DefaultTypes, 2), "block %d", i)
		e := p.next(&DefaultTypes, b)
		require.Equal(t, i == 1, e.Valid)
		if e.Valid {
			require.EqualValues(t, uint64(wideAddress), e.Address)
			require.Equal(t, Header{Kind: RREQ, ID: 1, Source: 2, Dest: 3, Bytes: 64, High: 0xa1}, e.Header)
		}
	}
}

// A write brings its address in a block of data, a read-modify-write its address and two operands.
func TestAddressesInDataBlocks(t *testing.T) {
	var d dataParser
	next := func(b pcs.Block) (w Word) {
		d.next(&DefaultTypes, b, &w)
		return w
	}
	next(Header{Kind: WREQ, Bytes: 16}.block(DefaultTypes.MS))
	require.False(t, next(data(wideAddress)).Valid)
	require.EqualValues(t, uint64(wideAddress), next(data(1)).Address)
	require.EqualValues(t, uint64(wideAddress+8), next(data(2)).Address)

	var p requestParser
	p.next(&DefaultTypes, Header{Kind: RMWREQ, High: uint8(FetchXor)}.block(DefaultTypes.MS))
	for _, x := range []uint64{wideAddress, 11, 22} {
		require.False(t, p.next(&DefaultTypes, data(x)).Valid)
	}
	e := p.next(&DefaultTypes, DefaultTypes.tail(0))
	require.Equal(
		t,
		Event{Valid: true, Request: true, Header: e.Header, Address: wideAddress, Operation: FetchXor, First: 11, Second: 22},
		e,
	)
}
