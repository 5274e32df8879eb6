package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Accepts says which cycles are the user's, and user is one of them: the same as by the states and duties that Step
// goes by.
func TestUsersCyclesAreThoseOfStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seldom := func() bool { return rng.IntN(12) == 0 }
	some := func() int {
		if seldom() {
			return 1 + rng.IntN(31)
		}
		return 0
	}
	users := 0
	for _, p := range []Profile{Core, Paper, Safe} {
		for range 5000 {
			c := newController(p, 5)
			c.state, c.id, c.full, c.sent = State(rng.IntN(int(NumStates))), uint16(rng.IntN(32)), seldom(), rng.IntN(33)
			c.init, c.start, c.pass, c.resume = some(), some(), some(), some()
			f := txFlags{Up: !seldom(), Pause: seldom(), Retrans: seldom(), Error: seldom(), RemotePaused: seldom(),
				LocalFull: seldom(), Compensate: seldom(), Offer: true}
			accepts := c.next(&f) == Normal && c.normal(&f) == dutyUser
			require.Equal(t, accepts, c.Accepts(&f), "%+v, %+v", c, f)
			if !accepts {
				continue
			}
			users++
			stepped := c
			require.Equal(t, Emission{State: Normal, Data: true, Key: KeyIdle, Source: FromUser, ID: c.user()}, stepped.Step(&f))
			c.rules, stepped.rules = rules{}, rules{} // functions cannot be compared
			require.Equal(t, stepped, c)
		}
	}
	require.Greater(t, users, 1000)
}

// The start counter of the published core counts the cycles of NORMAL before the user's first frame. It passes over
// cycles of clock compensation, cycles in which the far end is full, and the announcement that our own buffer is.
func TestWhatTheStartCounterCounts(t *testing.T) {
	for name, x := range map[string]struct {
		f      txFlags
		counts bool
	}{
		"an idle":                   {txFlags{Up: true}, true},
		"an idle for compensation":  {txFlags{Up: true, Compensate: true}, false},
		"the far end is full":       {txFlags{Up: true, RemotePaused: true}, false},
		"flow control is announced": {txFlags{Up: true, LocalFull: true}, false},
	} {
		c := newController(Core, 6)
		c.state, c.init, c.start, c.full = Normal, 0, 7, false
		c.Step(&x.f)
		require.Equal(t, Normal, c.state, name)
		want := 7
		if x.counts {
			want = 6
		}
		require.Equal(t, want, c.start, name)
	}
}
