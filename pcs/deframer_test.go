package pcs

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// deframed sends a frame of n bytes, its FCS included, that starts in a lane, and returns the beats with the cycles of
// their words.
func deframed(t *testing.T, n, lane int) (beats []Beat, cycles []int) {
	t.Helper()
	var line chars
	var words []XGMII
	push := func(data uint64, ctrl uint8, k int) {
		if line.push(data, ctrl, k); line.n >= 8 {
			x := XGMII{Valid: true}
			x.Data, x.Ctrl = line.pop()
			words = append(words, x)
		}
	}
	push(idleData, 0xff, 8)
	push(idleData, 0xff, lane)
	push(preamble, 0x01, 8)
	crc := crc32.Init()
	for i := range n - FCSBytes {
		crc = crc32.UpdateByte(crc, byte(i))
		push(uint64(byte(i)), 0, 1)
	}
	for i := range FCSBytes {
		push(crc32.Final(crc)>>(8*i)&0xff, 0, 1)
	}
	push(CharTerm, 1, 1)
	for range 5 {
		push(idleData, 0xff, 8)
	}
	return deframedWords(t, words)
}

// deframedWords returns the beats that come of words, with the cycles in which they leave.
func deframedWords(t *testing.T, words []XGMII) (beats []Beat, cycles []int) {
	t.Helper()
	u := vectors.Unit{Name: "test/deframer", Doc: "d", Clock: clock.Block25G, Build: func(b *vectors.Bench) rtl.Module {
		d := &Deframer{}
		vectors.Drive(b, &d.In, func(cycle uint64) XGMII {
			if cycle < uint64(len(words)) {
				return words[cycle]
			}
			return XGMII{}
		})
		return d
	}}
	s, err := vectors.Capture(u, len(words)+1, 1)
	require.NoError(t, err)
	for k, row := range s.Rows {
		if b := (Beat{row[s.Column("out_data")], uint8(row[s.Column("out_keep")]), row[s.Column("out_last")] == 1,
			row[s.Column("out_valid")] == 1, FrameFault(row[s.Column("out_fault")])}); b.Valid {
			beats, cycles = append(beats, b), append(cycles, k)
		}
	}
	return beats, cycles
}

// A frame's bytes come in full beats, whichever lane it starts in, and the last beat has at least one of them.
func TestDeframerHasNoEmptyLastBeat(t *testing.T) {
	for n := MinFrameBytes; n < MinFrameBytes+24; n++ {
		for _, lane := range []int{0, 4} {
			t.Run(fmt.Sprintf("%d_%d", n, lane), func(t *testing.T) {
				beats, cycles := deframed(t, n, lane)
				payload := n - FCSBytes
				require.Len(t, beats, (payload+7)/8)
				for i, b := range beats {
					last := i == len(beats)-1
					k := min(8, payload-8*i)
					require.Equal(t, last, b.Last)
					require.Equal(t, keepMask(k), b.Keep)
					require.Equal(t, FrameOK, b.Fault)
					for j := range k {
						require.Equal(t, byte(8*i+j), byte(b.Data>>(8*j)))
					}
				}
				// the word with the 8th byte after the preamble is word 2, in lane 4 word 3
				require.Equal(t, 2+lane/4+2, cycles[0])
			})
		}
	}
}

// A word that ends a frame with a /S/ and no preamble after it is two faults. The frame's is that it was cut off, and
// it is the one that is told: no frame has begun whose preamble could be bad.
func TestTheFaultOfACutFrameStands(t *testing.T) {
	start := XGMII{Data: preamble, Ctrl: 0x01, Valid: true}
	data := XGMII{Data: 0x1122334455667788, Valid: true}
	bad := XGMII{Data: 0x5555_5555_5555_5500 | CharStart, Ctrl: 0x01, Valid: true}
	idle := XGMII{Data: idleData, Ctrl: 0xff, Valid: true}
	for _, c := range []struct {
		name  string
		words []XGMII
		want  []FrameFault
	}{
		{"cut off by a bad preamble", []XGMII{start, data, data, data, bad, idle, idle, idle}, []FrameFault{CodeError}},
		{"a bad preamble alone", []XGMII{bad, idle, idle, idle}, []FrameFault{BadPreamble}},
		{"cut off, and later a bad preamble", []XGMII{start, data, data, data, idle, idle, idle, bad, idle, idle},
			[]FrameFault{CodeError, BadPreamble}},
	} {
		beats, _ := deframedWords(t, c.words)
		var got []FrameFault
		for _, b := range beats {
			if b.Last {
				got = append(got, b.Fault)
			}
		}
		require.Equal(t, c.want, got, c.name)
	}
}

