package spfc

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A frame byte for byte: priority 0 for 65,535 quanta, 3 for 4,660, 7 resumed. The FCS is from a bitwise division by
// the polynomial of IEEE 802.3 3.2.9, done apart.
func TestPFCFrameBytes(t *testing.T) {
	f := PFCFrame{Enable: 0x89, Quanta: [8]uint16{0: 0xffff, 3: 0x1234}}
	b := f.AppendBytes(nil, [6]byte{0x02, 0x11, 0x22, 0x33, 0x44, 0x55})
	want := "0180c2000001" + "021122334455" + "8808" + "0101" + "0089" + "ffff0000000012340000000000000000" +
		strings.Repeat("00", 26)
	require.Equal(t, want, hex.EncodeToString(b[:60]))
	require.Equal(t, longDivision(b[:60]), [4]byte(b[60:]))
	require.Len(t, b, PFCFrameBytes)
	back, err := ParsePFC(b)
	require.NoError(t, err)
	require.Equal(t, f, back)
}

// longDivision is the FCS as 3.2.9 defines it: bits as coefficients, first 32 complemented, remainder complemented.
func longDivision(frame []byte) [4]byte {
	const generator = 0x104c11db7
	var bits []bool
	for _, b := range frame {
		for i := range 8 {
			bits = append(bits, b>>i&1 != 0)
		}
	}
	for i := range 32 {
		bits[i] = !bits[i]
	}
	bits = append(bits, make([]bool, 32)...)
	for i := range len(bits) - 32 {
		if bits[i] {
			for k := range 33 {
				bits[i+k] = bits[i+k] != (uint64(generator)>>(32-k)&1 != 0)
			}
		}
	}
	var fcs [4]byte
	for i, bit := range bits[len(bits)-32:] {
		if !bit {
			fcs[i/8] |= 1 << (i % 8) // complemented; the highest coefficient goes first
		}
	}
	return fcs
}

func TestParsePFCErrors(t *testing.T) {
	f := PFCFrame{Enable: 1}
	good := f.AppendBytes(nil, [6]byte{2})
	_, err := ParsePFC(good[:63])
	require.EqualError(t, err, "a frame of 63 bytes, want 64")
	bad := append([]byte(nil), good...)
	bad[30] ^= 1
	_, err = ParsePFC(bad)
	require.ErrorContains(t, err, "FCS ")
	for _, at := range []int{0, 5, 12, 13, 14, 15} {
		bad = append([]byte(nil), good...)
		bad[at] ^= 4
		_, err = ParsePFC(appendFCS(bad[:60]))
		require.ErrorContains(t, err, "want 0180c2000001, 88080101", "byte %d", at)
	}
}

// pauser sends PAUSE and RESUME at given times.
type pauser struct {
	sink
	does map[Time]func()
}

func (p *pauser) Timer(now Time, _ uint64) { p.does[now]() }

// starts returns the times at which a sender at 100 Gb/s, 1 us away, starts its packets of 1,048 B, while the far end
// acts at given times.
func starts(t *testing.T, pfc PFCConfig, packets int, prio uint8,
	does func(n *Network, far int) map[Time]func()) []Time {
	n, err := NewNetwork(pfc)
	require.NoError(t, err)
	far := &pauser{}
	farID := n.Add(far, 1)
	s := &source{}
	require.NoError(t, n.Connect(farID, 0, n.Add(s, 1), 0, Link{ByteTime: Gbps100, Delay: Microsecond}))
	far.does = does(n, farID)
	for at := range far.does {
		n.At(at, farID, 0)
	}
	for range packets {
		s.packets = append(s.packets, Packet{Bytes: 1048, Prio: prio})
	}
	n.At(0, s.id, 0)
	var at []Time
	for s.sent < packets && !n.Idle() && n.Now() < 3*Millisecond {
		before := s.sent
		require.NoError(t, n.Run(t.Context(), n.next()))
		if s.sent > before {
			at = append(at, n.Now())
		}
	}
	return at
}

