package vectors_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/vectors"
)

// A campaign that counts no mutants, or rows that are not there, is refused: nothing would be held to it.
func TestCampaignsThatCountNothing(t *testing.T) {
	u := vectors.Unit{Name: "test/counted"}
	for name, c := range map[string]struct {
		mutants  vectors.Mutants
		cycles   int
		directed []string
		want     string
	}{
		"whole":          {vectors.Mutants{Of: 3, Killed: 2, Equal: 1, Directed: 2}, 4098, []string{"2 x 1f"}, ""},
		"no mutant":      {vectors.Mutants{}, 4096, nil, "0 mutants, 0 killed and 0 proved equal, want at least one in all"},
		"fewer than all": {vectors.Mutants{Of: 3, Killed: 2}, 4096, nil, "as many as there are"},
		"below nothing": {vectors.Mutants{Of: 3, Killed: 4, Equal: -1}, 4096, nil,
			"3 mutants, 4 killed and -1 proved equal"},
		"no rows": {vectors.Mutants{Of: 3, Killed: 3, Directed: 2}, 4098, nil,
			"0 lines of rows that are added, for 2 cycles"},
		"rows too few": {vectors.Mutants{Of: 3, Killed: 3, Directed: 2}, 4096, []string{"2 x 1f"},
			"4096 cycles, of them 2 added"},
		"rows too many": {vectors.Mutants{Of: 3, Killed: 3, Directed: 1}, 4097, []string{"1", "2"},
			"4097 cycles, of them 1 added"},
		"no reason": {vectors.Mutants{Of: 3, Killed: 2, Open: []vectors.OpenMutant{{Mutant: "x"}}}, 4096, nil,
			"an open mutant, want its name and the reason"},
		"another unit's": {vectors.Mutants{Of: 3, Killed: 3}, 4096, nil,
			`the campaign is of "test/other", want test/counted`},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir() + "/" + u.CampaignFile()
			written := vectors.Campaign{Module: u.Name, Mutants: &c.mutants, Cycles: c.cycles, Directed: c.directed}
			if name == "another unit's" {
				written.Module = "test/other"
			}
			require.NoError(t, written.Write(path))
			_, err := vectors.ReadCampaign(path, u)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
	path := t.TempDir() + "/empty.json"
	empty := vectors.Campaign{Module: u.Name, Mutants: &vectors.Mutants{Of: 3, Killed: 3}, Cycles: 4096,
		Restarts: [][]string{{"1"}, {}}}
	require.NoError(t, empty.Write(path))
	_, err := vectors.ReadCampaign(path, u)
	require.ErrorContains(t, err, "run 1 from the reset has no rows")
	path = t.TempDir() + "/bad.json"
	require.NoError(t, output.WriteFile(path, []byte("{")))
	_, err = vectors.ReadCampaign(path, u)
	require.ErrorContains(t, err, path)
	none, err := vectors.ReadCampaign(path+"x", u)
	require.NoError(t, err)
	require.Nil(t, none)
}
