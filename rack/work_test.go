package rack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
)

// A lone write of 1,000 bytes at 100 Gb/s, by hand: the bytes on all links of the write, its grants and
// acknowledgements. A run ends with the last byte at the other end.
func TestWorkOfALoneMessage(t *testing.T) {
	// /MS/, the address, 32 words and /MT/ for each of three chunks of 256 bytes and 29 words for the fourth
	const chunks = 4*3 + 1000/8
	// a frame with preamble and gap, and an acknowledgement of 4 bytes of payload, on the receiver's link only
	const frame, ack = 8 + 18 + 44 + 8 + 1000 + 12, 8 + 18 + 44 + 4 + 12
	want := map[string]float64{
		"edm": 8 * (1 + 4 + 2*chunks), // a notification, and four grants
		// 18 cells of 56 bytes, of which the schedule takes one straight to its node; a slot of 23.25 ns at 25 Gb/s is
		// 72.66 bytes
		"shoal": 2 * (2*17 + 1) * 23.25 * 25 / 8,
		"cxl":   2 * (16 + 2) * 68, // a flit with credits for every eight
	}
	for _, name := range []string{"dt", "st", "spfc"} {
		want[name] = 2 * (1000 + 48)
	}
	for _, name := range []string{"dctcp", "pfabric", "pfc", "dcqcn", "ndp"} {
		want[name] = 2*frame + ack
	}
	want["output-queued"] = 2 * frame
	lone := []workload.Message{{Type: workload.Write, Source: 0, Dest: 1, Bytes: 1000}}
	for name, bytes := range want {
		f, err := named(name)
		require.NoError(t, err)
		c, err := f.run(t.Context(), &experiment.Run{Seed: 1}, defaultLinks(), lone)
		require.NoError(t, err)
		require.InEpsilon(t, bytes, c.line, 1e-9, name)
	}
}

// Over RIFL a frame of 1,070 bytes without preamble and gap takes nine slots of 30 bytes on each of four lanes. A slot
// is 32 bytes of the line, and 66 bits of the line are the time of 64 bits at 100 Gb/s.
func TestWorkOverRIFL(t *testing.T) {
	l := defaultLinks()
	l.Kind = riflLanes
	f, err := named("output-queued")
	require.NoError(t, err)
	lone := []workload.Message{{Type: workload.Write, Source: 0, Dest: 1, Bytes: 1000}}
	c, err := f.run(t.Context(), &experiment.Run{Seed: 1}, l, lone)
	require.NoError(t, err)
	require.InEpsilon(t, 2*9*4*32*64.0/66, c.line, 1e-9)
	r, err := judge(carried{results: c.results, line: 3000}, 100, func(workload.MessageType, int) float64 { return 1 })
	require.NoError(t, err)
	require.Equal(t, 1.5, r.Work)
}
