package packetnet_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
)

// Receivers that ask one sender at the same time: the grants of 90 bytes with their gaps follow each other down its
// link, so they come at 12880, 12970, 13060, 13150. The sender is busy for 154 a frame, and a grant is good for 154:
// it serves the first three at 12880, 13034 and 13188, and the fourth is void one byte time after 13150 + 154, since
// the sender is free only at 13342. Its receiver asks again at once.
func TestReceiversConflict(t *testing.T) {
	msgs := make([]workload.Message, 4)
	for k := range msgs {
		msgs[k] = workload.Message{Type: workload.Write, Source: 0, Dest: 1 + k, Bytes: 64}
	}
	finish := func(cfg packetnet.Config, n int) ([]int64, *packetnet.Result) {
		r := finished(t, cfg, msgs[:n])
		at := slices.Clone(r.Finish) // the seed draws the first
		slices.Sort(at)
		for k := range at {
			at[k] /= byteTime
		}
		return at, r
	}
	cfg := packetnet.DefaultConfig(packetnet.IRD)
	at, r := finish(cfg, 2)
	require.Equal(t, []int64{12880 + oneWay(72), 13034 + oneWay(72)}, at)
	require.Zero(t, r.Voids)
	require.EqualValues(t, 2, r.Grants)

	at, r = finish(cfg, 4)
	require.Equal(t, []int64{12880 + oneWay(72), 13034 + oneWay(72), 13188 + oneWay(72), 13305 + oneWay(8) + oneWay(72)},
		at)
	require.EqualValues(t, 1, r.Voids)
	require.EqualValues(t, 5, r.Grants)

	cfg.GrantSlots = 0 // the second grant is void at once
	at, r = finish(cfg, 2)
	require.Equal(t, []int64{12880 + oneWay(72), 12971 + oneWay(8) + oneWay(72)}, at)
	require.EqualValues(t, 1, r.Voids)
}

// A receiver grants the shortest first, whichever came first, and never more than its window.
func TestReceiverGrantsTheShortestFirst(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.IRD)
	cfg.GrantWindow = 1 // one frame at a time
	r := finished(t, cfg, []workload.Message{
		{Type: workload.Write, Source: 1, Dest: 0, Bytes: 64},
		{Type: workload.Write, Source: 2, Dest: 0, Bytes: 1000, Start: byteTime},
		{Type: workload.Write, Source: 3, Dest: 0, Bytes: 500, Start: 2 * byteTime},
	})
	first := oneWay(8) + oneWay(72)
	second := first + oneWay(8) + oneWay(508)
	third := second + oneWay(8) + oneWay(1008)
	require.Equal(t, []int64{first * byteTime, third * byteTime, second * byteTime}, r.Finish)
}

// Seven nodes keep the egress of node 9 busy, node 0 too; node 0 also writes 6400 bytes, 100 flits, to node 8, whose
// egress is idle. Alone these take 99 × 68 and a way. With room for everything that node 0 has sent, they still take
// as long.
//
// With 64 credits the room of node 0 in the switch is full of flits for node 9, of which one leaves every 8 × 68 byte
// times. Node 0 sends flits of both messages in turn, so between the first and the last of the 100 there are 99 of
// each. Each takes a credit; 99 may come from the flits for node 8, the other 99 are flits that left for node 9: at
// least 98 × 544 byte times.
func TestCreditsBlockTheHeadOfTheLine(t *testing.T) {
	const victim = 8
	var msgs []workload.Message
	for k := range 8 {
		msgs = append(msgs, workload.Message{Type: workload.Write, Source: k, Dest: 9, Bytes: 65536})
	}
	msgs = append(msgs, workload.Message{Type: workload.Write, Source: 0, Dest: 8, Bytes: 6400, Start: 200_000 * byteTime})

	cfg := packetnet.DefaultConfig(packetnet.CXL)
	alone, err := packetnet.Unloaded(cfg, workload.Write, 6400)
	require.NoError(t, err)
	require.EqualValues(t, (99*68+flitWay)*byteTime, alone)

	r := finished(t, cfg, msgs)
	require.GreaterOrEqual(t, r.Finish[victim]-msgs[victim].Start, int64(98*544*byteTime))
	require.Positive(t, r.CreditStalls)
	require.LessOrEqual(t, r.MaxIngress, int64(64*68)) // not overrun
	require.Greater(t, r.MaxIngress, int64(32*68))

	cfg.Credits = 10_000
	r = finished(t, cfg, msgs)
	require.Equal(t, alone, r.Finish[victim]-msgs[victim].Start)
	require.Zero(t, r.CreditStalls)
}

