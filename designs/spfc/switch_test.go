package spfc

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var short = Link{ByteTime: Gbps100, Delay: Microsecond}

// queueUp fills the queue of receiver 0 while its line is paused; then the line opens, and the packets are returned as
// they arrive.
func queueUp(t *testing.T, cfg SwitchConfig, senders int, packets func(sender int) []Packet) []Packet {
	st := newStar(t, cfg, DefaultPFC(), senders, short, short)
	receiver := st.sinks[0]
	st.Pause(receiver.id, 0, 3)
	st.Pause(receiver.id, 0, 4)
	st.At(0, receiver.id, 0)
	require.NoError(t, st.Run(t.Context(), 10*Microsecond))
	for i, s := range st.sources {
		s.packets = packets(i)
		st.At(10*Microsecond, s.id, 0)
	}
	require.NoError(t, st.Run(t.Context(), 300*Microsecond))
	require.Zero(t, receiver.n)
	st.Resume(receiver.id, 0, 3)
	st.Resume(receiver.id, 0, 4)
	st.At(300*Microsecond, receiver.id, 0)
	require.NoError(t, st.Run(t.Context(), 2*Millisecond))
	require.NoError(t, st.sw.Conservation())
	return receiver.packets
}

// Two ingress ports wait with packets of 1,000 and of 250 bytes: by packets they share 4:1, by bytes 1:1, and first
// come, first served is the order in which their full lines brought them.
func TestArbitrations(t *testing.T) {
	// bytes of port 0 among the first 16,000
	for how, want := range map[Arbitration]int64{RoundRobin: 12_800, IngressFair: 8000, FIFO: 8000} {
		cfg := SwitchConfig{Buffer: DefaultBuffer(3, 1<<20, 50_000), Arbitration: how}
		got := queueUp(t, cfg, 2, func(sender int) []Packet {
			var list []Packet
			for k := range 40 + 120*sender {
				list = append(list, Packet{Flow: uint32(sender), Seq: uint64(k), Bytes: uint16(1000 - 750*sender), Prio: 3})
			}
			return list
		})
		require.Len(t, got, 200)
		var by [2]int64
		var next [2]uint64
		for _, p := range got {
			require.Equal(t, next[p.Flow], p.Seq, "a sender's packets stay in order")
			next[p.Flow]++
			if by[0]+by[1] < 16_000 {
				by[p.Flow] += int64(p.Bytes)
			}
		}
		require.InDelta(t, want, by[0], 1048, how)
	}
}

// FIFO is the order of arrival, to the packet.
func TestFIFOOrder(t *testing.T) {
	cfg := SwitchConfig{Buffer: DefaultBuffer(4, 1<<20, 50_000), Arbitration: FIFO}
	got := queueUp(t, cfg, 3, func(sender int) []Packet {
		var list []Packet
		for k := range 20 {
			list = append(list, Packet{Flow: uint32(sender), Bytes: 500, Prio: 3,
				Sent: 20*Microsecond + Time(k*3+sender)*50*Nanosecond})
		}
		return list
	})
	require.Len(t, got, 60)
	for k, p := range got {
		require.EqualValues(t, k%3, p.Flow)
	}
}

// A higher priority goes first, or priorities take turns.
func TestPriorities(t *testing.T) {
	for _, inTurn := range []bool{false, true} {
		cfg := SwitchConfig{Buffer: DefaultBuffer(2, 1<<20, 50_000), InTurn: inTurn}
		cfg.Buffer.Lossless = 1<<3 | 1<<4
		got := queueUp(t, cfg, 1, func(int) []Packet {
			var list []Packet
			for k := range 20 {
				list = append(list, Packet{Seq: uint64(k), Bytes: 500, Prio: uint8(3 + k/10)})
			}
			return list
		})
		require.Len(t, got, 20)
		for k, p := range got {
			if inTurn {
				require.NotEqual(t, got[(k+1)%20].Prio, p.Prio, "place %d", k)
			} else {
				require.EqualValues(t, 4-k/10, p.Prio, "place %d", k)
			}
		}
	}
}

// Waits names the ingress ports: two ports have packets for a line that is paused.
func TestWaits(t *testing.T) {
	cfg := SwitchConfig{Buffer: DefaultBuffer(4, 1<<20, 50_000)}
	st := newStar(t, cfg, DefaultPFC(), 3, short, short)
	st.Pause(st.sinks[0].id, 0, 3)
	st.At(0, st.sinks[0].id, 0)
	require.NoError(t, st.Run(t.Context(), 5*Microsecond))
	st.sources[0].packets = []Packet{{Bytes: 100, Prio: 3}, {Bytes: 200, Prio: 3}}
	st.sources[2].packets = []Packet{{Bytes: 400, Prio: 3}, {Bytes: 80, Prio: 5}}
	for _, s := range st.sources {
		st.At(5*Microsecond, s.id, 0)
	}
	require.NoError(t, st.Run(t.Context(), 20*Microsecond))
	paused, waiting := st.sw.Waits(3, 3)
	require.True(t, paused)
	require.Equal(t, []Waiting{{Ingress: 0, Packets: 2, Bytes: 300}, {Ingress: 2, Packets: 1, Bytes: 400}}, waiting)
	paused, waiting = st.sw.Waits(3, 5)
	require.False(t, paused)
	require.Empty(t, waiting, "another priority went")
	require.Equal(t, 1, st.sinks[0].n)
	node, port, ok := st.Peer(0, 3)
	require.True(t, ok)
	require.Equal(t, []int{st.sinks[0].id, 0}, []int{node, port})
	require.EqualValues(t, 0xff&^(1<<3), st.Open(0, 3))
}

