package edm_test

import (
	"encoding"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
)

// A policy reads the text that it prints, and refuses any other: the value is as it was.
func TestTextsOfPolicies(t *testing.T) {
	for text, v := range map[string]interface {
		encoding.TextMarshaler
		String() string
	}{
		"srpt": edm.SRPT, "fcfs": edm.FCFS, "port": edm.ReleaseByPort, "slot": edm.ReleaseBySlot, "fair": edm.Fair,
		"strict": edm.MemoryFirst,
	} {
		b, err := v.MarshalText()
		require.NoError(t, err)
		require.Equal(t, []string{text, text}, []string{string(b), v.String()})
	}
	p, r, s := edm.FCFS, edm.ReleaseBySlot, edm.MemoryFirst
	for _, v := range []encoding.TextUnmarshaler{&p, &r, &s} {
		require.ErrorContains(t, v.UnmarshalText([]byte("none")), `"none": want `)
	}
	require.Equal(t, []any{edm.FCFS, edm.ReleaseBySlot, edm.MemoryFirst}, []any{p, r, s})
	require.NoError(t, p.UnmarshalText([]byte("srpt")))
	require.NoError(t, r.UnmarshalText([]byte("port")))
	require.NoError(t, s.UnmarshalText([]byte("fair")))
	require.Equal(t, []any{edm.SRPT, edm.ReleaseByPort, edm.Fair}, []any{p, r, s})
}