// The quanta are obeyed to the bit time. A PAUSE that is told at 0 has its last bit at the sender at 64 B + 1 us =
// 1,005,120 ps; the sender's packets take 83,840 ps, so its 13th would start at 1,006,080.
func TestQuantaToTheBitTime(t *testing.T) {
	const last, packet = 1_005_120, 83_840
	base := DefaultPFC()
	base.Quanta, base.Refresh = 40, 20
	once := func(n *Network, far int) map[Time]func() {
		return map[Time]func(){0: func() { n.Pause(far, 0, 3) }}
	}
	upTo := func(at Time) func(n *Network, far int) map[Time]func() {
		return func(n *Network, far int) map[Time]func() {
			m := once(n, far)
			m[at] = func() { n.Resume(far, 0, 3) }
			return m
		}
	}
	none := func(*Network, int) map[Time]func() { return nil }
	for _, c := range []struct {
		name   string
		change func(c *PFCConfig)
		prio   uint8
		does   func(n *Network, far int) map[Time]func()
		want   Time // start of the packet after the first twelve
	}{
		{"nobody pauses", nil, 3, none, 12 * packet},
		{"another priority", nil, 4, once, 12 * packet},
		{"resumed while the PAUSE is on the line", nil, 3, upTo(3 * Nanosecond), last + 5120},
		{"resumed later", nil, 3, upTo(90 * Nanosecond), 90_000 + last},
		{"until resumed", func(c *PFCConfig) { c.UntilResumed = true }, 3, upTo(900 * Microsecond), 900_000_000 + last},
		{"reaction of 1 quantum: the 13th still starts", func(c *PFCConfig) { c.Reaction = 1 }, 3, once, 12 * packet},
		{"no refresh in time", func(c *PFCConfig) { c.Refresh = 21 }, 3, upTo(21*5120 - 1), last + 21*5120 - 1},
	} {
		pfc := base
		if c.change != nil {
			c.change(&pfc)
		}
		at := starts(t, pfc, 14, c.prio, c.does)
		require.GreaterOrEqual(t, len(at), 13, c.name)
		for k := range 12 {
			require.EqualValues(t, k*packet, at[k], c.name)
		}
		require.EqualValues(t, c.want, at[12], c.name)
	}
	// a PAUSE that nobody refreshes: the packet starts when the quanta are over, not a bit earlier or later
	for _, c := range []struct {
		quanta, reaction uint16
		fromReception    bool
		want             Time
	}{
		{30, 0, false, last + 30*5120},
		{31, 0, false, last + 31*5120},
		{30, 5, false, last + 35*5120},
		{30, 5, true, last + 30*5120},
	} {
		pfc := base
		pfc.Quanta, pfc.Reaction, pfc.TimerFromReception = c.quanta, c.reaction, c.fromReception
		pfc.Refresh = 1
		at := starts(t, pfc, 16, 3, func(n *Network, far int) map[Time]func() {
			return map[Time]func(){0: func() {
				n.Pause(far, 0, 3)
				n.pfc.Refresh = 60_000 // as if the frames that refresh were lost
			}}
		})
		first := 12 + int(c.reaction)*5120/packet
		if Time(first)*packet < last+Time(c.reaction)*5120 {
			first++
		}
		require.EqualValues(t, c.want, at[first], "%+v", c)
	}
}

// A PAUSE that stands is sent again each time after as many quanta, and the sender stays silent.
func TestRefresh(t *testing.T) {
	pfc := DefaultPFC()
	pfc.Quanta, pfc.Refresh = 40, 20
	var net *Network
	at := starts(t, pfc, 13, 3, func(n *Network, far int) map[Time]func() {
		net = n
		return map[Time]func(){0: func() { n.Pause(far, 0, 3) }, Millisecond: func() { n.Resume(far, 0, 3) }}
	})
	require.EqualValues(t, Millisecond+1_005_120, at[12])
	c := net.Counts(0, 0)
	require.EqualValues(t, 1+int64(Millisecond/(20*5120)), c.PauseFrames)
	require.EqualValues(t, c.PauseFrames-1, c.Refreshes)
	require.EqualValues(t, 1, c.ResumeFrames)
	require.EqualValues(t, Millisecond, net.Counts(1, 0).PausedTime[3])
	require.Zero(t, net.Counts(1, 0).PausedTime[4])
}

func TestPFCConfigErrors(t *testing.T) {
	for want, change := range map[string]func(c *PFCConfig){
		"PFC frames of 63 bytes, packets of up to 1048: want at least 64, packets at " +
			"most 65,535": func(c *PFCConfig) { c.FrameBytes = 63 },
		"pauses of 0 quanta, sent again after 32768: want at " +
			"least 1": func(c *PFCConfig) { c.Quanta = 0 },
		"a pause of 65535 quanta is sent again after 65530: a packet on the line makes that " +
			"too late": func(c *PFCConfig) { c.Refresh = 65530 },
		"a pause of 65535 quanta ends before the reaction time " +
			"of 65535": func(c *PFCConfig) { c.TimerFromReception, c.Reaction = true, 65535 },
	} {
		c := DefaultPFC()
		change(&c)
		_, err := NewNetwork(c)
		require.EqualError(t, err, want)
	}
}

// A module of eight timers and the network's: whatever frames come when, a priority is open in the same slots.
func TestReceiverTimersAgainstNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, err := NewNetwork(DefaultPFC())
		require.NoError(t, err)
		a, b := &sink{}, &sink{}
		n.Add(a, 1)
		n.Add(b, 1)
		require.NoError(t, n.Connect(0, 0, 1, 0, Link{ByteTime: Gbps100, Delay: Microsecond}))
		var timers [Priorities]uint16
		for slot := 1; slot < 150; slot++ {
			now := Time(slot) * slot100G
			var f PFCFrame
			if rapid.IntRange(0, 3).Draw(t, "comes") == 0 {
				f.Enable = rapid.Uint8().Draw(t, "enable")
				for i := range f.Quanta {
					f.Quanta[i] = rapid.Uint16Range(0, 30).Draw(t, "quanta")
				}
			}
			require.NoError(t, n.Run(t.Context(), now-1))
			n.now = now
			if f.Enable != 0 {
				n.obey(1, f)
			}
			require.NoError(t, n.Run(t.Context(), now))
			require.Equal(t, countQuanta(&timers, &f), n.Open(1, 0), "slot %d", slot)
		}
	})
}