// The headroom that a link needs is enough in the worst timing, which comes within two packets of it. With two packets
// less something is lost, which is reported as the headroom's fault and does not fail the run.
func TestHeadroomIsNeededAndEnough(t *testing.T) {
	link := Link{ByteTime: Gbps100, Delay: 3 * Microsecond}
	pfc := DefaultPFC()
	pfc.Reaction = 394
	needed := pfc.HeadroomNeeded(link)
	most := int64(0)
	for _, less := range []int64{0, 2 * pfc.MaxPacket} {
		lost := 0
		for phase := range 20 {
			cfg := SwitchConfig{Buffer: DefaultBuffer(4, 4<<20, needed-less)}
			cfg.Buffer.Policy, cfg.Buffer.Static = ST, 20_000
			cfg.Buffer.Lossless = 1<<3 | 1<<5
			cfg.Routes = [][]uint8{{3}, {0}, {1}} // the receiver, and two of the senders
			st := newStar(t, cfg, pfc, 3, link, link)
			for i, s := range st.sources {
				for k := range 150 {
					p := Packet{Bytes: 1048, Prio: 3}
					switch i {
					case 1:
						p.Sent = Time(phase) * 4 * Nanosecond
					case 2: // keeps the switch's lines to the other senders busy, so that a PAUSE waits
						p.Dest, p.Prio = 1+uint16(k%2), 5
					}
					s.packets = append(s.packets, p)
				}
			}
			st.Pause(st.sinks[0].id, 0, 3) // nothing leaves the headrooms
			st.At(0, st.sinks[0].id, 0)
			st.start()
			require.NoError(t, st.Run(t.Context(), 100*Microsecond))
			lost += len(st.sw.Losses())
			for _, l := range st.sw.Losses() {
				require.Equal(t, less, l.Needed-l.Headroom)
			}
			most = max(most, st.sw.Manager().Counts.MaxHeadroom)
			require.NoError(t, st.sw.Conservation())
		}
		if less == 0 {
			require.Zero(t, lost)
			require.Greater(t, most, needed-2*pfc.MaxPacket)
		} else {
			require.Positive(t, lost)
		}
	}
}

// With enough headroom, a lossless packet that has no room fails the run: here the senders do not heed PFC.
func TestALossFailsTheRun(t *testing.T) {
	pfc := DefaultPFC()
	cfg := SwitchConfig{Buffer: DefaultBuffer(3, 200_000, pfc.HeadroomNeeded(short))}
	st := newStar(t, cfg, pfc, 2, short, short)
	for _, s := range st.sources {
		for range 400 {
			s.packets = append(s.packets, Packet{Bytes: 1048, Prio: 3})
		}
	}
	st.start()
	for at := Time(0); at < 60*Microsecond; at += 5 * Nanosecond { // the switch's frames come to nothing
		for _, s := range st.sources {
			st.openPriority(st.portID(s.id, 0), 3)
		}
		if err := st.Run(t.Context(), at); err != nil {
			// 2 us on the way are 25,000 bytes; three packets and a PFC frame
			require.ErrorContains(
				t, err,
				"lost a packet of 1048 bytes of lossless priority 3: its headroom is 28208 bytes, its link needs 28208",
			)
			return
		}
	}
	require.Fail(t, "nothing was lost")
}

// deaf sends packets of paused priorities.
type deaf struct{ source }

func (d *deaf) Transmit(now Time, port int, _ uint8) (p *Packet, more bool) {
	return d.source.Transmit(now, port, 0xff)
}

func TestANodeThatSendsWhatIsPausedFailsTheRun(t *testing.T) {
	n, err := NewNetwork(DefaultPFC())
	require.NoError(t, err)
	n.Add(&sink{}, 1)
	d := &deaf{}
	require.NoError(t, n.Connect(0, 0, n.Add(d, 1), 0, short))
	d.packets = []Packet{{Bytes: 100, Prio: 3, Sent: 5 * Microsecond}}
	n.Pause(0, 0, 3)
	n.At(0, d.id, 0)
	require.EqualError(
		t, n.Run(t.Context(), Millisecond),
		"at 5000000 ps: node 1, port 0 sends 100 bytes of priority 3: priorities 11110111 are open, packets have 1 to "+
			"1048 bytes",
	)
}

