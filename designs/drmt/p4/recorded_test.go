package p4_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/internal/recording"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The interpreter does with each packet what simple_switch did, as recordings of it say: the same packets leave by the
// same ports.
func TestRecordedPrograms(t *testing.T) {
	dir, err := os.Getwd()
	require.NoError(t, err)
	programs, recordings := recording.List(recording.Data(dir))
	if len(programs) == 0 {
		t.Skip("recordings of simple_switch were NOT compared: none lie beside the module")
	}
	for i, file := range programs {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := p4.ParseBMv2(name, bytes.NewReader(data))
			require.NoError(t, err)
			r, err := recording.Read(recordings[i], p)
			require.NoError(t, err)
			require.NotEmpty(t, r.Packets)
			in, err := p4.NewInterpreter(p, r.Entries, r.Defaults)
			require.NoError(t, err)
			for n, x := range r.Packets {
				in.SetTime(uint64(n) * 1000)
				out := in.Run(x.Port, x.Data)
				require.NoError(t, out.Err)
				require.Equal(t, show(x.Out), show(out.Sent), "packet %d on port %d: %x\n%v", n, x.Port, x.Data, out.Trace)
			}
			t.Logf("%d packets equal", len(r.Packets))
		})
	}
}

func show(list []p4.Sent) (lines []string) {
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%d %x", s.Port, s.Packet))
	}
	return lines
}
