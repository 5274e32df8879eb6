package rifl

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Listing 1 with plain arithmetic on counters that never wrap: the verifier is that modulo 2^S.
func TestVerifierModuloIsPlainCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.IntRange(5, 9).Draw(t, "S")
		mask := 1<<s - 1
		v := NewVerifier(s)
		id, threshold, missing := 0, 16, false
		for range rapid.IntRange(1, 300).Draw(t, "frames") {
			data := rapid.IntRange(0, 3).Draw(t, "kind") > 0
			residue := id
			if rapid.IntRange(0, 7).Draw(t, "wrong") == 0 {
				residue ^= rapid.IntRange(1, mask).Draw(t, "by")
			}
			ok := residue == id
			good := ok && id == threshold
			switch {
			case !ok:
				missing, id = true, threshold-16
			default:
				if threshold == id+1 {
					missing = false
				}
				if data {
					id++
				}
			}
			if good && data {
				threshold++
			}
			require.Equal(t, good, v.Verify(uint16(residue&mask), data))
			require.Equal(t, missing, v.Error)
			require.EqualValues(t, id&mask, v.FrameID)
			require.EqualValues(t, threshold&mask, v.Threshold)
		}
	})
}

// The example of §4.C: frame 68 is lost; 69 with one bit wrong looks like it and is not taken; 52 to 67 in order bring
// 68.
func TestVerifierExampleOf4C(t *testing.T) {
	v := NewVerifier(8)
	for id := range uint16(68) {
		require.Equal(t, id >= 16, v.Verify(id, true))
	}
	require.False(t, v.Verify(68^0x100, true), "68 has an error")
	require.True(t, v.Error)
	require.EqualValues(t, 52, v.FrameID)
	require.False(t, v.Verify(69^1, true), "the code of 69 with its lowest bit wrong is that of 68")
	for id := range uint16(67) {
		require.False(t, v.Verify(id, true))
		require.True(t, v.Error)
	}
	require.False(t, v.Verify(67, true))
	require.False(t, v.Error, "the last before the missing one is there")
	require.True(t, v.Verify(68, true))
}

// Strict priority, over all combinations of flags.
func TestControllerPriorities(t *testing.T) {
	for bits := range 1 << 8 {
		on := func(i int) bool { return bits>>i&1 == 1 }
		f := txFlags{Up: on(0), Pause: on(1), Retrans: on(2), Error: on(3), RemotePaused: on(4), LocalFull: on(5),
			Compensate: on(6), Offer: on(7)}
		c := newController(Core, 6)
		for range 64 {
			e := c.Step(&f)
			require.Equal(t, Emission{State: Init, Key: KeyPause}, e, "INIT whatever the flags")
		}
		for range 64 { // invalid frames before the user's first
			c.Step(&txFlags{Up: true})
		}
		accepts := c.Accepts(&f)
		e := c.Step(&f)
		want := Emission{Key: KeyIdle}
		switch {
		case !f.Up:
			want.State, want.Key = SendPause, KeyPause
		case f.Pause:
			want.State = Pause
		case f.Retrans:
			want.State, want.Data, want.Source = Retrans, true, FromBuffer
		case f.Error:
			want.State, want.Key = SendRetrans, KeyRetrans
		default:
			want.State = Normal
			switch {
			case f.Compensate:
			case f.LocalFull:
				want.Data, want.Source, want.Format = true, FromFlow, FormatPause
			case f.RemotePaused:
			default:
				want.Data = true
				if f.Offer {
					want.Source = FromUser
				}
			}
		}
		require.Equal(t, want.State == Normal && want.Data && want.Source != FromFlow, accepts)
		require.Equal(t, want, e, "%+v", f)
	}
}

// A pass frame by frame: 2 x 2^S alternate, a tail of control frames follows, IDs run once round.
func TestRetransmissionPass(t *testing.T) {
	for _, c := range []struct {
		profile    Profile
		s          int
		data, tail int
		first      uint16
	}{
		{Core, 6, 64, 33, 0}, {Core, 7, 128, 65, 0},
		{Paper, 6, 64, 32, 0}, {Paper, 7, 128, 64, 0}, // 2.5 x 2^S in all (§4.C)
		{Safe, 6, 63, 64, 1}, {Safe, 7, 127, 128, 1},
	} {
		ctl := newController(c.profile, c.s)
		up := txFlags{Up: true}
		ids := 1 << c.s
		for range 2 * ids {
			ctl.Step(&up)
		}
		f := txFlags{Up: true, Retrans: true, Error: true}
		var got []uint16
		frames := 0
		for {
			e := ctl.Step(&f)
			if e.State != Retrans {
				require.EqualValues(t, 0, e.ID, "the next new frame follows the last")
				break
			}
			f.Retrans, f.Error = false, frames < 10 // the request goes away at once
			if e.Data {
				require.Equal(t, FromBuffer, e.Source)
				require.Zero(t, frames%2)
				got = append(got, e.ID)
			} else if frames <= 10 {
				require.Equal(t, uint16(KeyRetrans), e.Key, "its own error shows in frame %d", frames)
			} else {
				require.Equal(t, uint16(KeyIdle), e.Key)
			}
			frames++
		}
		require.Equal(t, 2*ids+c.tail, frames)
		require.Len(t, got, c.data)
		require.Equal(t, c.first, got[0])
		require.True(t, slices.IsSorted(got))
		require.EqualValues(t, ids-1, got[len(got)-1])
	}
}