// A link with one credit sends a flit and waits for it: 68 + 600 + 1250 until it leaves the switch, and 68 + 600 for a
// flit that brings the credit back.
func TestOneCredit(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.CXL)
	cfg.Credits, cfg.CreditBatch = 1, 1
	got, err := packetnet.Unloaded(cfg, workload.Write, 256)
	require.NoError(t, err)
	require.EqualValues(t, (3*(68+600+1250+68+600)+flitWay)*byteTime, got)
}

// The server takes 90 byte times for a grant whatever the nodes could do, and is never idle while demands wait.
func TestServerLinkLimitsThroughput(t *testing.T) {
	const n = 5000
	cfg := packetnet.DefaultConfig(packetnet.Fastpass)
	r := finished(t, cfg, uniform(cfg.Nodes, n, 64, 0.9, 1))
	require.EqualValues(t, n, r.Grants)
	require.EqualValues(t, n, r.Demands)
	require.GreaterOrEqual(t, r.End, int64(n*90*byteTime))
	alone, err := packetnet.Unloaded(cfg, workload.Read, 64)
	require.NoError(t, err)
	require.LessOrEqual(t, r.End, n*90*byteTime+2*alone)
}

// Two messages of one sender: the server grants the shorter first, and the other when the pair is free.
func TestServerSerialisesASource(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.Fastpass)
	r := finished(t, cfg, []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 1, Bytes: 1000},
		{Type: workload.Write, Source: 0, Dest: 2, Bytes: 64, Start: byteTime},
	})
	// The first demand is alone when it comes at oneWay(8). The source is busy for its frame of 1008 + 82; the second is
	// granted when that is over.
	require.Equal(t, []int64{(2*oneWay(8) + oneWay(1008)) * byteTime, (2*oneWay(8) + 1090 + oneWay(72)) * byteTime},
		r.Finish)
}

// A long message keeps its source busy for a grant of 64 KiB, 45 full frames and one of 16 + 82 on the line. Then a
// short one of that source is before it. Grants to one destination come no faster than it takes the frames: at most a
// frame waits for another.
func TestServerKeepsBothEndsBusy(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.Fastpass)
	r := finished(t, cfg, []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 1, Bytes: 1_000_000},
		{Type: workload.Write, Source: 0, Dest: 2, Bytes: 64, Start: byteTime},
	})
	require.Equal(t, (2*oneWay(8)+45*1538+98+oneWay(72))*byteTime, r.Finish[1])

	r = finished(t, cfg, incast(9, 300_000))
	require.LessOrEqual(t, r.MaxQueue, int64(2*1518))

	// While node 0 is busy with node 1, its message for node 2 does not keep node 2 from the longer one of node 3,
	// demanded later: that waits for three frames of control at most.
	r = finished(t, cfg, []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 1, Bytes: 65_000},
		{Type: workload.Write, Source: 0, Dest: 2, Bytes: 65_000, Start: 1000 * byteTime},
		{Type: workload.Write, Source: 3, Dest: 2, Bytes: 65_500, Start: 2000 * byteTime},
	})
	alone, err := packetnet.Unloaded(cfg, workload.Write, 65_500)
	require.NoError(t, err)
	require.LessOrEqual(t, r.Finish[2]-2000*byteTime, alone+3*90*byteTime)
}

// Eight senders and one receiver. Their first windows of 29,120 bytes are a queue of 8 × 20 × 1518 bytes, less a round
// trip; marks make them back off until the queue is about the 25 kB from which it marks, so a probe long after waits
// for no more than twice that and a frame of each. Without marks the windows grow until frames are dropped.
func TestMarksMakeSendersBackOff(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.DCTCP)
	cfg.Nodes = 10
	probe := workload.Message{Type: workload.Write, Source: 9, Dest: 0, Bytes: 64, Start: 600_000_000}
	msgs := append(incast(9, 2_000_000), probe)
	wait := func(r *packetnet.Result) int64 { return (r.Finish[8]-probe.Start)/byteTime - oneWay(72) }

	marked := finished(t, cfg, msgs)
	require.Positive(t, marked.Marks)
	require.Zero(t, marked.Drops)
	require.LessOrEqual(t, wait(marked), int64(2*25_000+8*1538))
	require.Greater(t, marked.MaxQueue, int64(8*20*1518-30_000))

	cfg.MarkBytes = 1 << 30
	blind := finished(t, cfg, msgs)
	require.Zero(t, blind.Marks)
	require.Positive(t, blind.Drops)
	require.Greater(t, wait(blind), wait(marked))
	require.LessOrEqual(t, blind.MaxQueue, int64(cfg.BufferBytes))
}

