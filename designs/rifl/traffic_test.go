package rifl

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

func drawTraffic(t *rapid.T) (beats []TrafficBeat) {
	cycle := Default().Settle() // the link is up
	for range rapid.IntRange(1, 20).Draw(t, "beats") {
		cycle += 1 + rapid.Uint64Range(0, 40).Draw(t, "pause")
		b := TrafficBeat{Cycle: cycle, Last: rapid.Bool().Draw(t, "last")}
		n := 32
		if b.Last {
			n = rapid.IntRange(1, 32).Draw(t, "bytes")
		}
		b.Data = rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "data")
		beats = append(beats, b)
	}
	beats[len(beats)-1].Last = true
	return beats
}

// Traffic files come back as they were.
func TestTrafficFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		beats := drawTraffic(t)
		var file bytes.Buffer
		require.NoError(t, WriteTraffic(&file, beats))
		back, err := ReadTraffic("file", &file, 32)
		require.NoError(t, err)
		require.Equal(t, beats, back)
	})
}

// Beats stand at the interface in the cycles that a file names, and arrive.
func TestTrafficIsPlayedByTheCycle(t *testing.T) {
	for seed := range 5 {
		beats := rapid.Custom(drawTraffic).Example(seed)
		cfg := LinkConfig{Config: Default()}
		cfg.Send[0], cfg.Expect[1] = Play(beats), Play(beats)
		l, err := NewLink(cfg)
		require.NoError(t, err)
		require.NoError(t, l.Ends[1].User.Run(beats[len(beats)-1].Cycle+200))
		require.NoError(t, l.Ends[1].Validator.Err())
		require.Equal(t, len(beats), l.Ends[1].Validator.Beats())
		for i, at := range l.Ends[0].Generator.Taken() {
			// offered after the edge that it names; what the packing of 32 bytes into 30 takes comes on top
			require.GreaterOrEqual(t, at, beats[i].Cycle+1)
			require.LessOrEqual(t, at, beats[i].Cycle+4)
		}
	}
}

// A generator offers a beat after the edge that it names, or at once when the beat before it was taken later; it
// stands until it is taken.
func TestGeneratorOffersBeatsFromTheirCyclesOn(t *testing.T) {
	const width = 8
	var beats []TrafficBeat
	for i, cycle := range []uint64{2, 3, 8, 9} {
		beats = append(beats, TrafficBeat{Cycle: cycle, Data: bytes.Repeat([]byte{0xaa}, i+1), Last: true})
	}
	g, ready := NewGenerator(width, Play(beats)), &player[bool]{}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("user", clock.MHz(100))
	top := sim.Scope("top").On(clk)
	top.Add("generator", g)
	top.Add("ready", ready)
	rtl.Connect(&ready.Out, &g.Ready)
	require.NoError(t, sim.Elaborate())
	var offered []int // bytes, after each edge
	for edge := 1; edge <= 10; edge++ {
		ready.next = edge+1 > 4 // at the next edge
		require.NoError(t, clk.Run(1))
		c, bytes := g.Control.Get(), 0
		if c.Valid {
			bytes = int(c.Bytes)
			require.Equal(t, uint64(0xaaaaaaaaaaaaaaaa)>>(64-8*bytes), g.Data[0].Get())
		}
		offered = append(offered, bytes)
	}
	require.Equal(t, []int{0, 1, 1, 1, 2, 0, 0, 3, 4, 0}, offered)
	require.Equal(t, []uint64{5, 6, 9, 10}, g.Taken())
}

// A validator names the first difference: in any word, in the length, in the end of a packet, or a beat too many.
func TestValidatorNamesTheDifference(t *testing.T) {
	const width = 16
	beat := func(first, bytes int, last bool) TrafficBeat {
		b := TrafficBeat{Data: make([]byte, bytes), Last: last}
		for i := range b.Data {
			b.Data[i] = byte(first + i)
		}
		return b
	}
	sent := []TrafficBeat{beat(0, width, false), beat(64, 13, true)}
	word0, word1 := beat(64, 13, true), beat(64, 13, true)
	word0.Data[7], word1.Data[12] = 0, 0
	for _, c := range []struct {
		expected []TrafficBeat
		err      string
	}{
		{sent, ""},
		{[]TrafficBeat{beat(0, width+1, false), sent[1]}, ""}, // bytes of a beat beyond the interface are cut
		{[]TrafficBeat{sent[0], word0}, "beat 1: word 0 is 4746454443424140, want 0046454443424140"},
		{[]TrafficBeat{sent[0], word1}, "beat 1: word 1 is 0000004c4b4a4948, want 000000004b4a4948"},
		{[]TrafficBeat{sent[0], beat(64, 12, true)}, "beat 1: 13 bytes (last true), want 12 (last true)"},
		{[]TrafficBeat{beat(0, width, true), sent[1]}, "beat 0: 16 bytes (last false), want 16 (last true)"},
		{sent[:1], "a beat of 13 bytes after the last one sent"},
	} {
		g, v := NewGenerator(width, Play(sent)), NewValidator(width, Play(c.expected), nil)
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("user", clock.MHz(100))
		top := sim.Scope("top").On(clk)
		top.Add("generator", g)
		top.Add("validator", v)
		rtl.ConnectStream(g.Output(), v.Input())
		require.NoError(t, sim.Elaborate())
		require.NoError(t, clk.Run(10))
		if c.err == "" {
			require.NoError(t, v.Err())
			require.Equal(t, len(sent), v.Beats())
			continue
		}
		require.ErrorContains(t, v.Err(), c.err)
	}
}