// hostileStar is any traffic over a switch with any settings, and enough headroom.
func hostileStar(t *rapid.T) *star {
	pfc := DefaultPFC()
	pfc.Reaction = rapid.Uint16Range(0, 100).Draw(t, "reaction")
	pfc.Refresh = rapid.Uint16Range(100, 300).Draw(t, "refresh")
	pfc.Quanta = pfc.Refresh + rapid.Uint16Range(18, 100).Draw(t, "quanta")
	pfc.UntilResumed = rapid.Bool().Draw(t, "until resumed")
	link := Link{ByteTime: rapid.SampledFrom([]Time{Gbps10, Gbps100, Gbps400}).Draw(t, "rate"),
		Delay: Time(rapid.IntRange(1, 3000).Draw(t, "delay")) * Nanosecond}
	senders := rapid.IntRange(2, 5).Draw(t, "senders")
	headroom := pfc.HeadroomNeeded(link)
	cell := rapid.SampledFrom([]int64{1, 64}).Draw(t, "cell")
	if cell > 1 { // a packet of 65 bytes takes two cells
		headroom = (headroom/(cell+1) + 1) * 2 * cell
	}
	cfg := SwitchConfig{Buffer: DefaultBuffer(senders+2, 0, headroom), InTurn: rapid.Bool().Draw(t, "in turn"),
		Arbitration: rapid.SampledFrom([]Arbitration{RoundRobin, IngressFair, FIFO}).Draw(t, "arbitration")}
	b := &cfg.Buffer
	b.Cell = cell
	b.Lossless = 1<<1 | 1<<3
	b.Reserve = rapid.SampledFrom([]int64{0, 4096}).Draw(t, "reserve")
	b.Bytes = -b.Pool() + rapid.Int64Range(0, 60_000).Draw(t, "pool")
	b.Policy = rapid.SampledFrom([]Policy{DT, ST, SPFC, Pinned}).Draw(t, "policy")
	b.Pinned = 0b101
	b.AlphaShift = rapid.IntRange(-3, 3).Draw(t, "alpha")
	b.Window = Time(rapid.IntRange(1, 40).Draw(t, "TC")) * 1000 * link.ByteTime
	for i := range b.Ports {
		b.Ports[i].ByteTime = link.ByteTime
	}
	st := newStar(t, cfg, pfc, senders, link, link)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for i, s := range st.sources {
		at := Time(0)
		for k := range packetsEach {
			if rng.IntN(60) == 0 {
				at += Time(rng.IntN(30_000)) * link.ByteTime
			}
			s.packets = append(
				s.packets,
				Packet{
					Flow: uint32(i), Seq: uint64(k), Bytes: uint16(64 + rng.IntN(1048-63)),
					Prio: []uint8{1, 3, 3, 3, 0}[rng.IntN(5)], Dest: uint16(rng.IntN(8) / 7), Sent: at,
				},
			)
		}
	}
	st.start()
	return st
}

const (
	packetsEach = 100
	longEnough  = 20 * Millisecond
)

func TestInvariantsUnderAnyTraffic(t *testing.T) {
	pauses := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		st := hostileStar(t)
		m := st.sw.Manager()
		for k := 0; st.Now() < longEnough && !st.Idle(); k++ {
			require.NoError(t, st.Run(context.Background(), st.next()))
			require.LessOrEqual(t, m.Stored(), m.Config().Bytes)
			if k%50 == 0 {
				require.NoError(t, st.sw.Conservation())
			}
		}
		require.Empty(t, st.sw.Losses())
		require.Zero(t, m.Counts.Lost)
		got := 0
		for _, s := range st.sinks {
			got += s.n
		}
		require.EqualValues(t, packetsEach*len(st.sources), int64(got)+m.Counts.Dropped,
			"every packet arrived, or was dropped where PFC is off")
		require.Zero(t, m.Stored())
		require.Zero(t, m.Used())
		require.Equal(t, m.Counts.Pauses, m.Counts.Resumes)
		pauses += m.Counts.Pauses
	})
	require.Positive(t, pauses)
}

// Ports that are asked though nothing has happened to them, at any instant, change no bit.
func TestIdlePortsAreSkippedWithoutADifference(t *testing.T) {
	traffic := rapid.Custom(hostileStar)
	for seed := range 30 {
		run := func(askAll bool) ([]string, ManagerCounts) {
			st := traffic.Example(seed)
			if askAll {
				st.askAll = true
				for k := range 3000 { // and at instants at which nothing happens
					st.At(Time(k)*35_021, st.sinks[0].id, 0)
				}
			}
			require.NoError(t, st.Run(t.Context(), longEnough))
			return append(st.sinks[0].got, st.sinks[1].got...), st.sw.Manager().Counts
		}
		got, counts := run(false)
		asked, same := run(true)
		require.NotEmpty(t, got)
		require.Equal(t, counts, same)
		require.Equal(t, got, asked)
	}
}
