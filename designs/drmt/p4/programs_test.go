package p4_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// The sources are read here by regular expressions, which is enough for how they are written: a source and its JSON
// must agree on headers, actions and tables.
func TestSourcesAndJSONAgree(t *testing.T) {
	for _, name := range p4.ProgramNames() {
		t.Run(name, func(t *testing.T) {
			p, err := p4.Load(name)
			require.NoError(t, err)
			source, err := p4.Source(name)
			require.NoError(t, err)

			types := map[string]string{} // "bit<48> dstAddr; ..." by type
			for _, m := range regexp.MustCompile(`header (\w+) \{([^}]*)\}`).FindAllStringSubmatch(source, -1) {
				types[m[1]] = m[2]
			}
			body := regexp.MustCompile(`struct headers \{([^}]*)\}`).FindStringSubmatch(source)[1]
			headers := regexp.MustCompile(`(\w+) (\w+);`).FindAllStringSubmatch(body, -1)
			require.NotEmpty(t, headers)
			bits := map[string]int{}
			for _, h := range headers {
				for _, f := range regexp.MustCompile(`bit<(\d+)> (\w+);`).FindAllStringSubmatch(types[h[1]], -1) {
					bits[h[2]+"."+f[2]], _ = strconv.Atoi(f[1])
				}
			}
			got := map[string]int{}
			for _, h := range p.Headers {
				for _, f := range h.Fields {
					if !h.Metadata {
						got[p.Fields[f].Name] = p.Fields[f].Bits
					}
				}
			}
			require.Equal(t, bits, got)

			tables := 0
			for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
				for _, n := range pipe.Nodes {
					if n.Table == nil {
						continue
					}
					tables++
					_, short, _ := strings.Cut(n.Name, ".")
					text := regexp.MustCompile(`(?s)table ` + short + ` \{(.*?)\n    \}`).FindStringSubmatch(source)
					require.NotNil(t, text, "table %s is not in the source", short)
					var key []string
					for _, k := range n.Table.Key {
						f := p.Fields[k.Field].Name
						f = strings.Replace(f, "scalars.userMetadata.", "meta.", 1)
						if !strings.HasPrefix(f, "meta.") && !strings.HasPrefix(f, "standard_metadata.") {
							f = "hdr." + f
						}
						key = append(key, f+": "+k.Match.String())
					}
					var want []string
					for _, m := range regexp.MustCompile(`([\w.]+): (exact|lpm|ternary);`).FindAllStringSubmatch(text[1], -1) {
						want = append(want, m[1]+": "+m[2])
					}
					require.Equal(t, want, key)
					if len(key) > 0 {
						require.Contains(t, text[1], fmt.Sprintf("size = %d;", n.Table.Size))
					}
					for _, a := range n.Table.Actions {
						action := p.Actions[a]
						short := action.Name[strings.LastIndex(action.Name, ".")+1:]
						require.Contains(t, text[1], " "+short+";")
						if short == "NoAction" {
							continue
						}
						decl := regexp.MustCompile(`(?s)action ` + short + `\(([^)]*)\) \{(.*?)\n    \}`).FindStringSubmatch(source)
						require.NotNil(t, decl)
						var params []string
						for _, d := range action.Params {
							params = append(params, fmt.Sprintf("bit<%d> %s", d.Bits, d.Name))
						}
						require.Equal(t, strings.Join(params, ", "), decl[1])
						require.Equal(t, strings.Count(decl[2], ";"), len(action.Ops), short)
					}
				}
			}
			require.Equal(t, strings.Count(source, "    table "), tables)
		})
	}
}

func TestProgramsHaveSchedules(t *testing.T) {
	for _, name := range p4.ProgramNames() {
		p, err := p4.Load(name)
		require.NoError(t, err)
		g, err := p.Graph()
		require.NoError(t, err)
		for ipc := 1; ipc <= 2; ipc++ {
			r, err := schedule.Minimize(context.Background(), g, schedule.DRMT(ipc), schedule.Options{})
			require.NoError(t, err)
			require.NoError(t, r.Schedule.Validate())
			require.True(t, r.Period.Proved() && r.Length.Proved())
			t.Log(name, ipc, len(g.Nodes), len(g.Edges), r.Period, r.Period.Refuted, r.Length, r.Length.Refuted)
		}
	}
}
