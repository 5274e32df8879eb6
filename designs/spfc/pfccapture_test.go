package spfc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"
)

// Two senders of a line each share a third line: the switch pauses them. The capture has each frame that the ports
// count, in the order of time, from the interface of its port, as 802.1Qbb has it; the last one of each port pauses
// nothing.
func TestPFCCapture(t *testing.T) {
	sc := DefaultScenario(SingleSwitch(3, Microsecond, Gbps100, 1_000_000))
	sc.Policy, sc.Static = ST, 20_000
	sc.Flows = []Flow{{From: 0, To: 2, Bytes: 2_000_000}, {From: 1, To: 2, Bytes: 2_000_000}}
	f := newFabric(t, sc)
	capture := f.CapturePFC()
	require.NoError(t, f.Run(t.Context(), 10*Millisecond))
	require.Zero(t, f.Traffic.Unfinished)
	var b bytes.Buffer
	require.NoError(t, capture.Write(&b))
	r, err := pcapgo.NewNgReader(&b, pcapgo.DefaultNgReaderOptions)
	require.NoError(t, err)
	frames, last, paused := map[int]int{}, int64(0), map[int]uint16{}
	for {
		data, info, err := r.ReadPacketData()
		if err != nil {
			break
		}
		require.Len(t, data, 60)
		require.Equal(t, []byte{0x01, 0x80, 0xc2, 0, 0, 0x01}, data[:6])
		require.Equal(t, []byte{0x88, 0x08, 0x01, 0x01}, data[12:16])
		require.GreaterOrEqual(t, info.Timestamp.UnixNano(), last)
		last = info.Timestamp.UnixNano()
		frames[info.InterfaceIndex]++
		paused[info.InterfaceIndex] = 0
		for prio := range Priorities {
			paused[info.InterfaceIndex] |= binary.BigEndian.Uint16(data[18+2*prio:])
		}
	}
	require.Greater(t, len(frames), 1)
	for i := range r.NInterfaces() {
		face, err := r.Interface(i)
		require.NoError(t, err)
		node, port := i, 0 // each host has an interface, then the switch has the others
		if hosts := f.Topology.Hosts; i >= hosts {
			node, port = hosts, i-hosts
		}
		require.Contains(t, face.Name, fmt.Sprintf("%s port %d to ", f.Topology.NodeName(node), port))
		c := f.Net.Counts(node, port)
		require.EqualValues(t, c.PauseFrames+c.ResumeFrames, frames[i], face.Name)
		require.Zero(t, paused[i], face.Name)
	}
	require.Zero(t, capture.Missed)
}
