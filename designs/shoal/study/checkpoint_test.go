package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
)

func TestExperimentsGoOnFromACheckpoint(t *testing.T) {
	small := map[string]string{"nodes": "8", "channels": "1"}
	with := func(more ...string) map[string]string {
		flags := map[string]string{}
		for k, v := range small {
			flags[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			flags[more[i]] = more[i+1]
		}
		return flags
	}
	designtest.CheckResume(t, Load, 2000, with("load", "0.5", "flows", "100", "sizes", "fixed:20000"))
	designtest.CheckFork(
		t, Load, 2000, with("load", "0.5", "flows", "100", "sizes", "fixed:20000"), with("load", "0.2"),
		with("sizes", "fixed:10000"),
	)
	designtest.CheckResume(t, permutation, 100, with("pairs", "4", "epochs", "20"))
	designtest.CheckResume(t, fairness, 100, with("flows", "6", "epochs", "20", "settle", "5"))
	designtest.CheckResume(t, Incast, 300, with("senders", "5", "bytes", "20000"))
	designtest.CheckResume(t, Detour, 3000, with("flows", "3", "load", "0.3", "sizes", "fixed:5000"))
	flows := filepath.Join(t.TempDir(), "flows.csv")
	rows := "id,type,source,destination,bytes,start_ns\n1,write,0,5,40000,0\n2,write,3,5,20000,100\n3,write,5,0,300,9000\n"
	require.NoError(t, os.WriteFile(flows, []byte(rows), 0o600))
	designtest.CheckResume(t, Trace, 300, with("FILE", flows))
	designtest.CheckResume(
		t, peers, 2000, with("networks", "shoal,r2c2", "load", "0.5", "flows", "100", "sizes", "fixed:20000"),
	)
	designtest.CheckResume(t, Classes, 100, map[string]string{"nodes": "8", "senders": "4", "urgent": "40"})
	designtest.CheckResume(t, cellSize, 300, map[string]string{"cell": "64", "epochs": "50"})
	designtest.CheckResume(t, prototypeIncast, 200, nil)
	designtest.CheckResume(t, ownClock, 500, map[string]string{"ppm": "400", "slots": "100"})
}
