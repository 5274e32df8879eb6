package study

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// A campaign's traces have a row an end and frame cycle, and show the plan: flips bring passes, and users get wrong
// bytes beyond D = 51 only.
func TestCampaign(t *testing.T) {
	list := scenarios(10, 1)
	require.Len(t, list, 10)
	passes := 0
	for k, s := range list {
		var out bytes.Buffer
		require.NoError(t, writeTraceHeader(&out))
		wrong, err := s.WriteTrace(&out, k)
		require.NoError(t, err)
		if s.D <= 51 {
			require.NoError(t, wrong, "scenario %d, D = %d", k, s.D)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		cfg := s.config()
		require.Len(t, rows, 1+2*int(cfg.Settle()+scenarioFrames-1))
		for _, row := range rows[1:] {
			require.Len(t, row[14], 64)
			state, err := strconv.Atoi(row[3])
			require.NoError(t, err)
			if rifl.State(state) == rifl.Retrans && row[4] == "0" {
				passes++
			}
		}
	}
	require.Greater(t, passes, 10)
	var flips bytes.Buffer
	require.NoError(t, writeFlips(&flips, list))
	require.Contains(t, flips.String(), "scenario,d,end,word,bit\n")
}

// The flip is where the file says: of the word that leaves in that cycle, as the recordings count.
func TestScenarioFlipIsInItsWord(t *testing.T) {
	s := scenario{D: 20}
	cfg := s.config()
	// bit 20 of word 0 of the frame that the register shows before edge k; the recorded run has the same flip at 10504 = 4
	// x 2626
	k := cfg.Settle() + 50
	s.Flips = []scenarioFlip{{1, 4 * k, 20}}
	var out bytes.Buffer
	wrong, err := s.WriteTrace(&out, 0)
	require.NoError(t, err)
	require.NoError(t, wrong)
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	first, requests := uint64(0), 0
	for _, row := range rows {
		cycle, err := strconv.ParseUint(row[2], 10, 64)
		require.NoError(t, err)
		if row[1] == "1" && row[7] == "1" && first == 0 {
			first = cycle
		}
		if row[1] == "1" && row[3] == "4" {
			requests++
		}
	}
	// registered at edge k-1; the verdict is known 10 decisions later with D = 20
	require.Equal(t, k-1+10, first)
	require.Equal(t, 98, requests)
}