// A lone frame that is lost has nothing after it: only the timeout brings it back.
func TestTimeoutIsTheOnlyRecourseOfShortMessages(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.DCTCP)
	cfg.BufferBytes, cfg.MarkBytes = 1518, 1<<30
	msgs := incast(40, 64) // 40 frames of 134 bytes for a queue of 11
	r := finished(t, cfg, msgs)
	require.Positive(t, r.Drops)
	require.Positive(t, r.Timeouts)
	late := 0
	for _, at := range r.Finish {
		if at > cfg.MinTimeout {
			late++
		} else {
			require.Less(t, at, int64(3_000_000)) // never lost
		}
	}
	require.Positive(t, late)
	require.LessOrEqual(t, uint64(late), r.Retransmissions)
}

// Segments that were overtaken three times are sent again without a timeout.
func TestThreeAcknowledgementsOfLaterSegments(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.DCTCP)
	cfg.Nodes, cfg.BufferBytes, cfg.MarkBytes = 3, 10_000, 1<<30
	msgs := incast(3, 500_000)
	fast := finished(t, cfg, msgs)
	require.Positive(t, fast.Drops)
	require.Positive(t, fast.Retransmissions)
	cfg.DupAcks = 0
	slow := finished(t, cfg, msgs)
	require.Less(t, fast.Timeouts, slow.Timeouts)
}

// With pFabric a short message waits for a frame at the switch and no more, and a full shelf never drops its frames;
// with DCTCP it waits for the queue.
func TestShortMessagesOvertake(t *testing.T) {
	msgs := incast(9, 1_000_000)
	for k := range 20 {
		msgs = append(msgs, workload.Message{Type: workload.Write, Source: 9, Dest: 0, Bytes: 64,
			Start: 5_000_000 + int64(k)*2_000_000})
	}
	probes := func(cfg packetnet.Config) []int64 {
		r := finished(t, cfg, msgs)
		var waits []int64
		for k, m := range msgs[8:] {
			waits = append(waits, (r.Finish[8+k]-m.Start)/byteTime-oneWay(72))
		}
		return waits
	}
	cfg := packetnet.DefaultConfig(packetnet.PFabric)
	cfg.BufferBytes, cfg.MarkBytes = 6*1518+100, 1<<30 // six full frames leave no room for 134
	require.LessOrEqual(t, slices.Max(probes(cfg)), int64(1538))
	require.Positive(t, finished(t, cfg, msgs).Drops)
	require.Greater(t, slices.Max(probes(packetnet.DefaultConfig(packetnet.DCTCP))), int64(5*1538))
}

// Flows of one size leave nothing to choose: pFabric does as DCTCP does when no queue is long.
func TestPFabricIsDCTCPForEquals(t *testing.T) {
	msgs := make([]workload.Message, 0, 40)
	for k := range 40 {
		msgs = append(msgs, workload.Message{Type: workload.Write, Source: 1 + k%8, Dest: 0, Bytes: 64,
			Start: int64(k) * 1000})
	}
	d, p := finished(t, packetnet.DefaultConfig(packetnet.DCTCP), msgs),
		finished(t, packetnet.DefaultConfig(packetnet.PFabric), msgs)
	require.Equal(t, d.Finish, p.Finish)
}

// PFC drops nothing. Beyond the threshold an ingress gets the bytes that are under way until its node obeys: a full
// frame (1538) on the link back before the pause frame (72, then 600 of link), a frame that the node has begun, the
// bytes in its stack and link (3070 + 600), and the frame that crossed the threshold.
func TestPauseKeepsTheSwitchFromOverflow(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.PFC)
	cfg.Nodes, cfg.PauseBytes, cfg.ResumeBytes = 9, 8_000, 6_000
	msgs := incast(9, 500_000)
	r := finished(t, cfg, msgs)
	require.Positive(t, r.Pauses)
	require.Positive(t, r.PausedTime)
	require.Zero(t, r.Drops)
	require.Zero(t, r.Timeouts)
	require.LessOrEqual(t, r.MaxIngress, int64(8_000+1538+72+600+1538+3070+600+1518))

	cfg.PauseBytes = 1 << 30
	free := finished(t, cfg, msgs)
	require.Zero(t, free.Pauses)
	require.Greater(t, free.MaxIngress, r.MaxIngress)
}

// A paused node stops for all its destinations, as EDM §4.3.1 says.
func TestPauseBlocksTheHeadOfTheLine(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.PFC)
	cfg.MarkBytes = 1 << 30 // no congestion control: windows stay
	cfg.PauseBytes, cfg.ResumeBytes = 8_000, 6_000
	msgs := append(incast(9, 500_000), workload.Message{Type: workload.Write, Source: 1, Dest: 20, Bytes: 50_000,
		Start: 5_000_000})
	last := len(msgs) - 1
	paused := finished(t, cfg, msgs)
	cfg.PauseBytes = 1 << 30
	free := finished(t, cfg, msgs)
	require.Greater(t, paused.Finish[last]-msgs[last].Start, 2*(free.Finish[last]-msgs[last].Start))
}
