package spfc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Any file of events is read or refused in one line, and a manager answers each event or refuses it in one line.
func FuzzReadMMUEvents(f *testing.F) {
	names := strings.Join(mmuColumns, ",") + "\n"
	f.Add(names + "5,S,enqueue,0,3,1,900,1,0,0,900\n6,S,dequeue,0,3,1,900,1,0,0,0\n")
	f.Add("time_ps,switch,event,in,prio,out,bytes\n5,S,enqueue,0,3,31,65536\n")
	f.Add("time_ps,switch,event,in,prio,out,bytes\n\"5\",\"S\nT\",dequeue,0,3,31,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		events, err := ReadMMUEvents("e.csv", strings.NewReader(text))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		sc := DefaultScenario(figure3a())
		fabric, err := NewFabric(&sc)
		require.NoError(t, err)
		player := NewMMUPlayer(fabric.Switches[0])
		for _, e := range events {
			if _, err := player.Play(e); err != nil {
				require.NotContains(t, err.Error(), "\n")
				return
			}
		}
	})
}