// Each mistake in a file is one line that names the place and the expected text.
func TestTrafficFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "t.csv:0: no beats, want the header cycle,tdata,tlast and rows",
		"cycle,tdata\n":                 `t.csv:1: header "cycle,tdata", want cycle,tdata,tlast`,
		"cycle,tdata,tlast\n1,aa\n":     "t.csv:2: 2 columns, want 3: cycle,tdata,tlast",
		"cycle,tdata,tlast\nx,aa,1\n":   `t.csv:2: cycle "x", want a number above that of the row before`,
		"cycle,tdata,tlast\n1,a,1\n":    `t.csv:2: tdata "a", want 1 to 4 bytes in hexadecimal`,
		"cycle,tdata,tlast\n1,aabb,0\n": "t.csv:2: 2 bytes, want 4: only a packet's last beat may be shorter",
		"cycle,tdata,tlast\n1,aabb,2\n": `t.csv:2: tlast "2", want 0 or 1`,
		"# x\n\ncycle,tdata,tlast\n1,aabb,1\n1,aabb,1\n": `t.csv:5: cycle "1", want a number above that of the row before`,
	} {
		_, err := ReadTraffic("t.csv", strings.NewReader(text), 4)
		require.EqualError(t, err, want)
	}
}

func FuzzReadTraffic(f *testing.F) {
	f.Add("cycle,tdata,tlast\n5,00112233,0\n9,44,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		beats, err := ReadTraffic("f", strings.NewReader(text), 4)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		var out bytes.Buffer
		require.NoError(t, WriteTraffic(&out, beats))
		again, err := ReadTraffic("f", &out, 4)
		require.NoError(t, err)
		require.Equal(t, beats, again)
	})
}

func TestConfigErrors(t *testing.T) {
	for want, change := range map[string]func(*LinkConfig){
		"frame of 192 bits, want 128, 256, 512, 1024 or 2048": func(c *LinkConfig) { c.FrameBits = 192 },
		"9 lanes, want 1 to 8":                                func(c *LinkConfig) { c.Lanes = 9 },
		"cable of 501 m, want 0 to 500":                       func(c *LinkConfig) { c.Length = 501 },
		"lane rate 10000MHz, want 25 to 112 Gb/s": func(c *LinkConfig) {
			c.LaneRate = clock.MHz(
				10_000)
		},
		"frame IDs of 4 bits, want 5 to 12":                                     func(c *LinkConfig) { c.IDBits = 4 },
		"profile 3, want core, paper or safe":                                   func(c *LinkConfig) { c.Profile = 3 },
		"1 lanes in 2 groups, want a power of two that divides the lanes":       func(c *LinkConfig) { c.Groups = 2 },
		"end 0: user interface of 24 bytes, want a power of two from 1 to 2048": func(c *LinkConfig) { c.UserBytes = 24 },
		"end 0, lane 0: blocks: bit error rate 2, want 0 to 1":                  func(c *LinkConfig) { c.BER[1] = 2 },

		"the lane rate is missing": func(c *LinkConfig) { c.LaneRate = clock.Freq{} },
	} {
		cfg := LinkConfig{Config: Default()}
		change(&cfg)
		_, err := NewLink(cfg)
		require.EqualError(t, err, want)
	}
	for p := Core; p <= Safe; p++ {
		var back Profile
		err := back.UnmarshalText([]byte(p.String()))
		require.NoError(t, err)
		require.Equal(t, p, back)
	}
	err := new(Profile).UnmarshalText([]byte("fast"))
	require.EqualError(t, err, `"fast": want core, paper or safe`)
}

// The core's sizing rule at some lengths, by hand: 32 + 2 x (80 + 3.34 L) ns of frames of 9.143 ns.
func TestSizingRule(t *testing.T) {
	for metres, want := range map[float64]int{0: 6, 10: 6, 20: 6, 25: 7, 100: 7, 110: 8, 500: 9} {
		cfg := Default()
		cfg.Length = metres
		require.Equal(t, want, cfg.S(), "%v m", metres)
	}
}