// The default stimulus has stretches as the standard allows: long runs of data, all lengths; and disorder.
func TestProfiles(t *testing.T) {
	encoder, err := Units().Find("pcs/encoder")
	require.NoError(t, err)
	look := func(profile string) (longest, odd int, lanes map[int]bool) {
		u, err := encoder.WithProfile(profile)
		require.NoError(t, err)
		s, err := vectors.Capture(u, 100_000, 1)
		require.NoError(t, err)
		run := 0
		lanes = map[int]bool{}
		data, ctrl, valid := s.Column("in_data"), s.Column("in_ctrl"), s.Column("in_valid")
		for _, row := range s.Rows {
			if row[valid] == 0 {
				continue
			}
			if _, kind := Encode(XGMII{row[data], uint8(row[ctrl]), true}); kind == KindE {
				odd++
			}
			if row[ctrl] == 0 {
				run++
				longest = max(longest, run)
				continue
			}
			for lane := range 8 {
				if row[ctrl]>>lane&1 == 1 && byte(row[data]>>(8*lane)) == CharTerm {
					lanes[lane] = run > 8
				}
			}
			run = 0
		}
		return longest, odd, lanes
	}
	longest, odd, lanes := look("mixed")
	require.GreaterOrEqual(t, longest, 9000/8-1)
	require.Greater(t, odd, 1000)
	require.Len(t, lanes, 8)
	longest, odd, lanes = look("legal")
	require.GreaterOrEqual(t, longest, 9000/8-1)
	require.Zero(t, odd)
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true}, lanes)
	longest, odd, _ = look("hostile")
	require.Less(t, longest, 20)
	require.Greater(t, odd, 2000)
	_, err = encoder.WithProfile("polite")
	require.EqualError(t, err, `profile "polite", want mixed, legal or hostile`)
	sync, err := Units().Find("pcs/block_sync")
	require.NoError(t, err)
	_, err = sync.WithProfile("legal")
	require.EqualError(t, err, "profile legal: the stimulus of pcs/block_sync has no profiles")
}

// Legal frames pass the whole way: the encoder's state machine meets no error, the deframer finds every frame good.
func TestLegalProfileIsLegal(t *testing.T) {
	broken, _ := Encode(ErrorWord())
	for name, bad := range map[string]func(s *vectors.Set, row []uint64) bool{
		"pcs/encoder": func(s *vectors.Set, row []uint64) bool {
			return row[s.Column("out_valid")] == 1 && row[s.Column("out_payload")] == broken.Payload
		},
		"pcs/deframer": func(s *vectors.Set, row []uint64) bool {
			return row[s.Column("out_valid")] == 1 && row[s.Column("out_fault")] != 0
		},
		"pcs/framer": func(s *vectors.Set, row []uint64) bool {
			return row[s.Column("out_valid")] == 1 && showsError(row[s.Column("out_data")], row[s.Column("out_ctrl")])
		},
		"pcs/decoder": func(s *vectors.Set, row []uint64) bool {
			return row[s.Column("out_valid")] == 1 && showsError(row[s.Column("out_data")], row[s.Column("out_ctrl")])
		},
	} {
		u, err := Units().Find(name)
		require.NoError(t, err)
		u, err = u.WithProfile("legal")
		require.NoError(t, err)
		s, err := vectors.Capture(u, 30_000, 3)
		require.NoError(t, err)
		n := 0
		for k, row := range s.Rows {
			if k > 20 && bad(s, row) {
				n++
			}
		}
		require.Zero(t, n, name)
	}
}

// showsError finds an /E/.
func showsError(data, ctrl uint64) bool {
	for lane := range 8 {
		if ctrl>>lane&1 == 1 && byte(data>>(8*lane)) == CharError {
			return true
		}
	}
	return false
}
