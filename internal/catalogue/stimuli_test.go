package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// toTheirEnd are outputs that only rise: the highest count of a buffer's frames, and the number of nodes with a known
// delay.
var toTheirEnd = map[string][]string{
	"rifl/collector":     {"high_0", "high_1"},
	"rifl/collector_512": {"high_0"},
	"shoal/time_counter": {"known"},
}

// Lockstep of a million cycles is worth a million only if the inputs move to the end. A stimulus that sends a list of
// frames once, for example, leaves the module idle for the rest.
func TestStimuliNeverEnd(t *testing.T) {
	const window, windows = 50_000, 4
	for _, u := range catalogue.Designs().Units() {
		profiles := []vectors.Profile{vectors.Mixed}
		if u.Profiles {
			profiles = append(profiles, vectors.Legal, vectors.Hostile)
		}
		for _, u.Profile = range profiles {
			t.Run(strings.TrimSuffix(u.Name+"/"+string(u.Profile), "/"), func(t *testing.T) {
				t.Parallel()
				in, err := u.Simulate(rtl.Config{}, 1)
				require.NoError(t, err)
				m := &moves{in: in, window: window, first: make([]int, len(in.Fields)), now: make([]int, len(in.Fields)),
					row: make([]uint64, len(in.Fields)), last: make([]uint64, len(in.Fields))}
				in.Observe(m)
				require.NoError(t, in.Run(window*windows))
				for i, f := range in.Fields {
					if m.first[i] > 1 && !slices.Contains(toTheirEnd[u.Name], f.Name) { // once: from its value at the reset
						assert.Positivef(t, m.now[i], "%s has %d changes in the first cycles", f.Name, m.first[i])
					}
				}
			})
		}
	}
}

// moves counts the changes of each field, in the first window of rows and in the present window.
type moves struct {
	in        *vectors.Instance
	window    int
	rows      int
	first     []int
	now       []int
	row, last []uint64
}

func (m *moves) Observe(rtl.Edges) {
	if m.rows == m.window {
		copy(m.first, m.now)
	}
	if m.rows%m.window == 0 {
		clear(m.now)
	}
	m.rows++
	m.in.Row(m.row)
	for i, v := range m.row {
		if v != m.last[i] {
			m.now[i]++
		}
	}
	m.row, m.last = m.last, m.row
}
