package spfc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two leaves and a spine by hand.
func TestReadTopology(t *testing.T) {
	top, err := ReadTopology(
		strings.NewReader(
			"a,b,gbps,delay_ns\n# hosts\nH0,left,100,1000\nH1,left,25,1500.5\nH2,right,100,1000\nleft,spine,400,2000\n"+
				"spine,right,400,3000\n",
		),
		"x.csv",
	)
	require.NoError(t, err)
	require.Equal(
		t,
		&Topology{
			Name:   "x.csv",
			Hosts:  3,
			Names:  []string{"left", "right", "spine"},
			Ports:  3,
			Buffer: 1_500_000,
			Links: []TopologyLink{
				{
					0, 3, Gbps100, Microsecond,
				}, {1, 3, 320, 1_500_500}, {2, 4, Gbps100, Microsecond}, {3, 5, Gbps400, 2 * Microsecond}, {5, 4, Gbps400,
					3 * Microsecond},
			},
			RTT: 2 * (1_500_500 + 6*Microsecond),
		},
		top,
	)
}

// The file of a star is the star.
func TestReadTopologyOfAStar(t *testing.T) {
	top, err := ReadTopology(strings.NewReader("a,b,gbps,delay_ns\nH0,S,100,500\nH1,S,100,500\nH2,S,100,500\n"), "star")
	require.NoError(t, err)
	require.Equal(t, Star(3, 500*Nanosecond, Gbps100, 1_500_000), top)
}

func TestReadTopologyErrors(t *testing.T) {
	for rows, says := range map[string]string{
		"":                                   "x.csv:2: columns",
		"H0,S,100,1":                         "x.csv: 1 hosts, want at least H0 and H1",
		"H0,S,100,1\nH2,S,100,1":             "x.csv: 2 hosts and no H1",
		"H0,S,100,1\nH0,S,100,1":             "x.csv:3: H0 has a link on line 2, want one",
		"H0,H1,100,1":                        "x.csv:2: a link from H0 to H1, want a switch at one end",
		"S,S,100,1":                          "x.csv:2: a link from S to S",
		"H0,S,7,1":                           `x.csv:2: gbps "7", want a whole number that divides 8000`,
		"H0,S,100,-1":                        `x.csv:2: delay_ns "-1", want 0 to 1e9`,
		"H0,S,100,NaN":                       `x.csv:2: delay_ns "NaN"`,
		"H0,S,100":                           "x.csv:2: 3 fields",
		"H0,S,100,1\nH1,T,100,1":             "no way from",
		",S,100,1":                           "x.csv:2: an end without a name",
		"H01,S,100,1\nH0,S,1,1\nH1,S,1,1":    "", // H01 is a switch's name
		"H0,S,100,1\nH1,S,100,1\nS,S2,100,0": "",
	} {
		text := "a,b,gbps,delay_ns\n" + rows
		if rows == "" {
			text = "\na,b\n"
		}
		_, err := ReadTopology(strings.NewReader(text), "x.csv")
		if says == "" {
			require.NoError(t, err, rows)
			continue
		}
		require.ErrorContains(t, err, says, rows)
	}
	many := strings.Repeat("H0,S,100,1\n", 1)
	_, err := ReadTopology(strings.NewReader("a,b,gbps,delay_ns\n"+many+"H9999,S,100,1\n"), "x.csv")
	require.ErrorContains(t, err, "x.csv:3: H9999, want at most 1024 hosts")
	_, err = ReadTopology(strings.NewReader("a,b,gbps,delay_ns\n\"H0,S"), "x.csv")
	require.ErrorContains(t, err, "x.csv: ")
}
