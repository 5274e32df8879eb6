package packetnet_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
)

// write is a message of full frames, the address of 8 bytes in the first.
func write(from, to int, frames int) workload.Message {
	return workload.Message{Type: workload.Write, Source: from, Dest: to, Bytes: frames*1456 - 8}
}

// finishes are the times of the messages in byte times.
func finishes(r *packetnet.Result) []int64 {
	at := slices.Clone(r.Finish)
	for k := range at {
		at[k] /= byteTime
	}
	return at
}

// Two senders of eight frames each and a queue of eight. Frame k of both reaches the switch at 1526 + 1538 k; one is
// sent on, so k + 1 wait after it. When the eighth pair comes, at 1526 + 7 × 1538 = 12292, seven wait: one frame fits,
// one is trimmed, and its header of 72 bytes is sent first, since the egress has just become idle. At 12292 + 84 =
// 12376 the eight that wait follow.
//
// The header arrives at 12292 + 72 = 12364, where the receiver is still sending the acknowledgement of a frame that
// came at 12292 - 12 = 12280: 86 bytes with the gap, until 12366. Then the NACK of 84, then the pull of 86, at 12450.
// The NACK is at the switch at 12438 and goes to its sender until 12522. The pull reaches the switch at 12524, goes on
// at once, and is with the sender at 12524 + 74 = 12598. The sender has been idle since 8 × 1538 = 12304. So the frame
// that was trimmed is at the switch at 12598 + 1526 = 14124, where it waits for the eight frames ahead: from 12376 on,
// until 12376 + 8 × 1538 = 24680. It is the last, at 24680 + 1526 = 26206.
func TestIncastOfTwoWithNDP(t *testing.T) {
	cfg := immediate(packetnet.NDP, 3)
	cfg.FirstPackets, cfg.QueuePackets = 8, 8
	trimmed := map[int64]bool{}
	for seed := range uint64(20) { // the seed draws the trimmed frame
		cfg.Seed = seed
		r := finished(t, cfg, []workload.Message{write(1, 0, 8), write(2, 0, 8)})
		require.EqualValues(t, []uint64{1, 0, 1, 1, 16}, []uint64{r.Trims, r.Returns, r.Pulls, r.Retransmissions, r.Acks})
		at := finishes(r)
		trimmed[at[0]] = true
		slices.Sort(at)
		require.Equal(t, []int64{24680 - 12, 26206}, at) // the other flow has the last of the eight
	}
	require.Len(t, trimmed, 2) // either sender's frame, for some seed
}

// Three frames come ten byte times apart to a queue of one: the first is sent on, the second waits, and then it or the
// third is trimmed, either for some seed. The trimmed frame comes last.
func TestEitherFrameIsTrimmed(t *testing.T) {
	cfg := immediate(packetnet.NDP, 4)
	cfg.QueuePackets = 1
	last := map[int]int{}
	for seed := range uint64(40) {
		cfg.Seed = seed
		msgs := []workload.Message{write(1, 0, 1), write(2, 0, 1), write(3, 0, 1)}
		msgs[1].Start, msgs[2].Start = 10*byteTime, 20*byteTime
		at := finishes(finished(t, cfg, msgs))
		last[slices.Index(at, slices.Max(at))]++
	}
	require.Len(t, last, 2)
	require.Greater(t, last[1], 8) // of 40; half is expected, with a standard deviation of 3.2
	require.Greater(t, last[2], 8)
}

// A first window of one frame makes a flow stop and wait. A frame is at its receiver after 2 × 1526, which sends an
// acknowledgement and a pull of 86 bytes each: the pull starts 86 later, is at the switch 74 later, waits for nothing
// since the acknowledgement left that egress at 74 + 86, and is with the sender after 74 more.
func TestPullsBringOneFrameEach(t *testing.T) {
	cfg := immediate(packetnet.NDP, 2)
	cfg.FirstPackets = 1
	r := finished(t, cfg, []workload.Message{write(0, 1, 10)})
	require.EqualValues(t, 9*(2*full+86+74+74)+2*full, r.Finish[0]/byteTime)
	require.EqualValues(t, []uint64{9, 0}, []uint64{r.Pulls, r.Trims})
}

// The pulls of a receiver are a full frame's time apart, whichever senders they go to, and its flows take turns: seven
// flows beyond their first windows share its link to the frame.
func TestPullsAreSharedFairly(t *testing.T) {
	cfg := immediate(packetnet.NDP, 8)
	cfg.FirstPackets, cfg.QueuePackets = 2, 100
	var msgs []workload.Message
	for k := 1; k < 8; k++ {
		msgs = append(msgs, write(k, 0, 50))
	}
	r := finished(t, cfg, msgs)
	require.Zero(t, r.Trims)
	at := finishes(r)
	slices.Sort(at)
	// 350 frames fill the link from 1526 on; the flows end within a turn of each other
	require.GreaterOrEqual(t, at[6], int64(1526+350*1538-12))
	require.LessOrEqual(t, at[6], int64(1526+350*1538+2*1538))
	require.LessOrEqual(t, at[6]-at[0], int64(8*1538))
}

// Headers have room for as many bytes as data: with a queue of one frame, 1518 bytes, that is 23 headers of 64 bytes.
// Fifty senders of one frame at the same time: one waits, 49 are trimmed, and 26 of them go back. All come again, and
// arrive.
func TestHeadersWithoutRoomGoBack(t *testing.T) {
	cfg := immediate(packetnet.NDP, 51)
	cfg.QueuePackets = 1
	var msgs []workload.Message
	for k := 1; k <= 50; k++ {
		msgs = append(msgs, write(k, 0, 1))
	}
	r := finished(t, cfg, msgs)
	require.GreaterOrEqual(t, r.Returns, uint64(50-1-23))
	require.Equal(t, r.Trims, r.Retransmissions)
	require.EqualValues(t, 50, r.Acks)
	require.Equal(t, r.Trims-r.Returns, r.Pulls) // a returned header needs no pull

	// longer than a window of one frame: a receiver that has not heard of a flow sends no pulls for the rest of it
	for k := range msgs {
		msgs[k] = write(k+1, 0, 3)
	}
	cfg.FirstPackets = 1
	r = finished(t, cfg, msgs)
	require.EqualValues(t, 150, r.Acks)
	require.Positive(t, r.Returns)
}

// Headers come 84 byte times apart, and pulls leave 1538 apart all the same: of twenty frames at once to a queue of
// eight twelve are trimmed, and none of them again.
func TestPullsArePaced(t *testing.T) {
	cfg := immediate(packetnet.NDP, 21)
	cfg.QueuePackets = 8
	var msgs []workload.Message
	for k := 1; k <= 20; k++ {
		msgs = append(msgs, write(k, 0, 1))
	}
	r := finished(t, cfg, msgs)
	require.EqualValues(t, []uint64{12, 12, 0}, []uint64{r.Trims, r.Pulls, r.Returns})
}

// At most ten headers go before a frame of data that waits: 100 one-frame messages at once, and nobody waits for all
// headers.
func TestHeadersLeaveRoomForData(t *testing.T) {
	cfg := immediate(packetnet.NDP, 101)
	cfg.QueuePackets = 8
	var msgs []workload.Message
	for k := 1; k <= 100; k++ {
		msgs = append(msgs, write(k, 0, 1))
	}
	at := finishes(finished(t, cfg, msgs))
	slices.Sort(at)
	// headers of 84 go first; the first frame of data after ten of them
	require.EqualValues(t, full+10*84+full, at[0])
	require.EqualValues(t, full+20*84+1538+full, at[1])
}
